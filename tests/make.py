"""Records for tests: complete ones, with what matters to the test given by name."""

from datetime import UTC, datetime
from typing import Any

from stepforge.records import Answer, Document, ImageRef, Problem, Provenance, Step
from stepforge.vocabulary import AnswerKind, Capability, Method, ProblemType


def document(**given: Any) -> Document:
    fields: dict[str, Any] = {
        "document_id": "d" * 64,
        "batch": "b",
        "path": "problems.json",
        "source": "native",
        "media_type": "application/json",
        "size_bytes": 10,
        "licence": "CC0-1.0",
        "arrived_at": datetime(2026, 1, 2, tzinfo=UTC),
        "published_on": None,
        "allow_missing_images": False,
    }
    return Document.model_validate({**fields, **given})


def image(**given: Any) -> ImageRef:
    fields: dict[str, Any] = {
        "name": "a.png",
        "sha256": "a" * 64,
        "media_type": "image/png",
        "width_px": 400,
        "height_px": 300,
        "sharpness": 900.0,
        "ink_share": 0.05,
        "error": None,
    }
    return ImageRef.model_validate({**fields, **given})


def answer(text: str = "4", kind: AnswerKind = AnswerKind.NUMBER, **given: Any) -> Answer:
    return Answer(kind=kind, text=text, **given)


def problem(problem_id: str = "native/p1", **given: Any) -> Problem:
    source, _, source_id = problem_id.partition("/")
    fields: dict[str, Any] = {
        "problem_id": problem_id,
        "source": source,
        "source_id": source_id,
        "language": "en",
        "question": "What is 2 + 2?",
        "problem_type": ProblemType.FREE_FORM,
        "answer": answer(),
        "solution": "2 + 2 = 4",
        "licence": "CC0-1.0",
        "provenance": Provenance(document_id="d" * 64, path="problems.json", locator="row:0", method="json"),
    }
    return Problem(**{**fields, **given})


def step(**given: Any) -> Step:
    fields: dict[str, Any] = {
        "problem_id": "native/p1",
        "path": 0,
        "index": 0,
        "text": "2 + 2 = 4",
        "start": 0,
        "end": 9,
        "premises": (),
        "rule": None,
        "conclusion": "4",
        "depends_on": (),
        "capability": Capability.CALCULATION,
        "method": Method.RULES,
    }
    return Step(**{**fields, **given})
