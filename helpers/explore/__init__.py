"""Pictures to play with: static in a recorded notebook, with sliders when the reader asks.

`from helpers import explore`, never at helpers' import (matplotlib is slow). ipywidgets is
imported when a picture goes live, and not before.

`softmax`, `masks` and `decoding` are for the lessons, each in a file of its name; what they draw and
compute with stands beside them for the tests.
"""

from helpers.explore.controls import Cells, Choice, Switch, Words, play
from helpers.explore.decoding import decoding
from helpers.explore.masks import masks
from helpers.explore.softmax import softmax

__all__ = ["Cells", "Choice", "Switch", "Words", "decoding", "masks", "play", "softmax"]
