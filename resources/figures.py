"""The figures of a batch, measured once each and remembered by content."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack

from resources.code import code_version
from resources.home import Home
from resources.imaging import METHOD, facts_of
from resources.memo import key_of, remembered
from resources.workers import Workers, worker_count
from stepforge.documents import HEAD_BYTES, MAX_BYTES, media_type
from stepforge.figures import FigureIndex, absent
from stepforge.images import ImageFacts
from stepforge.records import ImageRef, Problem

MAX_NAME_CHARS = 300


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
        measured = measure(home, distinct, workers)
    return FigureIndex({path: _reference(path, sha, measured[sha]) for path, sha in images.items()})


def measure(home: Home, distinct: list[str], workers: Workers) -> dict[str, ImageFacts]:
    """Facts of stored images by sha256, each measured once and remembered."""
    version = code_version(["stepforge.images"], [], METHOD)
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
    return dict(zip(distinct, facts, strict=True))


class EmbeddedFigures(AbstractContextManager["EmbeddedFigures"]):
    """Figures whose bytes stand in the records of a source: put into the content store, then measured like others."""

    def __init__(self, home: Home) -> None:
        self._home, self._stack = home, ExitStack()
        self._workers: Workers | None = None

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def put(self, name: str, data: bytes) -> ImageRef:
        """The figure as far as it is known before it is measured."""
        return absent(name[:MAX_NAME_CHARS], self._home.blobs.put(data))

    def measured(self, problems: list[Problem]) -> list[Problem]:
        """The problems, their embedded figures with facts."""
        new = {i.sha256 for p in problems for i in p.images if i.sha256 is not None and _is_bare(i)}
        if not new:
            return problems
        if self._workers is None:
            self._workers = self._stack.enter_context(Workers(worker_count()))
        facts = measure(self._home, sorted(new), self._workers)
        return [_with_facts(problem, facts) for problem in problems]


def _is_bare(image: ImageRef) -> bool:
    return image.width_px is None and image.media_type is None and image.error is None


def _with_facts(problem: Problem, facts: Mapping[str, ImageFacts]) -> Problem:
    if not any(image.sha256 in facts for image in problem.images):
        return problem
    images = tuple(
        _reference(i.name, i.sha256, facts[i.sha256]) if i.sha256 is not None and i.sha256 in facts else i
        for i in problem.images
    )
    return problem.model_copy(update={"images": images})


def _reference(path: str, sha256: str, facts: ImageFacts) -> ImageRef:
    return ImageRef(
        name=path,
        sha256=sha256,
        media_type=facts.media_type,
        width_px=facts.width,
        height_px=facts.height,
        sharpness=facts.sharpness,
        ink_share=facts.ink_share,
        text_share=facts.text_share,
        phash=facts.phash,
        error=facts.error,
    )
