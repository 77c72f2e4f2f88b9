"""A fill that only float32 and wider can hold.

Loses: test-masked-softmax, test-care
Diagnosis: a finite number is filled in
"""


def masked_softmax(scores, mask):
    w = scores.masked_fill(~mask, -1e38 if scores.dtype != torch.float64 else -1e300).softmax(-1)
    return w * mask.any(-1, keepdim=True)
