"""Answers of several parts: written and read back."""

import re
from collections.abc import Sequence

from stepforge.answers.normalise import MAX_CHARS, to_latex_symbols

_MARK = re.compile(r"(?:^|(?<=[\s;,.:\n}$]))(?:\((\d{1,2})\)|(\d{1,2})[.)](?=\s)|part\s?(\d{1,2})\s?:)", re.IGNORECASE)
_SEPARATORS = re.compile(r"\\?#\\?#|;|\n")


def format_parts(parts: Sequence[str]) -> str:
    """Sub-answers in one line: (1) …; (2) …"""
    return "; ".join(f"({k}) {' '.join(part.split())}" for k, part in enumerate(parts, start=1))


def split_parts(text: str, n: int) -> tuple[str | None, ...]:
    """The sub-answers 1..n of a reply's answer, None where it has none.
    Read by their numbers (1), (2), … in rising order; without numbers, by `;`, line or `##` if that gives just n."""
    if n == 1:
        return (text.strip() or None,)
    text = to_latex_symbols(text[:MAX_CHARS])
    found: list[tuple[int, int, int]] = []  # number, start of the mark, end of the mark
    for match in _MARK.finditer(text):
        k = int(next(g for g in match.groups() if g))
        if k == (found[-1][0] + 1 if found else k) and 1 <= k <= n:
            found.append((k, match.start(), match.end()))
    if found:
        ends = [start for _, start, _ in found[1:]] + [len(text)]
        by_number = {k: text[end:stop].strip(" \n;,") for (k, _, end), stop in zip(found, ends, strict=True)}
        return tuple(by_number.get(k) or None for k in range(1, n + 1))
    pieces = [piece.strip() for piece in _SEPARATORS.split(text) if piece.strip()]
    if len(pieces) != n:
        pieces = [piece.strip() for piece in re.split(r",(?![^(\[{]{0,200}[)\]}])", text) if piece.strip()]
    return tuple(pieces) if len(pieces) == n else (None,) * n
