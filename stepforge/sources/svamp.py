"""SVAMP: 1,000 one-unknown arithmetic word problems with varied structure; a JSON array.

Format: arkilpatel/SVAMP, `SVAMP.json` with `ID`, `Body` (the story), `Question`, `Equation` (infix), `Answer` (a float)
and `Type` (the operation; `Common-Divison` once).  A story without a full stop gets one.  The equation is the solution,
with its value worked out: that of `chal-680` is 5 where the source answers 1, so that the filter stage sees the
contradiction; what the source says stays as it is.
"""

from decimal import Decimal

from stepforge.arithmetic import value
from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import plain_number, value_field
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, optional_text, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "MIT"
_ENDS = (".", "?", "!", ":", ";", ",", '"')


def _recognises(_path: str, head: bytes) -> bool:
    return {"ID", "Body", "Question", "Equation", "Answer"} <= _json.keys_in(head)


def _story(body: str) -> str:
    body = body.strip()
    return f"{body}." if body and not body.endswith(_ENDS) else body


def _solution(equation: str | None) -> str | None:
    """The equation with its value; as it is where it has no exact short one."""
    if equation is None:
        return None
    result = value(equation)
    if result is None:
        return equation.strip()
    if result.denominator == 1:
        return f"{equation.strip()} = {result.numerator}"
    decimal = Decimal(result.numerator) / Decimal(result.denominator)
    exact = decimal * result.denominator == result.numerator and len(str(decimal)) < 12
    return f"{equation.strip()} = {plain_number(decimal) if exact else result}"


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem: story and question as one text."""
    row = raw.value or {}
    text = value_field(row, "Answer")
    guessed = guess_answer(text)
    number = guessed is not None and guessed.kind is AnswerKind.NUMBER
    question = text_field(row, "Question").strip()
    story = _story(text_field(row, "Body"))
    return build(
        "svamp",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "ID").strip(),
        language="en",
        question=f"{story} {question}".strip(),
        problem_type=ProblemType.FREE_FORM,
        answer=Answer(kind=AnswerKind.NUMBER, text=text) if number else guessed,
        solution=_solution(optional_text(row, "Equation")),
        subject="arithmetic",
        knowledge_concepts=tuple(filter(None, [(optional_text(row, "Type") or "").strip()])),
    )


SOURCES.register(
    Source(
        name="svamp",
        title="SVAMP",
        licence=LICENCE,
        url="https://github.com/arkilpatel/SVAMP",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`SVAMP.json`, or its rows as JSON Lines",
        fields=(
            ("ID", "id"),
            ("Body, Question", "question: the story, closed with a full stop, and the question"),
            ("Equation", "solution, with its value worked out"),
            ("Answer", "answer, `51.0` as 51"),
            ("Type", "knowledge concept"),
        ),
    )
)
