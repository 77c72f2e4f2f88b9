"""What a failed test says, as far as others read it there: `make check`, feedback and the class at a glance."""

import html
import re

NOT_ANSWERED = "is not answered yet"
NO_FUNCTION = "There is no function"
RETURN_EXPECTED = "expected it to return"  # after "raised KIND (MESSAGE); "
ONE_FITS = "This is what comes out when"  # a known mistake
MANY_FIT = "This fits more than one known mistake"


def in_html(text: str) -> str:
    """A line of text for a page; what stands between backticks is code there, as in Markdown."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
