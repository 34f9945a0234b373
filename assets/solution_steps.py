"""Stage 6: the reference solutions as steps."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import Problem, Step
from stepforge.steps import segment


@stage(record=Step, group="process", per_problem=True)
def solution_steps(work: Work, labelled_problems: Stored) -> Outcome[Step]:
    """Steps of the reference solutions with premises, rule, conclusion, dependencies and exact spans."""
    rows = labelled_problems.rows(Problem)
    return segment.solution_steps(rows, work.begin(len(rows)))
