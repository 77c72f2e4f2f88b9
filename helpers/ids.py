"""What can be a student's id, for who hands in and for grading. Standard library alone: a wrong one is said at once."""

import re

IGNORED = {"__MACOSX", "__pycache__"}  # folders that systems add, as is every name that starts with a dot
ID = re.compile(r"[\w][\w .@+'-]*")  # letters, digits and what the ids of real systems hold


def is_id(text: str) -> bool:
    """Whether `text` can be a student's id: nbgrader makes it a folder's name and a column of a CSV file."""
    return ID.fullmatch(text) is not None and len(text) <= 100 and text not in IGNORED
