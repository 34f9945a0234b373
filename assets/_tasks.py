"""Reading the tasks of all batches."""

from resources.store import Stored
from stepforge.records import Task


def all_tasks(batches: dict[str, Stored]) -> list[Task]:
    """Tasks of all batches by id; where two batches hold the same task, the first batch's."""
    found: dict[str, Task] = {}
    for _, stored in sorted(batches.items()):
        for task in stored.rows(Task):
            found.setdefault(task.task_id, task)
    return [found[task_id] for task_id in sorted(found)]
