"""Whether a final answer is the reference answer, where the answer-equivalence engine left it undecided.

The two are called A and B, in an order that depends on the task alone, so that a judge's liking for one place favours
nobody and the same question is never asked twice.
"""

import hashlib
from collections.abc import Mapping

from stepforge.answers.parts import format_parts
from stepforge.judges import RUBRICS, Case, Reading, Rubric, options, suffix
from stepforge.prompting import Value
from stepforge.records import Answer, AnswerReply, NamedValue
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict, TaskKind

NAME = "answer"
SEED = "answer order 1"
REFERENCE_IS_A = "reference_is_a"  # 1 or 0: whom the judge's words mean by A


def reference_first(task_id: str) -> bool:
    """Whether the reference is A."""
    return hashlib.sha256(f"{SEED}|{task_id}".encode("utf-8", "surrogatepass")).digest()[0] % 2 == 0


def reference_text(answer: Answer) -> str:
    """The reference answer in one line, with its unit."""
    if answer.kind is AnswerKind.MULTI_PART and answer.parts:
        return format_parts(answer.parts)
    return f"{answer.text} {answer.unit or ''}".strip()


def _applies(case: Case) -> bool:
    task, judgement = case.task, case.judgement
    undecided = judgement.verdict is EquivalenceVerdict.UNDECIDED
    return task.kind is TaskKind.SOLVE and undecided and task.target.answer is not None and bool(judgement.answer)


def _variables(case: Case, _figures: int) -> Mapping[str, Value]:
    task, candidate = case.task, case.judgement.answer or ""
    reference = reference_text(task.target.answer) if task.target.answer is not None else ""
    pair = (reference, candidate) if reference_first(task.task_id) else (candidate, reference)
    return {
        "question": task.question,
        "has_choices": len(task.choices),
        "choices": options(task),
        "first": pair[0],
        "second": pair[1],
    }


def _read(case: Case, reply: AnswerReply) -> Reading:
    order = (NamedValue(name=REFERENCE_IS_A, value=float(reference_first(case.task.task_id))),)
    if reply.verdict is EquivalenceVerdict.UNDECIDED:
        return Reading(values=order, rationale=reply.reason, undecided="the judge cannot tell")
    return Reading(right=reply.verdict is EquivalenceVerdict.EQUAL, values=order, rationale=reply.reason)


RUBRICS.register(
    Rubric(
        name=NAME,
        reply_type=AnswerReply,
        applies=_applies,
        settled=lambda _case: None,
        prompt_id=lambda case: f"judge_answer_{suffix(case.task)}/v1",
        variables=_variables,
        read=_read,
    )
)
