r"""INTEGRALBENCH: 317 definite integrals with a symbolic and a numerical answer; JSON Lines.

Format: vegetable-yx/IntegralBench, `dataset.jsonl`: `problem` (the integral in LaTeX without dollar signs),
`symbolic_answer`, `numerical_answer` (about ten digits), `source` (the handbook's page), `problem_number`, `difficulty`
(1 to 5, or null).  The question is the integral with a word of what to do.  Both answers are right; some symbolic ones
end in a full stop.  Difficulty up to 2 is easy, 3 is medium, above hard.  The repository states no licence.
"""

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import difficulty_of, number_or_none, plain_number, value_field, with_alternatives
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, optional_text, text_field
from stepforge.vocabulary import ProblemType

LICENCE = "unknown"


def _recognises(_path: str, head: bytes) -> bool:
    return {"problem", "symbolic_answer", "numerical_answer"} <= _json.keys_in(head)


def _question(integral: str) -> str:
    integral = integral.strip()
    if not integral:
        raise BadRecord("problem: it is empty; give the integral")
    return f"Evaluate {integral if '$' in integral else f'${integral}$'}."


def _answer(row: dict[str, object]) -> Answer | None:
    """The symbolic answer with the numerical one as its alternative, or that alone."""
    symbolic = (optional_text(row, "symbolic_answer") or "").strip().rstrip(".").strip()
    number = number_or_none(row, "numerical_answer")
    numerical = value_field(row, "numerical_answer") if number is not None else ""
    return with_alternatives(guess_answer(symbolic or numerical), [numerical])


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    level = number_or_none(row, "difficulty")
    return build(
        "integralbench",
        raw,
        context,
        licence=LICENCE,
        source_id=text_field(row, "problem_number").strip(),
        language="en",
        question=_question(text_field(row, "problem")),
        problem_type=ProblemType.FREE_FORM,
        answer=_answer(row),
        solution=None,
        subject="calculus",
        grade=None if level is None else f"difficulty {plain_number(level)}",
        difficulty=difficulty_of(level, easy=2, medium=3),
        knowledge_concepts=("definite integral",),
    )


SOURCES.register(
    Source(
        name="integralbench",
        title="INTEGRALBENCH",
        licence=LICENCE,
        url="https://github.com/vegetable-yx/IntegralBench",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`dataset.jsonl`",
        fields=(
            ("problem_number", "id"),
            ("problem", "question: `Evaluate $…$.`"),
            ("symbolic_answer", "answer"),
            ("numerical_answer", "an alternative"),
            ("difficulty", "grade as it is, and difficulty: to 2 easy, 3 medium, above hard"),
            ("source", "not read: the page of the handbook"),
        ),
    )
)
