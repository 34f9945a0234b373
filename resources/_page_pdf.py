"""The text layer of a PDF's page, whether it can be believed, and the page as a picture."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pypdfium2
from pypdfium2 import raw

from resources._page_figures import Rect
from resources._page_lines import Box, Point, upright_box
from resources.ocr import PageFault, Pixels

RENDER_DPI = 200
MAX_PIXELS = 50_000_000
MIN_SIDE_PX = 16
MAX_RATIO = 15.0  # of the longer side to the shorter; the engine scales a sliver up beyond all memory
MAX_CHARS = 200_000  # of one page
MAX_OBJECTS = 5_000  # looked at for pictures; figures are found by their ink, whatever the number
MAX_DEPTH = 4  # of forms inside forms
WIDE_GAP = 1.6  # heights of a letter; text goes on in another piece: another column, an option, a blank

ANGLES_SEEN = 400  # letters whose direction is looked at
MOST_TURNED = 0.6  # of them run another way: the page was printed sideways

MIN_CHARS = 20  # a page with fewer in its text layer is a scan with a stamp or a page number
MIN_CHARS_ON_SCAN = 300  # the same, of a page that one picture covers
MAX_BAD_SHARE = 0.05  # of the characters; fonts without a Unicode table give private-use or replacement characters
COVERED = 0.6  # of the page by pictures: a scan
MAX_RUN_ON = 0.3  # of the Latin letters, in words without end: spaces were lost
LONG_WORD = 24  # letters; longer ones are rare in any language that has spaces
MIN_LATIN = 60  # letters; of fewer, nothing is said about spaces
MIN_PLAIN_SHARE = 0.75  # of the words of an invisible layer that look like words: else it is poor OCR

_MOJIBAKE = re.compile(r"[\u0080-\u009f]|Ã.|â€|ï¿½|Â[\u00a0-\u00bf]")  # UTF-8 read as Latin-1, and such
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_PLAIN = re.compile(
    r"[(\[“\"'‘]*(?:[A-Za-z]?[a-z]+(?:['’-][A-Za-z]+)*|[A-Z]{1,5}|\d+(?:[.,]\d+)*%?|[A-Za-z])[)\].,;:?!”\"'’]*"
    r"|[+\-=<>×÷·*/|()\[\]{}.,;:?!—–$°]{1,2}|\d{1,3}[.)]"
)
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")

Place = Callable[[float, float], Point]


class Layer(NamedTuple):
    """The text layer of a page: pieces of text in points as the page is shown, and why it is not to be believed.

    turned_deg: by how much the shown page is turned further, clockwise, so that its text runs across."""

    boxes: list[Box]
    fault: str | None
    turned_deg: int = 0


def opened(data: bytes | str) -> Any:
    """The document; `data` may be the path of a file of ours.  Raises: PageFault."""
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        why = "it has a password; remove it" if "assword" in str(error) else f"{error}; save it again as PDF"
        raise PageFault(f"the PDF cannot be opened: {why}") from None


def page_of(pdf: Any, position: int) -> Any:
    """One page.  Raises: PageFault."""
    try:
        page = pdf[position]
        width, height = page.get_size()
    except (pypdfium2.PdfiumError, IndexError, ValueError) as error:
        raise PageFault(f"the page cannot be read ({str(error)[:200]}); save the PDF again") from None
    if not (width > 0 and height > 0):
        raise PageFault("the page has no size; save the PDF again")
    return page


def layer_of(page: Any) -> Layer:
    """The page's text layer.  It is not believed where it has few or unknown characters, lost its spaces, or is the
    invisible layer of a poor OCR."""
    text_page = page.get_textpage()
    count = text_page.count_chars()
    if count > MAX_CHARS:
        raise PageFault(f"the page has {count} characters, {MAX_CHARS} at most; split it")
    turned = _turned_deg(page, text_page, count)
    boxes, invisible = _pieces(page, text_page, count, turned)
    text = "\n".join(box.text for box in boxes)
    shown = [c for c in text if not c.isspace()]
    fault = unsound(text, MIN_CHARS)
    if fault is None and 2 * invisible > len(shown) and not _is_plain(text):
        fault = "the invisible text over the scan is no good reading of it"
    if fault is None and len(shown) < MIN_CHARS_ON_SCAN and 2 * invisible <= len(shown) and _is_scan(page):
        fault = "a picture covers the page"
    return Layer(boxes, fault, turned)


def _turned_deg(page: Any, text_page: Any, count: int) -> int:
    """Quarter turns, in degrees clockwise, that bring most letters upright on the page as it is shown."""
    votes: Counter[int] = Counter()
    for i in range(0, count, max(1, count // ANGLES_SEEN)):
        if not _char(text_page, i).isspace():
            angle = math.degrees(raw.FPDFText_GetCharAngle(text_page.raw, i))  # clockwise, in the page's own space
            votes[round((angle + page.get_rotation()) / 90) * 90 % 360] += 1
    if not votes:
        return 0
    most = max(sorted(votes), key=lambda turned: votes[turned])
    return -most % 360 if votes[most] > MOST_TURNED * votes.total() else 0


def is_sound(text: str) -> bool:
    """Whether a text layer has enough characters, few that stand for an unknown glyph, and its spaces."""
    return unsound(text) is None


def unsound(text: str, least: int = MIN_CHARS) -> str | None:
    """Why the text of a layer is not to be believed; None if it is."""
    shown = [c for c in text if not c.isspace()]
    if len(shown) < least:
        return "it has hardly any text"
    bad = sum(not c.isprintable() or c == "\ufffd" for c in shown)  # private use and noncharacters are not printable
    bad += sum(len(m[0]) for m in _MOJIBAKE.finditer(text))
    if bad > MAX_BAD_SHARE * len(shown):
        return "its fonts do not say which characters they show"
    words = _LATIN_WORD.findall(text)
    letters, long = sum(map(len, words)), [len(word) for word in words if len(word) > LONG_WORD]
    if letters >= MIN_LATIN and len(long) > 1 and sum(long) > MAX_RUN_ON * letters:
        return "its words run into one another"
    return None


def _is_plain(text: str) -> bool:
    """Whether most words look like words or numbers; Chinese characters do, each by itself."""
    han = len(_HAN.findall(text))
    words = _HAN.sub(" ", text).split()
    plain = sum(bool(_PLAIN.fullmatch(word)) for word in words)
    return plain + han >= MIN_PLAIN_SHARE * (len(words) + han)


def _pieces(page: Any, text_page: Any, count: int, turned_deg: int) -> tuple[list[Box], int]:
    """Pieces of text inside the visible part of the page, and how many characters are invisible."""
    place, visible = shown_at(page, turned_deg), _visible(page)
    found: list[Box] = []
    chars: list[str] = []
    corners: list[Point] = []
    invisible, modes = 0, _RenderModes(text_page)
    last: tuple[Point, Point] | None = None

    def end() -> None:
        text = _joined(chars)
        if text and corners:
            xs, ys = [p.x for p in corners], [p.y for p in corners]
            found.append(upright_box(text, min(xs), min(ys), max(xs), max(ys)))
        chars.clear()
        corners.clear()

    for i in range(count):
        char = _char(text_page, i)
        if char in "\r\n":
            end()
            last = None
            continue
        if char.isspace():
            chars.append(char)
            continue
        left, bottom, right, top = text_page.get_charbox(i, loose=True)
        middle = ((left + right) / 2, (bottom + top) / 2)
        if not (visible[0] <= middle[0] <= visible[2] and visible[1] <= middle[1] <= visible[3]):
            continue  # cut off by the crop box: nobody sees it
        a, b = place(left, bottom), place(right, top)
        box = (Point(min(a.x, b.x), min(a.y, b.y)), Point(max(a.x, b.x), max(a.y, b.y)))
        if last is not None and _is_apart(last, box):
            end()
        last = box
        chars.append(char)
        corners += box
        invisible += modes.is_invisible(i)
    end()
    return found, invisible


def _is_apart(last: tuple[Point, Point], box: tuple[Point, Point]) -> bool:
    """Whether a character stands far from the one before, or on another row: PDFium joins rows that it takes for one
    paragraph."""
    height = max(1.0, last[1].y - last[0].y)
    across = max(box[0].x - last[1].x, last[0].x - box[1].x)
    return across > WIDE_GAP * height or box[0].y >= last[1].y or box[1].y <= last[0].y


class _RenderModes:
    """Whether a character is drawn, by the text object that it belongs to."""

    def __init__(self, text_page: Any) -> None:
        self._text_page = text_page
        self._known: dict[int, bool] = {}

    def is_invisible(self, index: int) -> bool:
        """Render modes 3 (neither filled nor stroked) and 7 (a clip only)."""
        handle = raw.FPDFText_GetTextObject(self._text_page.raw, index)
        if not handle:
            return False
        key = ctypes.cast(handle, ctypes.c_void_p).value or 0
        if key not in self._known:
            self._known[key] = raw.FPDFTextObj_GetTextRenderMode(handle) in (3, 7)
        return self._known[key]


def _char(text_page: Any, index: int) -> str:
    code = raw.FPDFText_GetUnicode(text_page.raw, index)
    return "-" if code in (0x02, 0xFFFE) else chr(code)  # PDFium's marks for a hyphen at a line's end


def _joined(chars: Sequence[str]) -> str:
    """The text of UTF-16 units, halves of a pair put together, a lone one replaced."""
    return "".join(chars).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "").strip()


def _visible(page: Any) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of what is shown, in the page's own space: its crop box inside its media box."""
    media, crop = _ordered(page.get_mediabox()), _ordered(page.get_cropbox())
    box = (max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]))
    found = next((one for one in (box, media) if one[0] < one[2] and one[1] < one[3]), None)
    if found is not None:
        return found
    width, height = page.get_size()  # boxes without an area: PDFium shows a page of its own size
    return (0.0, 0.0, height, width) if page.get_rotation() % 180 else (0.0, 0.0, width, height)


