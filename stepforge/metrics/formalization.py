"""Compilation and alignment pass@k of formal statements.  Source: AgenticMathBench, equations (15) and (16); pass@k is
the unbiased estimator of Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation (1).

Differs from the paper: there a language model finds that a candidate looks like Lean, and finds that one of k is
aligned; here Lean compiled it, and alignment is scored three ways from verdicts on each candidate.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import comb
from typing import NamedTuple


class Alignment(StrEnum):
    """Who says that a candidate states the same: a judge (as in the paper), Lean (equal by definition, or each proved
    from the other), or both of them."""

    JUDGED = "judged"
    LEAN = "lean"
    BOTH = "both"


class Candidate(NamedTuple):
    """Verdicts on one candidate; None where there is none: Lean was not run, no judge was asked, or neither the
    equivalence nor its absence could be shown."""

    compiled: bool | None
    judged: bool | None = None
    equivalent: bool | None = None


class PassRate(NamedTuple):
    """Mean pass@k over `n` items, in [0, 1]; None if n = 0.  `unscored`: items left out because a candidate that could
    decide them has no verdict; `undecided`: share of the candidates of scored items that count as wrong unproved."""

    value: float | None
    n: int
    unscored: int
    undecided: float | None


def pass_at_k(n: int, right: int, k: int) -> float:
    """Probability that at least one of k candidates drawn without replacement from n is right: 1 − C(n−c, k)/C(n, k).
    Fewer candidates than k: those that are absent count as wrong, so that it is 1 if any is right, else 0.
    Raises: ValueError unless 0 ≤ right ≤ n and k ≥ 1."""
    if not (0 <= right <= n and k >= 1):
        raise ValueError(f"pass@k of {right} right ones among {n}, k = {k}")
    n = max(n, k)
    return 1 - comb(n - right, k) / comb(n, k)


def compile_pass_at_k(items: Sequence[Sequence[Candidate]], k: int) -> PassRate:
    """Mean over the items of pass@k of "Lean compiled it".  An item with a candidate that Lean was not run on is not
    scored: that says something of the machine, not of the candidate."""
    return _rate(items, k, lambda candidate: candidate.compiled, undecided_is_wrong=False)


def align_pass_at_k(items: Sequence[Sequence[Candidate]], k: int, by: Alignment) -> PassRate:
    """Mean over the items of pass@k of "it states the same".

    JUDGED: the judge's word alone, as in the paper; an item with a candidate that was not judged is not scored.
    LEAN: compiled, and equivalent as Lean showed; what could not be shown counts as not aligned.  BOTH: both of these.
    """
    if by is Alignment.JUDGED:
        return _rate(items, k, lambda candidate: candidate.judged, undecided_is_wrong=False)
    ran = [item for item in items if all(candidate.compiled is not None for candidate in item)]
    verdict = _by_lean if by is Alignment.LEAN else _by_both
    rate = _rate(ran, k, verdict, undecided_is_wrong=True)
    return rate._replace(unscored=rate.unscored + len(items) - len(ran))


def _by_lean(candidate: Candidate) -> bool | None:
    return candidate.equivalent if candidate.compiled else False


def _by_both(candidate: Candidate) -> bool | None:
    """False where one of them says no; None where one says yes and the other nothing."""
    verdicts = (candidate.judged, _by_lean(candidate))
    return False if False in verdicts else None if None in verdicts else True


def _rate(
    items: Sequence[Sequence[Candidate]],
    k: int,
    verdict: Callable[[Candidate], bool | None],
    *,
    undecided_is_wrong: bool,
) -> PassRate:
    verdicts = [[verdict(candidate) for candidate in item] for item in items]
    scored = [item for item in verdicts if undecided_is_wrong or None not in item]
    values = [pass_at_k(len(item), item.count(True), k) for item in scored]
    candidates = [one for item in scored for one in item]
    return PassRate(
        value=sum(values) / len(values) if values else None,
        n=len(values),
        unscored=len(items) - len(scored),
        undecided=candidates.count(None) / len(candidates) if candidates else None,
    )
