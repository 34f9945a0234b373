r"""Matrices and column vectors: pmatrix, bmatrix, arrays in brackets, [[1, 2], [3, 4]], a factor before, a transpose
after.

Policy: a column is no row; a vector written as a tuple, (1, 2) or ⟨1, 2⟩, is either. A determinant is no matrix.
"""

import re
from collections.abc import Sequence

from stepforge.answers.normalise import split_top, unbracket
from stepforge.answers.verdict import DIFFERENT, Same, Verdict, combine

MAX_CELLS = 400

_MATRIX = re.compile(
    r"(?:[A-Za-z](?:\^\{?-1\}?|')? ?= ?)?(?P<factor>[^=&]{0,40}?) ?\\begin ?\{matrix\}(?P<body>.*)\\end ?\{matrix\}"
    r"(?P<transpose> ?\^ ?\{? ?(?:T|\\top|\\intercal|') ?\}?)?",
    re.DOTALL,
)
_ROW = re.compile(r"\\\\(?: ?\[ ?-?\d{1,3} ?(?:pt|em|ex|mm)\])?")
_TRANSPOSED = re.compile(r"(?P<tuple>[(\[].*[)\]]) ?\^ ?\{? ?(?:T|\\top|\\intercal) ?\}?", re.DOTALL)

Rows = list[list[str]]


def compare_matrices(gold: str, predicted: str, same: Same) -> Verdict | None:
    """The verdict if one text is a matrix and the other a matrix or a vector; None for any other two."""
    wanted, found = rows(gold), rows(predicted)
    if wanted is None and found is None:
        return None
    if wanted is None or found is None:
        return _vector(gold, predicted, wanted, found, same)
    if [len(row) for row in wanted] != [len(row) for row in found]:
        return Verdict(DIFFERENT, "matrix", "another shape")
    cells = [(a, b) for x, y in zip(wanted, found, strict=True) for a, b in zip(x, y, strict=True)]
    return combine([same(a, b) for a, b in cells], "matrix")


def is_matrix(text: str) -> bool:
    """Whether a text has a matrix."""
    return "{matrix}" in text or text.startswith("[[")


def _vector(gold: str, predicted: str, wanted: Rows | None, found: Rows | None, same: Same) -> Verdict | None:
    """A matrix of one column or row against a tuple."""
    a = _entries(wanted) if wanted is not None else _tuple(gold)
    b = _entries(found) if found is not None else _tuple(predicted)
    if a is None or b is None:
        plain = gold if wanted is None else predicted
        return Verdict(DIFFERENT, "matrix", "a matrix against one value") if re.fullmatch(r"-?[\d./]+", plain) else None
    if len(a) != len(b):
        return Verdict(DIFFERENT, "matrix", f"{len(b)} components for {len(a)}")
    return combine([same(x, y) for x, y in zip(a, b, strict=True)], "matrix")


def _entries(found: Rows) -> Sequence[str] | None:
    if len(found) == 1:
        return found[0]
    return [row[0] for row in found] if all(len(row) == 1 for row in found) else None


def _tuple(text: str) -> Sequence[str] | None:
    outer = unbracket(text)
    if outer.opening not in {"(", "[", "\\langle"}:
        return None
    items = [item.strip() for item in split_top(outer.inner, ",;")]
    return items if len(items) > 1 and all(items) else None


def rows(text: str) -> Rows | None:
    """The cells of a matrix, row by row; None for any other text."""
    text = text.strip()
    found = _nested(text)
    if found is None:
        transposed = _TRANSPOSED.fullmatch(text)
        column = _tuple(transposed["tuple"]) if transposed else None
        found = [[item] for item in column] if column else _environment(text)
    if found is None or not found or sum(map(len, found)) > MAX_CELLS or len({len(row) for row in found}) != 1:
        return None
    return found if all(cell for row in found for cell in row) else None


def _environment(text: str) -> Rows | None:
    match = _MATRIX.fullmatch(text)
    if match is None or "\\begin" in match["body"]:
        return None
    lines = [line for line in _ROW.split(match["body"]) if line.strip()]
    found = [[cell.strip() for cell in line.split("&")] for line in lines]
    factor = match["factor"].strip().removesuffix("\\cdot").removesuffix("\\times").strip()
    if factor:
        if unbracket(factor).opening == "" and re.search(r"[+(]|(?<=.)-", factor):
            return None
        factor = "-1" if factor == "-" else factor
        found = [[f"({factor})*({cell})" for cell in row] for row in found]
    if match["transpose"] and len({len(row) for row in found}) == 1:
        found = [list(column) for column in zip(*found, strict=True)]
    return found


def _nested(text: str) -> Rows | None:
    """[[1, 2], [3, 4]]"""
    outer = unbracket(text)
    if outer.opening != "[" or not outer.inner.startswith("["):
        return None
    parts = [unbracket(part) for part in split_top(outer.inner, ",")]
    if any(part.opening != "[" for part in parts):
        return None
    return [[cell.strip() for cell in split_top(part.inner, ",")] for part in parts]
