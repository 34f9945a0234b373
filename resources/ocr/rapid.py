"""RapidOCR: offline, English and Chinese, on the processor.  Its models come with the package.

A worker needs 2 GiB of address space at least (1.5 GiB measured on an A4 page at 200 dpi, of which 0.8 GiB resident).
Known to lose subscripts (`a₅` is read as `a`).
"""

import importlib.metadata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from resources._page_lines import Box, Point
from resources.ocr._base import ENGINES, Engine, PageFault, Pixels

if TYPE_CHECKING:
    from resources.home import Home

VERSION = f"rapidocr {importlib.metadata.version('rapidocr')}"
THREADS = 2
LOOK_SIDE_PX = 1000  # of a page while only the direction of its lines is looked for


@lru_cache(maxsize=1)
def _engine() -> Any:
    """The OCR engine, loaded once a process, silent, with every line it finds however unsure."""
    import cv2  # noqa: PLC0415 - a worker that meets text layers only does not pay for these
    import onnxruntime  # noqa: PLC0415
    from rapidocr import RapidOCR  # noqa: PLC0415

    cv2.setNumThreads(THREADS)
    onnxruntime.set_default_logger_severity(4)
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "Rec.rec_batch_num": 1,  # a batch of 6 is no faster on a processor and takes 0.3 GiB more
            "EngineConfig.onnxruntime.intra_op_num_threads": THREADS,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def _asked(pixels: Pixels, *, detect: bool, recognise: bool) -> Any:
    """What the engine finds.  Lines are not turned one by one: a page is upright when it comes here, and a short line
    that is turned by mistake is lost."""
    try:
        return _engine()(pixels, use_det=detect, use_cls=False, use_rec=recognise)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the engine's own errors cannot all be sent between processes
        raise PageFault(f"the OCR engine failed: {str(error)[:300] or type(error).__name__}") from None


def lines_on(pixels: Pixels) -> npt.NDArray[np.float64]:
    """Corners of the lines of text that are seen on a page of any direction: lines x 4 x 2, in its pixels."""
    scale = min(1.0, LOOK_SIDE_PX / max(pixels.shape[:2]))
    size = (max(1, round(pixels.shape[1] * scale)), max(1, round(pixels.shape[0] * scale)))
    seen = np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BOX)) if scale < 1 else pixels
    found = _asked(np.ascontiguousarray(seen), detect=True, recognise=False)
    boxes = [] if found.boxes is None else found.boxes
    corners: npt.NDArray[np.float64] = np.asarray(boxes, np.float64).reshape(-1, 4, 2) * pixels.shape[1] / size[0]
    return corners


def sureness(pixels: Pixels) -> float:
    """How surely the picture of one line is read, 0-1."""
    found = _asked(pixels, detect=False, recognise=True)
    scores = list(found.scores or ()) if found.txts else []
    return float(scores[0]) if scores else 0.0


def _read(pixels: Pixels) -> list[Box]:
    found = _asked(pixels, detect=True, recognise=True)
    if found.txts is None or found.boxes is None:
        return []
    boxes = []
    for text, corners, score in zip(found.txts, found.boxes, found.scores, strict=True):
        points = [Point(float(x), float(y)) for x, y in corners]
        boxes.append(Box(text.strip(), (points[0], points[1], points[2], points[3]), round(float(score), 4)))
    return boxes


def _version(_home: "Home") -> str:
    return VERSION


def _missing(_home: "Home") -> str | None:
    return None


ENGINES.register(Engine(name="rapidocr", title="RapidOCR (offline)", version=_version, missing=_missing, local=_read))
