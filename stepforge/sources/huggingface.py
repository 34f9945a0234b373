"""A Hugging Face data set as it is downloaded: a `README.md` whose card names data files, and those files, mostly
Parquet shards with images in the rows.

The columns are told by their names, as below; a set with other names needs a `mapping.toml` beside its `README.md`,
which also reads Parquet.  Licence and language are those of the card where the row has none.  A set that has a source
of its own (GSM8K, MAVIS, …) is read by that.  An id without a name stands after the folder's name; without an id the
key is a hash of question and figures.
"""

import re
from collections.abc import Mapping
from typing import Any

from stepforge.records import Answer, Choice, ImageRef, Problem
from stepforge.sources import _json, _stream
from stepforge.sources._base import SOURCES, BadRecord, Beside, Context, RawRecord, Source, build
from stepforge.sources._card import card_of
from stepforge.sources._csv import delimiter_of
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._rows import answer_of, choices_of, language, no_option_number, shown_fields, type_of
from stepforge.sources._values import content_id, optional_text, text_field
from stepforge.vocabulary import AnswerKind

COLUMNS: dict[str, tuple[str, ...]] = {  # field: columns, the first that is there and not null counts
    "question": ("question", "problem", "prompt", "query", "instruction"),
    "answer": ("answer", "final_answer", "ground_truth", "target", "label", "expected_answer"),
    "solution": ("solution", "rationale", "explanation", "cot", "reasoning", "generated_solution"),
    "choices": ("choices", "options"),
    "id": ("id", "problem_id", "unique_id", "question_id", "uid", "pid", "idx"),
    "subject": ("subject", "type", "category", "topic"),
    "language": ("language", "lang"),
    "grade": ("grade",),
    "unit": ("unit",),
}
IMAGES = ("images", "image", "decoded_image", *(f"image_{n}" for n in range(1, 10)))
INDEX = "answer_index"  # of the option, from 0
_SPDX = {"cc-by-4.0": "CC-BY-4.0", "cc-by-sa-4.0": "CC-BY-SA-4.0", "apache-2.0": "Apache-2.0", "mit": "MIT"}


def _recognises(_path: str, _head: bytes) -> bool:
    return False


def _has_card(path: str, head: bytes, beside: Beside) -> bool:
    return card_of(path, beside) is not None and not _columns(head).isdisjoint(COLUMNS["question"])


def _columns(head: bytes) -> frozenset[str]:
    if _stream.is_json(head):
        return _json.keys_in(head)
    first = head.decode("utf-8-sig", errors="replace").split("\n", 1)[0]
    return frozenset(re.split(re.escape(delimiter_of(first)), first.strip().replace('"', "")))


def _value(row: Mapping[str, Any], name: str) -> Any:
    return next((row[column] for column in COLUMNS[name] if row.get(column) not in (None, "")), None)


def _text(row: Mapping[str, Any], name: str) -> str | None:
    found = _value(row, name)
    return None if found is None else optional_text({name: found}, name)


def _images(row: Mapping[str, Any], context: Context) -> tuple[ImageRef, ...]:
    """The figures of the first column that has any; numbered columns are one after another."""
    found: list[ImageRef] = []
    for column in IMAGES:
        if row.get(column) is not None and (not found or column.startswith("image_")):
            found += figures_of(column, row[column], context)
    return tuple(found)


def _answer(row: Mapping[str, Any], choices: tuple[Choice, ...]) -> Answer | None:
    index = row.get(INDEX)
    if choices and isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(choices):
        return Answer(kind=AnswerKind.CHOICE, text=choices[index].label)
    found = _value(row, "answer")
    no_option_number(found, choices, is_label=True)
    return answer_of(found, choices, _text(row, "unit"))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    found = card_of(context.document.path, context.beside)
    card, folder = found if found is not None else (None, "")
    question = _value(row, "question")
    if question is None:
        names = ", ".join(COLUMNS["question"])
        raise BadRecord(f"question: none of {names} (columns: {shown_fields(row)}); name it in a mapping.toml")
    words = text_field({"question": question}, "question")
    images = _images(row, context)
    choices = choices_of(_value(row, "choices"))
    answer = _answer(row, choices)
    identity = _text(row, "id")
    licence = (card.licence if card else None) or "unknown"
    return build(
        "huggingface",
        raw,
        context,
        licence=_SPDX.get(licence.lower(), licence),
        source_id=f"{folder}:{identity}" if identity and folder else identity or _hash(words, images),
        language=language(_text(row, "language") or (card.language if card else None), words),
        question=with_marks(words, len(images)),
        images=images,
        choices=choices,
        problem_type=type_of(answer, choices),
        answer=answer,
        solution=_text(row, "solution"),
        subject=_text(row, "subject"),
        grade=_text(row, "grade"),
    )


def _hash(words: str, images: tuple[ImageRef, ...]) -> str:
    return content_id(words, *(image.sha256 or image.name for image in images))


SOURCES.register(
    Source(
        name="huggingface",
        title="Hugging Face data set",
        licence="unknown",
        url="https://huggingface.co/docs/hub/datasets-manual-configuration",
        recognises=_recognises,
        records=_stream.rows,
        problem=_problem,
        general=True,
        recognises_beside=_has_card,
        files="the data files that the card in `README.md` names (`configs`), or all below it; Parquet, JSON, CSV",
        fields=(
            *((", ".join(columns), f"{field}: the first that is there") for field, columns in COLUMNS.items()),
            (", ".join(IMAGES[:4]) + ", …", "figures; their bytes go into the content store"),
            (INDEX, "answer, the option's number from 0"),
            ("README.md: license, language", "licence and language"),
        ),
    )
)
