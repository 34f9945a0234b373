"""What a label is: the field of a problem that it fills, who may say it, and what the rules say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stepforge.records import Problem
from stepforge.registry import Registry
from stepforge.vocabulary import Difficulty

Levels = Mapping[str, Difficulty]  # level by length, by problem id: a thing of the whole batch


@dataclass(frozen=True)
class Label:
    """One label.  `name` is the field of a vote, `attribute` that of the problem.

    applies: whether the problem can have it.  stated: what the source says; empty where it says nothing.
    by_rules: what the rules say; empty where they cannot tell.  known: the value that a voter's word means; None if it
    is no value.  many: several values stand together, and each is voted on by itself.  asked: models vote on it."""

    name: str
    attribute: str
    stated: Callable[[Problem], tuple[str, ...]]
    by_rules: Callable[[Problem, Levels], Sequence[str]]
    known: Callable[[str], str | None]
    value: Callable[[Sequence[str]], object]
    applies: Callable[[Problem], bool] = lambda _problem: True
    many: bool = False
    asked: bool = True


LABELS: Registry[Label] = Registry("stepforge.labels")


def member_of(values: Sequence[str]) -> Callable[[str], str | None]:
    """Reads a word as one of the values, whatever its case and spaces; None if it is none."""
    by_key = {_key(value): str(value) for value in values}
    return lambda said: by_key.get(_key(said))


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
