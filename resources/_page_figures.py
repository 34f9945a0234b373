"""Figures of a page: what is inked outside its lines of text, cut out with the labels that belong to it.

For PDFs and scans alike, on pixels: drawings, pictures and shadings, also those inside forms and patterns, without
walking through a page's objects, of which a hostile one has millions.
"""

import io
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from resources.ocr import Pixels

Mask = npt.NDArray[np.uint8]

# lengths are in heights of a line of text
STROKE = 2.5  # at least one stroke of a figure is as long; letters, braces and roots are shorter
THIN = 0.6  # a cluster thinner than this is a rule, a blank to fill in, a fraction's bar
GAP = 0.9  # between strokes of one figure
SMALL_PICTURE = 1.5  # a picture that is an option, or a formula that is a picture
AREA = 6.0  # of the smallest figure, in squared heights
LABEL_GAP = 0.6  # between a stroke and a letter that names a point of it
LABEL_CHARS = 6  # of such a letter: B, C', 30°, x=2
PAD = 0.2  # kept around a figure
LONG = 8.0  # a line of text as wide is no label
FRAME_SHARE = 0.25  # of a frame's area under long lines: a box around text
TEXT_SHARE = 0.45  # of a figure's area under any text: a text in a frame
INK_CONTRAST = 32  # grey levels between ink and paper
BACKGROUND_STEP = 8  # the paper's own grey is measured on the page scaled down by this
MAX_ROOM = 4.0  # squared heights a letter of text may take; an engine that reads a circle as O gives it more
SPECK = 6  # pixels; a mark of fewer is dirt
PAGE_SHARE = 0.85  # of the page's sides: a frame or a dark edge of the scanner's glass
MAX_STROKES = 4000  # of one page; one with more is a raster or noise, of which clusters are found all the same
MAX_FIGURES = 200

_MARK = re.compile(r"\s*(?:[(（]?\s*(?:\d{1,3}|[A-H])\s*[.．、)）:：]|[①-⑳Ⓐ-Ⓩ]|第\s*\d)")  # of a problem or an option


class Rect(NamedTuple):
    """A rectangle in pixels, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def area(self) -> float:
        """Width times height, 0 at least."""
        return max(0.0, self.x1 - self.x0) * max(0.0, self.y1 - self.y0)

    def shared(self, other: "Rect") -> float:
        """Area that both cover."""
        wide = min(self.x1, other.x1) - max(self.x0, other.x0)
        high = min(self.y1, other.y1) - max(self.y0, other.y0)
        return wide * high if wide > 0 and high > 0 else 0.0

    def grown(self, by: float) -> "Rect":
        """The rectangle with `by` more on each side."""
        return Rect(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def with_(self, other: "Rect") -> "Rect":
        """The rectangle around both."""
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))


class TextBox(NamedTuple):
    """A piece of text and where it stands, upright."""

    text: str
    box: Rect


class Cut(NamedTuple):
    """A figure cut out of a page: its PNG and where it stood."""

    png: bytes
    x0: float
    y0: float
    x1: float
    y1: float


def figures_of(pixels: Pixels, texts: Sequence[TextBox], pictures: Iterable[Rect] = ()) -> list[Cut]:
    """The figures of an upright page from top to bottom, boxes in its pixels.

    texts: what is text, in small pieces.  pictures: places of raster images, which are figures as a whole.
    A figure has a stroke of 2.5 line heights outside the text.  Left out are rules, blanks to fill in, frames around
    text and around the page.  The same pixels give the same bytes under the same version of Pillow."""
    high, wide = pixels.shape[:2]
    unit = _unit(texts, high)
    texts = [one for one in texts if one.box.area <= MAX_ROOM * unit * unit * len(one.text.strip())]
    ink = _ink(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    for one in texts:
        x0, y0, x1, y1 = _inside(one.box, wide, high)
        ink[y0:y1, x0:x1] = 0
    large, small = _strokes(ink, texts, unit)
    own = [picture for picture in pictures if _is_picture(picture, texts, wide, high, unit)]
    for picture in own:
        x0, y0, x1, y1 = _inside(picture, wide, high)
        large[y0:y1, x0:x1] = 1
    found = [_with_labels(box, texts, unit) for box in _clusters(large, small, unit)]
    kept = [box for box in _merged(found) if _is_figure(box, texts, unit) or any(box.shared(one) > 0 for one in own)]
    kept.sort(key=lambda box: (box.y0, box.x0, box.y1, box.x1))
    return [_cut(pixels, box.grown(PAD * unit)) for box in kept[:MAX_FIGURES]]


def is_blank(pixels: Pixels) -> bool:
    """Whether there is no mark on the page that is large enough for a letter."""
    ink = _ink(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    return not bool((stats[1:, cv2.CC_STAT_AREA] >= SPECK).any())


def _unit(texts: Sequence[TextBox], page_high: int) -> float:
    """The height of a line of text in pixels; of a page without text, what is usual."""
    heights = [one.box.y1 - one.box.y0 for one in texts if len(one.text) > 2]
    return float(np.median(heights)) if heights else page_high / 70


def _inside(box: Rect, wide: int, high: int) -> tuple[int, int, int, int]:
    x0, y0 = max(0, int(box.x0)), max(0, int(box.y0))
    return x0, y0, min(wide, max(x0, int(np.ceil(box.x1)))), min(high, max(y0, int(np.ceil(box.y1))))


def _ink(grey: Mask) -> Mask:
    """1 where a pixel is darker than the paper around it."""
    high, wide = grey.shape
    size = (max(1, wide // BACKGROUND_STEP), max(1, high // BACKGROUND_STEP))
    paper = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    paper = cv2.GaussianBlur(cv2.dilate(paper, np.ones((7, 7), np.uint8)), (0, 0), 5)
    paper = cv2.resize(paper, (wide, high), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.subtract(paper, grey) >= INK_CONTRAST, np.uint8)


def _strokes(ink: Mask, texts: Sequence[TextBox], unit: float) -> tuple[Mask, list[Rect]]:
    """A mask of the connected strokes as long as a figure's, and the boxes of the smaller ones."""
    high, wide = ink.shape
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    n, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    x, y, w, h, area = (stats[1:, i].astype(np.int64) for i in range(5))
    is_large = np.maximum(w, h) >= STROKE * unit
    is_speck = area < SPECK
    long_lines = [one.box for one in texts if one.box.x1 - one.box.x0 >= LONG * unit]
    chosen = np.zeros(n, np.uint8)
    for i in np.flatnonzero(is_large):
        box = Rect(float(x[i]), float(y[i]), float(x[i] + w[i]), float(y[i] + h[i]))
        if not _is_edge(box, wide, high, unit) and not _frames_text(box, long_lines):
            chosen[i + 1] = 1
    rest = np.flatnonzero(~is_large & ~is_speck)[:MAX_STROKES]
    small = [Rect(float(x[i]), float(y[i]), float(x[i] + w[i]), float(y[i] + h[i])) for i in rest]
    return chosen[labels], small


