"""What a defect kind is given, what it proposes, and where the kinds register."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from stepforge.registry import Registry
from stepforge.vocabulary import DefectKind


class Chain(NamedTuple):
    """A sound chain: its step texts without calculator marks and numbering, and the earlier steps that each cannot do
    without (`steps.links`).  options: the texts of the choices."""

    question: str
    language: str
    steps: tuple[str, ...]
    links: tuple[tuple[int, ...], ...]
    options: tuple[str, ...] = ()


class Draft(NamedTuple):
    """A proposed variant, not yet proved.  location: as in the record `Variant`."""

    subtype: str
    location: tuple[int, ...]
    steps: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True)
class Defect:
    """One defect kind.  `propose`: drafts in the order in which to try them, the same for the same rng state."""

    kind: DefectKind
    propose: Callable[[Chain, Random], list[Draft]]

    @property
    def name(self) -> str:
        """The kind's name."""
        return self.kind.value


MOST_TRIES = 40  # drafts of one kind that are put to the proof; a long hostile chain has millions

DEFECTS: Registry[Defect] = Registry("stepforge.variants")


def defect(
    kind: DefectKind,
) -> Callable[[Callable[[Chain, Random], list[Draft]]], Callable[[Chain, Random], list[Draft]]]:
    """Register a proposing function under its kind."""

    def register(propose: Callable[[Chain, Random], list[Draft]]) -> Callable[[Chain, Random], list[Draft]]:
        DEFECTS.register(Defect(kind, propose))
        return propose

    return register


def inserted(steps: tuple[str, ...], at: int, text: str) -> tuple[str, ...]:
    """`steps` with `text` standing at index `at`."""
    return (*steps[:at], text, *steps[at:])
