"""Stage 7: auxiliary constructions of geometry solutions."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import AuxiliaryLine, Problem, Step
from stepforge.steps import auxiliary


@stage(record=AuxiliaryLine, group="process", per_problem=True)
def auxiliary_lines(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[AuxiliaryLine]:
    """Auxiliary constructions of geometry solutions, simple or complex (GeoLaux, section 3)."""
    rows = labelled_problems.rows(Problem)
    return auxiliary.auxiliary_lines(rows, solution_steps.rows(Step), work.begin(len(rows)))
