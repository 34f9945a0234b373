"""Stage proof_plans: a proof in a few conceptual segments with one plan sentence each (AgenticMathBench, E.2)."""

from collections.abc import Sequence

from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import Problem, ProofPlan, Rejection, Step
from stepforge.steps.chains import by_problem, first_path
from stepforge.steps.describe import sub_goal
from stepforge.vocabulary import Method, ProblemType, Reason

STAGE = "proof_plans"
FEWEST, MOST = 3, 8  # segments of a proof (E.2, stage 2)


def proof_plans(problems: Sequence[Problem], steps: Sequence[Step], tick: Tick = no_tick) -> Outcome[ProofPlan]:
    """Three to eight contiguous segments that cover the first reference proof, each with a plan sentence that names the
    goal or proof action, without calculation and without claiming that the proof is complete; by problem and index.
    Segments end where the next step does not rest on the step before, near an even division.  Input ids: problem ids.
    Limit: the sentences name kinds of goals (parallel, congruent, a bound), not the objects of the proof."""
    chains = by_problem(steps)
    kept: list[ProofPlan] = []
    rejections: list[Rejection] = []
    for problem in problems:
        chain = first_path(chains, problem.problem_id)
        if problem.problem_type is not ProblemType.PROOF:
            why = f"{problem.problem_id}: it asks for a result, not for a proof"
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.NOT_A_PROOF, why))
        elif len(chain) < FEWEST:
            why = f"{problem.problem_id}: its proof has {len(chain)} steps; a plan needs at least {FEWEST} segments"
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.TOO_FEW_STEPS, why))
        else:
            kept += _plan(chain, problem.language)
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def segment_starts(chain: Sequence[Step]) -> list[int]:
    """Indices of the first steps of the segments."""
    n = len(chain)
    count = min(MOST, max(FEWEST, -(-n // 3)))
    starts = [0]
    for k in range(1, count):
        even = round(k * n / count)
        low, high = max(starts[-1] + 1, even - 1), min(even + 1, n - (count - k))
        options = range(low, max(low, high) + 1)
        starts.append(min(options, key=lambda i: (i - 1 in chain[i].depends_on, abs(i - even), i)))
    return starts


def _plan(chain: Sequence[Step], language: str) -> list[ProofPlan]:
    starts = segment_starts(chain)
    plans = []
    for index, (first, after) in enumerate(zip(starts, [*starts[1:], len(chain)], strict=True)):
        last = chain[after - 1]
        named = next((step for step in reversed(chain[first:after]) if step.rule), last)
        plans.append(
            ProofPlan(
                problem_id=last.problem_id,
                index=index,
                first_step=first,
                last_step=after - 1,
                plan=sub_goal(named.text, language),
                method=Method.RULES,
            )
        )
    return plans
