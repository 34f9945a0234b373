"""Stage 9: plans of proofs."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import Problem, ProofPlan, Step
from stepforge.steps import proofs


@stage(record=ProofPlan, group="process", per_problem=True)
def proof_plans(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[ProofPlan]:
    """Proofs in 3 to 8 contiguous segments with one plan sentence each (AgenticMathBench, E.2)."""
    rows = labelled_problems.rows(Problem)
    return proofs.proof_plans(rows, solution_steps.rows(Step), work.begin(len(rows)))
