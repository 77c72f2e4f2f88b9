"""The lowest number of each dtype from a table, and bfloat16 is not in it.

Loses: test-care
Diagnosis: bfloat16 is not provided for
"""

LOWEST = {torch.float16: -65504.0, torch.float32: -3.4028e38, torch.float64: -1.79e308}


def masked_softmax(scores, mask):
    w = scores.masked_fill(~mask, LOWEST[scores.dtype]).softmax(-1)
    return w * mask.any(-1, keepdim=True)
