"""The images of a question as one image: MV-MATH's merged setting, for models that read a single one.

Source: MV-MATH §4.3, "Input Methods, Merge vs. Sequential". The paper does not say how its images are merged; here they
stand below each other, each under its number, in the order of the marks <image_1>, <image_2>, …
"""

import io
import math
import warnings
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

from resources.workers import Workers
from stepforge.errors import LimitExceeded
from stepforge.images import IMAGE_FORMATS, MAX_PIXELS

MARGIN_PX = 16
LABEL_PX = 24
ROOM_PX = LABEL_PX + 2 * MARGIN_PX  # of a number, above its image
MAX_IMAGES = 64
TIMEOUT_S = 30.0


class Unmergeable(Exception):
    """Images that cannot be made one; says which and why."""


def merged(images: Sequence[bytes], workers: Workers | None = None) -> bytes:
    """One PNG with the images below each other on white, each under its number from 1.

    Transparency counts as white; the whole is scaled down where it would be over 50 million pixels. The same images
    give the same bytes under the same version of Pillow. Untrusted bytes are decoded in a process that can be killed:
    one of `workers`, or one of its own.  Raises: Unmergeable."""
    try:
        if workers is not None:
            return workers.call(stacked, tuple(images), TIMEOUT_S)
        with Workers(1) as own:
            return own.call(stacked, tuple(images), TIMEOUT_S)
    except LimitExceeded as error:
        raise Unmergeable(f"the {len(images)} images were given up: {error}") from None


def stacked(images: Sequence[bytes]) -> bytes:
    """As `merged`, in this process: for a worker."""
    if not 1 <= len(images) <= MAX_IMAGES:
        raise Unmergeable(f"{len(images)} images: 1 to {MAX_IMAGES} can be merged")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of damage that is repaired, and of size, which is checked
        sizes = [_size(data, number) for number, data in enumerate(images, 1)]
        scale = _scale(sizes)
        decoded = [_decoded(data, number, scale) for number, data in enumerate(images, 1)]
        buffer = io.BytesIO()
        _page(decoded).save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def _opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data), formats=IMAGE_FORMATS)


def _size(data: bytes, number: int) -> tuple[int, int]:
    """Width and height from the header, before anything is decoded."""
    try:
        width, height = _opened(data).size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise Unmergeable(f"image {number} is no image that can be read ({type(error).__name__})") from None
    if width * height > MAX_PIXELS:
        raise Unmergeable(f"image {number} has {width} x {height} pixels, over {MAX_PIXELS // 10**6} million")
    return width, height


def _scale(sizes: Sequence[tuple[int, int]]) -> float:
    """By which all images are scaled, so that the page is within the limit."""
    sides = [max(size) for size in sizes]  # either way up
    page = (max(sides) + 2 * MARGIN_PX) * (sum(sides) + len(sizes) * ROOM_PX)
    return min(1.0, math.sqrt(MAX_PIXELS / page))


def _decoded(data: bytes, number: int, scale: float) -> Image.Image:
    try:
        image = ImageOps.exif_transpose(_opened(data))
        image = _on_white(image)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise Unmergeable(f"image {number} is damaged ({type(error).__name__})") from None
    if scale < 1:
        size = (max(1, int(image.width * scale)), max(1, int(image.height * scale)))
        image = image.resize(size, Image.Resampling.BOX)
    return image


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode.startswith(("I", "F")):  # more than 8 bits a sample: `convert` would cut, not scale
        samples = np.asarray(image, dtype=np.float64)
        low, high = float(samples.min()), float(samples.max())
        image = Image.fromarray(((samples - low) * (255 / max(high - low, 1.0))).astype(np.uint8))
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return image.convert("RGB")


def _page(images: Sequence[Image.Image]) -> Image.Image:
    width = max(image.width for image in images) + 2 * MARGIN_PX
    height = sum(image.height + ROOM_PX for image in images)
    page = Image.new("RGB", (width, height), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(LABEL_PX)
    top = 0
    for number, image in enumerate(images, 1):
        pen.text((MARGIN_PX, top + MARGIN_PX / 2), str(number), fill="black", font=font)
        page.paste(image, (MARGIN_PX, top + LABEL_PX + MARGIN_PX))
        top += image.height + ROOM_PX
    return page
