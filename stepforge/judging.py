"""Each reply parsed and held against its reference: answer, milestones, detection. No metric is computed here.

Limit of the `rules` method: milestones are matched by similarity of text (MAMath-Bench), not by a judge's reading.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepforge import correctness
from stepforge.answers.equivalence import Symbolic, compare_parts, equivalent
from stepforge.answers.extract import extract_answer
from stepforge.answers.verdict import Verdict, combine
from stepforge.formal import lean_code
from stepforge.metrics import detection
from stepforge.metrics.milestones import Components, Match, Matcher, Pairing, best_path
from stepforge.metrics.sensitivity import counts_by_setting
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Judgement, MilestoneMatch, Prediction, Rejection, Task
from stepforge.replies import Detection, is_refusal, parse_detection
from stepforge.reply_units import reasoning_units
from stepforge.vocabulary import (
    NOT_COUNTED,
    AnswerKind,
    DefectKind,
    EquivalenceVerdict,
    Failure,
    MatchedBy,
    Reason,
    TaskKind,
)

STAGE = "judgements"
DECIMALS = 6  # of a similarity and its components in a record
CHUNK = 512  # replies whose texts become vectors at once: enough to amortise the call, little memory
MAX_REASON = 200  # characters; some quote the reply


class _Answered(NamedTuple):
    """What became of a reply's final answer."""

    answer: str | None = None
    verdict: EquivalenceVerdict | None = None
    method: str | None = None
    reason: str | None = None
    parts_right: int | None = None
    parts_total: int | None = None


def judgement_id(task_id: str, sample: int) -> str:
    """Id of a prediction, its judgement and its scores within one system."""
    return f"{task_id}|{sample}"


def fitted_matcher(tasks: Sequence[Task]) -> Matcher:
    """The milestone matcher of a release: fitted on the reference milestones of all its tasks; on the missing steps of
    a release that has none."""
    milestones = [m for task in tasks for path in task.target.reference_paths for m in path]
    return Matcher(milestones or [task.target.missing_step for task in tasks if task.target.missing_step])


def judge(
    tasks: Sequence[Task],
    predictions: Sequence[Prediction],
    symbolic: Symbolic | None = None,
    tick: Tick = no_tick,
) -> Outcome[Judgement]:
    """A judgement for each prediction, sorted by task and sample; ids are TASK|SAMPLE.  `tasks` is the whole release:
    the matcher must be the same for every system.  A failed prediction keeps its failure and has no verdict.
    Rejected: a prediction of an unknown task, and a second one of the same task and sample."""
    by_id = {task.task_id: task for task in tasks}
    matcher = fitted_matcher(tasks)
    taken: dict[str, Prediction] = {}
    rejections: list[Rejection] = []
    ids: list[str] = []
    for prediction in predictions:
        record_id = judgement_id(prediction.task_id, prediction.sample)
        if record_id in taken:
            record_id = f"{record_id}#{len(ids)}"
            detail = f"a second reply to {prediction.task_id}, sample {prediction.sample}; number the samples"
            rejections.append(_rejection(record_id, Reason.DUPLICATE_ID, detail, prediction))
        elif prediction.task_id not in by_id:
            detail = f"task {prediction.task_id} is not in this benchmark; predict again with this release"
            rejections.append(_rejection(record_id, Reason.MALFORMED_RECORD, detail, prediction))
        else:
            taken[record_id] = prediction
        ids.append(record_id)
    tick(len(rejections))
    accepted = sorted(taken.values(), key=lambda p: (p.task_id, p.sample))
    kept = []
    for start in range(0, len(accepted), CHUNK):
        read = []
        for prediction in accepted[start : start + CHUNK]:
            read.append(_read(by_id[prediction.task_id], prediction, symbolic))
            tick(1)
        found = iter(matcher.components([pairing for item in read for pairing in item.pairings]))
        kept += [_judgement(item, [next(found) for _ in item.pairings]) for item in read]
    return Outcome(kept, rejections, ids)


class _Read(NamedTuple):
    """A reply read, and what the milestone matcher is to compare."""

    task: Task
    prediction: Prediction
    failure: Failure | None
    answered: _Answered = _Answered()
    units: tuple[str, ...] = ()
    detected: Detection | None = None
    pairings: tuple[Pairing, ...] = ()  # one a reference path, or the missing step


def _read(task: Task, prediction: Prediction, symbolic: Symbolic | None) -> _Read:
    failure = prediction.failure or _absence(prediction.reply)
    reply = "" if failure is not None else prediction.reply or ""
    if task.kind is TaskKind.FORMALIZE:
        if failure is None and lean_code(reply) is None:
            failure = _unreadable(reply)
        return _Read(task, prediction, failure)
    if task.kind is TaskKind.SOLVE:
        return _read_solution(task, prediction, failure, reply, symbolic)
    if task.kind is TaskKind.JUDGE_FORMALIZATION:
        return _read_correctness(task, prediction, failure, reply)
    return _read_detection(task, prediction, failure, reply)


def _read_solution(
    task: Task, prediction: Prediction, failure: Failure | None, reply: str, symbolic: Symbolic | None
) -> _Read:
    if failure in NOT_COUNTED:
        return _Read(task, prediction, failure)
    answered, units = _unanswered(task), reasoning_units(reply)
    if failure is None:
        answered = _answer(task, reply, symbolic)
        if is_refusal(reply) and answered.answer is None:
            failure, units = Failure.REFUSED, ()
        elif task.target.answer is not None and answered.answer is None:
            failure = Failure.UNPARSABLE
    pairings = tuple(Pairing(units, path) for path in task.target.reference_paths)
    return _Read(task, prediction, failure, answered, units, pairings=pairings)


