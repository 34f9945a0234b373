"""The way back: which versions a partition was made from, and where one row came from."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from assets._stage import STAGES, Stage
from resources.home import Home
from resources.store import Pointer, Stored
from stepforge.errors import BadRequest

ID_FIELDS = (
    "task_id", "variant_id", "trajectory_id", "item_id", "problem_id", "document_id", "system",
)  # fmt: skip


class Made(NamedTuple):
    """One partition in the way back."""

    depth: int
    stage: str
    partition: str
    version: str
    pointer: Pointer | None
    current: bool


def upstream(home: Home, stored: Stored) -> Iterator[Made]:
    """The partition and everything that it was made from, each once, nearest first."""
    seen: set[tuple[str, str, str]] = set()

    def walk(stage: str, partition: str, version: str, depth: int) -> Iterator[Made]:
        if (stage, partition, version) in seen:
            return
        seen.add((stage, partition, version))
        pointer = home.store.pointer(stage, partition) if stage in STAGES else None
        rows_version = version.split("+", maxsplit=1)[0]  # without the version of the rejections
        current = pointer is None or pointer.data_version == rows_version
        yield Made(depth, stage, partition, rows_version, pointer, current)
        for name, versions in (pointer.inputs if pointer and current else {}).items():
            for part, input_version in versions.items():
                yield from walk(name, part, input_version, depth + 1)

    pointer = stored.pointer
    return walk(pointer.stage, pointer.partition, pointer.data_version, 0)


def id_field(stage: Stage) -> str:
    """The field that names a row of the stage."""
    fields = stage.record.model_fields
    return next((f for f in ID_FIELDS if f in fields), next(iter(fields)))


class Trace(NamedTuple):
    """What one stage says of a record: its rows, or why it has none."""

    stage: str
    partition: str
    rows: list[dict[str, Any]]
    rejections: list[dict[str, Any]]


def _matching(table_rows: list[dict[str, Any]], ids: set[str]) -> list[dict[str, Any]]:
    return [r for r in table_rows if ids & {str(r[f]) for f in (*ID_FIELDS, "record_id") if r.get(f) is not None}]


def trace(home: Home, stored: Stored, record_id: str) -> list[Trace]:
    """Every stage in the way back with the rows and rejections that speak of the record.  Raises: BadRequest."""
    own = _matching(stored.table().to_pylist(), {record_id})
    own += _matching(home.store.read_rejections(stored.pointer).to_pylist(), {record_id})
    ids = {record_id} | {str(r["problem_id"]) for r in own if r.get("problem_id")}
    if not own:  # refused further up: the ids of tasks and variants begin with the problem's
        parts = record_id.split(":")
        ids |= {":".join(parts[:n]) for n in range(1, len(parts))}
    found = _speaking(home, stored, ids)
    if not found:
        stage, partition = STAGES[stored.pointer.stage], stored.pointer.partition
        option = f" --{stage.partitions} {partition}" if stage.partitions else ""
        raise BadRequest(
            f"neither {stage.name} of {partition} nor any stage above it has a record {record_id!r}; see the ids "
            f"({id_field(stage)}) with: stepforge rows {stage.name}{option} --format jsonl, "
            "and those of refused records with: stepforge rejections --format jsonl"
        )
    return found


def _speaking(home: Home, stored: Stored, ids: set[str]) -> list[Trace]:
    """Every stage in the way back that has rows or rejections of these ids, and of those that they lead to."""
    found = []
    for made in upstream(home, stored):
        if made.pointer is None or not made.current:
            continue
        rows = _matching(home.store.read(made.pointer).to_pylist(), ids)
        refused = _matching(home.store.read_rejections(made.pointer).to_pylist(), ids)
        for row in rows:
            ids.update(str(row[f]) for f in ("task_id", "problem_id") if row.get(f))
            if row.get("provenance"):
                ids.add(row["provenance"]["document_id"])
        if rows or refused:
            found.append(Trace(made.stage, made.partition, rows, refused))
    return found
