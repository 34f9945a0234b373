"""Columns of a page: which pieces of text are read one after another, from where they stand."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

MIN_ROWS = 5  # on each side of a gutter; fewer are options or a table laid out side by side
MIN_ROWS_LAST = 3  # of the last column beside a long one
MIN_ROWS_BESIDE = 2  # where the page has a gutter already
MAX_PIECES = 5_000  # a page with more is no page of print; it is read across
MAX_DEPTH = 3  # gutters inside columns
GUTTERS_TRIED = 61
MIDDLE = 0.42  # of the text's width; a gutter this near to its middle that nothing crosses parts long columns
EDGE = 0.18  # of the text's width; nearer to its sides is no gutter
TEXT_LIKE = 0.55  # of the column's width reached by a third of its rows
FLUSH = 0.5  # of the rows of a column begin at its edge or at its indentation
CELL_CHARS = 8  # of a table's cell or an option, which are shorter than most lines of text
CLIPPED = 2  # line heights; a line that begins so near before a gutter begins in it
HANGING = 3  # line heights that a problem's number may stand out from its text
OVERLAP = 0.4  # of the lower column, shared in height by the other

_MARK = re.compile(r"\s{0,9}(?:(?:problem|question|Q)\s{0,3})?[(（]?(\d{1,3})\s?[.．、)）:：]", re.I)
_OPTION = re.compile(r"\s{0,9}[(（]?([A-H])\s?[.．、)）]|\s{0,9}([Ⓐ-Ⓗ])")

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


class Piece(NamedTuple):
    """A piece of text in its upright box, origin top left."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


class _Boxes(NamedTuple):
    x0: Floats
    x1: Floats
    middle: Floats
    wide: Floats  # of the text, which is no wider than its letters are high
    height: float
    texts: Sequence[str]


class _Cut(NamedTuple):
    """A gutter and the stretches of pieces, in order of height, that it parts."""

    x: float
    runs: list[Indices]
    gain: int  # pieces beside it, less those at the right that stand left of their column or that it clips


