"""Answers of several parts: written and read back."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.answers.normalise import MAX_CHARS, to_latex_symbols

_NUMBERS = r"(?:\((\d{1,2})\)|(\d{1,2})[.)](?=\s)|part\s?\(?(\d{1,2})\)?\s?:|\(([a-e])\))"
_MARK = re.compile(rf"(?:^|(?<=[\s;,.:\n}}$])){_NUMBERS}", re.IGNORECASE)
_LINE_MARK = re.compile(rf"^[ \t*#$]{{0,6}}{_NUMBERS}", re.IGNORECASE | re.MULTILINE)
MAX_PARTS = 20
_SEPARATORS = re.compile(r"\\?#\\?#|;|\n")
_AND = re.compile(r"\band\b|和")
_LAST_WORD = re.compile(r"(?:\s(?:and|or)|和|或)$")
_ALIGNED = re.compile(r"\\(?:begin|end) ?\{(?:aligned|align\*?|array|gathered|cases)\}(?:\{[lcr| ]{1,8}\})?|(?<!\\)&")
_ROW = re.compile(r"\\\\(?:\[[^\]\n]{0,9}\])?")


class _Part(NamedTuple):
    number: int
    start: int  # of its mark
    end: int


def format_parts(parts: Sequence[str]) -> str:
    """Sub-answers in one line: (1) …; (2) …"""
    return "; ".join(f"({k}) {' '.join(part.split())}" for k, part in enumerate(parts, start=1))


def split_parts(text: str, n: int) -> tuple[str | None, ...]:
    """The sub-answers 1..n of a reply's answer, None where it has none.
    Read by their numbers (1), (2), … or letters (a), (b), … in rising order, those that begin lines first; without
    numbers, by `;`, line or `##`, else by commas or "and", if that gives just n."""
    if n == 1:
        return (text.strip() or None,)
    text = to_latex_symbols(text[:MAX_CHARS])
    if "aligned" in text or "\\begin{align" in text or "\\begin{gather" in text:
        text = _ROW.sub("\n", _ALIGNED.sub("", text))
    found = max((_rising(text, pattern, n) for pattern in (_LINE_MARK, _MARK)), key=len)  # the first of equals
    if found:
        ends = [part.start for part in found[1:]] + [len(text)]
        by_number = {part.number: _piece(text[part.end : stop]) for part, stop in zip(found, ends, strict=True)}
        return tuple(by_number.get(k) or None for k in range(1, n + 1))
    pieces = [piece.strip() for piece in _SEPARATORS.split(text) if piece.strip()]
    for separator in (r",(?![^(\[{]{0,200}[)\]}])", _AND.pattern):
        if len(pieces) != n:
            pieces = [piece.strip() for piece in re.split(separator, _unwrapped(text)) if piece.strip()]
    return tuple(pieces) if len(pieces) == n else (None,) * n


def _rising(text: str, pattern: re.Pattern[str], n: int) -> list[_Part]:
    found: list[_Part] = []
    for match in pattern.finditer(text):
        label = next(g for g in match.groups() if g)
        k = int(label) if label.isdigit() else ord(label.lower()) - ord("a") + 1
        if k == (found[-1].number + 1 if found else k) and 1 <= k <= n:
            found.append(_Part(k, match.start(), match.end()))
    return found


def _piece(text: str) -> str:
    return _LAST_WORD.sub("", text.strip(" \n;,")).strip(" \n;,")


def _unwrapped(text: str) -> str:
    return re.sub(r"\\text ?\{([^{}]{0,40})\}", r"\1", text)


def nested_parts(text: str) -> tuple[str, ...]:
    """The sub-answers of a part that is numbered inside, "(1) 37 (2) 91"; () for any other."""
    text = to_latex_symbols(text[:MAX_CHARS]).strip(" $")
    found = _rising(text, _MARK, MAX_PARTS)
    if len(found) < 2 or found[0].number != 1 or text[: found[0].start].strip(" $"):
        return ()
    ends = [part.start for part in found[1:]] + [len(text)]
    pieces = tuple(_piece(text[part.end : stop]) for part, stop in zip(found, ends, strict=True))
    return pieces if all(pieces) else ()