def _read_correctness(task: Task, prediction: Prediction, failure: Failure | None, reply: str) -> _Read:
    """The word that the reply says of a formalization, against what people said."""
    label = task.target.formal_label
    if failure is not None or label is None:
        return _Read(task, prediction, failure)
    said = correctness.parse(reply)
    if said.word is None:
        return _Read(task, prediction, _unreadable(reply), _Answered(method=said.error))
    right = said.word == correctness.expected(label)
    verdict = EquivalenceVerdict.EQUAL if right else EquivalenceVerdict.DIFFERENT
    return _Read(task, prediction, None, _Answered(said.word, verdict, "label"))


def _read_detection(task: Task, prediction: Prediction, failure: Failure | None, reply: str) -> _Read:
    if failure is not None:
        return _Read(task, prediction, failure)
    found = parse_detection(reply, _defect(task))
    if found.location is None:
        return _Read(task, prediction, _unreadable(reply), detected=found)
    steps = (found.missing_step or "", task.target.missing_step or "")
    pairings = (Pairing(steps[:1], steps[1:]),) if _defect(task) is DefectKind.MISSING else ()
    return _Read(task, prediction, None, detected=found, pairings=pairings)


def _defect(task: Task) -> DefectKind:
    return task.target.defect or DefectKind(task.kind.value.removeprefix("detect_"))


def _unreadable(reply: str) -> Failure:
    return Failure.REFUSED if is_refusal(reply) else Failure.UNPARSABLE


def _rejection(record_id: str, reason: Reason, detail: str, prediction: Prediction) -> Rejection:
    return reject(STAGE, record_id, reason, detail, evidence=prediction.reply or "")


def _judgement(item: _Read, components: Sequence[Components]) -> Judgement:
    if item.task.kind is TaskKind.SOLVE:
        return _solution(item, components)
    nothing = dict.fromkeys(name for name, field in Judgement.model_fields.items() if field.is_required())
    given = {**nothing, **_key(item.prediction), "failure": item.failure, "units": ()}
    if item.task.kind is TaskKind.JUDGE_FORMALIZATION:
        given |= item.answered._asdict()
    elif item.task.kind is not TaskKind.FORMALIZE:  # of that, what its code says is for Lean (`candidate_verdicts`)
        given |= _detection(item, components)
    return Judgement.model_validate(given)


def _solution(item: _Read, components: Sequence[Components]) -> Judgement:
    counted = item.failure not in NOT_COUNTED
    path, alignment = best_path([found.align() for found in components]) if counted else (None, None)
    return Judgement(
        **_key(item.prediction),
        failure=item.failure,
        **item.answered._asdict(),
        units=item.units,
        reference_path=path,
        milestones_total=alignment.milestones if alignment else None,
        milestones_matched=alignment.n_matched if alignment else None,
        units_matched=alignment.units_matched if alignment else None,
        milestone_matches=tuple(map(_explained, alignment.matches)) if alignment else (),
        milestones_by_setting=counts_by_setting(components) if alignment else (),
        detected_location=None,
        detection_right=None,
    )


def _explained(match: Match) -> MilestoneMatch:
    return MilestoneMatch(
        unit=match.unit,
        matched=match.by is not MatchedBy.NONE,
        similarity=round(match.similarity, DECIMALS),
        semantic=round(match.semantic, DECIMALS),
        equation=match.equation,
        numeric=round(match.numeric, DECIMALS),
        keyword=round(match.keyword, DECIMALS),
        by=match.by,
    )


def _key(prediction: Prediction) -> Mapping[str, object]:
    return {"task_id": prediction.task_id, "system": prediction.system, "sample": prediction.sample}


def _absence(reply: str | None) -> Failure | None:
    if reply is None:
        return Failure.MISSING
    return None if reply.strip() else Failure.EMPTY


def _parts(task: Task) -> int | None:
    gold = task.target.answer
    return len(gold.parts) if gold is not None and gold.kind is AnswerKind.MULTI_PART and gold.parts else None


def _unanswered(task: Task) -> _Answered:
    """No answer, which is a wrong one for each part of a multi-part problem."""
    total = _parts(task)
    return _Answered(parts_right=0 if total else None, parts_total=total)


def _answer(task: Task, reply: str, symbolic: Symbolic | None) -> _Answered:
    gold = task.target.answer
    if gold is None:
        return _Answered()
    total = _parts(task)
    found = extract_answer(reply, gold.kind, task.choices)
    if found is None:
        return _unanswered(task)
    if total is None:
        verdict = equivalent(gold, found, task.choices, symbolic)
        return _Answered(found, verdict.verdict, verdict.method, verdict.reason[:MAX_REASON])
    parts: Sequence[Verdict] = compare_parts(gold, found, task.choices, symbolic)
    verdict = combine(parts, "multi_part")
    right = sum(part.verdict is EquivalenceVerdict.EQUAL for part in parts)
    return _Answered(found, verdict.verdict, verdict.method, verdict.reason[:MAX_REASON], right, total)


def _detection(item: _Read, components: Sequence[Components]) -> Mapping[str, object]:
    found = item.detected
    right: bool | None = None if item.failure in NOT_COUNTED else False
    if found is None:
        return {"method": "no reply", "detection_right": right}
    if found.location is not None:
        named = any(each.align().n_matched for each in components)
        target = item.task.target.location
        right = detection.right(_defect(item.task), target, found.location, missing_step_matches=named)
    return {
        "method": found.error or "location",
        "detected_location": found.location,
        "detected_kind": found.named_kind,
        "detection_right": right,
    }
