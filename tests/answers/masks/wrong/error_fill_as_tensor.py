"""The fill as a tensor of the dtype: −inf before it comes to masked_fill.

Loses: test-half-precision
Diagnosis: the fill is made a tensor or added instead of being handed to masked_fill as it is, and becomes −inf without a word
"""


def fill_error(fill, dtype):
    masked_out = torch.tensor([False, True, True])
    try:
        dt = getattr(torch, dtype)
        torch.zeros(3, dtype=dt).masked_fill(masked_out, torch.tensor(fill, dtype=dt))
    except Exception as error:
        return type(error).__name__
