"""What ALG514 and DRAW-1K have in common: a word problem, its linear equations, and the values of all unknowns."""

from typing import Any

from stepforge.records import Problem
from stepforge.sources._answers import set_of, value_list
from stepforge.sources._base import BadRecord, Context, RawRecord, build
from stepforge.sources._values import text_field
from stepforge.vocabulary import ProblemType

FIELDS = (
    ("iIndex", "id"),
    ("sQuestion", "question"),
    ("lEquations", "solution, one equation a line"),
    ("lSolutions", "answer: the values of all unknowns, a set if there are several"),
    ("Template, Alignment, Equiv, lQueryVars", "not read: derived annotations"),
)
KEYS = frozenset({"iIndex", "sQuestion", "lEquations", "lSolutions"})


def problem(source: str, licence: str, raw: RawRecord, context: Context) -> Problem:
    """The row's problem.  The source answers with every unknown, also where the question asks for one of them.

    Raises: ValidationError, BadRecord."""
    row: dict[str, Any] = raw.value or {}
    equations, values = value_list(row, "lEquations"), value_list(row, "lSolutions")
    if not values:
        raise BadRecord("lSolutions: there is no solution; give the values of the unknowns")
    return build(
        source,
        raw,
        context,
        licence=licence,
        source_id=text_field(row, "iIndex"),
        language="en",
        question=text_field(row, "sQuestion").strip(),
        problem_type=ProblemType.FREE_FORM,
        answer=set_of(values),
        solution="\n".join(equations) or None,
        subject="algebra",
    )
