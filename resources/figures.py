"""The figures of a batch, measured once each and remembered by content."""

from stepforge.images import ImageFacts

from resources.home import Home
from resources.imaging import IMAGING_VERSION, facts_of
from resources.memo import key_of, remembered
from resources.workers import Workers, worker_count
from stepforge.documents import HEAD_BYTES, MAX_BYTES, media_type
from stepforge.figures import FigureIndex
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
    with Workers(worker_count()) as workers:
        facts = remembered(
            home.memo,
            "image_facts",
            distinct,
            key=lambda sha: key_of(sha, IMAGING_VERSION),
            compute=lambda part: list(facts_of((home.blobs.get(sha) for sha in part), workers)),
            dump=lambda fact: fact.model_dump_json().encode(),
            load=ImageFacts.model_validate_json,
            chunk=64,
        )
    measured = dict(zip(distinct, facts, strict=True))
    return FigureIndex({path: _reference(path, sha, measured[sha]) for path, sha in images.items()})


def _reference(path: str, sha256: str, facts: ImageFacts) -> ImageRef:
    return ImageRef(
        name=path,
        sha256=sha256,
        media_type=facts.media_type,
        width_px=facts.width_px,
        height_px=facts.height_px,
        sharpness=facts.sharpness,
        ink_share=facts.ink_share,
        error=facts.error,
    )
