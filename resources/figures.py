"""The figures of a batch, measured once each and remembered by content."""

import json

from resources.code import code_version
from resources.home import Home
from resources.imaging import facts_of
from resources.memo import key_of, remembered
from resources.workers import Workers, worker_count
from stepforge.documents import HEAD_BYTES, MAX_BYTES, media_type
from stepforge.figures import FigureIndex
from stepforge.images import ImageFacts
from stepforge.records import ImageRef


def figure_index(home: Home, batch: str) -> FigureIndex:
    """All images of the batch by path, measured in processes that can be killed."""
    images = {}
    for file in home.batches.get(batch).files:
        if 0 < file.size_bytes <= MAX_BYTES:
            with home.blobs.path(file.sha256).open("rb") as handle:
                head = handle.read(HEAD_BYTES)
            if media_type(file.path, head).startswith("image/"):
                images[file.path] = file.sha256
    distinct = sorted(set(images.values()))
    if not distinct:
        return FigureIndex({})
    version = code_version(["stepforge.images"], [])
    with Workers(worker_count()) as workers:
        facts = remembered(
            home.memo,
            "image_facts",
            distinct,
            key=lambda sha: key_of(sha, version),
            compute=lambda part: list(facts_of((home.blobs.get(sha) for sha in part), workers)),
            dump=lambda fact: json.dumps(fact).encode(),
            load=lambda data: ImageFacts(*json.loads(data)),
            keep=lambda fact: fact.error is None,
            chunk=64,
        )
    measured = dict(zip(distinct, facts, strict=True))
    return FigureIndex({path: _reference(path, sha, measured[sha]) for path, sha in images.items()})


def _reference(path: str, sha256: str, facts: ImageFacts) -> ImageRef:
    return ImageRef(
        name=path,
        sha256=sha256,
        media_type=facts.media_type,
        width_px=facts.width,
        height_px=facts.height,
        sharpness=facts.sharpness,
        ink_share=facts.ink_share,
        error=facts.error,
    )
