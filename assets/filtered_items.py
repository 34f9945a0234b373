"""Stage 14: items that passed every filter."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import filtering
from stepforge.outcome import Outcome
from stepforge.records import AuxiliaryLine, Item, LeanVerdict, Milestone, Problem, Step, Trajectory


@stage(record=Item, group="benchmark")
def filtered_items(
    work: Work,
    labelled_problems: Stored,
    solution_steps: Stored,
    milestones: Stored,
    auxiliary_lines: Stored,
    trajectories: Stored,
    lean_verdicts: Stored,
) -> Outcome[Item]:
    """Problems whose reference holds up: Lean, final answer, completeness of composite groups."""
    parts = filtering.Parts(
        problems=labelled_problems.rows(Problem),
        steps=solution_steps.rows(Step),
        milestones=milestones.rows(Milestone),
        auxiliary_lines=auxiliary_lines.rows(AuxiliaryLine),
        trajectories=trajectories.rows(Trajectory),
        lean_verdicts=lean_verdicts.rows(LeanVerdict),
    )
    return filtering.filtered_items(parts, work.begin(len(parts.problems)))
