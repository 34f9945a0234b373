"""The formalizations in a system's replies: what is to be asked of Lean, and what becomes of its verdicts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from stepforge.formal import lean_code
from stepforge.judging import judgement_id
from stepforge.outcome import Outcome, reject
from stepforge.records import LeanVerdict, Prediction, Rejection, Task
from stepforge.vocabulary import NOT_COUNTED, Disposition, LeanOutcome, Reason, TaskKind

STAGE = "candidate_verdicts"
NO_CODE = "no_lean_code"


class Candidate(NamedTuple):
    """A reply's Lean code beside the reference that it should say the same as."""

    item_id: str
    problem_id: str
    code: str
    reference: str


class Sorted(NamedTuple):
    """The candidates of a system's replies; the verdicts that need no Lean; the replies that are none."""

    candidates: list[Candidate]
    verdicts: list[LeanVerdict]
    rejections: list[Rejection]
    input_ids: list[str]


def sort_replies(tasks: Sequence[Task], predictions: Sequence[Prediction]) -> Sorted:
    """Replies by what is to be done with them, each once.  One without Lean code is wrong, as an empty one is."""
    by_id = {task.task_id: task for task in tasks}
    found = Sorted([], [], [], [])
    for prediction in sorted(predictions, key=lambda p: (p.task_id, p.sample)):
        item_id, task = judgement_id(prediction.task_id, prediction.sample), by_id.get(prediction.task_id)
        if found.input_ids[-1:] == [item_id]:
            continue  # a second reply of one number; the stage `judgements` refuses it
        found.input_ids.append(item_id)
        if task is None or task.kind is not TaskKind.FORMALIZE or task.target.lean_statement is None:
            detail = f"{prediction.task_id} asks for no Lean"
            found.rejections.append(_none(item_id, task, Reason.NO_FORMALIZATION, detail))
        elif prediction.failure in NOT_COUNTED:
            detail = f"{prediction.failure}: in no denominator"
            found.rejections.append(_none(item_id, task, Reason.SYSTEM_FAILED, detail))
        elif (code := lean_code(prediction.reply or "")) is None:
            found.verdicts.append(_wrong(item_id, task.problem_id))
        else:
            found.candidates.append(Candidate(item_id, task.problem_id, code, task.target.lean_statement))
    return found


def outcome_of(replies: Sorted, verdicts: Sequence[LeanVerdict]) -> Outcome[LeanVerdict]:
    """The verdicts as rows, sorted by id; one that speaks of the machine is a quarantined reply."""
    kept = list(replies.verdicts)
    rejections = list(replies.rejections)
    for verdict in verdicts:
        if verdict.outcome is not LeanOutcome.INFRASTRUCTURE:
            kept.append(verdict)
            continue
        why = "; ".join(verdict.reasons) or "no reason given"
        said = next((message.text for message in verdict.messages), "")
        rejections.append(
            reject(
                STAGE,
                verdict.item_id,
                Reason.LEAN_UNAVAILABLE,
                f"the reply was not checked: {why}. {said[:300]}".strip(),
                problem_id=verdict.problem_id,
                evidence=verdict.statement,
                disposition=Disposition.QUARANTINED,
            )
        )
    return Outcome(sorted(kept, key=lambda v: v.item_id), rejections, replies.input_ids)


def by_reply(verdicts: Sequence[LeanVerdict]) -> Mapping[str, LeanVerdict]:
    """Verdicts by TASK|SAMPLE."""
    return {verdict.item_id: verdict for verdict in verdicts}


def _none(item_id: str, task: Task | None, reason: Reason, detail: str) -> Rejection:
    problem_id = task.problem_id if task else None
    return reject(STAGE, item_id, reason, detail, problem_id=problem_id, disposition=Disposition.NOT_APPLICABLE)


def _wrong(item_id: str, problem_id: str) -> LeanVerdict:
    return LeanVerdict(
        item_id=item_id,
        problem_id=problem_id,
        statement="",
        outcome=LeanOutcome.REJECTED,
        reasons=(NO_CODE,),
        messages=(),
        axioms=None,
        toolchain=None,
        seconds=None,
        peak_bytes=None,
    )
