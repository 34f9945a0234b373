"""Scores of formalizations: by Lean, by a judge, by both (AgenticMathBench, formalization)."""

from collections.abc import Callable, Mapping

from stepforge._scored import Judged, Scored, judge_method
from stepforge.candidates import NO_CODE
from stepforge.judges import alignment as alignment_rubric
from stepforge.records import Judgement, LeanVerdict
from stepforge.vocabulary import LeanOutcome

NOT_SHOWN = "not_shown"  # Lean took the candidate, and neither equality nor difference could be shown


def _lean_compile(reply: Judged) -> Scored | None:
    """1 where Lean took the statement; None where Lean was not run on it."""
    if reply.lean is None:
        return None
    if reply.lean.outcome is LeanOutcome.ACCEPTED:
        return 1.0, 1.0, "lean"
    return 0.0, 1.0, _why_rejected(reply.judgement, reply.lean)


def _lean_align(reply: Judged) -> Scored | None:
    """1 where Lean showed that it says the same; None where Lean was not run on it."""
    verdict = reply.lean
    if verdict is None:
        return None
    if verdict.outcome is not LeanOutcome.ACCEPTED:
        return 0.0, 1.0, _why_rejected(reply.judgement, verdict)
    if not verdict.equivalent:
        return 0.0, 1.0, NOT_SHOWN
    how = verdict.equivalence
    return 1.0, 1.0, how[0] if len(how) == 1 else "bidirectional"


def _lean_align_judged(reply: Judged) -> Scored | None:
    """1 where the judge says that it says the same: its word alone, as in the paper."""
    verdict = reply.verdict(alignment_rubric.NAME)
    return None if verdict is None else (float(verdict.right is True), 1.0, judge_method(reply, verdict))


def _lean_align_both(reply: Judged) -> Scored | None:
    """1 where the judge says it and Lean showed it.  None where Lean was not run, or where only the judge's word is
    missing: that the judge is silent is no 0."""
    by_lean, by_judge = _lean_align(reply), _lean_align_judged(reply)
    if by_lean is None or alignment_rubric.NAME not in reply.verdicts:
        return None
    if by_lean[0] == 0:
        return by_lean
    return by_judge and (by_judge[0], 1.0, f"{by_lean[2]}+{by_judge[2]}" if by_judge[0] else by_judge[2])


def _why_rejected(judgement: Judgement, verdict: LeanVerdict) -> str:
    first = next(iter(verdict.reasons), "lean")
    return judgement.failure.value if first == NO_CODE and judgement.failure is not None else first


METRICS: Mapping[str, Callable[[Judged], Scored | None]] = {
    "lean_align": _lean_align,
    "lean_align_both": _lean_align_both,
    "lean_align_judged": _lean_align_judged,
    "lean_compile": _lean_compile,
}
