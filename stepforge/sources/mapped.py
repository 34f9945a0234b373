"""A folder of JSON, JSON Lines, CSV or Parquet files of any shape, with a `mapping.toml` in it that says which field of
a row is what.

    name = "school-exams"                  # ids are mapped/school-exams:ID
    files = ["data/*.jsonl"]               # default: every data file below the folder
    records = "items"                      # only where the rows are a list inside an object

    [fields]                               # dotted paths; a list of paths is tried in turn
    question = "prompt.text"
    answer = ["target", "meta.target"]
    images = "pictures"                    # names, or images in the row
    id = "uid"

    [constants]                            # where no field says it
    language = "en"
    licence = "CC-BY-4.0"
    published_on = 2024-05-01

    [answer]
    kind = "number"                        # else told by its form
    after = "####"                         # or boxed = true; is = "letter", "index0" or "index1"

    [values.subject]
    alg = "algebra"

The mapping of the nearest folder counts; it stands before every other source.  A mistake in it is refused by
`stepforge ingest`, with file and key.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from stepforge.answers.boxed import boxes
from stepforge.records import Answer, Choice, Problem
from stepforge.sources import _stream
from stepforge.sources._base import SOURCES, BadRecord, Beside, Context, RawRecord, Source, build
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._mapping import BadMapping, Fields, mapping_of, parse_mapping, value_at
from stepforge.sources._mapping import Mapping as Plan
from stepforge.sources._rows import (
    answer_of,
    choices_of,
    concepts_of,
    date_of,
    language,
    no_option_number,
    shown_fields,
    type_of,
)
from stepforge.sources._values import content_id, one_of, optional_text, text_field
from stepforge.vocabulary import AnswerKind, Difficulty, ImageRelevance

_DIFFICULTIES = {value.value: value for value in Difficulty}
_RELEVANCE = {value.value: value for value in ImageRelevance}


def _recognises(_path: str, _head: bytes) -> bool:
    return False


def _is_mapped(path: str, _head: bytes, beside: Beside) -> bool:
    return mapping_of(path, beside) is not None


def _plan(context: Context) -> Plan:
    """The mapping that speaks of the document.  Raises: BadMapping."""
    found = mapping_of(context.document.path, context.beside)
    if found is None:
        raise BadMapping("the mapping.toml of this file is not in the batch any more; deliver both again")
    return parse_mapping(found[1], found[0])


def _records(data: bytes, context: Context) -> Iterator[RawRecord]:
    try:
        plan = _plan(context)
    except BadMapping as error:
        yield RawRecord("", None, str(error))
        return
    if plan.records is not None and _stream.is_json(data):
        yield from _stream.members_of(data, plan.records)
    else:
        yield from _stream.rows(data, delimiter=plan.delimiter)


class _Row:
    """A row as its mapping sees it."""

    def __init__(self, plan: Plan, raw: RawRecord) -> None:
        self.plan, self.row = plan, raw.value or {}
        self._is_csv = raw.method == "csv"

    def value(self, name: str) -> Any:
        """What the first of a field's paths that leads anywhere holds; else the constant."""
        for path in self.plan.fields.paths(name):
            found = value_at(self.row, path)
            if found is None or (self._is_csv and not found.strip()):
                continue
            return self.plan.values.get(name, {}).get(found, found) if isinstance(found, str) else found
        return getattr(self.plan.constants, name, None)

    def text(self, name: str) -> str | None:
        found = self.value(name)
        return None if found is None else optional_text({name: found}, name)

    def is_mapped(self, name: str) -> bool:
        return bool(self.plan.fields.paths(name))


def _question(row: _Row) -> str:
    found = row.value("question")
    paths = " or ".join(row.plan.fields.paths("question"))
    if found is None:
        raise BadRecord(f"question: the row has nothing at {paths} (fields: {shown_fields(row.row)})")
    return text_field({"question": found}, "question")


