"""Applies the rules to the texts of a problem and keeps the trace."""

from collections.abc import Sequence

from stepforge.cleaning._rules import RULES
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Answer, CleaningStep, Problem, Rejection
from stepforge.vocabulary import Reason

STAGE = "clean_problems"
CONTEXT_CHARS = 20
SNIPPET_CHARS = 160
STRUCTURED = "json"  # provenance method of text that never was a page


def _changed(before: str, after: str) -> tuple[str, str]:
    """The changed region of both texts, with a little of what stands around it."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    start = max(0, head - CONTEXT_CHARS)
    cut = (
        slice(start, len(before) - max(0, tail - CONTEXT_CHARS)),
        slice(start, len(after) - max(0, tail - CONTEXT_CHARS)),
    )
    return before[cut[0]][:SNIPPET_CHARS], after[cut[1]][:SNIPPET_CHARS]


def clean_text(field: str, text: str, *, from_page: bool) -> tuple[str, list[CleaningStep]]:
    """The cleaned text and one trace entry a rule that changed it."""
    trace = []
    for rule in RULES:
        if rule.ocr_only and not from_page:
            continue
        after = rule.apply(text)
        if after != text:
            old, new = _changed(text, after)
            trace.append(CleaningStep(rule=rule.name, field=field, before=old, after=new))
            text = after
    return text, trace


class _Cleaner:
    def __init__(self, *, from_page: bool) -> None:
        self.trace: list[CleaningStep] = []
        self._from_page = from_page

    def __call__(self, field: str, text: str) -> str:
        cleaned, trace = clean_text(field, text, from_page=self._from_page)
        self.trace += trace
        return cleaned


def _answer(answer: Answer | None, clean: _Cleaner) -> Answer | None:
    if answer is None:
        return None
    return answer.model_copy(
        update={
            "text": clean("answer", answer.text),
            "parts": tuple(clean(f"answer part {i}", part) for i, part in enumerate(answer.parts, 1)),
            "alternatives": tuple(clean("answer alternative", text) for text in answer.alternatives),
        }
    )


def clean_problem(problem: Problem) -> Problem:
    """The problem with cleaned texts; its provenance holds the trace."""
    clean = _Cleaner(from_page=problem.provenance.method != STRUCTURED)
    update: dict[str, object] = {
        "question": clean("question", problem.question),
        "choices": tuple(
            choice.model_copy(update={"text": clean(f"choice {choice.label}", choice.text)})
            for choice in problem.choices
        ),
        "answer": _answer(problem.answer, clean),
        "solution": None if problem.solution is None else clean("solution", problem.solution) or None,
    }
    if clean.trace:
        cleaning = (*problem.provenance.cleaning, *clean.trace)
        update["provenance"] = problem.provenance.model_copy(update={"cleaning": cleaning})
    return problem.model_copy(update=update)


def clean_problems(problems: Sequence[Problem], tick: Tick = no_tick) -> Outcome[Problem]:
    """Every problem cleaned; one whose question has no text left is rejected."""
    kept: list[Problem] = []
    rejections: list[Rejection] = []
    for problem in problems:
        cleaned = clean_problem(problem)
        if cleaned.question:
            kept.append(cleaned)
        else:
            where = f"{problem.provenance.path} {problem.provenance.locator}"
            detail = f"{where}: the question is empty after cleaning; fill it in or drop the record"
            rejections.append(
                reject(
                    STAGE,
                    problem.problem_id,
                    Reason.EMPTY_QUESTION,
                    detail,
                    problem_id=problem.problem_id,
                    evidence=problem.question,
                )
            )
        tick(1)
    return Outcome(kept, rejections, [p.problem_id for p in problems])
