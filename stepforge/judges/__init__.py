"""Rubrics by which a judge model reads a reply, one file each.

A rubric says which replies it is for, what the judge is shown (its prompt, blind to the system's name), the record that
the judge's reply has to be, and what of it becomes the verdict. Who judges is for `stepforge.panel`.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from stepforge.prompting import PROMPTS, Rendered, Value
from stepforge.records import ImageRef, Judgement, MatchedPair, NamedValue, Record, Task
from stepforge.registry import Registry
from stepforge.vocabulary import StepError

MAX_RATIONALE_CHARS = 4000  # the judge's raw reply is in the reply store, whole
MAX_SHOWN_CHARS = 60_000  # more is no solution that a person would read, and dear to ask about

__all__ = [
    "MAX_SHOWN_CHARS",
    "RUBRICS",
    "Case",
    "Reading",
    "Rubric",
    "item_of",
    "numbered",
    "options",
    "rendered",
    "shown",
    "suffix",
    "too_long",
]


class Case(NamedTuple):
    """A reply that may be judged: its task, what was made of it without a judge, and its text ("" if there is none)."""

    task: Task
    judgement: Judgement
    reply: str


class Reading(NamedTuple):
    """A verdict as a rubric reads it; `undecided` says why there is none."""

    right: bool | None = None
    step_scores: tuple[int, ...] = ()
    error_types: tuple[StepError | None, ...] = ()
    pairs: tuple[MatchedPair, ...] = ()
    values: tuple[NamedValue, ...] = ()
    rationale: str = ""
    undecided: str | None = None


@dataclass(frozen=True)
class Rubric:
    """One rubric.

    applies: whether it is for this reply.  settled: the verdict that needs no judge; None if it needs one.
    variables: what the prompt is rendered with; told how many of the task's figures the judge is shown.
    read: the verdict of a judge's reply, a `reply_type`; one that contradicts itself is undecided.
    own_role: role that is asked before `judge` where it is configured.  figures: whether the task's figures help."""

    name: str
    reply_type: type[Record]
    applies: Callable[[Case], bool]
    settled: Callable[[Case], Reading | None]
    prompt_id: Callable[[Case], str]
    variables: Callable[[Case, int], Mapping[str, Value]]
    read: Callable[[Case, Any], Reading]
    own_role: str | None = None
    figures: bool = False

    def figures_of(self, case: Case) -> tuple[ImageRef, ...]:
        """The figures that a judge who reads images is shown."""
        return tuple(image for image in case.task.images if image.sha256) if self.figures else ()


RUBRICS: Registry[Rubric] = Registry("stepforge.judges")


def shown(rubric: Rubric, case: Case) -> dict[str, str | list[str]]:
    """The texts that are judged, by their names in the prompt: what a person who labels the item sees, too."""
    variables = rubric.variables(case, 0)
    names = PROMPTS[rubric.prompt_id(case)].front.data
    return {n: v if isinstance(v, str) else [*map(str, v)] for n in names if not isinstance(v := variables[n], int)}


def item_of(rubric: Rubric, case: Case) -> str:
    """16 hex digits that stand for the rubric and the texts judged: neither task nor system can be told from them."""
    content = json.dumps([rubric.name, shown(rubric, case)], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def rendered(rubric: Rubric, case: Case, figures: int) -> Rendered:
    """The prompt that a judge is sent who sees so many of the task's figures."""
    return PROMPTS[rubric.prompt_id(case)].render(**rubric.variables(case, figures))


def too_long(rubric: Rubric, case: Case) -> bool:
    """Whether the texts are more than a judge is asked to read."""
    texts = shown(rubric, case).values()
    return sum(len(t) if isinstance(t, str) else sum(map(len, t)) for t in texts) > MAX_SHOWN_CHARS


def suffix(task: Task) -> str:
    """Of the prompt's name: zh for a Chinese task, en for any other."""
    return "zh" if task.language.startswith("zh") else "en"


def numbered(texts: tuple[str, ...]) -> str:
    """Texts as numbered lines."""
    return "\n".join(f"{k}. {text}" for k, text in enumerate(texts, start=1))


def options(task: Task) -> str:
    """The task's options, one a line."""
    return "\n".join(f"{choice.label}. {choice.text}" for choice in task.choices)
