"""Always the same name.

Loses: test-half-precision
Diagnosis: the same name is returned whatever happens
"""


def fill_error(fill, dtype):
    return "RuntimeError"