def _is_edge(box: Rect, wide: int, high: int, unit: float) -> bool:
    """Whether it is a frame of the page, a rule across it, or the dark edge of a scan."""
    w, h = box.x1 - box.x0, box.y1 - box.y0
    if w >= PAGE_SHARE * wide and h >= PAGE_SHARE * high:
        return True
    thin = min(w, h) <= 0.35 * unit
    if thin and (w >= 0.5 * wide or h >= 0.5 * high):
        return True
    touches = (box.x0 <= 2) + (box.y0 <= 2) + (box.x1 >= wide - 2) + (box.y1 >= high - 2)
    narrow = w < 0.12 * wide or h < 0.12 * high
    return bool(touches >= 2 or (touches == 1 and narrow))


def _frames_text(box: Rect, long_lines: Sequence[Rect]) -> bool:
    inside = [line for line in long_lines if line.shared(box) >= 0.9 * line.area]
    return bool(inside) and sum(line.area for line in inside) >= FRAME_SHARE * box.area


def _is_picture(box: Rect, texts: Sequence[TextBox], wide: int, high: int, unit: float) -> bool:
    w, h = box.x1 - box.x0, box.y1 - box.y0
    if w >= PAGE_SHARE * wide and h >= PAGE_SHARE * high:
        return False  # the page's background
    if max(w, h) < SMALL_PICTURE * unit or min(w, h) < THIN * unit:
        return False
    return sum(one.box.shared(box) for one in texts) < FRAME_SHARE * box.area


def _clusters(large: Mask, small: Sequence[Rect], unit: float) -> list[Rect]:
    """Boxes around long strokes near one another and the short ones among them."""
    reach = max(1, round(GAP * unit / 2))
    near = cv2.dilate(large, cv2.getStructuringElement(cv2.MORPH_RECT, (2 * reach + 1, 2 * reach + 1)))
    _, labels = cv2.connectedComponents(near, connectivity=8)
    labels = np.where(large > 0, labels, 0).astype(np.int32)
    ys, xs = np.nonzero(labels)
    if not len(ys):
        return []
    of = labels[ys, xs]
    boxes = []
    order = np.argsort(of, kind="stable")
    starts = np.flatnonzero(np.diff(of[order], prepend=-1))
    for rows in np.split(order, starts[1:]):
        boxes.append(
            Rect(float(xs[rows].min()), float(ys[rows].min()), float(xs[rows].max() + 1), float(ys[rows].max() + 1))
        )
    found = []
    for box in _merged(boxes):
        around, grown = box.grown(GAP * unit), box
        for one in small:
            if around.shared(one) > 0:
                grown = grown.with_(one)
        found.append(grown)
    return found


def _merged(boxes: Sequence[Rect]) -> list[Rect]:
    """The boxes, those that overlap made one."""
    todo: list[Rect] = list(boxes)
    done: list[Rect] = []
    while todo:
        box = todo.pop()
        for other in [*todo, *done]:
            if box.shared(other) > 0:
                (todo if other in todo else done).remove(other)
                todo.append(box.with_(other))
                break
        else:
            done.append(box)
    return done


def _with_labels(box: Rect, texts: Sequence[TextBox], unit: float) -> Rect:
    """The box with the short texts that touch it; marks of problems and options are none of it."""
    around, grown = box.grown(LABEL_GAP * unit), box
    for one in texts:
        is_label = len(one.text) <= LABEL_CHARS and not _MARK.match(one.text)
        if is_label and one.box.shared(around) > 0:
            grown = grown.with_(one.box)
    return grown


def _is_figure(box: Rect, texts: Sequence[TextBox], unit: float) -> bool:
    w, h = box.x1 - box.x0, box.y1 - box.y0
    if max(w, h) < STROKE * unit or min(w, h) < THIN * unit or box.area < AREA * unit * unit:
        return False
    return sum(one.box.shared(box) for one in texts) < TEXT_SHARE * box.area


def _cut(pixels: Pixels, box: Rect) -> Cut:
    x0, y0, x1, y1 = _inside(box, pixels.shape[1], pixels.shape[0])
    piece = pixels[y0:y1, x0:x1]
    grey = int(np.ptp(piece.astype(np.int16), axis=2).max()) < INK_CONTRAST
    image = Image.fromarray(np.ascontiguousarray(piece[:, :, ::-1]))
    held = io.BytesIO()
    (image.convert("L") if grey else image).save(held, "PNG", compress_level=6)
    return Cut(held.getvalue(), float(x0), float(y0), float(x1), float(y1))
