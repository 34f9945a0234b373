"""Dolphin1878 (SigmaDolphin, Shi et al. 2015): 1,878 number word problems from question-answering sites; a JSON array.

Format: Microsoft Research, `number_word_std.dev.json` and `.test.json` (copy in LYH-YF/MWPToolkit; fields as in
TensorFlow Datasets' `dolphin_number_word`): `id`, `index`, `text`, `sources` (a text or a list), `equations` (the
first names what is asked, `unkn: x,y`, the others begin with `equ:`), `ans`, `ans_simple` (rounded numbers, which the
authors advise against).  In `ans` values stand between semicolons, in braces or not; `|` is between other forms of one
answer ({45/2; 27/2} | {22.5; 13.5}), ` or ` between several solutions, and `ans_no_result` means that there is no
answer.  Several values are a set: their order is that of the unknowns, which the question seldom asks for.  No licence
is stated.
"""

import re

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import set_of, value_list, with_alternatives
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "unknown"
NO_ANSWER = "ans_no_result"
_OR = re.compile(r"\s{1,9}or\s{1,9}")
MAX_ANSWER_CHARS = 2000


def _recognises(_path: str, head: bytes) -> bool:
    return {"id", "text", "ans", "equations"} <= _json.keys_in(head)


def _values(text: str) -> list[str]:
    """The values between semicolons, braces around them removed."""
    text = text.strip()
    inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    return [value.strip() for value in inner.split(";") if value.strip()]


def _one_form(text: str) -> Answer | None:
    """The answer that one form states; several solutions of several values each are a set of tuples."""
    solutions = [_values(solution) for solution in _OR.split(text)]
    solutions = [solution for solution in solutions if solution]
    if len(solutions) == 1:
        return set_of(solutions[0])
    return set_of([solution[0] if len(solution) == 1 else f"({', '.join(solution)})" for solution in solutions])


def _answer(text: str | None) -> Answer | None:
    if text is None or text.strip() == NO_ANSWER or len(text) > MAX_ANSWER_CHARS:
        return None
    forms = [form for form in map(_one_form, text.split("|")) if form is not None]
    return with_alternatives(forms[0], [form.text for form in forms[1:]]) if forms else None


def _equations(row: dict[str, object]) -> str | None:
    lines = (line.removeprefix("equ:").strip() for line in value_list(row, "equations"))
    return "\n".join(line for line in lines if not line.startswith("unkn:")) or None


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem; its equations are the solution."""
    row = raw.value or {}
    return build(
        "dolphin1878",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "id").strip(),
        language="en",
        question=text_field(row, "text").strip(),
        problem_type=ProblemType.FREE_FORM,
        answer=_answer(optional_text(row, "ans")),
        solution=_equations(row),
        subject="algebra",
    )


SOURCES.register(
    Source(
        name="dolphin1878",
        title="Dolphin1878",
        licence=LICENCE,
        url="https://www.microsoft.com/en-us/research/project/sigmadolphin-2/",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`number_word_std.dev.json`, `number_word_std.test.json`",
        fields=(
            ("id", "id"),
            ("text", "question"),
            ("equations", "solution, one equation a line, without the line of the unknowns"),
            ("ans", "answer: several values are a set, other forms alternatives"),
            ("index, sources, ans_simple", "not read"),
        ),
    )
)
