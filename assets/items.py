"""Stages 14 and 15: items that passed every filter, and the tasks made from them."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import filtering, tasks
from stepforge.outcome import Outcome
from stepforge.records import (
    AuxiliaryLine,
    Item,
    LeanVerdict,
    Milestone,
    Problem,
    Step,
    Task,
    Trajectory,
    Variant,
)


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


@stage(record=Task, group="benchmark")
def benchmark_tasks(work: Work, filtered_items: Stored, variants: Stored) -> Outcome[Task]:
    """One row for each question that a system is asked: solving, and detecting one defect of five kinds."""
    items = filtered_items.rows(Item)
    return tasks.benchmark_tasks(items, variants.rows(Variant), work.partition or "", work.begin(len(items)))
