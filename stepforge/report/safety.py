"""What may stand in a page at all."""

import re

from markupsafe import Markup

# Control characters may not stand in HTML; a lone surrogate cannot be written as UTF-8.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(page: str) -> str:
    """The page in characters that HTML and UTF-8 can hold; each of the others becomes U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", page)


def breakable(name: str) -> Markup:
    """A name that may break after the signs that join its words."""
    return Markup("<wbr>").join(re.split(r"(?<=[_./-])(?=\w)", name))
