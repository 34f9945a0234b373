"""What a cleaning rule is, and where it may look."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

DIGITS = "0123456789"
UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Scope(Enum):
    """Which texts a rule is for."""

    ANY = "any"
    PAGE = "page"  # text that was read from a page, by OCR or from a text layer


class Rule(NamedTuple):
    """One rule.  Its examples are its tests; (text, the same text) says what it leaves alone.

    signs: sets of characters, of each of which a text must have one for the rule to have anything to do.
    repairs: the rule mends LaTeX, and counts only where it makes unsound LaTeX sound.
    """

    name: str
    apply: Callable[[str], str]
    examples: tuple[tuple[str, str], ...]
    scope: Scope = Scope.ANY
    signs: tuple[str, ...] = ()
    repairs: bool = False


_DELIMITER = re.compile(r"\\[\s\S]|\$\$?")
_MONEY = re.compile(r"\$(?! ?\d)")
_CLOSING = {r"\(": r"\)", r"\[": r"\]"}


class Part(NamedTuple):
    """A stretch of text; `is_plain`: outside of LaTeX."""

    start: int
    end: int
    is_plain: bool


def parts_of(text: str) -> Iterator[Part]:
    """Formulas between `$`, `$$`, `\\(` or `\\[`, and what stands between them.

    Dollars each of which has a number behind it, in a text without a backslash, are money.  A formula that is never
    closed goes on to the end.  A text with a command outside of its formulas, or with a drawing, is LaTeX as a whole.
    """
    if "[asy]" in text:  # a drawing's program
        yield Part(0, len(text), is_plain=False)
        return
    if "\\" not in text and not _MONEY.search(text):
        yield Part(0, len(text), is_plain=True)
        return
    found, start, open_with = [], 0, ""
    for match in _DELIMITER.finditer(text):
        sign = match[0]
        if not open_with:
            if sign in _CLOSING or sign[0] == "$":
                found.append(Part(start, match.start(), is_plain=True))
                start, open_with = match.start(), sign
            elif sign[1].isalpha():
                yield Part(0, len(text), is_plain=False)
                return
        elif sign == _CLOSING.get(open_with, open_with):
            found.append(Part(start, match.end(), is_plain=False))
            start, open_with = match.end(), ""
    found.append(Part(start, len(text), is_plain=not open_with))
    yield from (part for part in found if part.start < part.end)


_STAND_IN = "\ufffc"  # the object replacement character


@lru_cache(maxsize=2)  # one rule after the other asks for the same text
def _covered(text: str) -> tuple[str, list[str]]:
    """The text with a stand-in for each formula, and the formulas."""
    parts = list(parts_of(text))
    formulas = [text[p.start : p.end] for p in parts if not p.is_plain]
    if not formulas:
        return text, formulas
    return "".join(text[p.start : p.end] if p.is_plain else _STAND_IN for p in parts), formulas


def outside_formulas(change: Callable[[str], str]) -> Callable[[str], str]:
    """The change made with every formula covered by a stand-in; none, if the change would lose one."""

    def changed(text: str) -> str:
        covered, formulas = _covered(text)
        if not formulas:
            return change(text)
        if _STAND_IN in text:
            return text
        pieces = change(covered).split(_STAND_IN)
        if len(pieces) != len(formulas) + 1:
            return text
        return "".join(piece + formula for piece, formula in zip(pieces, [*formulas, ""], strict=True))

    return changed
