"""True taken for masked out, and NaN left where nothing is.

Loses: test-masked-softmax, test-full-row-policy, test-care
Diagnosis: True is read as masked out where it means may attend
"""


def masked_softmax(scores, mask):
    s = scores.clone()
    s[mask.expand_as(s)] = float("-inf")
    return torch.nn.functional.softmax(s, dim=-1)
