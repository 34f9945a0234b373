"""The lines of a paper in reading order: columns, running heads and figures' labels told apart, paragraphs joined."""

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stepforge.page_columns import HANGING, Piece, columns_of
from stepforge.records import Page, PageFigure, PageLine

FULL_LINE = 0.88  # of the text width; a shorter line ends its paragraph
EDGE_LINES = 2  # at the head and the foot of a page may be running
SAME_PLACE = 1.5  # line heights; a running head stands at the same height on every page
LABEL_CHARS = 3  # of a label inside a figure, mostly
NEXT_LINE = 2.0  # line heights from one line to the next
INSIDE = 0.9  # of a line's box inside a figure's: a label of the figure

_FOLIO = re.compile(
    r"(?:page\s{0,3})?\d{1,4}(?:\s{0,3}(?:of|/)\s{0,3}\d{1,4})?|[-–—]\s{0,3}\d{1,4}\s{0,3}[-–—]|第\s?\d{1,4}\s?页.{0,12}",
    re.I,
)
_ENDS = re.compile(r"[.．。!！?？;；:：][\"”’)）]?$")
_STARTS_NEW = re.compile(r"[∵∴①-⑳Ⓐ-Ⓩ•<]|[(（]\d{1,2}[)）]|[A-H] ?[.．、)）]|[(（][A-H][)）]|Step\b|步骤")
_MARK = re.compile(r"(?:(?:problem|question|Q)\s{0,3}|第\s?|[(（])?\d{1,3}\s{0,2}(?:[.．、:)）题](?!\d)|$)", re.I)
_OPTION = re.compile(r"[A-H]\s")  # below a stem that ends in its blank, `(   )`
_HAN_EDGE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


class Place(NamedTuple):
    """Where a line stands: page from 1, position in the page's lines from 0."""

    page: int
    at: int


