"""Applies the rules to the texts of a problem and keeps the trace."""

from collections.abc import Sequence
from typing import NamedTuple

from stepforge.cleaning._figures import with_image_marks
from stepforge.cleaning._rule import Rule, Scope
from stepforge.cleaning._rules import RULES
from stepforge.cleaning._validity import is_sound
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Answer, CleaningStep, Problem, Rejection
from stepforge.vocabulary import Reason

STAGE = "clean_problems"
CONTEXT_CHARS = 20
SNIPPET_CHARS = 160
STRUCTURED = "json"  # provenance method of text that never was a page
MAX_PASSES = 8  # what one rule leaves may be for one before it; real texts come to rest in the second pass


class _Ready(NamedTuple):
    """A rule with its signs as sets, which are compared with a text's characters."""

    rule: Rule
    signs: tuple[frozenset[str], ...]


_PAGE_RULES = tuple(_Ready(rule, tuple(map(frozenset, rule.signs))) for rule in RULES)
_ANY_RULES = tuple(ready for ready in _PAGE_RULES if ready.rule.scope is Scope.ANY)
_LATEX_SIGNS = frozenset("\\${}")


def _changed(before: str, after: str) -> tuple[str, str]:
    """The changed region of both texts, with a little of what stands around it."""
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    start = max(0, head - CONTEXT_CHARS)
    cut = (
        slice(start, len(before) - max(0, tail - CONTEXT_CHARS)),
        slice(start, len(after) - max(0, tail - CONTEXT_CHARS)),
    )
    return before[cut[0]][:SNIPPET_CHARS], after[cut[1]][:SNIPPET_CHARS]


def _shared(one: str, other: str) -> int:
    """Length of the beginning that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _breaks_latex(before: str, after: str) -> bool:
    """Whether a change makes sound LaTeX unsound."""
    if _LATEX_SIGNS.isdisjoint(before) and _LATEX_SIGNS.isdisjoint(after):
        return False
    return is_sound(before) and not is_sound(after)


class _Change(NamedTuple):
    rule: str
    before: str
    after: str


def _mended(rules: Sequence[Rule], text: str) -> list[_Change]:
    """The repairs after which unsound LaTeX is sound, one after the other; none, if it stays unsound."""
    changes: list[_Change] = []
    current = text
    for rule in rules:
        after = rule.apply(current)
        if after == current:
            continue
        if not changes and is_sound(text):
            return []
        changes.append(_Change(rule.name, current, after))
        current = after
        if is_sound(current):
            return changes
    return []


def _one_pass(rules: Sequence[_Ready], field: str, text: str, trace: list[CleaningStep]) -> str:
    characters = frozenset(text)
    repairs = [rule for rule, _ in rules if rule.repairs]
    for rule, signs in rules:
        if any(characters.isdisjoint(some) for some in signs):
            continue
        if rule.repairs:  # at the first of them, all together: a text may lack a brace and a delimiter
            changes, repairs = _mended(repairs, text), []
        else:
            after = rule.apply(text)
            changes = [_Change(rule.name, text, after)] if after != text and not _breaks_latex(text, after) else []
        for change in changes:
            old, new = _changed(change.before, change.after)
            trace.append(CleaningStep(rule=change.rule, field=field, before=old, after=new))
            text = change.after
            characters = frozenset(text)
    return text


def clean_text(field: str, text: str, *, from_page: bool) -> tuple[str, list[CleaningStep]]:
    """The cleaned text and one trace entry a rule that changed it; cleaning it again changes nothing.

    A change that would make sound LaTeX unsound is not made.  A text that does not come to rest in `MAX_PASSES` passes
    stays as it came.
    """
    rules = _PAGE_RULES if from_page else _ANY_RULES
    trace: list[CleaningStep] = []
    current = text
    for _ in range(MAX_PASSES):
        before, current = current, _one_pass(rules, field, current, trace)
        if current == before:
            return current, trace
    return text, []


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


def _question(problem: Problem, clean: _Cleaner, *, from_page: bool) -> str:
    text = clean("question", problem.question)
    if not from_page or any("<image_" in choice.text for choice in problem.choices):
        return text
    marked = with_image_marks(text, len(problem.images))
    if marked != text:
        old, new = _changed(text, marked)
        clean.trace.append(CleaningStep(rule="figure_references", field="question", before=old, after=new))
    return marked


def clean_problem(problem: Problem) -> Problem:
    """The problem with cleaned texts; its provenance holds the trace."""
    from_page = problem.provenance.method != STRUCTURED
    clean = _Cleaner(from_page=from_page)
    update: dict[str, object] = {
        "question": _question(problem, clean, from_page=from_page),
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
