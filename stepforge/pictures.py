"""Whether two images show the same drawing, pixel by pixel.  Decodes untrusted bytes: run in a worker."""

import io
import warnings

import numpy as np
import numpy.typing as npt
from PIL import Image

from stepforge.images import IMAGE_FORMATS, MAX_PIXELS, grey_of

SIDE_PX = 512  # both are scaled so that the longer side has these
MAX_STRETCH = 0.02  # by which the ratios of the sides may differ: cropped by a pixel or two
CONTRAST = 72  # grey levels by which a stroke differs from the background; noise of compression is fainter
TRACE = 32  # the same where a stroke of the other image is looked for
REACH_PX = 2  # a stroke may lie this far off
MAX_STRAY_PX = 12  # specks; an auxiliary line has more
MAX_STRAY_SHARE = 0.002  # of all strokes


def same_picture(pair: tuple[bytes, bytes]) -> bool:
    """Whether every stroke of either image lies on one of the other, at most two pixels of 512 off.

    Another size, format or compression is the same picture; an added line is another one.  Images that cannot be read
    are not the same."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one, two = (_opened(data) for data in pair)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return False
    ratio = (one.width / one.height) / (two.width / two.height)
    if not 1 - MAX_STRETCH <= ratio <= 1 + MAX_STRETCH:
        return False
    scale = SIDE_PX / max(one.size)
    size = (max(1, round(one.width * scale)), max(1, round(one.height * scale)))
    inks = [_ink(image, size) for image in (one, two)]
    return _explained(inks[0], inks[1]) and _explained(inks[1], inks[0])


def _opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data), formats=IMAGE_FORMATS)
    if image.width * image.height > MAX_PIXELS:
        raise ValueError("too large")
    return grey_of(image)


def _ink(image: Image.Image, size: tuple[int, int]) -> npt.NDArray[np.int16]:
    """Grey levels by which each pixel differs from the commonest one."""
    pixels = np.asarray(image.resize(size, Image.Resampling.BOX), np.int16)
    background = int(np.bincount(pixels.ravel(), minlength=256).argmax())
    ink: npt.NDArray[np.int16] = np.abs(pixels - np.int16(background))
    return ink


def _explained(mine: npt.NDArray[np.int16], its: npt.NDArray[np.int16]) -> bool:
    """Whether all of my strokes lie near a trace of its."""
    import cv2  # noqa: PLC0415 - dear to import

    reach = 2 * REACH_PX + 1
    near = cv2.dilate((its >= TRACE).astype(np.uint8), np.ones((reach, reach), np.uint8))
    strokes = mine >= CONTRAST
    stray = int((strokes & (near == 0)).sum())
    return stray <= max(MAX_STRAY_PX, MAX_STRAY_SHARE * int(strokes.sum()))
