"""What a kind of review is, so that a new one is one file: whose records it shows, what it asks, and what follows.

Source: MAMath-Bench (blind review in pairs, then arbitration), MV-MATH, appendix F.2 (two annotators, then an expert),
AgenticMathBench, appendix C (two annotators; a trajectory stays only if every criterion is met).
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stepforge.records import (
    ImageRef,
    Milestone,
    Problem,
    Rejection,
    ReviewAnswer,
    ReviewItem,
    ReviewOutcome,
    Step,
    Trajectory,
    Variant,
)
from stepforge.registry import Registry

ITEM_DIGITS = 24  # hex digits of an item's name: no two of a billion items share one
MAX_TEXT = 4000  # characters of what a reviewer writes in one field


class Question(NamedTuple):
    """A field of the form.  `options`: what may be chosen; none: a text is written.  `many`: several may be.
    `compared`: reviewers who say other things of it disagree.  `numbers`: the text is a list of step numbers."""

    name: str
    title: str
    options: tuple[str, ...] = ()
    many: bool = False
    required: bool = True
    compared: bool = True
    rows: int = 1
    numbers: bool = False


COMMENT = Question("comment", "Comment (optional)", required=False, compared=False, rows=2)


class Block(NamedTuple):
    """A part of what is shown: a heading with a text, or with numbered lines."""

    title: str
    text: str = ""
    lines: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """A record as reviewers see it.  `doubtful`: it waits for people; others are shown only if all are asked for.
    `expected`: what the record says of itself, which is not shown.  `content`: the texts that the verdict is about,
    where it outlives a change of the rest; empty: all that is shown."""

    record_id: str
    problem_id: str
    blocks: tuple[Block, ...]
    images: tuple[ImageRef, ...] = ()
    expected: tuple[ReviewAnswer, ...] = ()
    doubtful: bool = True
    content: tuple[str, ...] = ()


class Material(NamedTuple):
    """Rows of the stages of one batch that kinds of review read; `rejections`: of the stage that a kind names."""

    problems: Sequence[Problem] = ()
    steps: Sequence[Step] = ()
    milestones: Sequence[Milestone] = ()
    variants: Sequence[Variant] = ()
    trajectories: Sequence[Trajectory] = ()
    rejections: Sequence[Rejection] = ()


class Ruling(NamedTuple):
    """What answers mean for the record.  `refused_by`: FIELD:VALUE; `corrections`: by the field of the record."""

    refused_by: str | None = None
    corrections: tuple[ReviewAnswer, ...] = ()


class Reviewed(NamedTuple):
    """What a correction may change: the problem, and its reference paths (None: as they were)."""

    problem: Problem
    paths: Mapping[int, tuple[str, ...]]


Answers = Mapping[str, tuple[str, ...]]


def _unchanged(reviewed: Reviewed, _outcome: ReviewOutcome) -> Reviewed:
    return reviewed


@dataclass(frozen=True)
class ReviewKind:
    """An entry of the registry.

    `stage`: whose records are reviewed, and `reads`: the stages that are shown with them (names in `Material`).
    `ruling`: what the answers on which people agreed mean.  `apply`: a correction put into the problem.
    `whole`: a refusal refuses the problem, not the record alone.  `demanded`: where a batch demands review, each
    doubtful record of the kind must be decided, whether or not it was given to reviewers."""

    name: str
    title: str
    stage: str
    instruction: str
    questions: tuple[Question, ...]
    candidates: Callable[[Material], Iterator[Candidate]]
    ruling: Callable[[ReviewItem, Answers], Ruling]
    apply: Callable[[Reviewed, ReviewOutcome], Reviewed] = _unchanged
    reads: tuple[str, ...] = ()
    whole: bool = True
    demanded: bool = False

    def question(self, name: str) -> Question | None:
        """The field of that name; None if the form has none."""
        return next((question for question in self.questions if question.name == name), None)


KINDS: Registry[ReviewKind] = Registry("stepforge.review")


def register(kind: ReviewKind) -> ReviewKind:
    """Add a kind to the registry.  Raises: ValueError if its name is taken."""
    KINDS.register(kind)
    return kind


def item_of(kind: ReviewKind, batch: str, candidate: Candidate) -> ReviewItem:
    """The item that a candidate is: its name changes with all that is shown of it and is expected."""
    texts: Sequence[object] = candidate.content or [list(block) for block in candidate.blocks]
    shown = [
        [batch, kind.name, candidate.record_id, candidate.problem_id],
        texts,
        [] if candidate.content else [image.sha256 or image.name for image in candidate.images],
        [[answer.field, list(answer.values)] for answer in candidate.expected],
    ]
    text = json.dumps(shown, ensure_ascii=True)  # a half of a surrogate pair has a form in ASCII only
    return ReviewItem(
        item=hashlib.sha256(text.encode()).hexdigest()[:ITEM_DIGITS],
        kind=kind.name,
        batch=batch,
        stage=kind.stage,
        record_id=candidate.record_id,
        problem_id=candidate.problem_id,
        expected=candidate.expected,
    )


def step_numbers(text: str) -> tuple[int, ...]:
    """The numbers in `3`, `2, 5` or `2-4`, sorted; a range of more than a hundred is its ends."""
    found: set[int] = set()
    for first, last in re.findall(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?", text):
        low, high = int(first), int(last or first)
        found |= set(range(low, high + 1)) if low <= high <= low + 100 else {low, high}
    return tuple(sorted(found))


def told(answers: Answers, name: str) -> str:
    """The one value of a field; empty where nothing was said."""
    return next(iter(answers.get(name, ())), "")


def problem_blocks(problem: Problem, *, solution: bool = True) -> tuple[Block, ...]:
    """Question, options, answer and solution as they are shown; not where the problem is from."""
    blocks = [Block("Question", problem.question)]
    if problem.choices:
        blocks.append(Block("Options", lines=tuple(f"{c.label}. {c.text}" for c in problem.choices)))
    if problem.answer is not None:
        parts = problem.answer.parts if problem.answer.text not in problem.answer.parts else ()
        blocks.append(Block("Reference answer", " | ".join([problem.answer.text, *parts])))
    if solution and problem.solution:
        blocks.append(Block("Reference solution", problem.solution))
    return tuple(blocks)


def shown_images(problem: Problem) -> tuple[ImageRef, ...]:
    """The figures of a problem that were delivered."""
    return () if problem.figures_missing else problem.images
