r"""MATH (Hendrycks et al.): competition problems in seven subjects and five levels, answers in the solutions' boxes.

Read are the published folders (`MATH/test/algebra/1.json`, one object a file with `problem`, `level`, `type`,
`solution`; format as in hendrycks/math, `modeling/dataset/MATH.py`), JSON Lines copies of them with a number `idx`
(microsoft/ToRA), and the rows of PRM800K's split (MATH-500) with `subject`, a numeric `level`, `answer` and
`unique_id`.  The answer is what the last `\boxed{}` holds, however its braces nest; boxes side by side are one answer,
and all boxes are where the problem asks for all values.  Figures are Asymptote code in the problem's text and stay
there.  Levels 1 and 2 are easy, 3 is medium, 4 and 5 are hard; some levels of the training set are `Level ?`.  The id
of a file is its place, `test/algebra/1`.
"""

import re
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import boxed_values, difficulty_of, with_alternatives
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import content_id, guess_answer, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"
_LEVEL = re.compile(r"(?:Level )?([1-9])")
_ALL = re.compile(r"separated by commas")
_ONE_OF = re.compile(r"[Ee]nter only one of")
_PLACE = re.compile(r"(?:train|test)/[a-z_]{1,60}/\d{1,9}")


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return {"problem", "level", "solution"} <= keys and bool({"type", "subject"} & keys)


def _id(row: dict[str, Any], raw: RawRecord, context: Context) -> str:
    """The row's own id, the place of a file of one problem, else a hash of the problem."""
    for name in ("unique_id", "idx"):
        if row.get(name) is not None:
            return text_field(row, name).removesuffix(".json")
    place = "/".join(PurePosixPath(context.document.path).with_suffix("").parts[-3:])
    if raw.locator == "row:1" and _PLACE.fullmatch(place):
        return place
    return content_id(text_field(row, "problem"))


def _level(row: dict[str, Any]) -> tuple[str, int | None]:
    text = text_field(row, "level").strip()
    found = _LEVEL.fullmatch(text)
    if found is None and text not in ("Level ?", "?"):
        raise BadRecord(f"level: {text[:60]!r} is not of the form 'Level 3'")
    return (f"Level {found[1]}", int(found[1])) if found else ("Level ?", None)


def _answer(row: dict[str, Any], solution: str | None) -> Answer | None:
    """The typed answer: the given one, or that of the boxes.  A problem that wants all values separated by commas is
    answered by all boxes, one that wants only one of several by each of them."""
    given = optional_text(row, "answer")
    if given is not None or solution is None:
        return guess_answer(given)
    asked = text_field(row, "problem")
    values = boxed_values(solution, every=_ALL.search(asked) is not None)
    if not values:
        raise BadRecord(r"solution: it has no \boxed{} with the answer; box the answer, or give it as 'answer'")
    if _ONE_OF.search(asked):
        return with_alternatives(guess_answer(values[0]), values[1:])
    return guess_answer(", ".join(values))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem of a row or a file."""
    row = raw.value or {}
    solution, (level, number) = optional_text(row, "solution"), _level(row)
    subject = text_field(row, "type" if "type" in row else "subject").strip()
    return build(
        "math",
        raw,
        context,
        licence=LICENCE,
        source_id=_id(row, raw, context),
        language="en",
        question=text_field(row, "problem"),
        problem_type=ProblemType.FREE_FORM,
        answer=_answer(row, solution),
        solution=solution,
        subject=subject or None,
        grade=level,
        difficulty=difficulty_of(number, easy=2, medium=3),
    )


SOURCES.register(
    Source(
        name="math",
        title="MATH",
        licence=LICENCE,
        url="https://github.com/hendrycks/math",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="one JSON file a problem in folders, JSON Lines copies, MATH-500",
        fields=(
            ("problem", "question; Asymptote code stays in it"),
            ("solution", r"solution; the answer is in its last `\boxed{}`"),
            ("answer", "answer, where a copy has it"),
            ("level", "grade, and difficulty: 1-2 easy, 3 medium, 4-5 hard"),
            ("type, subject", "subject"),
            ("unique_id, idx, the file's place", "id"),
        ),
    )
)
