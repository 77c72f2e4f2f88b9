"""The fill as a tensor, and no masked_fill at all.

Loses: test-half-precision
Diagnosis: the fill is made a tensor or added instead of being handed to masked_fill as it is, and becomes −inf without a word
"""


def fill_error(fill, dtype):
    masked_out = torch.tensor([False, True, True])
    try:
        torch.tensor(fill, dtype=getattr(torch, dtype))
    except Exception as error:
        return type(error).__name__
