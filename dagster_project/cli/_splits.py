"""What is in a split by time: tasks of all batches, rows of one stage."""

from datetime import date
from typing import Annotated

import pyarrow as pa
import pyarrow.compute as pc
import typer

from assets._stage import STAGES
from assets._tasks import all_tasks
from resources.home import Home
from resources.release import release_of
from resources.store import WHOLE, Stored
from stepforge.errors import BadRequest
from stepforge.records import Problem, Task
from stepforge.splits import BEFORE, NEWER, OLDER, UNDATED, problem_dates, side_of, task_dates

SplitOption = Annotated[
    str | None,
    typer.Option("--split", help="Only what is in this split by time; before-NAME and undated are the rest."),
]


class _Side:
    """One side of a split.  Raises: BadRequest for a name that is none."""

    def __init__(self, home: Home, name: str) -> None:
        release = release_of(home)
        self._undated = name == UNDATED
        known = {split.name for split in release.splits}
        if not self._undated:
            older = name.startswith(f"{BEFORE}-") and name not in known
            self._split = release.split(name.removeprefix(f"{BEFORE}-") if older else name)
            self._side = OLDER if older else NEWER

    def has(self, day: date | None) -> bool:
        return day is None if self._undated else side_of(self._split, day) == self._side


def tasks_in_split(home: Home, name: str) -> set[str]:
    """Ids of the tasks of all batches that are in the split.  Raises: BadRequest."""
    side = _Side(home, name)
    return {task_id for task_id, day in _task_dates(home).items() if side.has(day)}


def _task_dates(home: Home) -> dict[str, date | None]:
    stored = {name: home.store.stored("benchmark_tasks", name) for name in home.built("benchmark_tasks")}
    tasks: list[Task] = all_tasks(stored)
    return task_dates(tasks)


def rows_in_split(home: Home, stored: Stored, name: str) -> pa.Table:
    """Rows of a stage whose problem or task is in the split.  Raises: BadRequest for a stage of other rows."""
    side, table = _Side(home, name), stored.table()
    stage = stored.pointer.stage
    if "task_id" in table.column_names:
        column, dates = "task_id", _task_dates(home)
    elif "problem_id" in table.column_names and STAGES[stage].partitions == "batch":
        column, dates = "problem_id", _problem_dates(home, stored.pointer.partition)
    else:
        raise BadRequest(f"rows of {stage} belong to no problem or task, so to no split; leave --split out")
    ids = [one for one, day in dates.items() if side.has(day)]
    return table.filter(pc.is_in(table[column], value_set=pa.array(ids, pa.string())))


def _problem_dates(home: Home, partition: str) -> dict[str, date | None]:
    return problem_dates(home.store.stored("problems", None if partition == WHOLE else partition).rows(Problem))
