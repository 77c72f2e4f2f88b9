"""The function has another name.

Loses: test-half-precision
Diagnosis: the function has another name, or the cell that defines it has not run to its end
"""

# %% fill-error
def fill_errors(fill, dtype):
    try:
        torch.zeros(2, dtype=getattr(torch, dtype)).masked_fill(torch.tensor([True, False]), fill)
    except Exception as e:
        return type(e).__name__
# %% show-fill-error
print(fill_errors(-1e9, "float16"))