def columns_of(pieces: Sequence[Piece]) -> list[list[int]]:
    """Groups of pieces in reading order, by index; the pieces of a group are read row by row.

    A gutter parts a stretch of the page if no piece crosses it there and both sides look like text: several rows that
    reach the column's width, or numbered problems that go on from the foot of one side to the head of the other.
    What crosses it (titles, headings, wide figures' captions) is read between the stretches.
    """
    if not 2 * MIN_ROWS <= len(pieces) <= MAX_PIECES:
        return [list(range(len(pieces)))] if pieces else []
    heights = sorted(max(0.0, p.y1 - p.y0) for p in pieces)
    boxes = _Boxes(
        np.array([p.x0 for p in pieces]),
        np.array([p.x1 for p in pieces]),
        np.array([(p.y0 + p.y1) / 2 for p in pieces]),
        np.array([min(p.x1 - p.x0, len(p.text) * (p.y1 - p.y0)) for p in pieces]),
        max(1e-6, heights[len(heights) // 2]),
        [p.text for p in pieces],
    )
    order = np.lexsort((boxes.x0, boxes.middle)).astype(np.int64)
    return [[int(i) for i in group] for group in _parted(boxes, order, MAX_DEPTH)]


def _parted(boxes: _Boxes, order: Indices, depth: int) -> list[Indices]:
    """The pieces, given from top to bottom, as groups in reading order."""
    cut = _best_cut(boxes, order) if depth and len(order) >= 2 * MIN_ROWS else None
    if cut is None:
        return [order]
    groups: list[Indices] = []
    for run in cut.runs:
        left = run[boxes.x1[run] <= cut.x]
        right = run[boxes.x0[run] >= cut.x]
        if len(left) + len(right) < len(run) or not _beside(boxes, left, right, MIN_ROWS_BESIDE):
            groups.append(run)
        else:
            groups += _parted(boxes, left, depth - 1) + _parted(boxes, right, depth - 1)
    return groups


def _best_cut(boxes: _Boxes, order: Indices) -> _Cut | None:
    """The gutter that most pieces stand beside; in the middle of the gap."""
    low, high = float(boxes.x0[order].min()), float(boxes.x1[order].max())
    tried = []
    for x in np.linspace(low + EDGE * (high - low), high - EDGE * (high - low), GUTTERS_TRIED):
        crossing = (boxes.x0[order] < x) & (boxes.x1[order] > x)
        runs = [] if crossing.all() else _runs(order, crossing)
        clipped = (boxes.x0[order] < x) & (boxes.x0[order] > x - CLIPPED * boxes.height) & crossing
        gain = -5 * int(clipped.sum())
        for run in runs:
            if len(run) >= 2 * MIN_ROWS:
                left, right = run[boxes.x1[run] <= x], run[boxes.x0[run] >= x]
                if len(left) + len(right) == len(run) and _is_text(boxes, left, right, float(x), low, high):
                    at_edges = _at_edges(boxes, right)
                    gain += len(left) + at_edges - 2 * (len(right) - at_edges)
        tried.append(_Cut(float(x), runs, gain))
    most = max(cut.gain for cut in tried)
    if most <= 0:
        return None
    first = next(i for i, cut in enumerate(tried) if cut.gain == most)
    last = next((i for i in range(first, len(tried)) if tried[i].gain < most), len(tried)) - 1
    return tried[(first + last) // 2]


def _runs(order: Indices, crossing: npt.NDArray[np.bool_]) -> list[Indices]:
    """Stretches of pieces that all cross the gutter or all do not."""
    breaks = np.flatnonzero(np.diff(crossing.astype(np.int8))) + 1
    return list(np.split(order, breaks))


def _rows(boxes: _Boxes, side: Indices) -> int:
    return len(np.unique(np.floor(boxes.middle[side] / boxes.height)))


def _beside(boxes: _Boxes, left: Indices, right: Indices, rows: int) -> bool:
    """Whether both sides have enough rows, stand at the same height, and are not the halves of lists of options."""
    if not (len(left) >= rows and len(right) >= rows):
        return False
    if _rows(boxes, left) < rows or _rows(boxes, right) < rows:
        return False
    tops = [float(boxes.middle[side].min()) for side in (left, right)]
    feet = [float(boxes.middle[side].max()) for side in (left, right)]
    shared = min(feet) - max(tops)
    if shared < OVERLAP * min(feet[0] - tops[0], feet[1] - tops[1]):
        return False
    labels = [m[1] or chr(ord(m[2]) - 0x24B6 + 65) for m in (_OPTION.match(boxes.texts[i]) for i in right) if m]
    return not (labels and "A" not in labels and 2 * len(labels) >= len(right))


def _is_text(boxes: _Boxes, left: Indices, right: Indices, x: float, low: float, high: float) -> bool:
    if not _beside(boxes, left, right, MIN_ROWS):
        return _is_last_column(boxes, left, right, x - low)
    if MIDDLE <= (x - low) / (high - low) <= 1 - MIDDLE and _is_last_column(boxes, left, right, x - low, is_list=True):
        return True
    wide = [
        3 * int((boxes.wide[side] >= TEXT_LIKE * width).sum()) >= len(side)
        for side, width in ((left, x - low), (right, high - x))
    ]
    is_long = min(_rows(boxes, left), _rows(boxes, right)) >= 3 * MIN_ROWS
    is_middle = MIDDLE <= (x - low) / (high - low) <= 1 - MIDDLE
    if all(wide) or (is_long and is_middle):
        return True
    if any(wide) and all(_is_flush(boxes, side) for side in (left, right)):
        return True
    return _goes_on(boxes, left, right)


def _is_last_column(boxes: _Boxes, left: Indices, right: Indices, width: float, *, is_list: bool = False) -> bool:
    """Whether a long column of text stands at the left and the first rows of the next one at the right; is_list: these
    may be short, as in a key."""
    if not _beside(boxes, left, right, MIN_ROWS_LAST) or _rows(boxes, left) < 2 * MIN_ROWS:
        return False
    is_column = 2 * int((boxes.wide[left] >= TEXT_LIKE * width).sum()) >= len(left)
    return is_column and _is_flush(boxes, right, 1 if is_list else CELL_CHARS)


def _at_edges(boxes: _Boxes, right: Indices) -> int:
    """Pieces of the right side that do not stand left of its own edge, as captions of the left column's figures do."""
    edges = Counter(np.round(boxes.x0[right] / boxes.height).astype(int).tolist())
    edge = max(edges, key=lambda e: (edges[e], -e))
    return int((boxes.x0[right] >= (edge - HANGING) * boxes.height).sum())


def _is_flush(boxes: _Boxes, side: Indices, chars: int = CELL_CHARS) -> bool:
    """Whether most rows begin at one of two left edges, and are no cells of a table."""
    edges = Counter(np.round(boxes.x0[side] / boxes.height).astype(int).tolist())
    lengths = sorted(len(boxes.texts[i]) for i in side)
    return FLUSH * len(side) <= sum(n for _, n in edges.most_common(2)) and lengths[len(lengths) // 2] >= chars


def _goes_on(boxes: _Boxes, left: Indices, right: Indices) -> bool:
    """Whether the numbers at the starts of rows count up on the left and go on from there on the right."""
    numbers = []
    for side in (left, right):
        marks = (_MARK.match(boxes.texts[i]) for i in side)
        numbers.append([int(m[1]) for m in marks if m])
    first, second = numbers
    steps = [b - a for side in numbers for a, b in itertools.pairwise(side)]
    counts_up = len(first) >= 2 and len(second) >= 2 and all(step == 1 for step in steps)
    return counts_up and second[0] == first[-1] + 1
