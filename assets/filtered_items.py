"""Stage 14: items that passed every filter."""

from assets._stage import Work, stage
from resources.reviews import reviews_of
from resources.store import Stored
from stepforge import filtering
from stepforge.outcome import Outcome
from stepforge.records import AuxiliaryLine, Item, LeanVerdict, Milestone, Problem, Step, Trajectory


@stage(record=Item, group="benchmark", external="review_decisions")
def filtered_items(
    work: Work,
    labelled_problems: Stored,
    solution_steps: Stored,
    milestones: Stored,
    auxiliary_lines: Stored,
    trajectories: Stored,
    lean_verdicts: Stored,
) -> Outcome[Item]:
    """Problems whose reference holds up: Lean, final answer, completeness of composite groups; reviewers obeyed."""
    parts = filtering.Parts(
        problems=labelled_problems.rows(Problem),
        steps=solution_steps.rows(Step),
        milestones=milestones.rows(Milestone),
        auxiliary_lines=auxiliary_lines.rows(AuxiliaryLine),
        trajectories=trajectories.rows(Trajectory),
        lean_verdicts=lean_verdicts.rows(LeanVerdict),
    )
    reviews = reviews_of(work.home, work.partition or "")
    return filtering.filtered_items(parts, work.begin(len(parts.problems)), reviews)
