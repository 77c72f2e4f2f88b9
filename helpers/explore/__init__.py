"""Pictures to play with: static in a recorded notebook, with sliders when the reader asks.

`from helpers import explore`, never at helpers' import (matplotlib is slow). ipywidgets is
imported when a picture goes live, and not before.
"""

from helpers.explore.concentration import softmax
from helpers.explore.controls import Cells, Choice, Switch, Words, play
from helpers.explore.translation import decoding
from helpers.explore.visibility import masks

__all__ = ["Cells", "Choice", "Switch", "Words", "decoding", "masks", "play", "softmax"]
