"""Work on what changed, part by part: a stage that treats each problem by itself runs on the problems whose rows are
new, some thousand at a time.

What the stage read last time is still in the store under its version, so it is told by comparing rows, not by trusting
a cache: a problem is unchanged if all of its rows in all inputs are what they were.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from assets._collect import Collected
from resources.store import Pointer, Store, Stored
from stepforge.arrow import CHUNK_ROWS, batches_of, from_table
from stepforge.asking import PASSING_REASONS
from stepforge.errors import PipelineError
from stepforge.outcome import Outcome, reject
from stepforge.records import Record, Rejection
from stepforge.vocabulary import Disposition, Reason

T = TypeVar("T", bound=Record)

ID = "problem_id"
PROVENANCE = "provenance"
CHUNK_PROBLEMS = CHUNK_ROWS


class Part(NamedTuple):
    """Those rows of a stored partition that belong to some problems; read like `Stored`."""

    pointer: Pointer
    held: pa.Table

    def table(self) -> pa.Table:
        """Rows as Arrow."""
        return self.held

    def rows(self, record: type[T]) -> list[T]:
        """Rows as records."""
        return from_table(record, self.held)

    def batches(self, record: type[T]) -> Iterator[list[T]]:
        """Rows as records, some at a time."""
        return batches_of(record, self.held)


class _Ordered(NamedTuple):
    """A table with its rows in the order of the problems, and the place of each row's problem in that order."""

    pointer: Pointer
    table: pa.Table
    places: npt.NDArray[np.int64]

    def part(self, first: int, end: int) -> Part:
        """Rows of the problems from place `first` to before `end`."""
        low, high = np.searchsorted(self.places, [first, end])
        return Part(self.pointer, self.table.slice(low, high - low))


def _ordered(pointer: Pointer, table: pa.Table, problem_ids: Sequence[str]) -> _Ordered:
    """The rows of those problems."""
    found = pc.index_in(table[ID], value_set=pa.array(problem_ids, pa.string()))
    if found.null_count:
        keep = found.is_valid()
        table, found = table.filter(keep), found.drop_null()
    places = found.to_numpy().astype(np.int64)
    if (np.diff(places) < 0).any():
        by_place = np.argsort(places, kind="stable")
        table, places = table.take(pa.array(by_place)), places[by_place]
    return _Ordered(pointer, table, places)


def _digests(table: pa.Table, *, provenance: bool) -> dict[str, bytes]:
    """A hash of each problem's rows, by id; without their provenance unless it counts: one more line in a file changes
    the hash and row numbers of all."""
    found: dict[str, bytes] = {}
    for batch in table.to_batches(max_chunksize=CHUNK_ROWS):
        for row in batch.to_pylist():
            if not provenance:
                row.pop(PROVENANCE, None)
            before = found.get(row[ID], b"")
            found[row[ID]] = hashlib.blake2b(before + repr(row).encode(), digest_size=16).digest()
    return found


def unchanged(
    store: Store, last: Pointer, inputs: Mapping[str, Stored | Part], *, provenance: bool = False
) -> frozenset[str]:
    """Ids of the problems whose rows are the same in all inputs as when `last` was made; none if what it read is gone.
    The first input is the one whose rows are the problems."""
    same: frozenset[str] | None = None
    for name, stored in inputs.items():
        before = store.version(name, stored.pointer.partition, last.inputs.get(name, {}).get(stored.pointer.partition))
        if before is None:
            return frozenset()
        old, new = _digests(before, provenance=provenance), _digests(stored.table(), provenance=provenance)
        candidates = old.keys() & new.keys() if same is None else same
        # in a later input a problem may have no row, then and now
        same = frozenset(pid for pid in candidates if old.get(pid) == new.get(pid))
    return same or frozenset()


Run = Callable[[Mapping[str, Part]], Outcome[Any]]
BeginPart = Callable[[int, int], None]  # told the problems of the part that begins, and those of all parts


class Whole(NamedTuple):
    """A stage that treats each problem by itself, on one partition."""

    record: type[Record]
    key: Callable[[Any], str]
    run: Run
    provenance: bool = False


def _changed(
    whole: Whole, inputs: Mapping[str, Stored], problem_ids: Sequence[str], begin_part: BeginPart
) -> Collected:
    """The outcome over those problems of the first input, in its order."""
    made = Collected(whole.record, whole.key)
    ordered = {name: _ordered(stored.pointer, stored.table(), problem_ids) for name, stored in inputs.items()}
    for first in range(0, max(1, len(problem_ids)), CHUNK_PROBLEMS):
        end = min(first + CHUNK_PROBLEMS, len(problem_ids))
        begin_part(end - first, len(problem_ids))
        made.add(whole.run({name: one.part(first, end) for name, one in ordered.items()}))
    return made


def run_in_parts(
    whole: Whole,
    inputs: Mapping[str, Stored],
    store: Store,
    last: Pointer | None,
    begin_part: BeginPart,
) -> tuple[Collected, int]:
    """The outcome over all problems, and how many of them were taken over from `last`.

    `whole.run` takes the inputs by name. It must treat each problem by itself, give its rows in the order of the first
    input, and, unless `provenance` says that it counts, make nothing of a problem's provenance, so that the rows are
    those of a run on everything."""
    problems = list(dict.fromkeys(_ids(inputs)))
    rejected = from_table(Rejection, store.read_rejections(last)) if last else []
    same: frozenset[str] = frozenset()
    if last is not None:
        # a record that waits for a model is asked about again, also if nothing in it changed
        waiting = {r.problem_id for r in rejected if r.reason in PASSING_REASONS}
        same = unchanged(store, last, inputs, provenance=whole.provenance) - waiting
    todo = [problem_id for problem_id in problems if problem_id not in same]
    made = _changed(whole, inputs, todo, begin_part)
    if last is None or not same:
        return made, 0
    refused = [r for r in rejected if r.problem_id in same]
    kept = store.read(last)
    kept = kept.filter(pc.is_in(kept[ID], value_set=pa.array(sorted(same), pa.string())))
    made.take_over(kept, refused, kept[ID].to_pylist())
    made.sort(ID, problems)
    made.input_ids = problems
    return made, len(same)


def run_one_by_one(stage: str, function: Callable[..., Outcome[T]], inputs: Mapping[str, Part]) -> Outcome[T]:
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


def _part(inputs: Mapping[str, Part], problem_ids: Sequence[str]) -> dict[str, Part]:
    wanted = pa.array(problem_ids, pa.string())
    return {n: Part(p.pointer, p.held.filter(pc.is_in(p.held[ID], value_set=wanted))) for n, p in inputs.items()}
