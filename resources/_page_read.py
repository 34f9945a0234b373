"""One page of a file, read in a worker process: its text layer where that is sound, else made upright for OCR."""

import importlib.metadata
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from resources._page_figures import Cut, Rect, TextBox, figures_of, is_blank
from resources._page_lines import Box, reading_order
from resources._page_pdf import (
    Layer,
    check_pixels,
    has_drawings,
    layer_of,
    opened,
    page_of,
    pictures_of,
    rendered,
    size_of,
)
from resources._page_scans import Sheet, sheets_of
from resources.ocr import ENGINES, PageFault, Pixels
from stepforge.images import IMAGE_FORMATS
from stepforge.records import PageLine

PDF_ENGINE = f"pdf-text pypdfium2 {importlib.metadata.version('pypdfium2')}"
LINE_HIGH_PX = 48  # of a line that is read both ways; the recogniser scales to it
MAX_LINE_PX = 1200


class PageJob(NamedTuple):
    """One page of a file, counted from 0.  data: its bytes, or the path of a file of ours."""

    media_type: str
    data: bytes | str
    position: int
    engine: str = "rapidocr"


class PageReading(NamedTuple):
    """One upright page as read; boxes in points for a text layer, in pixels of the upright page for OCR.

    engine: what read the text layer, or the name of the OCR engine.  png: the page for an engine that is asked over a
    network; it has no lines yet."""

    engine: str
    lines: tuple[PageLine, ...]
    figures: tuple[Cut, ...]
    width: float
    height: float
    turned_deg: int = 0
    skew_deg: float = 0.0
    half: str | None = None
    png: bytes | None = None


class Told(NamedTuple):
    """An upright page and what an engine reads on it."""

    png: bytes
    boxes: Sequence[Box]


def count_pages(job: PageJob) -> int:
    """Pages of a PDF, frames of an image.  Raises: PageFault."""
    if job.media_type == "application/pdf":
        with opened(job.data) as pdf:
            count = len(pdf)
        if count < 1:
            raise PageFault("the PDF has no pages; save it again")
        return count
    with _image(job.data) as image:
        if image.format == "MPO":
            return 1  # a camera's second picture is a preview
        try:
            return int(getattr(image, "n_frames", 1))
        except (OSError, ValueError, SyntaxError, EOFError) as error:
            raise PageFault(f"the image is damaged: {error}") from None


def read_page(job: PageJob) -> list[PageReading]:
    """One page, or the two halves of a double one.  Raises: PageFault."""
    if job.media_type != "application/pdf":
        return _read_pixels(_frame(job), job.engine)
    with opened(job.data) as pdf:
        page = page_of(pdf, job.position)
        layer = layer_of(page)
        if layer.fault is None:
            return [_read_layer(page, layer)]
        pixels, _ = rendered(page)
    return _read_pixels(pixels, job.engine)


def understood(told: Told) -> PageReading:
    """A page that an engine elsewhere has read: its lines in order, its figures."""
    with Image.open(io.BytesIO(told.png), formats=["PNG"]) as image:
        pixels = np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])
    return _understood(Sheet(pixels), told.boxes, "")


def _read_layer(page: Any, layer: Layer) -> PageReading:
    width, height = size_of(page, layer.turned_deg)
    cuts: list[Cut] = []
    if has_drawings(page):
        pixels, scale = rendered(page, turned_deg=layer.turned_deg, fit=True)
        texts = [TextBox(box.text, _scaled(_around(box), scale)) for box in layer.boxes]
        pictures = [_scaled(picture, scale) for picture in pictures_of(page, layer.turned_deg)]
        cuts = [
            cut._replace(**{side: round(getattr(cut, side) / scale, 2) for side in Rect._fields})
            for cut in figures_of(pixels, texts, pictures)
        ]
    lines = reading_order(layer.boxes, [cut[1:] for cut in cuts])
    return PageReading(PDF_ENGINE, lines, tuple(cuts), round(width, 2), round(height, 2), layer.turned_deg)


def _read_pixels(pixels: Pixels, engine_name: str) -> list[PageReading]:
    engine = ENGINES[engine_name]
    if is_blank(pixels):
        return [_bare(Sheet(pixels), engine_name)]  # the back of a sheet: no engine is asked, or paid
    readings = []
    for sheet in sheets_of(pixels, _text_lines, _sureness):
        if engine.local is not None:
            readings.append(_understood(sheet, engine.local(sheet.pixels), engine.name))
        else:
            readings.append(_bare(sheet, engine.name)._replace(png=_png(sheet.pixels)))
    return readings


def _bare(sheet: Sheet, engine: str) -> PageReading:
    high, wide = sheet.pixels.shape[:2]
    return PageReading(engine, (), (), wide, high, sheet.turned_deg, sheet.skew_deg, sheet.half)


def _understood(sheet: Sheet, boxes: Sequence[Box], engine: str) -> PageReading:
    texts = [TextBox(box.text, _around(box)) for box in boxes if box.text.strip()]
    cuts = figures_of(sheet.pixels, texts)
    return _bare(sheet, engine)._replace(lines=reading_order(boxes, [cut[1:] for cut in cuts]), figures=tuple(cuts))


def _around(box: Box) -> Rect:
    xs, ys = [p.x for p in box.corners], [p.y for p in box.corners]
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _scaled(box: Rect, by: float) -> Rect:
    return Rect(*(side * by for side in box))


def _text_lines(pixels: Pixels) -> npt.NDArray[np.float64]:
    from resources.ocr.rapid import lines_on  # noqa: PLC0415 - its models are loaded where a scan is met

    return lines_on(pixels)


def _sureness(pixels: Pixels) -> float:
    from resources.ocr.rapid import sureness  # noqa: PLC0415

    high, wide = pixels.shape[:2]
    scale = LINE_HIGH_PX / high
    size = (max(8, min(MAX_LINE_PX, round(wide * scale))), LINE_HIGH_PX)
    return sureness(np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8))


def _png(pixels: Pixels) -> bytes:
    held = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1])).save(held, "PNG", compress_level=6)
    return held.getvalue()


def _image(data: bytes | str) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(data) if isinstance(data, bytes) else data, formats=IMAGE_FORMATS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        why = str(error).split("<_io")[0].split("'/")[0].strip()  # without the name that the bytes have here
        raise PageFault(f"the image cannot be opened: {why or 'it is no image'}") from None
    check_pixels(*image.size)
    return image


def _frame(job: PageJob) -> Pixels:
    with _image(job.data) as image:
        try:
            image.seek(job.position)
            check_pixels(*image.size)
            upright = ImageOps.exif_transpose(image).convert("RGBA")
        except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
            raise PageFault(f"the image is damaged: {error}") from None
    white = Image.new("RGBA", upright.size, "white")
    rgb = np.asarray(Image.alpha_composite(white, upright).convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])
