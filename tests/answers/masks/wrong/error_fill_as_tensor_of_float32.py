"""The fill as a tensor of float32: −inf before it comes to masked_fill, if it is large.

Loses: test-half-precision
Diagnosis: the fill is made a tensor or added instead of being handed to masked_fill as it is, and becomes −inf without a word
"""


def fill_error(fill, dtype):
    masked_out = torch.tensor([False, True, True])
    try:
        torch.zeros(3, dtype=getattr(torch, dtype)).masked_fill(masked_out, torch.tensor(fill))
    except Exception as error:
        return type(error).__name__
