"""Always the same name.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
such as a dtype that is a string or a mask that is no tensor of booleans
"""


def fill_error(fill, dtype):
    return "RuntimeError"
