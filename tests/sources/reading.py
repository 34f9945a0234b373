"""Files read in tests, with the conservation of their records checked each time."""

import hashlib
import json
from typing import Any

from stepforge.outcome import Outcome, unaccounted
from stepforge.records import ImageRef, Problem
from stepforge.sources import read_problems, recognise, record_id
from stepforge.sources._base import nothing_beside
from tests.make import document, image

HEAD = 64 * 1024


def delivered(name: str) -> ImageRef:
    return image(name=name)


def not_delivered(name: str) -> ImageRef:
    return image(name=name, sha256=None, media_type=None, width_px=None, height_px=None, sharpness=None, ink_share=None)


def read(
    path: str, data: bytes | str, source: str | None = None, figures=delivered, beside=nothing_beside, **given: Any
) -> Outcome[Problem]:
    data = data.encode() if isinstance(data, str) else data
    source = source or recognise(path, data[:HEAD], beside)
    assert source is not None, f"no source reads {path}"
    about = document(document_id=hashlib.sha256(data).hexdigest(), path=path, source=source, **given)
    outcome = read_problems(about, data, figures, beside=beside)
    kept, refused = [record_id(p) for p in outcome.kept], [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, kept, refused)
    assert len(set(outcome.input_ids)) == len(outcome.input_ids) == len(kept) + len(refused)
    return outcome


def native(*problems: dict[str, Any], **header: Any) -> str:
    return json.dumps({"format": "stepforge-problems/1", "licence": "CC0-1.0", **header, "problems": list(problems)})


def row(number: int, **given: Any) -> dict[str, Any]:
    return {"id": f"p{number}", "question": f"What is {number} + 1?", "answer": str(number + 1), **given}
