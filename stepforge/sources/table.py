"""A table of problems: rows of a JSON array, JSON Lines, CSV or TSV file with a question and an answer column."""

import csv
import io
import re
from collections.abc import Iterator, Mapping

from stepforge.records import Answer, Choice, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import (
    content_id,
    guess_answer,
    language_of,
    list_field,
    optional_text,
    parts_of,
    split_options,
    text_field,
)
from stepforge.vocabulary import AnswerKind, ProblemType

MAX_CELL = 1 << 20  # characters; the csv module's own limit of 128 KiB is global and refuses some long solutions
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
_LANGUAGE = re.compile(r"[a-z]{2}")


def _column(name: str) -> str | None:
    return COLUMNS.get(re.sub(r"[ -]", "_", name.strip().lower()))


def _is_csv(path: str, head: bytes) -> bool:
    return path.lower().endswith((".csv", ".tsv")) and not head.lstrip().startswith((b"[", b"{"))


def _recognises(path: str, head: bytes) -> bool:
    if _is_csv(path, head):
        first = head.decode("utf-8-sig", errors="replace").splitlines()[:1]
        names = next(csv.reader(first, delimiter=_delimiter(first[0])), []) if first else []
    elif head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
        names = sorted(_json.keys_in(head))
    else:
        return False
    return {"question", "answer"} <= {_column(name) for name in names}


def _delimiter(line: str) -> str:
    return max(",\t;", key=line.count)


def _records(data: bytes) -> Iterator[RawRecord]:
    """Rows with their columns under the names of `COLUMNS`; a column of another name is left aside."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"[", b"{"):
        rows = _json.records(data)
    else:
        rows = _csv_records(data)
    for raw in rows:
        yield raw if raw.value is None else _renamed(raw)


def _renamed(raw: RawRecord) -> RawRecord:
    row: dict[str, object] = {}
    for name, value in (raw.value or {}).items():
        column = _column(name)
        if column in row:
            return raw._replace(
                value=None, error=f"{name}: another column already says the {column}; keep one of the two"
            )
        if column is not None:
            row[column] = value
    return raw._replace(value=row)


def _csv_records(data: bytes) -> Iterator[RawRecord]:
    """Rows of a CSV or TSV file: `row:N` from 1, the header not counted; quoted cells may hold line ends."""
    decoded = _json.decode(data)
    if decoded.error is not None:
        yield RawRecord("", None, decoded.error)
        return
    first = decoded.text.split("\n", 1)[0]
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(io.StringIO(decoded.text, newline=""), delimiter=_delimiter(first), strict=True)
    header: list[str] | None = None
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield RawRecord(f"row:{number + 1}", None, f"line {reader.line_num}: {error}; correct the quotes")
            number += 1
            continue
        if header is None:
            header = cells
        elif any(cell.strip() for cell in cells):
            number += 1
            yield _csv_row(header, cells, number, reader.line_num)


def _csv_row(header: list[str], cells: list[str], number: int, line: int) -> RawRecord:
    locator, shown = f"row:{number}", ",".join(cells)[: _json.EVIDENCE]
    wrong = _json.fault(cells)
    if len(cells) != len(header):
        wrong = f"{len(cells)} cells, but the header has {len(header)} columns"
    if wrong is not None:
        return RawRecord(locator, None, f"line {line}: {wrong}; correct the row", shown, method="csv")
    value = {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}
    for name in header:  # an empty cell of a needed column is empty, not missing
        if _column(name) in ("question", "answer"):
            value.setdefault(name, "")
    return RawRecord(locator, value, evidence=shown, method="csv")


def _images(row: Mapping[str, object]) -> list[str]:
    if isinstance(row.get("images"), str):
        return [name.strip() for name in str(row["images"]).split(";") if name.strip()]
    return list_field(row, "images")


def _choices(row: Mapping[str, object]) -> tuple[Choice, ...]:
    """Options: a text `A. … B. …`, an object by label, a list of labelled texts, or a list to be labelled from A."""
    found = row.get("choices")
    if isinstance(found, str):
        return split_options(found, whole=True)[1]
    if isinstance(found, dict):
        return tuple(Choice(label=label, text=text_field(found, label)) for label in sorted(found))
    texts = list_field(row, "choices")
    if len(texts) > 26:
        raise BadRecord(f"choices: {len(texts)} options, but there are 26 letters")
    labelled = split_options("\n".join(texts), whole=True)[1]
    if len(labelled) == len(texts):
        return labelled
    return tuple(Choice(label=chr(ord("A") + i), text=text) for i, text in enumerate(texts))


def _answer(row: Mapping[str, object], choices: tuple[Choice, ...]) -> Answer | None:
    unit = optional_text(row, "unit")
    if isinstance(row.get("answer"), list):
        parts = tuple(list_field(row, "answer"))
        if len(parts) > 1:
            joined = "; ".join(f"({i}) {part}" for i, part in enumerate(parts, 1))
            return Answer(kind=AnswerKind.MULTI_PART, text=joined, parts=parts, unit=unit)
        return guess_answer("".join(parts), choices, unit)
    text = optional_text(row, "answer")
    parts = parts_of(text) if text and not choices else ()
    if text and parts and all(parts):
        return Answer(kind=AnswerKind.MULTI_PART, text=text, parts=parts, unit=unit)
    return guess_answer(text, choices, unit)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; without an id column its key is a hash of the question."""
    row = raw.value or {}
    if "answer" not in row:
        raise BadRecord("answer: the column is missing; add it, empty where there is none")
    story, question = optional_text(row, "story"), text_field(row, "question")
    text = f"{story.strip()}\n{question}" if story else question
    choices = _choices(row)
    answer = _answer(row, choices)
    is_multi = answer is not None and answer.kind is AnswerKind.MULTI_PART
    language = (optional_text(row, "language") or "").strip().lower()[:2]
    free = ProblemType.MULTI_STEP if is_multi else ProblemType.FREE_FORM
    return build(
        "table",
        raw,
        context,
        licence=optional_text(row, "licence") or "unknown",
        source_id=optional_text(row, "id") or content_id(text),
        language=language if _LANGUAGE.fullmatch(language) else language_of(text),
        question=text,
        images=tuple(context.figures(name) for name in _images(row)),
        choices=choices,
        problem_type=ProblemType.CHOICE if choices else free,
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
    )
)
