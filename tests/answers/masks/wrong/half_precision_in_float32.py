"""Half precision is computed in float32, and comes back in it.

Loses: test-care
Diagnosis: half precision comes back as float32
"""


def masked_softmax(scores, mask):
    x = scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores
    w = torch.softmax(x.masked_fill(~mask, float("-inf")), dim=-1)
    return torch.where(mask, w, torch.zeros_like(w))
