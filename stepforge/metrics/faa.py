"""Final-answer accuracy.  Source: MAMath-Bench, equation (1)."""

from collections.abc import Sequence

from stepforge.vocabulary import EquivalenceVerdict


def right(verdict: EquivalenceVerdict | None) -> bool:
    """Whether an answer counts as correct: only if it was found equal; undecided and missing answers are not."""
    return verdict is EquivalenceVerdict.EQUAL


def faa(verdicts: Sequence[EquivalenceVerdict | None]) -> float | None:
    """Correct final answers / N, in [0, 1]; None if N = 0."""
    return sum(right(v) for v in verdicts) / len(verdicts) if verdicts else None
