"""Facts of many images, each decoded in a worker process that can be killed."""

import importlib.metadata
import io
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from PIL import Image

from resources.workers import Workers
from stepforge.images import IMAGE_FORMATS, ImageFacts, failed, image_facts, text_share

TIMEOUT_S = 10.0
TEXT_TIMEOUT_S = 60.0  # loading the detector takes 2 s on an idle machine, a figure 0.05 s
AT_ONCE = 64  # images in memory at a time
DETECTOR_SIDE_PX = 480  # letters of a printed line are still found; a figure costs 0.08 s of one core
METHOD = f"text boxes 1; rapidocr {importlib.metadata.version('rapidocr')}"


def facts_of(items: Iterable[bytes], workers: Workers) -> Iterator[ImageFacts]:
    """Facts of each image, in order; one that takes longer than 10 s or kills its worker has the reason as error.

    `text_share` is measured where there are marks enough for a picture of text; where the detector fails, it stays
    None, and the figure is judged by its other facts."""
    waiting = iter(items)
    while batch := list(islice(waiting, AT_ONCE)):
        facts = [_or_failed(result) for result in workers.map(image_facts, batch, TIMEOUT_S)]
        looked = [i for i, fact in enumerate(facts) if fact.may_be_text]
        found = workers.map(detected_text_share, [batch[i] for i in looked], TEXT_TIMEOUT_S) if looked else iter(())
        for i, share in zip(looked, found, strict=True):
            facts[i] = facts[i]._replace(text_share=None if isinstance(share, Exception) else share)
        yield from facts


def _or_failed(result: ImageFacts | Exception) -> ImageFacts:
    if isinstance(result, Exception):
        return failed(f"the image was given up: {str(result) or type(result).__name__}")
    return result


# What runs in a worker process


def detected_text_share(data: bytes) -> float:
    """Share of the image's area under lines of text as an OCR detector finds them; nothing is recognised."""
    with Image.open(io.BytesIO(data), formats=IMAGE_FORMATS) as image:
        rgba = image.convert("RGBA")
    white = Image.new("RGBA", rgba.size, "white")
    white.alpha_composite(rgba)
    white.thumbnail((2 * DETECTOR_SIDE_PX, 2 * DETECTOR_SIDE_PX))
    pixels = np.ascontiguousarray(np.asarray(white.convert("RGB"))[:, :, ::-1])
    found = _detector()(pixels, use_det=True, use_cls=False, use_rec=False)
    boxes = [] if found.boxes is None else [np.asarray(box, dtype=np.float64) for box in found.boxes]
    return text_share(white.size, boxes)


@lru_cache(maxsize=1)
def _detector() -> Any:
    """The detector, loaded once a process, on one thread: several workers share the machine."""
    import cv2  # noqa: PLC0415 - only where there is text to find
    import onnxruntime  # noqa: PLC0415
    from rapidocr import RapidOCR  # noqa: PLC0415

    cv2.setNumThreads(1)
    onnxruntime.set_default_logger_severity(4)
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Det.limit_side_len": DETECTOR_SIDE_PX,
            "Det.limit_type": "max",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
