"""Tokens and lengths of texts in both languages.

A token is a LaTeX command, a number, a word, a single Chinese character, or an operator; case does not matter.
(GeoLaux, appendix F.1: "each Chinese character was treated as a token".)
"""

import re

MAX_TOKENS = 100_000  # the longest solution of the five benchmarks' data has some 3,000

_TOKEN = re.compile(
    r"\\[a-zA-Z]+|\d+(?:\.\d+)?|[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\W\d_\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+|[-+*/^=<>×÷·±≤≥≠≈∠△∥⊥≌∽≅√∞°]"
)
_WORD = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\s\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def tokens(text: str) -> list[str]:
    """The text's tokens, at most the first `MAX_TOKENS`."""
    return _TOKEN.findall(text.lower())[:MAX_TOKENS]


def words(text: str) -> int:
    """Number of words: what stands between spaces, a Chinese character being one of its own."""
    return sum(1 for piece in _WORD.finditer(text) if any(c.isalnum() for c in piece[0]))