class Line(NamedTuple):
    """One line with its box; `column` counts over the whole paper, `left` is that column's edge; `is_full`: the line
    reaches the right margin, so that its paragraph may go on."""

    text: str
    place: Place
    column: int
    left: float
    x0: float
    y0: float
    x1: float
    y1: float
    is_full: bool
    confidence: float | None

    @property
    def page(self) -> int:
        """Page number, from 1."""
        return self.place.page

    @property
    def height(self) -> float:
        """Height of the line, 1 at least."""
        return max(1.0, self.y1 - self.y0)

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence ends with it."""
        return bool(_ENDS.search(self.text[-3:]))


class PaperLines(NamedTuple):
    """The text in reading order, and what is no part of it."""

    lines: list[Line]
    running: list[Line]  # running heads, feet and page numbers
    labels: list[Line]  # inside a figure


def lines_of(pages: Iterable[Page]) -> PaperLines:
    """The lines of the readable pages in order; empty ones are no lines."""
    readable = [page for page in pages if page.error is None]
    heads = _running(readable)
    found = PaperLines([], [], [])
    column = 0
    for page in readable:
        pieces = [Piece(line.text, line.x0, line.y0, line.x1, line.y1) for line in page.lines]
        text: list[Line] = []
        labels: list[Line] = []
        for group in columns_of(pieces):
            found.running.extend(_column(page, [i for i in group if Place(page.number, i) in heads], column))
            for line in _column(page, [i for i in group if Place(page.number, i) not in heads], column):
                (labels if any(_inside(line, figure) for figure in page.figures) else text).append(line)
            column += 1
        for label in sorted(labels, key=lambda line: (line.y0, line.x0)):
            above = _unfinished(text, label)
            if above is None:
                found.labels.append(label)
            else:
                before = text[above]
                text.insert(above + 1, label._replace(column=before.column, left=before.left, is_full=False))
        found.lines.extend(text)
    return found


def _unfinished(text: Sequence[Line], label: Line) -> int | None:
    """The line right above, flush with it, that breaks off: what was cut with the figure below is its last words."""
    for i, line in enumerate(text):
        flush = abs(line.x0 - label.x0) <= line.height
        below = 0 < label.y0 - line.y0 <= NEXT_LINE * line.height
        breaks_off = line.text[-1] not in ".。．!！?？" and (line.is_full or len(label.text) > LABEL_CHARS)
        if flush and below and breaks_off:
            return i
    return None


def _column(page: Page, group: Sequence[int], column: int) -> list[Line]:
    """The lines of one column that have text."""
    if not group:
        return []
    left, right = _left_edge([page.lines[i] for i in group]), max(page.lines[i].x1 for i in group)
    found = []
    for i in group:
        line = page.lines[i]
        if text := line.text.strip():
            edge = min([right, *(f.x0 for f in page.figures if f.y0 < line.y1 and line.y0 < f.y1 and f.x0 > line.x0)])
            full = line.x1 - left >= FULL_LINE * (edge - left)
            place = Place(page.number, i)
            found.append(Line(text, place, column, left, line.x0, line.y0, line.x1, line.y1, full, line.confidence))
    return found


def _left_edge(lines: Sequence[PageLine]) -> float:
    """Where the lines of a column begin; what stands further left than a number may is a stray."""
    height = statistics.median(max(1.0, line.y1 - line.y0) for line in lines)
    edges = Counter(round(line.x0 / height) for line in lines)
    edge = max(edges, key=lambda e: (edges[e], -e))
    return min(line.x0 for line in lines if line.x0 >= (edge - HANGING) * height)


def _inside(line: Line, figure: PageFigure) -> bool:
    wide = min(line.x1, figure.x1) - max(line.x0, figure.x0)
    high = min(line.y1, figure.y1) - max(line.y0, figure.y0)
    area = (line.x1 - line.x0) * (line.y1 - line.y0)
    return wide > 0 and high > 0 and area > 0 and wide * high >= INSIDE * area


def _folio(text: str, number: int, n_lines: int) -> bool:
    text = text.strip()
    return bool(_FOLIO.fullmatch(text)) and (not text.isdecimal() or (n_lines > 1 and int(text) == number))


def _plain(text: str) -> str:
    return re.sub(r"\d+", "0", text.strip())


def _running(pages: Sequence[Page]) -> set[Place]:
    """Lines at the edges of pages that are page numbers, or stand at one height, numbers aside, on three pages or more
    and on a third of them (on both of two pages: with the very same text)."""
    at: dict[str, list[tuple[Place, float, str]]] = defaultdict(list)
    found: set[Place] = set()
    for page in pages:
        order = sorted(
            (i for i, line in enumerate(page.lines) if line.text.strip()), key=lambda i: _middle(page.lines[i])
        )
        ends = {*order[:EDGE_LINES], *order[-EDGE_LINES:]}
        for i in sorted(ends):
            line, place = page.lines[i], Place(page.number, i)
            if i in (order[0], order[-1]) and _folio(line.text, page.number, len(order)):
                found.add(place)
            at[_plain(line.text)].append((place, _middle(line) / max(1.0, line.y1 - line.y0), line.text))
    for same in at.values():
        n_pages = len({place.page for place, _, _ in same})
        height = statistics.median(y for _, y, _ in same)
        near = [place for place, y, _ in same if abs(y - height) <= (SAME_PLACE if n_pages > 2 else SAME_PLACE / 6)]
        if any(_MARK.match(text) for _, _, text in same) and len({text for _, _, text in same}) > 1:
            continue  # problems whose texts begin alike
        enough = n_pages >= 3 and 3 * n_pages >= len(pages)
        both = n_pages == 2 == len(pages) and len({text for _, _, text in same}) == 1
        if (enough or both) and 2 * len(near) > n_pages:
            found.update(near)
    return found


def _middle(line: PageLine) -> float:
    return (line.y0 + line.y1) / 2


def joined(lines: Iterable[Line]) -> str:
    """The lines as paragraphs, one a line of the result.

    A line goes on in the next if that begins with a small letter, or if it reaches the right margin and ends no
    sentence.  No space is put between Chinese characters.  A hyphen at a line's end keeps its line end: whether it
    belongs to the word is for a cleaning rule.
    """
    parts: list[str] = []
    before: Line | None = None
    for line in lines:
        if not line.text:
            continue
        if before is not None:
            parts.append(between(before, line))
        parts.append(line.text)
        before = line
    return "".join(parts)


def between(before: Line, line: Line) -> str:
    """What stands between two lines that follow one another: a line end, a space or nothing."""
    goes_on = line.text[0].islower() or (before.is_full and not before.ends_sentence)
    goes_on = goes_on and not (before.text[-1] in ")）" and _OPTION.match(line.text))
    if before.text.endswith("-") or not goes_on or _STARTS_NEW.match(line.text) or before.text.endswith(">"):
        return "\n"
    return "" if _HAN_EDGE.match(before.text[-1]) and _HAN_EDGE.match(line.text[0]) else " "
