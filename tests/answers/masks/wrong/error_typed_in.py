"""Always the same name.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens: it is typed in, or something besides the fill raises inside the `try`,
    such as a dtype that is a string or a mask that is not boolean
"""


def fill_error(fill, dtype):
    return "RuntimeError"
