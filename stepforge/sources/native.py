"""Stepforge's own format, JSON with `"format": "stepforge-problems/1"` and `problems`; unknown keys are refused."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from stepforge.records import Answer, Choice, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, language_of, parts_of
from stepforge.vocabulary import AnswerKind, Complexity, Difficulty, FormalLabel, ImageRelevance, ProblemType

FORMAT = "stepforge-problems/1"
_HEADER = frozenset({"format", "licence", "problems"})
_RECOGNISED = re.compile(rb'"format"\s{0,20}:\s{0,20}"stepforge-problems/')


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Group(_Part):
    id: str = Field(min_length=1)
    role: str = Field(pattern=r"^(composite|sub_[1-9][0-9]?)$")


class _Auxiliary(_Part):
    text: str
    complexity: Complexity
    image: str | None = None


class Row(_Part):
    """One problem as the format has it."""

    id: str = Field(min_length=1, max_length=200)
    question: str
    type: ProblemType
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    images: tuple[str, ...] = ()
    choices: dict[Annotated[str, Field(pattern=r"^[A-Z]$")], str] = Field(default_factory=dict)
    answer: str | tuple[str, ...] | None = None
    answer_kind: AnswerKind | None = None
    unit: str | None = None
    solution: str | None = None
    subject: str | None = None
    grade: str | None = None
    difficulty: Difficulty | None = None
    knowledge_concepts: tuple[str, ...] = ()
    image_relevance: ImageRelevance | None = None
    group: _Group | None = None
    auxiliary: _Auxiliary | None = None
    step_length: Annotated[int, Field(ge=0)] | None = None
    lean: str | None = None
    lean_label: FormalLabel | None = None


class _Header(_Part):
    format: Literal["stepforge-problems/1"]
    licence: str = ""


_ROW = TypeAdapter(Row)


def _recognises(_path: str, head: bytes) -> bool:
    return _RECOGNISED.search(head) is not None


def _records(data: bytes) -> Iterator[RawRecord]:
    """The file's problems; each carries the file's licence under `licence`."""
    decoded = _json.decode(data)
    if decoded.error is not None:
        yield RawRecord("", None, decoded.error)
        return
    header, start, error = _json.header(decoded.text, "problems")
    if error is None and start is None:
        error = "problems: the field is missing; add a list of problems"
    try:
        licence = _Header.model_validate(header).licence if error is None else ""
    except ValidationError as invalid:
        error = _message(invalid)
    if error is not None or start is None:
        yield RawRecord("", None, error, decoded.text[:300])
        return
    for raw in _json.whole_file(_json.members(decoded.text, start, alone=False)):
        yield raw if raw.value is None else raw._replace(value={"licence": licence, **raw.value})


def _message(invalid: ValidationError) -> str:
    first = invalid.errors(include_url=False, include_context=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']} (got {first['input']!r:.60})"


def _answer(row: Row, choices: tuple[Choice, ...]) -> Answer | None:
    """The typed answer; its kind is guessed from its form where the row does not say."""
    if isinstance(row.answer, tuple) or row.type is ProblemType.MULTI_STEP:
        return _parts(row)
    if row.answer is None or not row.answer.strip():
        return None
    if row.answer_kind is None:
        return guess_answer(row.answer, choices, row.unit)
    return Answer(kind=row.answer_kind, text=row.answer.strip(), unit=row.unit)


def _parts(row: Row) -> Answer | None:
    if row.type is not ProblemType.MULTI_STEP:
        raise BadRecord("answer: a list is for type multi_step only; give one text")
    parts = row.answer or ()
    if isinstance(parts, str):
        parts = parts_of(parts) or ((parts,) if parts.strip() else ())
    if not parts:
        return None
    text = row.answer if isinstance(row.answer, str) else "; ".join(f"({i}) {p}" for i, p in enumerate(parts, 1))
    return Answer(kind=row.answer_kind or AnswerKind.MULTI_PART, text=text, parts=parts, unit=row.unit)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem.  Raises: BadRecord naming the first field that is wrong."""
    value: dict[str, JsonValue] = dict(raw.value or {})
    licence = str(value.pop("licence", "")) or "unknown"
    try:
        row = _ROW.validate_python(value)
    except ValidationError as invalid:
        raise BadRecord(_message(invalid)) from None
    choices = tuple(Choice(label=label, text=text) for label, text in sorted(row.choices.items()))
    auxiliary = row.auxiliary
    if row.lean_label is not None and not (row.lean or "").strip():
        raise BadRecord("lean_label: there is no Lean that it speaks of; give 'lean', or leave it out")
    return build(
        "native",
        raw,
        context,
        licence=licence,
        source_id=row.id,
        language=row.language or language_of(row.question),
        question=row.question,
        images=tuple(context.figures(name) for name in row.images),
        choices=choices,
        problem_type=row.type,
        answer=_answer(row, choices),
        solution=row.solution,
        group_id=row.group.id if row.group else None,
        group_role=row.group.role if row.group else None,
        subject=row.subject,
        grade=row.grade,
        difficulty=row.difficulty,
        knowledge_concepts=row.knowledge_concepts,
        image_relevance=row.image_relevance,
        reference_step_length=row.step_length,
        auxiliary_text=auxiliary.text if auxiliary else None,
        auxiliary_complexity=auxiliary.complexity if auxiliary else None,
        auxiliary_image=context.figures(auxiliary.image) if auxiliary and auxiliary.image else None,
        lean_statement=row.lean,
        formal_label=row.lean_label,
    )


SOURCES.register(
    Source(
        name="native",
        title="Stepforge problems",
        licence="unknown",
        url="",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        files='a JSON file that begins with `"format": "stepforge-problems/1"`',
        fields=(
            ("licence", "licence of all its problems"),
            ("problems", "problems, with the fields below"),
        ),
    )
)
