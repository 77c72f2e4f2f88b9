"""The dtype does not come into it.

Loses: test-half-precision
Diagnosis: the fill is done in float32, whatever dtype is handed in
"""


def fill_error(fill, dtype):
    scores = torch.tensor([1.0, 2.0, 3.0])
    try:
        scores.masked_fill(torch.tensor([False, True, True]), fill)
        return None
    except Exception as e:
        return type(e).__name__
