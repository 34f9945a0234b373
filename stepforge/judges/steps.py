"""Each reasoning unit of a solution, right or wrong, with the type of its error (GeoLaux, section 4).

The final answer is not the judge's: it is the answer-equivalence engine's. A solution without a unit has no step
scores, and is wrong without being asked about, as in GeoLaux's own code. Differs: the paper asks for scores and for
types of error by two prompts; here one reply has both. A step that only carries on an earlier wrong result is right
(the paper is silent). MV-MATH's problems have that paper's five types of error, all others GeoLaux's four.
"""

from collections.abc import Mapping

from stepforge.judges import RUBRICS, Case, Reading, Rubric, numbered, options, suffix
from stepforge.judges.answer import reference_text
from stepforge.prompting import Value
from stepforge.records import NamedValue, StepsReply
from stepforge.vocabulary import NOT_COUNTED, StepError, TaskKind

NAME = "steps"
MAX_STEPS = 120  # the longest reference has 24, and a judge that loses count is undecided
MAX_PATHS = 3
MAX_REASON_CHARS = 300
AUXILIARY = "auxiliary"
CONCLUDES = "concludes"

GEOLAUX_ERRORS = (
    StepError.FIGURE_COMPREHENSION,
    StepError.KNOWLEDGE,
    StepError.CALCULATION,
    StepError.LOGICAL_REASONING,
)
MVMATH_ERRORS = (
    StepError.VISUAL_PERCEPTION,
    StepError.REASONING,
    StepError.KNOWLEDGE,
    StepError.CALCULATION,
    StepError.REJECT,
)


def error_types(source: str) -> tuple[StepError, ...]:
    """The types of error by which solutions to problems of that source are judged."""
    return MVMATH_ERRORS if source == "mvmath" else GEOLAUX_ERRORS


def _applies(case: Case) -> bool:
    has_reference = case.task.kind is TaskKind.SOLVE and any(case.task.target.reference_paths)
    return has_reference and case.judgement.failure not in NOT_COUNTED


def _settled(case: Case) -> Reading | None:
    if not case.judgement.units:
        return Reading(right=False, rationale="the reply has no step")
    if len(case.judgement.units) > MAX_STEPS:
        return Reading(undecided=f"{len(case.judgement.units)} steps; at most {MAX_STEPS} are judged")
    return None


def _variables(case: Case, figures: int) -> Mapping[str, Value]:
    task = case.task
    answer = task.target.answer
    return {
        "count": len(case.judgement.units),
        "types": "mv_math" if error_types(task.source) is MVMATH_ERRORS else "geolaux",
        "shown_figures": figures,
        "hidden_figures": len(task.images) - figures,
        "has_choices": len(task.choices),
        "has_answer": int(answer is not None),
        "question": task.question,
        "choices": options(task),
        "answer": reference_text(answer) if answer is not None else "",
        "reference": [numbered(path) for path in task.target.reference_paths if path][:MAX_PATHS],
        "steps": case.judgement.units,
    }


def _read(case: Case, reply: StepsReply) -> Reading:
    expected = list(range(1, len(case.judgement.units) + 1))
    marks = sorted(reply.steps, key=lambda mark: mark.step)
    if [mark.step for mark in marks] != expected:
        numbers = ", ".join(str(mark.step) for mark in marks[:MAX_STEPS])
        return Reading(undecided=f"the judge marked steps {numbers or 'none'} of 1 to {len(expected)}")
    torn = [mark.step for mark in marks if mark.right and mark.error is not None]
    if torn:
        return Reading(undecided=f"the judge calls step {torn[0]} right and names an error in it")
    known = error_types(case.task.source)
    return Reading(
        right=all(mark.right for mark in marks),
        step_scores=tuple(int(mark.right) for mark in marks),
        error_types=tuple(mark.error if mark.error in known else None for mark in marks),
        values=(
            NamedValue(name=AUXILIARY, value=float(reply.auxiliary)),
            NamedValue(name=CONCLUDES, value=float(reply.concludes)),
        ),
        rationale="\n".join(f"{mark.step}. {mark.reason[:MAX_REASON_CHARS]}" for mark in marks),
    )


STEPS = RUBRICS.register(
    Rubric(
        name=NAME,
        reply_type=StepsReply,
        applies=_applies,
        settled=_settled,
        prompt_id=lambda case: f"judge_steps_{suffix(case.task)}/v1",
        variables=_variables,
        read=_read,
        figures=True,
    )
)
