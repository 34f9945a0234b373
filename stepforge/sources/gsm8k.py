"""GSM8K: grade-school word problems, JSON Lines; the worked answer ends in a line `#### N`."""

import re

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import content_id, guess_answer, kind_of, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"
_FINAL = "####"
_ANSWER = re.compile(rb'"answer"\s{0,9}:\s{0,9}"(?:[^"\\]|\\.){0,4000}?#### ')  # a heading of a question is none


def _recognises(_path: str, head: bytes) -> bool:
    return {"question", "answer"} <= _json.keys_in(head) and _ANSWER.search(head) is not None


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem.  It has no id: its key is a hash of the question.  `<<a*b=c>>` stays in the solution."""
    row = raw.value or {}
    question, worked = text_field(row, "question"), text_field(row, "answer")
    solution, found, final = worked.rpartition(_FINAL)
    value = final.strip().replace(",", "") if found else final
    answer = Answer(kind=kind_of(value), text=value) if found and value else guess_answer(value)
    return build(
        "gsm8k",
        raw,
        context,
        licence=LICENCE,
        source_id=content_id(question),
        language="en",
        question=question,
        problem_type=ProblemType.FREE_FORM,
        answer=answer,
        solution=solution.strip() or None,
    )


SOURCES.register(
    Source(
        name="gsm8k",
        title="GSM8K",
        licence=LICENCE,
        url="https://github.com/openai/grade-school-math",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`train.jsonl`, `test.jsonl`, or the Parquet files of openai/gsm8k",
        fields=(
            ("question", "question; the id is its hash"),
            ("answer", "answer: the number after `####`; solution: the text before it"),
        ),
    )
)
