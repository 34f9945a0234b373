"""Figures as they stand on a page: decoded and drawn anew, so that a page carries pixels and nothing else of a file.

Decodes untrusted bytes: run in a worker.
"""

import io
import warnings
from typing import NamedTuple

from PIL import Image, UnidentifiedImageError

from stepforge.images import IMAGE_FORMATS, MAX_PIXELS

SIDES_PX = (1000, 700, 500, 350)  # tried in turn until the bytes fit; a page is 800 px wide
MAX_BYTES = 160_000
JPEG_QUALITY = 80
WHITE = (255, 255, 255)


class FigureView(NamedTuple):
    """A figure drawn anew: PNG or JPEG, at most `MAX_BYTES` and 1000 px a side."""

    media_type: str
    width: int
    height: int
    data: bytes


def figure_view(data: bytes) -> FigureView | None:
    """The figure on white, the smaller of PNG (64 greys or colours) and JPEG; None for what is no readable image."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of damage and of size, which are checked below
        try:
            image = Image.open(io.BytesIO(data), formats=IMAGE_FORMATS)
            if image.width * image.height > MAX_PIXELS:
                return None
            pixels = _on_white(image)
        except (OSError, ValueError, SyntaxError, EOFError, UnidentifiedImageError, Image.DecompressionBombError):
            return None
    for side in SIDES_PX:
        view = _smaller(_scaled(pixels, side))
        if len(view.data) <= MAX_BYTES:
            return view
    return None


def _on_white(image: Image.Image) -> Image.Image:
    if image.has_transparency_data:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, WHITE), image).convert("RGB")
    return image.convert("L" if image.mode in {"1", "L"} else "RGB")


def _scaled(image: Image.Image, side_px: int) -> Image.Image:
    scale = min(1.0, side_px / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)


def _smaller(image: Image.Image) -> FigureView:
    flat = image.quantize(64, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    drawings = [("image/png", _encoded(flat, "PNG", optimize=True))]
    drawings.append(("image/jpeg", _encoded(image, "JPEG", quality=JPEG_QUALITY, optimize=True)))
    media_type, data = min(drawings, key=lambda drawing: len(drawing[1]))
    return FigureView(media_type, image.width, image.height, data)


def _encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    sink = io.BytesIO()
    image.save(sink, kind, **options)
    return sink.getvalue()
