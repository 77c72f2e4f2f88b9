# What the Validate button goes by.

c.Execute.timeout = 30  # noqa: F821 (seconds a cell, as in grading; without it an endless loop never ends)
