"""What selection must know of a figure: size, sharpness, ink and text.  Decodes untrusted bytes: run in a worker."""

import io
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

MAX_PIXELS = 50_000_000  # checked in the header, before anything is decoded
SHARPNESS_SIDE_PX = 512
INK_CONTRAST = (
    32  # grey levels of 256 by which ink differs from the background; paper noise and JPEG ringing stay below
)
GLYPH_SIDE_PX = 640
GLYPH_CONTRAST = 64  # thin strokes are greyed by scaling; what is fainter than this is no print
MIN_GLYPHS = 40  # a figure with fewer marks of a letter's size is no page of text: nine in ten of 730 published ones
IMAGE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")


class ImageFacts(NamedTuple):
    """Facts of one image; with an `error` the others are None where they could not be told."""

    media_type: str | None
    width: int | None
    height: int | None
    sharpness: float | None
    ink_share: float | None
    error: str | None
    glyphs: int | None = None
    text_share: float | None = None
    phash: str | None = None

    @property
    def may_be_text(self) -> bool:
        """Whether there are marks enough for a picture of text, so that looking for lines is worth its cost."""
        return (self.glyphs or 0) >= MIN_GLYPHS


def failed(error: str) -> ImageFacts:
    """Facts of bytes that tell nothing."""
    return ImageFacts(None, None, None, None, None, error)


def text_share(size: tuple[int, int], boxes: Sequence[npt.NDArray[np.float64]]) -> float:
    """Share of an image's area under boxes of text, each of four corners in pixels; overlaps count once.

    size: width, height.  What an OCR detector finds on the 730 figures of GeoLaux, We-Math and MV-MATH at hand that
    have `MIN_GLYPHS`: see `tests/resources/test_text_share.py`."""
    import cv2  # noqa: PLC0415 - dear to import

    mask = np.zeros((size[1], size[0]), np.uint8)
    for box in boxes:
        cv2.fillPoly(mask, [np.rint(box).astype(np.int32)], 1)
    return round(float(mask.mean()), 4)


def image_facts(data: bytes) -> ImageFacts:
    """Facts of an image.

    width, height: pixels.  sharpness: variance of the Laplacian (4 neighbours) on the grey image scaled so that its
    longer side has 512 px.  ink_share: share of pixels that differ from the background by 32 grey levels or more
    towards the other end (darker on a light background, lighter on a dark one); the background is the commonest level.
    glyphs: marks of a letter's size on the image scaled down to 640 px.  text_share: not told here.  phash: 64 bits of
    the lowest frequencies of the image, in hex.
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
        grey = grey_of(image)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        return ImageFacts(media_type, width, height, None, None, f"the image is damaged: {error}")
    return ImageFacts(
        media_type, width, height, _sharpness(grey), _ink_share(grey), None, _glyphs(grey), None, _phash(grey)
    )


def grey_of(image: Image.Image) -> Image.Image:
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


def _phash(grey: Image.Image) -> str:
    import imagehash  # noqa: PLC0415 - dear to import

    return str(imagehash.phash(grey))


def _glyphs(grey: Image.Image) -> int:
    import cv2  # noqa: PLC0415 - dear to import

    scale = GLYPH_SIDE_PX / max(grey.size)
    if scale < 1:
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        grey = grey.resize(size, Image.Resampling.BILINEAR)
    pixels = np.asarray(grey, dtype=np.int16)
    background = int(np.bincount(pixels.ravel(), minlength=256).argmax())
    marks = (np.abs(pixels - background) >= GLYPH_CONTRAST).astype(np.uint8)
    _, _, found, _ = cv2.connectedComponentsWithStats(marks, connectivity=8)
    width, height, area = (found[1:, column] for column in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    small = (height <= pixels.shape[0] / 6) & (width <= pixels.shape[1] / 6)
    return int((small & (height >= 4) & (width >= 2) & (area >= 0.12 * width * height)).sum())
