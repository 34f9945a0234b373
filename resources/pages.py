"""Pages of papers as text: the text layer of a PDF where it is sound, else OCR; every page in a killable worker.

A worker that reads pages by OCR needs 2 GiB of address space at least (RLIMIT_AS; 1.5 GiB measured on an A4 page at 200
dpi, of which 0.8 GiB resident) and about 10 s of one core a page; give `Workers` `memory_bytes=3 * GIB`.  Each worker
process holds its own engine: `n=1` keeps to the memory of one, and the engine uses two threads itself.
"""

import importlib.metadata
import io
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2
from PIL import Image, ImageOps

from resources._page_lines import Box, Point, reading_order, upright_box
from resources.workers import Workers
from stepforge.images import IMAGE_FORMATS
from stepforge.records import Page, PageLine

_PDFIUM, _RAPIDOCR = (importlib.metadata.version(name) for name in ("pypdfium2", "rapidocr"))
REVISION = 1  # raised when the same page may give other lines with the same libraries
ENGINE_VERSION = f"pages {REVISION}; pypdfium2 {_PDFIUM}; rapidocr {_RAPIDOCR}"
PDF_ENGINE = f"pdf-text pypdfium2 {_PDFIUM}"
OCR_ENGINE = f"rapidocr {_RAPIDOCR}"

PAGE_TIMEOUT_S = 60.0
COUNT_TIMEOUT_S = 30.0
MAX_PAGES = 200
MAX_PIXELS = 50_000_000
RENDER_DPI = 200
MIN_CHARS = 20  # a page with fewer in its text layer is a scan with a stamp or a page number
MAX_BAD_SHARE = 0.05  # of the characters; fonts without a Unicode table give private-use or replacement characters
OCR_THREADS = 2

Pixels = npt.NDArray[np.uint8]


class PageFault(Exception):
    """A page or a document cannot be read; the message is for a person."""


class PageJob(NamedTuple):
    """One page of a file, counted from 0."""

    media_type: str
    data: bytes
    position: int


class PageReading(NamedTuple):
    """What one worker call gives back."""

    engine: str
    lines: tuple[PageLine, ...]


def read_pages(document_id: str, media_type: str, data: bytes, workers: Workers) -> list[Page]:
    """The pages of a PDF or an image, from 1; a page that cannot be read has an `error` and no lines.

    A file that cannot be opened gives one such page.  What lies beyond `MAX_PAGES` is one page with an error.
    """

    def failed(number: int, error: object) -> Page:
        text = str(error) or type(error).__name__
        return Page(document_id=document_id, number=number, engine=ENGINE_VERSION, lines=(), error=text[:500])

    counted = next(workers.map(count_pages, [PageJob(media_type, data, 0)], COUNT_TIMEOUT_S))
    if isinstance(counted, Exception):
        return [failed(1, counted)]
    jobs = [PageJob(media_type, data, index) for index in range(min(counted, MAX_PAGES))]
    pages = []
    for number, reading in enumerate(workers.map(read_page, jobs, PAGE_TIMEOUT_S), 1):
        if isinstance(reading, Exception):
            pages.append(failed(number, reading))
        else:
            pages.append(
                Page(document_id=document_id, number=number, engine=reading.engine, lines=reading.lines, error=None)
            )
    if counted > MAX_PAGES:
        pages.append(failed(MAX_PAGES + 1, f"pages {MAX_PAGES + 1} to {counted} are not read; split the file"))
    return pages


# What runs in a worker process


def count_pages(job: PageJob) -> int:
    """Pages of a PDF, frames of an image.  Raises: PageFault."""
    if job.media_type == "application/pdf":
        with _pdf(job.data) as pdf:
            return len(pdf)
    with _image(job.data) as image:
        return int(getattr(image, "n_frames", 1))


def read_page(job: PageJob) -> PageReading:
    """The lines of one page: its text layer where that is sound, else OCR.  Raises: PageFault."""
    if job.media_type != "application/pdf":
        return PageReading(OCR_ENGINE, _ocr(_frame(job)))
    with _pdf(job.data) as pdf:
        page = pdf[job.position]
        boxes = _text_layer(page)
        if is_sound("".join(box.text for box in boxes)):
            return PageReading(PDF_ENGINE, reading_order(boxes))
        return PageReading(OCR_ENGINE, _ocr(_rendered(page)))


def is_sound(text: str) -> bool:
    """Whether a text layer has enough characters, and few that stand for an unknown glyph."""
    shown = [c for c in text if not c.isspace()]
    bad = sum(not c.isprintable() or c == "\ufffd" for c in shown)  # private use and noncharacters are not printable
    return len(shown) >= MIN_CHARS and bad <= MAX_BAD_SHARE * len(shown)


