"""Omni-MATH: 4,428 olympiad problems with domains and a difficulty from 1 to 10; JSON Lines.

Format: KbsdJames/Omni-MATH on the Hugging Face Hub (`test.jsonl`): `domain` (a list of paths such as
`Mathematics -> Algebra -> Prealgebra -> Integers`), `difficulty` (a float on the scale of the Art of Problem Solving),
`problem`, `solution`, `answer`, `source` (the contest).  There is no id: it is a hash of the problem.  Difficulty up to
3 is easy, up to 5 medium (the first two of the four ranges that the paper reports), above hard.  `source` is not kept.
"""

from typing import Any

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._answers import difficulty_of, number_or_none, plain_number, value_field
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import content_id, guess_answer, list_field, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "Apache-2.0"
_ARROW = "->"


def _recognises(_path: str, head: bytes) -> bool:
    return {"domain", "difficulty", "problem", "solution", "answer", "source"} <= _json.keys_in(head)


def _domains(row: dict[str, Any]) -> list[list[str]]:
    """Each domain as the names of its path, `Mathematics` left out."""
    paths = ([name.strip() for name in path.split(_ARROW)] for path in list_field(row, "domain"))
    return [[name for name in path if name and name != "Mathematics"] for path in paths]


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; its subject is the first domain's first name, its concepts are the last names."""
    row = raw.value or {}
    question, level = text_field(row, "problem"), number_or_none(row, "difficulty")
    domains = [path for path in _domains(row) if path]
    return build(
        "omnimath",
        raw,
        context,
        licence=LICENCE,
        source_id=content_id(question),
        language="en",
        question=question,
        problem_type=ProblemType.FREE_FORM,
        answer=guess_answer(value_field(row, "answer")),
        solution=optional_text(row, "solution"),
        subject=domains[0][0] if domains else None,
        grade=None if level is None else f"difficulty {plain_number(level)}",
        difficulty=difficulty_of(level, easy=3, medium=5),
        knowledge_concepts=tuple(dict.fromkeys(path[-1] for path in domains)),
    )


SOURCES.register(
    Source(
        name="omnimath",
        title="Omni-MATH",
        licence=LICENCE,
        url="https://github.com/KbsdJames/Omni-MATH",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`test.jsonl` (`Omni-Math.jsonl`), or Parquet",
        fields=(
            ("problem", "question; its hash is the id"),
            ("answer", "answer"),
            ("solution", "solution"),
            ("domain", "subject (first name) and knowledge concepts (last names)"),
            ("difficulty", "grade as it is, and difficulty: to 3 easy, to 5 medium, above hard"),
            ("source", "not read: the contest"),
        ),
    )
)
