"""Rules about fields that a problem needs.  Source: MV-MATH, section 3.2 and appendix F.1, second stage ("missing
answers or analysis"); AgenticMathBench, appendix C.5 (proof-only problems)."""

import re

from stepforge.records import Problem
from stepforge.selection._finding import MARK, Check, Finding, Wanted, scanned
from stepforge.selection._limits import MIN_OCR_CONFIDENCE
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason

_A, _B = re.compile(r"\bA\b"), re.compile(r"\bB\b")


def _has_answer(problem: Problem, _wanted: Wanted) -> Finding | None:
    if problem.problem_type in (ProblemType.PROOF, ProblemType.STATEMENT):
        return None
    if problem.answer is None or not (problem.answer.text or problem.answer.parts):
        return Finding(Reason.MISSING_ANSWER, "'answer' is empty; add it or drop the row", problem.question)
    return None


def _has_solution(problem: Problem, wanted: Wanted) -> Finding | None:
    if not wanted.solution_needed or (problem.solution or "").strip():
        return None
    detail = "there is no worked solution, and the batch needs one (solution_needed); add it or drop the row"
    return Finding(Reason.MISSING_SOLUTION, detail, problem.question)


def _has_options(problem: Problem, _wanted: Wanted) -> Finding | None:
    """A choice among nothing: no options, one only, or one that is empty.  Options that stand in the question alone, as
    letters or as figures, are options."""
    if problem.problem_type is not ProblemType.CHOICE:
        return None
    empty = [choice.label for choice in problem.choices if not choice.text.strip()]
    if empty:
        return Finding(Reason.MISSING_CHOICES, f"option {', '.join(empty)} is empty; fill it in", problem.question)
    if len(problem.choices) >= 2:
        return None
    text = scanned(problem)
    first = _A.search(text)
    lettered = first is not None and _B.search(text, first.end()) is not None
    if not problem.choices and (lettered or len(MARK.findall(text)) >= 2):
        return None
    detail = f"it asks for a choice and has {len(problem.choices)} options; add them to 'choices'"
    return Finding(Reason.MISSING_CHOICES, detail, problem.question)


def _answer_is_a_choice(problem: Problem, _wanted: Wanted) -> Finding | None:
    answer = problem.answer
    asked = problem.problem_type is ProblemType.CHOICE or (answer is not None and answer.kind is AnswerKind.CHOICE)
    if answer is None or not asked or not problem.choices:
        return None
    labels = [choice.label for choice in problem.choices]
    if answer.text in (labels if answer.kind is AnswerKind.CHOICE else [choice.text for choice in problem.choices]):
        return None
    detail = (
        f"the answer {answer.text[:40]!r} is none of the options {', '.join(labels)}; mend the answer or the options"
    )
    return Finding(Reason.ANSWER_NOT_AMONG_CHOICES, detail, problem.question)


def _final_answer(problem: Problem, wanted: Wanted) -> Finding | None:
    """A proof without a final answer, where the batch needs one."""
    if not wanted.final_answer_only or problem.problem_type not in (ProblemType.PROOF, ProblemType.STATEMENT):
        return None
    if problem.answer is not None and (problem.answer.text or problem.answer.parts):
        return None
    detail = "there is nothing but a proof to give, and the batch takes final answers only (final_answer_only)"
    return Finding(Reason.PROOF_ONLY, detail, problem.question)


def _ocr_confidence(problem: Problem, _wanted: Wanted) -> Finding | None:
    confidence = problem.provenance.confidence
    if confidence is None or confidence >= MIN_OCR_CONFIDENCE:
        return None
    detail = f"mean OCR confidence {confidence:.2f} is below {MIN_OCR_CONFIDENCE}; scan the page again or type it in"
    return Finding(Reason.LOW_OCR_CONFIDENCE, detail, problem.question, Disposition.QUARANTINED)


FIELD_RULES: tuple[Check, ...] = (
    _final_answer,
    _has_answer,
    _has_solution,
    _has_options,
    _answer_is_a_choice,
    _ocr_confidence,
)