def _ordered(box: Sequence[float]) -> tuple[float, float, float, float]:
    """Left, bottom, right, top of a box that may be given by any two of its corners."""
    return min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3])


def shown_at(page: Any, turned_deg: int = 0) -> Place:
    """Maps a place in the page's own space (origin bottom left, before its rotation) to the page as shown and turned
    further."""
    left, bottom, right, top = _visible(page)
    turned: dict[int, Place] = {
        0: lambda x, y: Point(x - left, top - y),
        90: lambda x, y: Point(y - bottom, x - left),
        180: lambda x, y: Point(right - x, y - bottom),
        270: lambda x, y: Point(top - y, right - x),
    }
    return turned[(page.get_rotation() + turned_deg) % 360]


def size_of(page: Any, turned_deg: int = 0) -> tuple[float, float]:
    """Width and height in points as shown and turned further."""
    width, height = page.get_size()
    return (height, width) if turned_deg % 180 else (width, height)


def _objects(page: Any) -> Iterator[Any]:
    """The page's first objects, also those inside forms."""
    try:
        for n, found in enumerate(page.get_objects(max_depth=MAX_DEPTH)):
            if n >= MAX_OBJECTS:
                return
            yield found
    except pypdfium2.PdfiumError:
        return


def pictures_of(page: Any, turned_deg: int = 0) -> list[Rect]:
    """Places of raster images that stand on the page itself, in points as it is shown and turned further."""
    place, found = shown_at(page, turned_deg), []
    for one in _objects(page):
        if one.type == raw.FPDF_PAGEOBJ_IMAGE and one.level == 0:
            try:
                left, bottom, right, top = one.get_bounds()
            except pypdfium2.PdfiumError:
                continue
            a, b = place(left, bottom), place(right, top)
            found.append(Rect(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)))
    return found


