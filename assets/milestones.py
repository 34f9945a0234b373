"""Stage 8: milestones of the reference solutions."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import Milestone, Problem, Step
from stepforge.steps import milestones as domain


@stage(record=Milestone, group="process", per_problem=True)
def milestones(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[Milestone]:
    """Milestones: self-contained units of conditions, rule and conclusion (MAMath-Bench)."""
    rows = labelled_problems.rows(Problem)
    return domain.milestones(rows, solution_steps.rows(Step), work.begin(len(rows)))
