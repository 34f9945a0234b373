"""Whether a text is sound LaTeX: what keeps a rule from breaking a formula."""

import re
from functools import lru_cache

from pylatexenc.latexwalker import LatexWalker, LatexWalkerError

MAX_PARSED = 20_000  # characters; a longer text is judged by its pairs alone
MAX_DEPTH = 60  # nested groups; the parser calls itself at each

_PAIR = re.compile(r"\\begin\{([A-Za-z*]{1,30})\}|\\end\{([A-Za-z*]{1,30})\}|\\[\s\S]|\$\$?|[{}]")
_CLOSES = {"}": "{", r"\)": r"\(", r"\]": r"\["}


@lru_cache(maxsize=64)
def is_sound(text: str) -> bool:
    """Whether every brace, delimiter and environment pairs, and pylatexenc reads the text without a complaint."""
    return _pairs(text) and (len(text) > MAX_PARSED or _parses(text))


def _pairs(text: str) -> bool:
    opened: list[str] = []
    for match in _PAIR.finditer(text):
        sign = match[0]
        if match[1] or sign in ("{", r"\(", r"\["):
            opened.append(match[1] or sign)
            if len(opened) > MAX_DEPTH:
                return False
        elif match[2] or sign in _CLOSES:
            if not opened or opened.pop() != (match[2] or _CLOSES[sign]):
                return False
        elif sign[0] == "$":
            if opened and opened[-1] == sign:
                opened.pop()
            else:
                opened.append(sign)
    return not opened


def _parses(text: str) -> bool:
    # pylatexenc 2 stumbles over a line break `\\\\` that ends the text, which is sound
    try:
        LatexWalker(
            text.rstrip() + " ." if text.rstrip().endswith("\\\\") else text, tolerant_parsing=False
        ).get_latex_nodes()
    except (LatexWalkerError, IndexError, ValueError, RecursionError):
        return False
    return True
