"""Whether a formalization says what the words say (AgenticMathBench, Lean-Align).

The judge's word is one of the three ways of `stepforge.metrics.formalization`; what Lean shows is another.
"""

from collections.abc import Mapping

from stepforge.formal import lean_code
from stepforge.judges import RUBRICS, Case, Reading, Rubric
from stepforge.prompting import Value
from stepforge.records import AlignmentReply
from stepforge.vocabulary import NOT_COUNTED, TaskKind

NAME = "alignment"
ROLE = "alignment_judge"
PROMPT = "align_statement/v1"


def _applies(case: Case) -> bool:
    return case.task.kind is TaskKind.FORMALIZE and case.judgement.failure not in NOT_COUNTED


def _settled(case: Case) -> Reading | None:
    if lean_code(case.reply) is None:
        return Reading(right=False, rationale="the reply has no Lean code")
    return None


def _variables(case: Case, _figures: int) -> Mapping[str, Value]:
    return {"words": case.task.question, "candidate": lean_code(case.reply) or ""}


def _read(_case: Case, reply: AlignmentReply) -> Reading:
    return Reading(right=reply.aligned, rationale=reply.reason)


RUBRICS.register(
    Rubric(
        name=NAME,
        reply_type=AlignmentReply,
        applies=_applies,
        settled=_settled,
        prompt_id=lambda _case: PROMPT,
        variables=_variables,
        read=_read,
        own_role=ROLE,
    )
)
