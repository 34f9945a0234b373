"""What Mathpix made of a page, as files: `.mmd`, `.lines.json`, `.lines.mmd.json` and the JSON of `v3/text`.

Formats: docs.mathpix.com, `v3/text` (line_data) and `v3/pdf` (lines.json; Mathpix Markdown).  Boxes are in pixels of
the page image.  A Markdown file has no boxes: its lines stand one below the other, one unit high.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from stepforge.records import Page, PageLine

ENGINE = "mathpix"
MARKDOWN = "text/vnd.mathpix.markdown"
LINES = "application/vnd.mathpix.lines+json"
MEDIA = (MARKDOWN, LINES)
MAX_LINES = 20_000  # of one page; the fullest page of print has some hundred
MAX_PAGES = 2000
MAX_TEXT = 20_000  # characters of one line

_PAGE_BREAK = re.compile(r"\\(?:newpage|pagebreak|clearpage)(?![A-Za-z])|\f")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\{([^{}\n]{0,300})\}|\\title\{([^{}\n]{0,300})\}")
_HEADING = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)|\\includegraphics(?:\[[^\]\n]{0,200}\])?\{[^{}\n]{0,2000}\}"
)
_CAPTION = re.compile(
    r"\\(?:begin|end)\{(?:figure|center|abstract)\}|\\(?:captionsetup|centering)(?:\{[^{}\n]{0,99}\})?"
)
_NOT_TEXT = frozenset({"diagram", "chart", "chart_info", "table_cell", "page_info", "footnote_marker", "form_field"})


class Piece(NamedTuple):
    """A recognised piece of text in its corners, clockwise from the top left."""

    text: str
    corners: tuple[tuple[float, float], ...]
    confidence: float | None


class NotMathpix(ValueError):
    """The data is not what the format says; the message says where."""


def media_of(path: str, head: bytes) -> str | None:
    """Media type of a file that Mathpix wrote; None if it is none."""
    lowered = path.lower()
    if lowered.endswith(".mmd"):
        return MARKDOWN
    if not lowered.endswith(".json"):
        return None
    start = head[:4096]
    if lowered.endswith((".lines.json", ".lines.mmd.json")) and b'"pages"' in start and b'"lines"' in head:
        return LINES
    said = b'"line_data"' in head or b'"confidence_rate"' in head
    return LINES if said and b'"text"' in head and (b'"request_id"' in head or b'"image_width"' in head) else None


def pieces_of(lines: object) -> list[Piece]:
    """The pieces of `line_data` or of a page's `lines`: those that are text and no part of another.
    Raises: NotMathpix."""
    if not isinstance(lines, list):
        raise NotMathpix("its lines are no list")
    if len(lines) > MAX_LINES:
        raise NotMathpix(f"a page has {len(lines)} lines, {MAX_LINES} at most")
    found = []
    for number, line in enumerate(lines, 1):
        if not isinstance(line, dict):
            raise NotMathpix(f"line {number} is no object")
        left_out = line.get("conversion_output") is False or line.get("included") is False
        text = line.get("text")
        if left_out or line.get("type") in _NOT_TEXT or not isinstance(text, str) or not text.strip():
            continue
        found.append(Piece(plain(text)[:MAX_TEXT], _corners(line, number), _confidence(line)))
    return [piece for piece in found if piece.text]


def _confidence(line: Mapping[str, Any]) -> float | None:
    for name in ("confidence_rate", "confidence"):
        value = line.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return round(float(value), 4)
    return None


def _corners(line: Mapping[str, Any], number: int) -> tuple[tuple[float, float], ...]:
    """The upright rectangle around `cnt`, or `region`.  Raises: NotMathpix."""
    region: Any = line.get("region")
    contour: Any = line.get("cnt")
    if not contour and not region:
        raise NotMathpix(f"line {number} has neither cnt nor region")
    try:
        if contour:
            xs, ys = [float(x) for x, _ in contour], [float(y) for _, y in contour]
            x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
        else:
            x0, y0 = float(region["top_left_x"]), float(region["top_left_y"])
            x1, y1 = x0 + float(region["width"]), y0 + float(region["height"])
    except (TypeError, ValueError, KeyError, OverflowError):
        raise NotMathpix(f"the place of line {number} (cnt, region) cannot be read") from None
    if not all(abs(value) <= 1e6 for value in (x0, y0, x1, y1)):  # also false for what is no number
        raise NotMathpix(f"the place of line {number} (cnt, region) is on no page")
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def plain(text: str) -> str:
    """Mathpix Markdown without what is layout: headings' marks, image links, figure environments."""
    text = _SECTION.sub(lambda m: m[1] or m[2] or "", text)
    return _CAPTION.sub("", _IMAGE.sub("", _HEADING.sub("", text))).strip()


