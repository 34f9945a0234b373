"""Stages 6 to 10: the reference solutions as steps, and what is made of them."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import AuxiliaryLine, FormalModel, Milestone, Problem, ProofPlan, Step
from stepforge.steps import auxiliary, models, proofs, segment
from stepforge.steps import milestones as milestone_rules


@stage(record=Step, group="process", per_problem=True)
def solution_steps(work: Work, labelled_problems: Stored) -> Outcome[Step]:
    """Steps of the reference solutions with premises, rule, conclusion, dependencies and exact spans."""
    rows = labelled_problems.rows(Problem)
    return segment.solution_steps(rows, work.begin(len(rows)))


@stage(record=AuxiliaryLine, group="process", per_problem=True)
def auxiliary_lines(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[AuxiliaryLine]:
    """Auxiliary constructions of geometry solutions, simple or complex (GeoLaux, section 3)."""
    rows = labelled_problems.rows(Problem)
    return auxiliary.auxiliary_lines(rows, solution_steps.rows(Step), work.begin(len(rows)))


@stage(record=Milestone, group="process", per_problem=True)
def milestones(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[Milestone]:
    """Milestones: self-contained units of conditions, rule and conclusion (MAMath-Bench)."""
    rows = labelled_problems.rows(Problem)
    return milestone_rules.milestones(rows, solution_steps.rows(Step), work.begin(len(rows)))


@stage(record=ProofPlan, group="process", per_problem=True)
def proof_plans(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[ProofPlan]:
    """Proofs in 3 to 8 contiguous segments with one plan sentence each (AgenticMathBench, E.2)."""
    rows = labelled_problems.rows(Problem)
    return proofs.proof_plans(rows, solution_steps.rows(Step), work.begin(len(rows)))


@stage(record=FormalModel, group="process", per_problem=True)
def formal_models(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[FormalModel]:
    """Variables, constraints and objective of word problems, solved and equal to the answer (AgenticMathBench, E.1)."""
    rows = labelled_problems.rows(Problem)
    return models.formal_models(rows, solution_steps.rows(Step), work.begin(len(rows)))
