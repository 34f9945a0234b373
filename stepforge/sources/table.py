"""A table of problems: JSON array, JSON Lines, CSV, TSV or Parquet with a question and an answer column."""

import csv
import re
from collections.abc import Iterator

from stepforge.records import Problem
from stepforge.sources import _json, _stream
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._csv import delimiter_of
from stepforge.sources._figures import figures_of, with_marks
from stepforge.sources._rows import answer_of, choices_of, language, no_option_number, type_of
from stepforge.sources._values import content_id, optional_text, text_field

COLUMNS = {  # column of the row, lower case, spaces and hyphens as `_` -> field
    "question": "question",
    "problem": "question",
    "body": "story",
    "context": "story",
    "answer": "answer",
    "final_answer": "answer",
    "short_answer": "answer",
    "solution": "solution",
    "id": "id",
    "problem_id": "id",
    "unique_id": "id",
    "language": "language",
    "lang": "language",
    "image": "images",
    "images": "images",
    "choices": "choices",
    "options": "choices",
    "unit": "unit",
    "subject": "subject",
    "grade": "grade",
    "licence": "licence",
    "license": "licence",
}


def _column(name: str) -> str | None:
    return COLUMNS.get(re.sub(r"[ -]", "_", name.strip().lower()))


def _is_csv(path: str, head: bytes) -> bool:
    return path.lower().endswith((".csv", ".tsv")) and not head.lstrip().startswith((b"[", b"{"))


def _recognises(path: str, head: bytes) -> bool:
    if _is_csv(path, head):
        first = head.decode("utf-8-sig", errors="replace").splitlines()[:1]
        names = next(csv.reader(first, delimiter=delimiter_of(first[0])), []) if first else []
    elif head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
        names = sorted(_json.keys_in(head))
    else:
        return False
    return {"question", "answer"} <= {_column(name) for name in names}


def _records(data: bytes) -> Iterator[RawRecord]:
    """Rows with their columns under the names of `COLUMNS`; a column of another name is left aside."""
    for raw in _stream.rows(data):
        yield raw if raw.value is None else _renamed(raw)


def _renamed(raw: RawRecord) -> RawRecord:
    row: dict[str, object] = {}
    for name, value in (raw.value or {}).items():
        column = _column(name)
        if raw.method == "csv" and not value.strip() and column not in ("question", "answer"):
            continue  # an empty cell says nothing; one of a needed column is empty, not missing
        if column in row:
            return raw._replace(
                value=None, error=f"{name}: another column already says the {column}; keep one of the two"
            )
        if column is not None:
            row[column] = value
    return raw._replace(value=row)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; without an id column its key is a hash of the question."""
    row = raw.value or {}
    if "answer" not in row:
        raise BadRecord("answer: the column is missing; add it, empty where there is none")
    story, question = optional_text(row, "story"), text_field(row, "question")
    text = f"{story.strip()}\n{question}" if story else question
    choices = choices_of(row.get("choices"))
    no_option_number(row["answer"], choices)
    answer = answer_of(row["answer"], choices, optional_text(row, "unit"))
    images = figures_of("images", row.get("images"), context)
    return build(
        "table",
        raw,
        context,
        licence=optional_text(row, "licence") or "unknown",
        source_id=optional_text(row, "id") or content_id(text),
        language=language(optional_text(row, "language"), text),
        question=with_marks(text, len(images)) if images and "<image>" in text else text,
        images=images,
        choices=choices,
        problem_type=type_of(answer, choices),
        answer=answer,
        solution=optional_text(row, "solution"),
        subject=optional_text(row, "subject"),
        grade=optional_text(row, "grade"),
    )


SOURCES.register(
    Source(
        name="table",
        title="Table of problems",
        licence="unknown",
        url="",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        general=True,
        files="JSON array, JSON Lines, CSV, TSV or Parquet with these columns, in any case, spaces and hyphens as `_`",
        fields=tuple((name, field) for name, field in COLUMNS.items()),
    )
)
