"""The lowest finite number as fill: full rows uniform.

Loses: test-full-row-policy
Diagnosis: a finite number is filled in
"""


def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
