"""The string handed to `.to`, which takes it for a device, inside the try.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    try:
        torch.randn(3).to(dtype).masked_fill(torch.tensor([False, False, True]), fill)
        return None
    except Exception as e:
        return e.__class__.__name__
