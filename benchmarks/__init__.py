"""How fast and how lean `helpers` is, each time as a ratio to something measured beside it."""

import os

# One thread, settled before torch is imported: with two, a busy neighbour was seen to stretch a
# small step up to eighty times.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What is printed is the table.
os.environ.setdefault("TQDM_DISABLE", "1")
