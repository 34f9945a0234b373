"""Stage 11: chains with exactly one injected defect."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import Problem, Step, Variant
from stepforge.variants import build

SEED = 20261101  # part of every variant's id; another seed is another benchmark


@stage(record=Variant, group="synthesis", parameters=f"seed={SEED}", per_problem=True)
def variants(work: Work, labelled_problems: Stored, solution_steps: Stored) -> Outcome[Variant]:
    """Perturbed chains, one verified defect each: wrong, redundant, repeated, missing, swapped (MAMath-Bench)."""
    rows = labelled_problems.rows(Problem)
    return build.variants(rows, solution_steps.rows(Step), seed=SEED, tick=work.begin(len(rows)))
