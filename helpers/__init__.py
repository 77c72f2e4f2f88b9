"""The pieces of the course, finished. Each lesson builds its piece first and then meets it here.

What `from helpers import …` gives is listed in `helpers/pieces.py`. Imported by name: `helpers.checks`,
`helpers.data`, `helpers.efficient`, `helpers.explore`, `helpers.flash`, `helpers.memory`,
`helpers.observer`, `helpers.plots`, `helpers.training`.

Commands: `python -m helpers.lab` opens the lessons, `python -m helpers.check` says which parts of the
exercises are done, `python -m helpers.handin` packs them to hand in, `python -m helpers.doctor` looks at
the set-up.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from helpers.pieces import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """A piece, when it is asked for: the doctor has to come in where PyTorch is missing."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'helpers' has no attribute {name!r}")
    import helpers.pieces as pieces

    try:
        return getattr(pieces, name)
    except AttributeError:
        raise AttributeError(f"module 'helpers' has no attribute {name!r}") from None


def __dir__() -> list:
    import helpers.pieces as pieces

    return sorted({*globals(), *pieces.__all__})
