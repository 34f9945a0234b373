"""Judgements to numbers: one score for each metric that a task asks for.

Failures count as wrong; what a system could not read or was not asked is in no denominator.
"""

from collections.abc import Callable, Mapping, Sequence

from stepforge import correctness
from stepforge.candidates import NO_CODE
from stepforge.judging import NOT_COUNTED, judgement_id
from stepforge.metrics import faa, milestones, mvmath
from stepforge.outcome import Outcome, reject
from stepforge.records import Judgement, LeanVerdict, Rejection, Score, Task
from stepforge.vocabulary import Disposition, EquivalenceVerdict, LeanOutcome, Reason, TaskKind

STAGE = "scores"

Scored = tuple[float, float, str]  # value, weight, method


def _answer_method(judgement: Judgement) -> str:
    if judgement.failure is not None:
        return judgement.failure.value
    if judgement.verdict is EquivalenceVerdict.UNDECIDED:
        return "undecided"
    return judgement.method or "none"


def _faa(judgement: Judgement) -> Scored | None:
    return float(faa.right(judgement.verdict)), 1.0, _answer_method(judgement)


def _ma(judgement: Judgement) -> Scored | None:
    value = milestones.ma(judgement.milestones_matched or 0, judgement.milestones_total or 0)
    return None if value is None else (value, float(judgement.milestones_total or 0), _milestone_method(judgement))


def _smr(judgement: Judgement) -> Scored | None:
    value = milestones.smr(judgement.milestones_matched or 0, judgement.milestones_total or 0)
    return None if value is None else (value, float(judgement.milestones_total or 0), _milestone_method(judgement))


def _srr(judgement: Judgement) -> Scored | None:
    if not judgement.milestones_total:
        return None
    units = len(judgement.units)
    value = milestones.srr(units, judgement.units_matched or 0, judgement.milestones_total)
    return value, float(units), _milestone_method(judgement)


def _milestone_method(judgement: Judgement) -> str:
    return judgement.failure.value if judgement.failure is not None else "tf-idf matcher"


def _sar(judgement: Judgement) -> Scored | None:
    if not judgement.parts_total:
        return None
    return (judgement.parts_right or 0) / judgement.parts_total, float(judgement.parts_total), _answer_method(judgement)


def _qcr(judgement: Judgement) -> Scored | None:
    count = mvmath.PartCount(judgement.parts_right, judgement.parts_total)
    return float(mvmath.complete(count)), 1.0, _answer_method(judgement)


def _detection(judgement: Judgement) -> Scored | None:
    method = judgement.failure.value if judgement.failure is not None else "location"
    return float(bool(judgement.detection_right)), 1.0, method


def _correctness(judgement: Judgement) -> Scored | None:
    return float(faa.right(judgement.verdict)), 1.0, _answer_method(judgement)


METRICS: Mapping[str, Callable[[Judgement], Scored | None]] = {
    "FAA": _faa,
    "MA": _ma,
    "SMR": _smr,
    "SRR": _srr,
    "SAR": _sar,
    "QCR": _qcr,
    "detection": _detection,
    correctness.METRIC: _correctness,
}


NOT_SHOWN = "not_shown"  # Lean took the candidate, and neither equality nor difference could be shown


def _lean_compile(judgement: Judgement, verdict: LeanVerdict | None) -> Scored | None:
    """1 where Lean took the statement; None where Lean was not run on it."""
    if verdict is None:
        return None
    if verdict.outcome is LeanOutcome.ACCEPTED:
        return 1.0, 1.0, "lean"
    return 0.0, 1.0, _why_rejected(judgement, verdict)


def _lean_align(judgement: Judgement, verdict: LeanVerdict | None) -> Scored | None:
    """1 where Lean showed that it says the same; None where Lean was not run on it."""
    if verdict is None:
        return None
    if verdict.outcome is not LeanOutcome.ACCEPTED:
        return 0.0, 1.0, _why_rejected(judgement, verdict)
    if not verdict.equivalent:
        return 0.0, 1.0, NOT_SHOWN
    how = verdict.equivalence
    return 1.0, 1.0, how[0] if len(how) == 1 else "bidirectional"


def _why_rejected(judgement: Judgement, verdict: LeanVerdict) -> str:
    first = next(iter(verdict.reasons), "lean")
    return judgement.failure.value if first == NO_CODE and judgement.failure is not None else first


LEAN_METRICS: Mapping[str, Callable[[Judgement, LeanVerdict | None], Scored | None]] = {
    "lean_align": _lean_align,
    "lean_compile": _lean_compile,
}


def score(
    tasks: Sequence[Task], judgements: Sequence[Judgement], verdicts: Mapping[str, LeanVerdict] | None = None
) -> Outcome[Score]:
    """The scores of each judgement, by the metrics that its task names; `weight` is the denominator of a micro average
    (MA, SMR: milestones; SRR: units; SAR: sub-answers; else 1).  `verdicts`: Lean's, by TASK|SAMPLE.  Rejected: what
    the system could not read or was not asked, tasks to which no metric applies, and replies that no Lean judged."""
    by_id = {task.task_id: task for task in tasks}
    kept: list[Score] = []
    rejections: list[Rejection] = []
    ids: list[str] = []
    for judgement in judgements:
        record_id = judgement_id(judgement.task_id, judgement.sample)
        ids.append(record_id)
        task = by_id.get(judgement.task_id)
        verdict = (verdicts or {}).get(record_id)
        rows = [] if judgement.failure in NOT_COUNTED or task is None else _scores(task, judgement, verdict)
        kept += rows
        if not rows:
            rejections.append(_unscored(record_id, task, judgement))
    return Outcome(kept, rejections, ids)


def _scores(task: Task, judgement: Judgement, verdict: LeanVerdict | None) -> list[Score]:
    rows = []
    for name in sorted({*METRICS, *LEAN_METRICS} & set(task.metrics)):
        scored = METRICS[name](judgement) if name in METRICS else LEAN_METRICS[name](judgement, verdict)
        if scored is not None:
            value, weight, method = scored
            rows.append(
                Score(
                    task_id=judgement.task_id,
                    system=judgement.system,
                    sample=judgement.sample,
                    metric=name,
                    value=value,
                    weight=weight,
                    method=method,
                )
            )
    return rows


def _unscored(record_id: str, task: Task | None, judgement: Judgement) -> Rejection:
    if judgement.failure in NOT_COUNTED:
        reason, detail = Reason.SYSTEM_FAILED, f"{judgement.failure}: in no denominator"
    elif task is None:
        reason, detail = Reason.NO_METRIC_APPLIES, "its task is not in this benchmark; judge with this release's tasks"
    elif task.kind is TaskKind.FORMALIZE:
        detail = "no Lean judged the reply; see the stage candidate_verdicts, and `lean-check doctor`"
        quarantined = Disposition.QUARANTINED
        why = Reason.LEAN_UNAVAILABLE
        return reject(STAGE, record_id, why, detail, problem_id=task.problem_id, disposition=quarantined)
    else:
        reason, detail = Reason.NO_METRIC_APPLIES, f"task {judgement.task_id} has no reference that a metric here reads"
    problem_id = task.problem_id if task else None
    return reject(STAGE, record_id, reason, detail, problem_id=problem_id, disposition=Disposition.NOT_APPLICABLE)
