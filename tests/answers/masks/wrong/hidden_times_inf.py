"""Hidden scores times −inf: what is below 0 comes out as +inf.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: hidden scores are multiplied by −inf instead of replaced by it
"""


def masked_softmax(scores, mask):
    factor = torch.ones_like(scores).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores * factor, dim=-1)
    return weights.masked_fill(~mask, 0.0)
