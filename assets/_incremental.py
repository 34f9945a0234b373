"""Work on what changed: a stage that treats each problem by itself runs on the problems whose rows are new.

What the stage read last time is still in the store under its version, so it is told by comparing rows, not by trusting
a cache: a problem is unchanged if all of its rows in all inputs are what they were.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from resources.store import Pointer, Store, Stored
from stepforge.arrow import from_table
from stepforge.asking import PASSING_REASONS
from stepforge.errors import PipelineError
from stepforge.outcome import Outcome, reject
from stepforge.records import Record, Rejection
from stepforge.vocabulary import Disposition, Reason

T = TypeVar("T", bound=Record)

ID = "problem_id"


class Part(NamedTuple):
    """Those rows of a stored partition that belong to some problems; read like `Stored`."""

    stored: Stored
    problem_ids: frozenset[str]

    @property
    def pointer(self) -> Pointer:
        """Pointer of the whole partition."""
        return self.stored.pointer

    def table(self) -> pa.Table:
        """Rows as Arrow."""
        return _only(self.stored.table(), self.problem_ids)

    def rows(self, record: type[T]) -> list[T]:
        """Rows as records."""
        return from_table(record, self.table())


def _only(table: pa.Table, ids: frozenset[str]) -> pa.Table:
    return table.filter(pc.is_in(table[ID], value_set=pa.array(sorted(ids), pa.string())))


def _by_problem(table: pa.Table) -> dict[str, list[dict[str, Any]]]:
    """Rows by problem, without their provenance: one more line in a file changes the hash and row numbers of all."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in table.to_pylist():
        row.pop("provenance", None)
        found[row[ID]].append(row)
    return found


def unchanged(store: Store, last: Pointer, inputs: Mapping[str, Stored]) -> frozenset[str]:
    """Ids of the problems whose rows are the same in all inputs as when `last` was made; none if what it read is gone.
    The first input is the one whose rows are the problems."""
    same: frozenset[str] | None = None
    for name, stored in inputs.items():
        before = store.version(name, stored.pointer.partition, last.inputs.get(name, {}).get(stored.pointer.partition))
        if before is None:
            return frozenset()
        old, new = _by_problem(before), _by_problem(stored.table())
        candidates = old.keys() & new.keys() if same is None else same
        # in a later input a problem may have no row, then and now
        same = frozenset(pid for pid in candidates if old.get(pid) == new.get(pid))
    return same or frozenset()


def run_on_changes(
    run: Callable[[Mapping[str, Any]], Outcome[T]],
    record: type[T],
    store: Store,
    last: Pointer,
    inputs: Mapping[str, Stored],
) -> tuple[Outcome[T], int]:
    """The outcome over all problems, and how many of them were taken over from `last`.

    `run` takes the inputs by name. It must treat each problem by itself, give its rows in the order of the first input,
    and make nothing of a problem's provenance, so that the rows are those of a run on everything."""
    rejected = from_table(Rejection, store.read_rejections(last))
    # a record that waits for a model is asked about again, also if nothing in it changed
    waiting = {r.problem_id for r in rejected if r.reason in PASSING_REASONS}
    same = unchanged(store, last, inputs) - waiting
    problems = _ids(inputs)
    changed = frozenset(problems) - same
    outcome = run({name: Part(stored, changed) for name, stored in inputs.items()})
    if not same:
        return outcome, 0
    rows: dict[str, list[T]] = defaultdict(list)
    for row in (*from_table(record, _only(store.read(last), same)), *outcome.kept):
        rows[str(getattr(row, ID))].append(row)
    refused = [r for r in rejected if r.problem_id in same]
    kept = [row for pid in dict.fromkeys(problems) for row in rows[pid]]
    return Outcome(kept, [*refused, *outcome.rejections], problems), len(same)


def run_one_by_one(stage: str, function: Callable[..., Outcome[T]], inputs: Mapping[str, Any]) -> Outcome[T]:
    """The outcome of the function; where it fails, the problem that makes it fail is found by halving, quarantined with
    the error, and the rest goes on.  Errors that a person must put right are raised."""
    try:
        return function(**inputs)
    except PipelineError:
        raise
    except Exception as error:
        problems = list(dict.fromkeys(_ids(inputs)))
        if len(problems) <= 1:
            if not problems:
                raise
            return Outcome([], [_failed(stage, problems[0], error)], problems)
        middle = len(problems) // 2
        first = run_one_by_one(stage, function, _part(inputs, problems[:middle]))
        second = run_one_by_one(stage, function, _part(inputs, problems[middle:]))
        return Outcome(
            first.kept + second.kept, first.rejections + second.rejections, first.input_ids + second.input_ids
        )


def _failed(stage: str, problem_id: str, error: Exception) -> Rejection:
    told = f"{type(error).__name__}: {error}"[:300]
    detail = f"{problem_id}: the stage's code fails on it ({told}); report it, and mend or drop the problem until then"
    return reject(
        stage, problem_id, Reason.STAGE_FAILED, detail, problem_id=problem_id, disposition=Disposition.QUARANTINED
    )


def _ids(inputs: Mapping[str, Any]) -> list[str]:
    """Ids of the problems of the first input, in its order."""
    ids: list[str] = next(iter(inputs.values())).table()[ID].to_pylist()
    return ids


def _part(inputs: Mapping[str, Any], problem_ids: list[str]) -> dict[str, Part]:
    wanted = frozenset(problem_ids)
    return {name: Part(value.stored if isinstance(value, Part) else value, wanted) for name, value in inputs.items()}
