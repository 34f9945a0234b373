"""AMO-Bench: 50 original problems of at least IMO difficulty with a final answer; JSON Lines.

Format: meituan-longcat/AMO-Bench on the Hugging Face Hub; the fields as its `grading.py` reads them: `question_id`,
`prompt`, `solution`, `answer`, `answer_type` (`number`, `set`, `variable`, `description`).  A box around an answer is
taken off.  The problems were made for
the set and released on 2025-10-31, which is their date of publication.  A file of model responses
(`question_id`, `model_response`) holds no problem.
"""

import re
from datetime import date

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import boxed_values, value_field
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, one_of, optional_text, text_field
from stepforge.vocabulary import AnswerKind, Difficulty, ProblemType

LICENCE = "MIT"
RELEASED = date(2025, 10, 31)
_KINDS = {"number": None, "set": AnswerKind.SET, "variable": None, "description": AnswerKind.TEXT}
_KIND = re.compile(rb'"answer_type"\s{0,9}:\s{0,9}"(?:number|set|variable|description)"')


def _recognises(_path: str, head: bytes) -> bool:
    return {"question_id", "prompt", "answer", "answer_type"} <= _json.keys_in(head) and _KIND.search(head) is not None


def _answer(row: dict[str, object]) -> Answer | None:
    """The typed answer; an answer of type `variable` is an expression in the problem's letters."""
    kind, text = one_of(row, "answer_type", _KINDS), value_field(row, "answer")
    guessed = guess_answer(", ".join(boxed_values(text)) or text)
    return guessed if kind is None or guessed is None else guessed.model_copy(update={"kind": kind})


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    return build(
        "amobench",
        raw,
        context,
        licence=LICENCE,
        published_on=RELEASED,
        source_id=text_field(row, "question_id"),
        language="en",
        question=text_field(row, "prompt"),
        problem_type=ProblemType.FREE_FORM,
        answer=_answer(row),
        solution=optional_text(row, "solution"),
        difficulty=Difficulty.HARD,
    )


SOURCES.register(
    Source(
        name="amobench",
        title="AMO-Bench",
        licence=LICENCE,
        url="https://github.com/meituan-longcat/AMO-Bench",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="the rows of the Hugging Face data set as JSON Lines or Parquet",
        fields=(
            ("question_id", "id"),
            ("prompt", "question"),
            ("solution", "solution"),
            ("answer, answer_type", "answer: a set, an expression, or words to judge"),
        ),
    )
)
