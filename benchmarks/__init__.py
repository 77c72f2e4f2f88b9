"""How fast and how lean `helpers` is, each time as a ratio to something measured beside it."""

import os

# One thread, settled before torch is imported: two of them wait for each other, and beside a busy
# neighbour that takes many times as long as the step.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# What is printed is the table.
os.environ.setdefault("TQDM_DISABLE", "1")