def pages_of(document_id: str, media: str, data: bytes) -> list[Page]:
    """Pages of such a file, from 1; one page with an error if it cannot be read."""
    try:
        text = data.decode("utf-8-sig")
        if media == MARKDOWN:
            return _markdown(document_id, text)
        return _lines(document_id, json.loads(text))
    except UnicodeDecodeError as error:
        return [_failed(document_id, f"byte {error.start} is no UTF-8; save the file as UTF-8")]
    except (ValueError, RecursionError) as error:
        return [_failed(document_id, f"{str(error)[:300] or 'nested too deeply'}; export it from Mathpix again")]


def _failed(document_id: str, error: str, number: int = 1) -> Page:
    return Page(document_id=document_id, number=number, engine=ENGINE, lines=(), error=error)


def _markdown(document_id: str, text: str) -> list[Page]:
    pages = _PAGE_BREAK.split(text)
    if len(pages) > MAX_PAGES:
        raise NotMathpix(f"it has {len(pages)} pages, {MAX_PAGES} at most")
    found = []
    for number, page in enumerate(pages, 1):
        rows = plain(page).split("\n")
        lines = tuple(
            PageLine(text=row.strip()[:MAX_TEXT], x0=0, y0=at, x1=len(row), y1=at + 1, confidence=None)
            for at, row in enumerate(rows[:MAX_LINES])
            if row.strip()
        )
        found.append(Page(document_id=document_id, number=number, engine=f"{ENGINE} markdown", lines=lines, error=None))
    return found


def _lines(document_id: str, value: object) -> list[Page]:
    if not isinstance(value, dict):
        raise NotMathpix("the file is no object")
    pages = value.get("pages")
    if pages is None:
        engine = f"{ENGINE} {value.get('version') or ''}".strip()[:60]
        return [_page(document_id, 1, engine, value.get("line_data"), value.get("text"))]
    if not isinstance(pages, list) or len(pages) > MAX_PAGES:
        raise NotMathpix(f"'pages' is no list of {MAX_PAGES} pages at most")
    found = []
    for number, page in enumerate(pages, 1):
        if not isinstance(page, dict):
            found.append(_failed(document_id, f"page {number} is no object", number))
            continue
        try:
            found.append(_page(document_id, number, ENGINE, page.get("lines"), None))
        except NotMathpix as error:
            found.append(_failed(document_id, str(error), number))
    return found


def _page(document_id: str, number: int, engine: str, lines: object, text: object) -> Page:
    if lines is None and isinstance(text, str):  # asked for without line_data: the text alone
        return _markdown(document_id, text)[0].model_copy(update={"engine": engine})
    return Page(document_id=document_id, number=number, engine=engine, lines=in_order(pieces_of(lines)), error=None)


def in_order(pieces: Sequence[Piece]) -> tuple[PageLine, ...]:
    """Mathpix gives its lines in reading order, columns included; that order is kept, and a line of several rows is
    as many lines."""
    found = []
    for piece in pieces:
        (x0, y0), _, (x1, y1), _ = piece.corners
        rows = [row.strip() for row in piece.text.split("\n") if row.strip()]
        high = (y1 - y0) / max(1, len(rows))
        found += [
            PageLine(
                text=row,
                x0=round(x0, 2),
                y0=round(y0 + high * at, 2),
                x1=round(x1, 2),
                y1=round(y0 + high * (at + 1), 2),
                confidence=piece.confidence,
            )
            for at, row in enumerate(rows)
        ]
    return tuple(found)
