"""What selection must know of a figure: size, sharpness and ink.  Decodes untrusted bytes: run in a worker."""

import io
import warnings
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

MAX_PIXELS = 50_000_000  # checked in the header, before anything is decoded
SHARPNESS_SIDE_PX = 512
INK_CONTRAST = (
    32  # grey levels of 256 by which ink differs from the background; paper noise and JPEG ringing stay below
)
IMAGE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")


class ImageFacts(NamedTuple):
    """Facts of one image; with an `error` the others are None where they could not be told."""

    media_type: str | None
    width: int | None
    height: int | None
    sharpness: float | None
    ink_share: float | None
    error: str | None


def failed(error: str) -> ImageFacts:
    """Facts of bytes that tell nothing."""
    return ImageFacts(None, None, None, None, None, error)


def image_facts(data: bytes) -> ImageFacts:
    """Facts of an image.

    width, height: pixels.  sharpness: variance of the Laplacian (4 neighbours) on the grey image scaled so that its
    longer side has 512 px.  ink_share: share of pixels that differ from the background by 32 grey levels or more
    towards the other end (darker on a light background, lighter on a dark one); the background is the commonest level.
    Transparency counts as white.  Bytes that are no image, damaged or over 50 million pixels give an error.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of damage, which is told by the error, and of size, which is checked below
        return _facts(data)


def _facts(data: bytes) -> ImageFacts:
    try:
        image = Image.open(io.BytesIO(data), formats=IMAGE_FORMATS)
    except UnidentifiedImageError:
        return failed(f"the bytes are no image of a known format ({', '.join(IMAGE_FORMATS)})")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return failed(f"the image cannot be opened: {error}")
    media_type, (width, height) = Image.MIME.get(image.format or ""), image.size
    if width * height > MAX_PIXELS:
        error_text = f"{width} x {height} pixels are over the limit of {MAX_PIXELS // 1_000_000} million; scale it down"
        return ImageFacts(media_type, width, height, None, None, error_text)
    try:
        grey = _grey(image)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        return ImageFacts(media_type, width, height, None, None, f"the image is damaged: {error}")
    return ImageFacts(media_type, width, height, _sharpness(grey), _ink_share(grey), None)


def _grey(image: Image.Image) -> Image.Image:
    """The image in 256 grey levels on white."""
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    elif image.mode.startswith(("I", "F")):  # more than 8 bits a sample: `convert` would cut, not scale
        samples = np.asarray(image, dtype=np.float64)
        low, high = float(samples.min()), float(samples.max())
        return Image.fromarray(((samples - low) * (255 / max(high - low, 1.0))).astype(np.uint8))
    return image.convert("L")


def _sharpness(grey: Image.Image) -> float:
    scale = SHARPNESS_SIDE_PX / max(grey.size)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    pixels: npt.NDArray[np.float64] = np.asarray(grey.resize(size, Image.Resampling.BILINEAR), dtype=np.float64)
    padded = np.pad(pixels, 1, mode="edge")
    neighbours = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return round(float(np.var(neighbours - 4 * pixels)), 4)


def _ink_share(grey: Image.Image) -> float:
    counts = np.asarray(grey.histogram(), dtype=np.int64)
    background = int(counts.argmax())
    if background >= 128:
        ink = counts[: max(0, background - INK_CONTRAST + 1)].sum()
    else:
        ink = counts[background + INK_CONTRAST :].sum()
    return round(float(ink / counts.sum()), 6)
