"""Stage 12: agent trajectories on the reference solutions."""

from collections.abc import Sequence
from importlib.metadata import version

from assets._stage import Work, stage
from resources.comparing import symbolic_comparer
from resources.store import Stored
from stepforge import trajectories as domain
from stepforge.answers.equivalence import equivalent
from stepforge.outcome import Outcome
from stepforge.records import Answer, Choice, Problem, Step, Trajectory
from stepforge.vocabulary import EquivalenceVerdict

SEED = 0


@stage(record=Trajectory, group="synthesis", parameters=f"seed={SEED} sympy={version('sympy')}", per_problem=True)
def trajectories(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[Trajectory]:
    """Plan, actions and final answer of the `reference` solver, each action verified again by its tool."""
    rows = labelled_problems.rows(Problem)
    with symbolic_comparer(work.home.memo) as symbolic:

        def equal(answer: Answer, final: str, choices: Sequence[Choice]) -> EquivalenceVerdict:
            return equivalent(answer, final, choices, symbolic).verdict

        steps = solution_steps.rows(Step)
        return domain.trajectories(rows, steps, seed=SEED, equal=equal, tick=work.begin(len(rows)))
