"""MAVIS-Instruct: synthetic diagrams of geometry and of functions with a question, an answer and reasoning.

Fields as in the dataset cards of CaraJ/MAVIS-Geometry and CaraJ/MAVIS-Function on the Hugging Face Hub, Parquet or the
same rows as JSON.  A row of geometry states one problem three times, moving conditions from the text into the diagram;
read is the text-lite English version, for which the paper (arXiv 2407.08739) made the reasoning, else the text-dominant
one.  `answer_index` counts options from 0.  The rows have no id: it is a hash of question and diagram.
"""

from collections.abc import Mapping
from typing import Any

from stepforge.records import Answer, Choice, ImageRef, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._values import content_id, guess_answer, list_field, optional_text, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "unknown"  # neither card states one
_VERSIONS = ("text_lite", "text_dominant")


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return {"text_en", "answer_index", "image_text_lite"} <= keys or (
        {"CoT_reasoning", "function_type", "extra_info"} <= keys
    )


def _part(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = row.get(name)
    if not isinstance(found, dict):
        raise BadRecord(f"{name}: expected an object")
    return found


def _option(row: Mapping[str, Any], choices: tuple[Choice, ...]) -> Answer | None:
    index = row.get("answer_index")
    if not choices:
        return None
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(choices):
        raise BadRecord(f"answer_index: {str(index)[:60]!r} is none of the {len(choices)} options, counted from 0")
    return Answer(kind=AnswerKind.CHOICE, text=choices[index].label)


def _geometry(row: Mapping[str, Any], context: Context) -> dict[str, Any]:
    words = _part(row, "text_en")
    version = next((v for v in _VERSIONS if optional_text(words, f"{v}_question")), None)
    if version is None:
        raise BadRecord("text_en: neither text_lite_question nor text_dominant_question says anything")
    images = figures_of(f"image_{version}", row.get(f"image_{version}"), context)
    texts = list_field(row, "choices")
    if len(texts) > 26:
        raise BadRecord(f"choices: {len(texts)} options, but there are 26 letters")
    choices = tuple(Choice(label=chr(ord("A") + i), text=text) for i, text in enumerate(texts))
    return {
        "question": text_field(words, f"{version}_question").strip(),
        "images": images,
        "choices": choices,
        "problem_type": ProblemType.CHOICE if choices else ProblemType.FREE_FORM,
        "answer": _option(row, choices),
        "solution": optional_text(words, "CoT_reasoning"),
        "subject": "geometry",
    }


def _function(row: Mapping[str, Any], context: Context) -> dict[str, Any]:
    kind = optional_text(row, "function_type")
    return {
        "question": text_field(row, "question").strip(),
        "images": figures_of("image", row.get("image"), context),
        "problem_type": ProblemType.FREE_FORM,
        "answer": guess_answer(optional_text(_part(row, "extra_info"), "answer")),
        "solution": optional_text(row, "CoT_reasoning"),
        "subject": "functions",
        "knowledge_concepts": (kind,) if kind else (),
    }


def _identity(question: str, images: tuple[ImageRef, ...]) -> str:
    return content_id(question, *(image.sha256 or image.name for image in images))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    fields = _geometry(row, context) if "text_en" in row else _function(row, context)
    question, images = fields.pop("question"), fields["images"]
    return build(
        "mavis",
        raw,
        context,
        licence=LICENCE,
        source_id=_identity(question, images),
        language="en",
        question=with_marks(question, len(images)),
        **fields,
    )


SOURCES.register(
    Source(
        name="mavis",
        title="MAVIS-Instruct (geometry and functions)",
        licence=LICENCE,
        url="https://github.com/ZrrSkywalker/MAVIS",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`visualization*.parquet` of MAVIS-Geometry and MAVIS-Function, or their rows as JSON or JSON Lines",
        fields=(
            ("text_en.text_lite_question, text_en.text_dominant_question", "question: the first that is not empty"),
            ("image_text_lite, image_text_dominant", "figure of that question"),
            ("choices", "options, A first"),
            ("answer_index", "answer, the letter of the option; counted from 0"),
            ("text_en.CoT_reasoning", "solution"),
            ("image_vision_dominant, text_en.vision_dominant_question, text_zh, text_en.caption", "not read"),
            ("question", "question (functions)"),
            ("image", "figure (functions)"),
            ("extra_info.answer", "answer (functions)"),
            ("CoT_reasoning", "solution (functions)"),
            ("function_type", "knowledge concept (functions)"),
            ("extra_info.premise, .conditions, .question, .analytic", "not read: parts of the question and solution"),
        ),
    )
)
