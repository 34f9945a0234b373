"""Judgements to numbers: one score for each metric that a task asks for.

Failures count as wrong; what a system could not read or was not asked is in no denominator. A metric that rests on a
judge has a score only where the judge gave a verdict: what it left undecided is no 0.
"""

from collections.abc import Callable, Mapping, Sequence

from stepforge import _scored_lean, _scored_process, correctness
from stepforge._scored import UNDECIDED, Judged, Scored, answer_method, is_right
from stepforge._scored_lean import NOT_SHOWN
from stepforge.judges.alignment import ROLE as ALIGNMENT_JUDGE
from stepforge.judging import judgement_id
from stepforge.metrics import detection, milestones, mvmath
from stepforge.outcome import Outcome, reject
from stepforge.panel import FIRST
from stepforge.records import Judgement, JudgeVerdict, LeanVerdict, Rejection, Score, Task
from stepforge.vocabulary import NOT_COUNTED, Disposition, Reason, TaskKind

STAGE = "scores"

__all__ = ["LEAN_METRICS", "METRICS", "NOT_SHOWN", "STAGE", "UNDECIDED", "score"]


def _faa(reply: Judged) -> Scored | None:
    return float(is_right(reply)), 1.0, answer_method(reply)


def _ma(reply: Judged) -> Scored | None:
    judgement = reply.judgement
    value = milestones.ma(judgement.milestones_matched or 0, judgement.milestones_total or 0)
    return None if value is None else (value, float(judgement.milestones_total or 0), _milestone_method(judgement))


def _smr(reply: Judged) -> Scored | None:
    judgement = reply.judgement
    value = milestones.smr(judgement.milestones_matched or 0, judgement.milestones_total or 0)
    return None if value is None else (value, float(judgement.milestones_total or 0), _milestone_method(judgement))


def _srr(reply: Judged) -> Scored | None:
    judgement = reply.judgement
    if not judgement.milestones_total:
        return None
    units = len(judgement.units)
    value = milestones.srr(units, judgement.units_matched or 0, judgement.milestones_total)
    return value, float(units), _milestone_method(judgement)


def _milestone_method(judgement: Judgement) -> str:
    return judgement.failure.value if judgement.failure is not None else "tf-idf matcher"


def _parts_right(reply: Judged) -> int | None:
    """Sub-answers that are right: all of them where a judge finds the whole answer equal."""
    return reply.judgement.parts_total if is_right(reply) else reply.judgement.parts_right


def _sar(reply: Judged) -> Scored | None:
    total = reply.judgement.parts_total
    if not total:
        return None
    return (_parts_right(reply) or 0) / total, float(total), answer_method(reply)


def _qcr(reply: Judged) -> Scored | None:
    count = mvmath.PartCount(_parts_right(reply), reply.judgement.parts_total)
    return float(mvmath.complete(count)), 1.0, answer_method(reply)


def _detection_method(judgement: Judgement, how: str) -> str:
    return judgement.failure.value if judgement.failure is not None else how


def _detection(reply: Judged) -> Scored | None:
    judgement = reply.judgement
    return float(bool(judgement.detection_right)), 1.0, _detection_method(judgement, "location")


def _correctness(reply: Judged) -> Scored | None:
    return float(is_right(reply)), 1.0, answer_method(reply)


def _detection_location(reply: Judged) -> Scored | None:
    judgement = reply.judgement
    value = detection.location_f1(reply.task.target.location, judgement.detected_location)
    return value, 1.0, _detection_method(judgement, "f1")


def _detection_kind(reply: Judged) -> Scored | None:
    """Only where the reply names a kind: the task tells it, and does not ask for it."""
    named = reply.judgement.detected_kind
    return None if named is None else (float(named is reply.task.target.defect), 1.0, "kind")


METRICS: Mapping[str, Callable[[Judged], Scored | None]] = {
    "FAA": _faa,
    "MA": _ma,
    "SMR": _smr,
    "SRR": _srr,
    "SAR": _sar,
    "QCR": _qcr,
    "detection": _detection,
    correctness.METRIC: _correctness,
    "detection_location": _detection_location,
    "detection_kind": _detection_kind,
    **_scored_process.METRICS,
}

LEAN_METRICS = _scored_lean.METRICS


def score(
    tasks: Sequence[Task],
    judgements: Sequence[Judgement],
    verdicts: Mapping[str, LeanVerdict] | None = None,
    judged: Sequence[JudgeVerdict] = (),
) -> Outcome[Score]:
    """The scores of each judgement, by the metrics that its task names; `weight` is the denominator of a micro average
    (MA, SMR: milestones; SRR: units; SAR: sub-answers; else 1).  `verdicts`: Lean's, by TASK|SAMPLE.  `judged`: those
    of judges; the word of the first judge counts.  Rejected: what the system could not read or was not asked, tasks to
    which no metric applies, and replies that neither Lean nor a judge spoke of."""
    by_id = {task.task_id: task for task in tasks}
    of_judge = _by_reply(judged)
    kept: list[Score] = []
    rejections: list[Rejection] = []
    ids: list[str] = []
    for judgement in judgements:
        record_id = judgement_id(judgement.task_id, judgement.sample)
        ids.append(record_id)
        task = by_id.get(judgement.task_id)
        rows: list[Score] = []
        if task is not None and judgement.failure not in NOT_COUNTED:
            rows = _scores(Judged(task, judgement, (verdicts or {}).get(record_id), of_judge.get(record_id, {})))
        kept += rows
        if not rows:
            rejections.append(_unscored(record_id, task, judgement))
    return Outcome(kept, rejections, ids)


def _by_reply(judged: Sequence[JudgeVerdict]) -> dict[str, dict[str, JudgeVerdict]]:
    """The verdicts that count, by TASK|SAMPLE and rubric: those of the first judge, and of a rubric's own judge."""
    found: dict[str, dict[str, JudgeVerdict]] = {}
    for verdict in judged:
        if verdict.judge in (FIRST, ALIGNMENT_JUDGE):
            found.setdefault(judgement_id(verdict.task_id, verdict.sample), {})[verdict.rubric] = verdict
    return found


def _scores(reply: Judged) -> list[Score]:
    rows = []
    for name in sorted({*METRICS, *LEAN_METRICS} & set(reply.task.metrics)):
        scored = METRICS[name](reply) if name in METRICS else LEAN_METRICS[name](reply)
        if scored is not None:
            value, weight, method = scored
            rows.append(
                Score(
                    task_id=reply.judgement.task_id,
                    system=reply.judgement.system,
                    sample=reply.judgement.sample,
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
