"""Boxes of text on a page, put upright and into reading order."""

import math
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stepforge.page_columns import Piece, columns_of
from stepforge.records import PageLine

MAX_SKEW_DEG = 15.0  # a larger slope is writing of another direction, not a crooked scan
MIN_SKEW_DEG = 0.2  # below it rows overlap enough as they are
SAME_ROW = 0.5  # of the lower height must be shared


Sides = tuple[float, float, float, float]


class Point(NamedTuple):
    """A place on the page, origin top left."""

    x: float
    y: float


class Box(NamedTuple):
    """A piece of text in its quadrilateral: top left, top right, bottom right, bottom left."""

    text: str
    corners: tuple[Point, Point, Point, Point]
    confidence: float | None


def upright_box(text: str, x0: float, y0: float, x1: float, y1: float) -> Box:
    """A box from its sides."""
    return Box(text, (Point(x0, y0), Point(x1, y0), Point(x1, y1), Point(x0, y1)), None)


def skew_deg(boxes: Iterable[Box]) -> float:
    """Median slope of the long boxes' upper edges, in degrees, clockwise on the page; 0 if there is no long box."""
    slopes = []
    for box in boxes:
        left, right, _, below = box.corners
        width, height = math.dist(left, right), math.dist(left, below)
        slope = math.degrees(math.atan2(right.y - left.y, right.x - left.x))
        if width > 4 * height and abs(slope) <= MAX_SKEW_DEG:
            slopes.append(slope)
    return statistics.median(slopes) if slopes else 0.0


def _turned(box: Box, angle_deg: float) -> PageLine:
    """The upright rectangle around a box after turning the page by `angle_deg` counter-clockwise about its origin."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    xs = [p.x * cos + p.y * sin for p in box.corners]
    ys = [p.y * cos - p.x * sin for p in box.corners]
    x0, x1 = statistics.fmean((xs[0], xs[3])), statistics.fmean((xs[1], xs[2]))
    y0, y1 = statistics.fmean(ys[:2]), statistics.fmean(ys[2:])
    return PageLine(text=box.text, x0=x0, y0=y0, x1=x1, y1=y1, confidence=box.confidence)


def _same_row(row: Sequence[PageLine], piece: PageLine) -> bool:
    top, bottom = statistics.fmean(p.y0 for p in row), statistics.fmean(p.y1 for p in row)
    shared = min(bottom, piece.y1) - max(top, piece.y0)
    return shared >= SAME_ROW * max(1e-6, min(bottom - top, piece.y1 - piece.y0))


def _merged(row: Iterable[PageLine]) -> PageLine:
    """A row's pieces from left to right as one line, its confidence weighted by the pieces' lengths."""
    pieces = sorted(row, key=lambda p: (p.x0, p.y0, p.text))
    rated = [(p.confidence, max(1, len(p.text))) for p in pieces if p.confidence is not None]
    return PageLine(
        text=" ".join(p.text for p in pieces),
        x0=round(min(p.x0 for p in pieces), 2),
        y0=round(min(p.y0 for p in pieces), 2),
        x1=round(max(p.x1 for p in pieces), 2),
        y1=round(max(p.y1 for p in pieces), 2),
        confidence=round(sum(c * n for c, n in rated) / sum(n for _, n in rated), 4) if rated else None,
    )


def reading_order(boxes: Sequence[Box], figures: Sequence[Sides] = ()) -> tuple[PageLine, ...]:
    """One line a row, column after column, after undoing a small rotation; boxes without text are left out.

    Labels inside `figures` (left, top, right, bottom) are lines of their own, after the text: they are no part of the
    rows that stand beside them."""
    boxes = [box for box in boxes if box.text.strip()]
    angle = skew_deg(boxes)
    pieces = [_turned(box, angle if abs(angle) >= MIN_SKEW_DEG else 0.0) for box in boxes]
    labels = [_inside_any(box, figures) for box in boxes]
    text = [piece for piece, is_label in zip(pieces, labels, strict=True) if not is_label]
    rest = [piece for piece, is_label in zip(pieces, labels, strict=True) if is_label]
    columns = columns_of([Piece(p.text, p.x0, p.y0, p.x1, p.y1) for p in text])
    lines = [line for column in columns for line in _in_rows([text[i] for i in column])]
    return (*lines, *(_merged([label]) for label in sorted(rest, key=lambda p: (p.y0, p.x0, p.text))))


def _inside_any(box: Box, figures: Sequence[Sides]) -> bool:
    x, y = statistics.fmean(p.x for p in box.corners), statistics.fmean(p.y for p in box.corners)
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in figures)


def _in_rows(pieces: Sequence[PageLine]) -> list[PageLine]:
    rows: list[list[PageLine]] = []
    for piece in sorted(pieces, key=lambda p: (p.y0 + p.y1, p.x0, p.text)):
        if rows and _same_row(rows[-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [_merged(row) for row in rows]
