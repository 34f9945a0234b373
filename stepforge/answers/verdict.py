"""The engine's answer, and how the answers on parts make one."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from stepforge.vocabulary import EquivalenceVerdict

EQUAL, DIFFERENT, UNDECIDED = EquivalenceVerdict.EQUAL, EquivalenceVerdict.DIFFERENT, EquivalenceVerdict.UNDECIDED


class Verdict(NamedTuple):
    """Verdict, the test that decided, and why in a few words."""

    verdict: EquivalenceVerdict
    method: str
    reason: str


Same = Callable[[str, str], Verdict]  # reference first


def combine(verdicts: Sequence[Verdict], method: str) -> Verdict:
    """Equal if all are; different if any is."""
    right = sum(v.verdict is EQUAL for v in verdicts)
    reason = f"{right} of {len(verdicts)} right"
    if right == len(verdicts):
        return Verdict(EQUAL, method, reason)
    wrong = any(v.verdict is DIFFERENT for v in verdicts)
    return Verdict(DIFFERENT if wrong else UNDECIDED, method, reason)
