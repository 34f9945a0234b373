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
from stepforge.metrics.milestones import Alignment, Matcher, Prepared, align, srr
from stepforge.outcome import Outcome, Tick, no_tick, reject
from stepforge.records import Judgement, Prediction, Rejection, Task
from stepforge.replies import is_refusal, parse_detection
from stepforge.reply_units import reasoning_units
from stepforge.vocabulary import AnswerKind, DefectKind, EquivalenceVerdict, Failure, Reason, TaskKind

STAGE = "judgements"
CHUNK = 512  # replies whose texts become vectors at once: enough to amortise the call, little memory
NOT_COUNTED = frozenset({Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED})


class _Answered(NamedTuple):
    """What became of a reply's final answer."""

    answer: str | None = None
    verdict: EquivalenceVerdict | None = None
    method: str | None = None
    parts_right: int | None = None
    parts_total: int | None = None


def judgement_id(task_id: str, sample: int) -> str:
    """Id of a prediction, its judgement and its scores within one system."""
    return f"{task_id}|{sample}"


def fitted_matcher(tasks: Sequence[Task]) -> Matcher:
    """The milestone matcher of a release: fitted on the reference milestones and missing steps of all its tasks."""
    milestones = [m for task in tasks for path in task.target.reference_paths for m in path]
    milestones += [task.target.missing_step for task in tasks if task.target.missing_step]
    return Matcher(milestones)


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
        read = [_read(by_id[p.task_id], p) for p in accepted[start : start + CHUNK]]
        prepared = matcher.prepare(text for item in read for text in _texts(item))
        for item in read:
            kept.append(_judgement(item, matcher, prepared, symbolic))
            tick(1)
    return Outcome(kept, rejections, ids)


class _Read(NamedTuple):
    """A reply read as far as it goes without its reference."""

    task: Task
    prediction: Prediction
    failure: Failure | None
    reply: str
    units: tuple[str, ...]


def _read(task: Task, prediction: Prediction) -> _Read:
    failure = prediction.failure or _absence(prediction.reply)
    reply = "" if failure is not None else prediction.reply or ""
    units = reasoning_units(reply) if task.kind is TaskKind.SOLVE else ()
    return _Read(task, prediction, failure, reply, units)


def _texts(item: _Read) -> list[str]:
    """The texts that the matcher will be asked about."""
    if item.failure in NOT_COUNTED:
        return []
    return [*item.units, *(milestone for path in item.task.target.reference_paths for milestone in path)]


def _rejection(record_id: str, reason: Reason, detail: str, prediction: Prediction) -> Rejection:
    return reject(STAGE, record_id, reason, detail, evidence=prediction.reply or "")


def _judgement(item: _Read, matcher: Matcher, prepared: Prepared, symbolic: Symbolic | None) -> Judgement:
    task, failure = item.task, item.failure
    if task.kind is TaskKind.FORMALIZE:
        return _formalization(item)
    if task.kind is TaskKind.JUDGE_FORMALIZATION:
        return _correctness(item)
    if task.kind is not TaskKind.SOLVE:
        return _detection(item, matcher)
    counted = failure not in NOT_COUNTED
    answered, units = _unanswered(task) if counted else _Answered(), item.units
    if failure is None:
        answered = _answer(task, item.reply, symbolic)
        unanswered = task.target.answer is not None and answered.answer is None
        if is_refusal(item.reply) and answered.answer is None:
            failure, units = Failure.REFUSED, ()
        elif unanswered:
            failure = Failure.UNPARSABLE
    path, alignment = _best_path(task, units, prepared, symbolic) if counted else (None, None)
    return Judgement(
        **_key(item.prediction),
        failure=failure,
        **answered._asdict(),
        units=units,
        reference_path=path,
        milestones_total=alignment.milestones if alignment else None,
        milestones_matched=alignment.n_matched if alignment else None,
        units_matched=alignment.units_matched if alignment else None,
        detected_location=None,
        detection_right=None,
    )


def _formalization(item: _Read) -> Judgement:
    """Whether there is Lean code to judge; what it says is for Lean (`candidate_verdicts`)."""
    failure = item.failure
    if failure is None and lean_code(item.reply) is None:
        failure = Failure.REFUSED if is_refusal(item.reply) else Failure.UNPARSABLE
    return _bare(item, failure)


def _correctness(item: _Read) -> Judgement:
    """The word that the reply says of a formalization, against what people said."""
    label, failure, said = item.task.target.formal_label, item.failure, None
    if failure is None and label is not None:
        said = correctness.parse(item.reply)
        if said.word is None:
            failure = Failure.REFUSED if is_refusal(item.reply) else Failure.UNPARSABLE
    if said is None or label is None:
        return _bare(item, failure)
    if said.word is None:
        return _bare(item, failure, method=said.error)
    right = said.word == correctness.expected(label)
    verdict = EquivalenceVerdict.EQUAL if right else EquivalenceVerdict.DIFFERENT
    return _bare(item, None, answer=said.word, verdict=verdict, method="label")


def _bare(item: _Read, failure: Failure | None, **given: object) -> Judgement:
    """A judgement without answer, milestones and detection, but for what is given."""
    nothing = dict.fromkeys(Judgement.model_fields.keys() - {"task_id", "system", "sample"})
    return Judgement.model_validate({**nothing, **_key(item.prediction), "failure": failure, "units": (), **given})


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
        return _Answered(found, verdict.verdict, verdict.method)
    parts: Sequence[Verdict] = compare_parts(gold, found, task.choices, symbolic)
    verdict = combine(parts, "multi_part")
    right = sum(part.verdict is EquivalenceVerdict.EQUAL for part in parts)
    return _Answered(found, verdict.verdict, verdict.method, right, total)


def _best_path(
    task: Task, units: Sequence[str], prepared: Prepared, symbolic: Symbolic | None
) -> tuple[int | None, Alignment | None]:
    """The reference path with the highest MA (ties: lowest SRR, then the first), and its alignment."""
    ranked = []
    for k, path in enumerate(task.target.reference_paths):
        if path:
            alignment = align(prepared, units, path, symbolic)
            redundancy = srr(alignment.units, alignment.units_matched, alignment.milestones)
            ranked.append((-alignment.n_matched / alignment.milestones, redundancy, k, alignment))
    if not ranked:
        return None, None
    best = min(ranked, key=lambda entry: entry[:3])
    return best[2], best[3]


def _detection(item: _Read, matcher: Matcher) -> Judgement:
    task, prediction, failure, reply, _ = item
    kind = task.target.defect or DefectKind(task.kind.value.removeprefix("detect_"))
    location: tuple[int, ...] | None = None
    right: bool | None = None if failure in NOT_COUNTED else False
    method = "no reply"
    if failure is None:
        found = parse_detection(reply, kind)
        location, method = found.location, found.error or "location"
        if location is None:
            failure = Failure.REFUSED if is_refusal(reply) else Failure.UNPARSABLE
        else:
            expected = task.target.missing_step
            matches = kind is DefectKind.MISSING and matcher.matches(found.missing_step or "", expected or "")
            right = detection.right(kind, task.target.location, location, missing_step_matches=matches)
    return Judgement(
        **_key(prediction),
        failure=failure,
        answer=None,
        verdict=None,
        method=method,
        parts_right=None,
        parts_total=None,
        units=(),
        reference_path=None,
        milestones_total=None,
        milestones_matched=None,
        units_matched=None,
        detected_location=location,
        detection_right=right,
    )