def has_drawings(page: Any) -> bool:
    """Whether anything but text is on the page, or more objects than are looked at."""
    kinds = [one.type for one in _objects(page)]
    return len(kinds) >= MAX_OBJECTS or any(kind != raw.FPDF_PAGEOBJ_TEXT for kind in kinds)


def _is_scan(page: Any) -> bool:
    width, height = page.get_size()
    whole = Rect(0, 0, width, height)
    return sum(picture.shared(whole) for picture in pictures_of(page)) >= COVERED * whole.area


def rendered(page: Any, *, turned_deg: int = 0, fit: bool = False) -> tuple[Pixels, float]:
    """The page at 200 dots an inch, blue, green, red, and its pixels a point.  fit: a page that is too large is shown
    smaller.  Raises: PageFault for one that is too large."""
    width, height = size_of(page, turned_deg)
    scale = RENDER_DPI / 72
    if fit:
        scale = min(scale, (MAX_PIXELS / 2 / (width * height)) ** 0.5)
    check_pixels(int(width * scale), int(height * scale))
    try:
        pixels: Pixels = page.render(scale=scale, rotation=turned_deg).to_numpy()
    except pypdfium2.PdfiumError as error:
        raise PageFault(f"the page cannot be drawn ({error}); save the PDF again") from None
    return np.ascontiguousarray(pixels[:, :, :3]), scale


def check_pixels(width: int, height: int) -> None:
    """Raises: PageFault for a picture over the limit, or that is a dot or a sliver."""
    if min(width, height) < MIN_SIDE_PX or max(width, height) > MAX_RATIO * min(width, height):
        raise PageFault(f"it has {width} x {height} pixels and is no page; crop it or leave it out")
    if width * height > MAX_PIXELS:
        limit = MAX_PIXELS // 1_000_000
        raise PageFault(f"the page has {width} x {height} pixels, over the limit of {limit} million; scale it down")
