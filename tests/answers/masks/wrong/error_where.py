"""Tried with `where`, which makes −inf of it without a word.

Loses: test-half-precision
Diagnosis: the fill is put in by assignment or torch.where, which make −inf of it without a word
"""


def fill_error(fill, dtype):
    try:
        torch.where(torch.tensor([True, False]), fill, torch.zeros(2, dtype=getattr(torch, dtype)))
    except Exception as e:
        return type(e).__name__