def _answer(row: _Row, choices: tuple[Choice, ...]) -> Answer | None:
    found, form = row.value("answer"), row.plan.answer
    if isinstance(found, str):
        if form.after is not None:
            found = found.rpartition(form.after)[2].strip() if form.after in found else None
        elif form.boxed:
            found = next((content for _, _, content in reversed(boxes(found))), None)
    if found is None or found == "":
        return None
    if form.written_as != "text":
        return Answer(kind=AnswerKind.CHOICE, text=_label(found, choices, form.written_as), unit=row.text("unit"))
    if "written_as" not in form.model_fields_set:
        no_option_number(found, choices)
    answer = answer_of(found, choices, row.text("unit"))
    return answer.model_copy(update={"kind": form.kind}) if answer is not None and form.kind is not None else answer


def _label(found: object, choices: tuple[Choice, ...], written_as: str) -> str:
    text = str(found).strip()
    labels = [choice.label for choice in choices]
    if written_as == "letter":
        letter = text.strip("()（）.。 :：")
        for one in (letter, letter.upper()):
            if one in labels:
                return one
    elif text.isdecimal() and len(text) < 4:
        index = int(text) - (written_as == "index1")
        if 0 <= index < len(labels):
            return labels[index]
    raise BadRecord(f"answer: {text[:60]!r} is none of the {len(labels)} options ({written_as})")


def _images(row: _Row, context: Context) -> tuple[Any, ...]:
    paths = row.plan.fields.paths("images")
    return tuple(image for path in paths for image in figures_of(path, value_at(row.row, path), context))


def _named(row: _Row, name: str, table: Mapping[str, Any]) -> Any:
    found = row.value(name)
    return None if found is None else one_of({name: found}, name, table)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; without an id its key is a hash of question and figures."""
    plan = _plan(context)
    row = _Row(plan, raw)
    question, images = _question(row), _images(row, context)
    choices = choices_of(row.value("choices"), split=plan.choices_split)
    answer = _answer(row, choices)
    identity = row.text("id") or raw.key or content_id(question, *(image.sha256 or image.name for image in images))
    return build(
        "mapped",
        raw,
        context,
        licence=row.text("licence") or "unknown",
        source_id=f"{plan.name}:{identity}",
        language=language(row.text("language"), question),
        question=with_marks(question, len(images)),
        images=images,
        choices=choices,
        problem_type=type_of(answer, choices),
        answer=answer,
        solution=row.text("solution"),
        subject=row.text("subject"),
        grade=row.text("grade"),
        difficulty=_named(row, "difficulty", _DIFFICULTIES),
        image_relevance=_named(row, "image_relevance", _RELEVANCE),
        knowledge_concepts=concepts_of("knowledge_concepts", row.value("knowledge_concepts")),
        group_id=row.text("group_id"),
        group_role=row.text("group_role"),
        published_on=date_of("published_on", row.value("published_on")),
    )


_MEANING = {
    "question": "question; `<image>` marks are numbered, missing ones stand at its end",
    "answer": "answer, typed by `[answer]` or by its form",
    "images": "figures: names of files of the batch, or images in the row",
    "choices": "options: list, object by label, JSON list, or a text `A. … B. …`",
    "published_on": "publication date, YYYY-MM-DD",
    "difficulty": f"one of {', '.join(_DIFFICULTIES)}",
    "image_relevance": f"one of {', '.join(_RELEVANCE)}",
    "knowledge_concepts": "list, or a text with `;` between them",
}

SOURCES.register(
    Source(
        name="mapped",
        title="Folder with a mapping",
        licence="unknown",
        url="",
        recognises=_recognises,
        records=_stream.rows,
        problem=_problem,
        first=True,
        recognises_beside=_is_mapped,
        records_beside=_records,
        files="`*.json`, `*.jsonl`, `*.ndjson`, `*.csv`, `*.tsv`, `*.parquet` below a `mapping.toml` that covers them",
        fields=tuple((f"fields.{name}", _MEANING.get(name, name)) for name in Fields.model_fields),
    )
)
