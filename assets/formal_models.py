"""Stage 10: formal models of word problems."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import FormalModel, Problem, Step
from stepforge.steps import models


@stage(record=FormalModel, group="process", per_problem=True)
def formal_models(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[FormalModel]:
    """Variables, constraints and objective of word problems, solved and equal to the answer (AgenticMathBench, E.1)."""
    rows = labelled_problems.rows(Problem)
    return models.formal_models(rows, solution_steps.rows(Step), work.begin(len(rows)))