def _pdf(data: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        why = "it has a password; remove it" if "assword" in str(error) else f"{error}; save it again as PDF"
        raise PageFault(f"the PDF cannot be opened: {why}") from None


def _text_layer(page: Any) -> list[Box]:
    """Pieces of the text layer, one a line as PDFium breaks them, in points as the page is shown."""
    text_page, boxes = page.get_textpage(), []
    place = _shown_at(page)
    chars: list[str] = []
    corners: list[Point] = []
    for i in range(text_page.count_chars()):
        char = _char(text_page, i)
        if char not in "\r\n":
            chars.append(char)
            if not char.isspace():
                left, bottom, right, top = text_page.get_charbox(i, loose=True)
                corners += [place(left, bottom), place(right, top)]
        if char in "\r\n" or i == text_page.count_chars() - 1:
            text = _joined(chars)
            if text and corners:
                xs, ys = [p.x for p in corners], [p.y for p in corners]
                boxes.append(upright_box(text, min(xs), min(ys), max(xs), max(ys)))
            chars, corners = [], []
    return boxes


def _char(text_page: Any, index: int) -> str:
    code = pypdfium2.raw.FPDFText_GetUnicode(text_page.raw, index)
    return "-" if code in (0x02, 0xFFFE) else chr(code)  # PDFium's marks for a hyphen at a line's end


def _joined(chars: list[str]) -> str:
    """The text of UTF-16 units, halves of a pair put together, a lone one replaced."""
    return "".join(chars).encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "").strip()


def _shown_at(page: Any) -> Callable[[float, float], Point]:
    """Maps a place in the page's own space (origin bottom left, before its rotation) to the page as shown."""
    left, bottom, right, top = page.get_mediabox()
    turned: dict[int, Callable[[float, float], Point]] = {
        0: lambda x, y: Point(x - left, top - y),
        90: lambda x, y: Point(y - bottom, x - left),
        180: lambda x, y: Point(right - x, y - bottom),
        270: lambda x, y: Point(top - y, right - x),
    }
    return turned[page.get_rotation()]


def _rendered(page: Any) -> Pixels:
    width, height = page.get_size()
    scale = RENDER_DPI / 72
    _check_pixels(int(width * scale), int(height * scale))
    pixels: Pixels = page.render(scale=scale).to_numpy()
    return np.ascontiguousarray(pixels[:, :, :3])  # BGR, as the engine takes it


def _check_pixels(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        limit = MAX_PIXELS // 1_000_000
        raise PageFault(f"the page has {width} x {height} pixels, over the limit of {limit} million; scale it down")


def _image(data: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(data), formats=IMAGE_FORMATS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise PageFault(f"the image cannot be opened: {error}") from None
    _check_pixels(*image.size)
    return image


def _frame(job: PageJob) -> Pixels:
    with _image(job.data) as image:
        try:
            image.seek(job.position)
            upright = ImageOps.exif_transpose(image).convert("RGBA")
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise PageFault(f"the image is damaged: {error}") from None
    white = Image.new("RGBA", upright.size, "white")
    rgb = np.asarray(Image.alpha_composite(white, upright).convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])


@lru_cache(maxsize=1)
def _engine() -> Any:
    """The OCR engine, loaded once a process, silent, with every line it finds however unsure."""
    import cv2  # noqa: PLC0415 - a worker that meets text layers only does not pay for these
    import onnxruntime  # noqa: PLC0415
    from rapidocr import RapidOCR  # noqa: PLC0415

    cv2.setNumThreads(OCR_THREADS)
    onnxruntime.set_default_logger_severity(4)
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Rec.rec_batch_num": 1,  # a batch of 6 is no faster on a processor and takes 0.3 GiB more
            "EngineConfig.onnxruntime.intra_op_num_threads": OCR_THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _ocr(pixels: Pixels) -> tuple[PageLine, ...]:
    try:
        found = _engine()(pixels)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the engine's own errors cannot all be sent between processes
        raise PageFault(f"the OCR engine failed: {str(error)[:300] or type(error).__name__}") from None
    if found.txts is None or found.boxes is None:
        return ()
    boxes = []
    for text, corners, score in zip(found.txts, found.boxes, found.scores, strict=True):
        points = [Point(float(x), float(y)) for x, y in corners]
        boxes.append(Box(text.strip(), (points[0], points[1], points[2], points[3]), round(float(score), 4)))
    return reading_order(boxes)
