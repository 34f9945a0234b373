r"""MARIO_EVAL: the 5,000 test problems of MATH with an answer that people annotated, and its kind; a JSON array.

Format: MARIO-Math-Reasoning/MARIO_EVAL, `data/math_testset_annotation.json`: `index` (from 1; `idx` of ToRA's copy of
MATH is one less), `question`, `answer` (a text, or a list of texts each of which is right), `human_type`.  The
repository states no licence for it.  In index 2913 a backslash was lost: `\tfrac` became a tabulator and `frac`, and is
read as it was meant.
"""

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_list, with_alternatives
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, one_of, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "unknown"
KINDS = {
    "Real": None,
    "Expression": None,
    "Complex": None,
    "Function": None,
    "Others": None,
    "Vector": AnswerKind.TUPLE,
    "Set": AnswerKind.SET,
    "Matrix": AnswerKind.MATRIX,
    "Interval": AnswerKind.INTERVAL,
    "Equation": AnswerKind.EQUATION,
    "Inequality": AnswerKind.INEQUALITY,
}


def _recognises(_path: str, head: bytes) -> bool:
    return {"index", "question", "answer", "human_type"} <= _json.keys_in(head)


def _mended(value: object) -> object:
    if isinstance(value, list):
        return [_mended(one) for one in value]
    return value.replace("\tfrac", "\\tfrac") if isinstance(value, str) else value


def _answer(row: dict[str, object]) -> Answer | None:
    """The first annotated answer with the annotated kind, the others as alternatives."""
    kind = one_of(row, "human_type", KINDS)
    texts = value_list({"answer": _mended(row.get("answer"))}, "answer")
    guessed = guess_answer(texts[0]) if texts else None
    if guessed is not None and kind is not None:
        guessed = guessed.model_copy(update={"kind": kind})
    return with_alternatives(guessed, texts[1:])


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    return build(
        "mario_eval",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "index"),
        language="en",
        question=text_field(row, "question"),
        problem_type=ProblemType.FREE_FORM,
        answer=_answer(row),
        solution=None,
    )


SOURCES.register(
    Source(
        name="mario_eval",
        title="MARIO_EVAL annotation of MATH",
        licence=LICENCE,
        url="https://github.com/MARIO-Math-Reasoning/MARIO_EVAL",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`math_testset_annotation.json`",
        fields=(
            ("index", "id"),
            ("question", "question"),
            ("answer", "answer; a list holds alternatives"),
            ("human_type", "kind of the answer"),
        ),
    )
)
