"""The type put into text, with all that is around its name.

Loses: test-half-precision
Diagnosis: the type is turned into text instead of its name being taken
"""


def fill_error(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as error:
        return str(type(error))
