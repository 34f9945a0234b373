"""Stage 15: the questions that a system is asked."""

from assets._stage import Work, stage
from resources.reviews import reviews_of
from resources.store import Stored
from stepforge import tasks
from stepforge.outcome import Outcome
from stepforge.records import Item, Task, Variant


@stage(record=Task, group="benchmark", external="review_decisions")
def benchmark_tasks(work: Work, filtered_items: Stored, variants: Stored) -> Outcome[Task]:
    """One row for each question that a system is asked: solving, detecting one defect of five kinds, putting a
    statement into Lean, and judging one that is."""
    items = filtered_items.rows(Item)
    batch = work.partition or ""
    reviews = reviews_of(work.home, batch)
    return tasks.benchmark_tasks(items, variants.rows(Variant), batch, work.begin(len(items)), reviews)
