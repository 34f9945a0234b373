"""Scores that rest on a judge's reading of the steps (GeoLaux, section 4).

The answer is right as FAA says; a proof that has no reference answer is right if the judge finds that it concludes.
"""

from collections.abc import Callable, Mapping

from stepforge._scored import Judged, Scored, answer_method, is_right, judge_method
from stepforge.judges import steps as steps_rubric
from stepforge.metrics import geolaux
from stepforge.records import JudgeVerdict


def _acs(reply: Judged) -> Scored | None:
    verdict = reply.verdict(steps_rubric.NAME)
    if verdict is None:
        return None
    if reply.task.target.answer is not None:
        return float(geolaux.acs(is_right(reply))), 1.0, answer_method(reply)
    return float(geolaux.acs(_value(verdict, steps_rubric.CONCLUDES) == 1)), 1.0, judge_method(reply, verdict)


def _pcs(reply: Judged) -> Scored | None:
    verdict, answer = reply.verdict(steps_rubric.NAME), _acs(reply)
    if verdict is None or answer is None:
        return None
    return float(geolaux.pcs(answer[0] == 1, verdict.step_scores)), 1.0, judge_method(reply, verdict)


def _pqs(reply: Judged) -> Scored | None:
    verdict = reply.verdict(steps_rubric.NAME)
    if verdict is None:
        return None
    return geolaux.pqs(verdict.step_scores), 1.0, judge_method(reply, verdict)


def _false_positive(reply: Judged) -> Scored | None:
    verdict, answer = reply.verdict(steps_rubric.NAME), _acs(reply)
    if verdict is None or answer is None:
        return None
    return float(geolaux.false_positive(answer[0] == 1, verdict.step_scores)), 1.0, judge_method(reply, verdict)


def _construction(reply: Judged) -> Scored | None:
    """1 where the solution builds an auxiliary line; asked of problems whose reference builds one."""
    verdict = reply.verdict(steps_rubric.NAME)
    if verdict is None:
        return None
    return float(_value(verdict, steps_rubric.AUXILIARY) == 1), 1.0, judge_method(reply, verdict)


def _construction_pcs(reply: Judged) -> Scored | None:
    """PCS where the solution builds an auxiliary line, and nowhere else."""
    built = _construction(reply)
    return _pcs(reply) if built is not None and built[0] == 1 else None


def _value(verdict: JudgeVerdict, name: str) -> float | None:
    return next((entry.value for entry in verdict.values if entry.name == name), None)


METRICS: Mapping[str, Callable[[Judged], Scored | None]] = {
    "ACS": _acs,
    "PCS": _pcs,
    "PQS": _pqs,
    "false_positive": _false_positive,
    "construction": _construction,
    "construction_PCS": _construction_pcs,
}
