"""The question type (MV-MATH, section 3.1): choice, free form in one step or in several parts; and proofs.

Readers of sources that state the type keep it.  General sources (a table, a folder, a paper) guess it from the answer;
the rules look at the question, too, and change a guess only to what the answer bears out.
"""

import re

from stepforge.labels._base import LABELS, Label, member_of
from stepforge.labels._texts import image_options, sub_questions
from stepforge.records import Problem
from stepforge.sources import SOURCES
from stepforge.vocabulary import AnswerKind, ProblemType

_LETTERED = re.compile(r"^[ \t]*[(（]?A[)）.．、:：][^\n]*(?:\n[^\n]*){0,6}\n?[ \t]*[(（]?B[)）.．、:：]", re.MULTILINE)
_IN_A_ROW = re.compile(r"(?:^|\s)[(（]?A[)）.．、].{1,200}\s[(（]?B[)）.．、].{1,200}\s[(（]?C[)）.．、]", re.DOTALL)
_PROOF = re.compile(r"\b(?:prove|show) that\b|\bprove\b|证明|求证", re.IGNORECASE)


def type_of(question: str, choices: int = 0, *, answered: bool = True) -> ProblemType:
    """The type as the text tells it.  choices: options that stand in fields of their own."""
    if choices >= 2 or image_options(question) >= 2 or _LETTERED.search(question) or _IN_A_ROW.search(question):
        return ProblemType.CHOICE
    if not answered and _PROOF.search(question):
        return ProblemType.PROOF
    return ProblemType.MULTI_STEP if sub_questions(question) >= 2 else ProblemType.FREE_FORM


def _stated(problem: Problem) -> tuple[str, ...]:
    guessed = problem.source not in SOURCES or SOURCES[problem.source].general
    return () if guessed else (problem.problem_type,)


def _by_rules(problem: Problem, _levels: object) -> tuple[str, ...]:
    found = type_of(problem.question, len(problem.choices), answered=problem.answer is not None)
    kind = None if problem.answer is None else problem.answer.kind
    if found is ProblemType.MULTI_STEP and kind is not AnswerKind.MULTI_PART:
        return (problem.problem_type,)
    if found is ProblemType.CHOICE and not problem.choices:
        return (problem.problem_type,)
    if found is ProblemType.FREE_FORM and problem.problem_type is not ProblemType.CHOICE:
        return (problem.problem_type,)
    return (found,)


LABELS.register(
    Label(
        name="problem_type",
        attribute="problem_type",
        stated=_stated,
        by_rules=_by_rules,
        known=member_of(tuple(ProblemType)),
        value=lambda said: ProblemType(said[0]),
        asked=False,
    )
)
