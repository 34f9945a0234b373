"""Four states of a composite problem.  Source: We-Math, section 3.3 and its official scorer."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

OFFICIAL_N = 525  # composite problems of We-Math; the official scorer divides by it whatever was answered


class State(StrEnum):
    """Insufficient knowledge, inadequate generalisation, complete mastery, rote memorisation."""

    IK = "IK"
    IG = "IG"
    CM = "CM"
    RM = "RM"


class Group(NamedTuple):
    """Correctness of one composite problem and its sub-problems; None for a part that was not answered."""

    subs: tuple[bool | None, ...]
    composite: bool | None

    @property
    def complete(self) -> bool:
        """Whether every part was answered."""
        return self.composite is not None and bool(self.subs) and None not in self.subs


def state(group: Group, *, strict: bool) -> State | None:
    """State of a group; strict and loose differ in what mastery asks (all sub-problems right, or at least one).
    A group with a part missing may have none: an unanswered sub-problem is neither right nor wrong, and without the
    first one there is none at all (the official scorer joins the other parts to it)."""
    right = [sub is True for sub in group.subs]
    wrong = [sub is False for sub in group.subs]
    if group.composite is None or not group.subs or group.subs[0] is None:
        return None
    if not group.composite:
        return State.IK if any(wrong) else State.IG if all(right) else None
    if all(right) if strict else any(right):
        return State.CM
    return State.RM if (any(wrong) if strict else all(wrong)) else None


class Rates(NamedTuple):
    """Rates of one setting, in [0, 1]; `n` composite problems counted, `incomplete` left out."""

    n: int
    incomplete: int
    ik: float | None
    ig: float | None
    cm: float | None
    rm: float | None
    score: float | None


def rates(groups: Sequence[Group], *, strict: bool, official: bool = False) -> Rates:
    """IK, IG, CM over all composite problems; RM = RM / (RM + CM) or None; score = 1 − (0.5·IG + RM + IK)/N
    from the counts.  N counts the groups with every part answered; `official`: N = 525 and groups without a state
    count as solved, as the official scorer has it."""
    counted = list(groups) if official else [group for group in groups if group.complete]
    n = OFFICIAL_N if official else len(counted)
    count = Counter(state(group, strict=strict) for group in counted)
    incomplete = sum(not group.complete for group in groups)
    if n == 0:
        return Rates(0, incomplete, None, None, None, None, None)
    solved = count[State.RM] + count[State.CM]
    return Rates(
        n=n,
        incomplete=incomplete,
        ik=count[State.IK] / n,
        ig=count[State.IG] / n,
        cm=count[State.CM] / n,
        rm=count[State.RM] / solved if solved else None,
        score=1 - (0.5 * count[State.IG] + count[State.RM] + count[State.IK]) / n,
    )
