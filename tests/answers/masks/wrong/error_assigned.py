"""Assigned to a part of the scores, where it becomes −inf without a word.

Loses: test-half-precision
Diagnosis: the fill is put in by assignment or torch.where, which make −inf of it without a word
"""


def fill_error(fill, dtype):
    scores = torch.zeros(4, dtype=getattr(torch, dtype))
    try:
        scores[torch.tensor([False, True, True, True])] = fill
    except Exception as error:
        return type(error).__name__
    return None
