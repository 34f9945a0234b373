"""Tables of all stages: Parquet by content, with a pointer that says which version is current and what it was made of.

    <root>/<stage>/<partition>/<data version>.parquet            rows
    <root>/<stage>/<partition>/rejections-<version>.parquet      rejections
    <root>/<stage>/<partition>/current.json                      pointer

A version's content never changes, so an older materialization can still be read, and the pointer is replaced last, so a
reader never sees half a partition.
"""

import io
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict
from upath import UPath

from resources.atomic import write_atomic
from stepforge.arrow import batches_of, from_table
from stepforge.errors import NotBuilt, PipelineError
from stepforge.records import Record, Rejection

T = TypeVar("T", bound=Record)

WHOLE = "_all"  # partition name of a stage that has none
POINTER = "current.json"

Inputs = Mapping[str, Mapping[str, str]]  # input name -> partition -> version that was read


class ModelUse(BaseModel):
    """What a stage used of models: what its replies cost when they were paid, and what was paid in this run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    replies: int = 0
    from_store: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: str = "0"
    paid_usd: str = "0"
    unpriced: int = 0  # replies of models without a known price: they are in no sum

    def plus(self, more: "ModelUse") -> "ModelUse":
        """Both together."""
        mine, its = self.model_dump(), more.model_dump()
        money = {n: str(Decimal(mine[n]) + Decimal(its[n])) for n in mine if isinstance(mine[n], str)}
        return ModelUse(**{n: mine[n] + its[n] for n in mine if n not in money}, **money)


class Pointer(BaseModel):
    """Which version of a stage's partition is current, and how it came about."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    partition: str
    record: str
    data_version: str
    rejections_version: str
    code_version: str
    inputs: dict[str, dict[str, str]]
    run_id: str
    written_at: datetime
    seconds: float
    rows_in: int
    rows_kept: int  # input records that became rows
    rows_out: int
    dropped: dict[str, int]  # dropped and quarantined, by reason
    not_applicable: dict[str, int]
    models: ModelUse | None = None  # None: the stage asked no model


class StageResult(NamedTuple):
    """What a stage hands to the store."""

    record: type[Record]
    rows: pa.Table
    rejections: pa.Table
    data_version: str
    rejections_version: str
    code_version: str
    inputs: Inputs
    seconds: float
    rows_in: int
    rows_kept: int
    dropped: dict[str, int]
    not_applicable: dict[str, int]
    models: ModelUse | None = None


class Stored(NamedTuple):
    """A stage's partition as read: its rows are loaded when they are asked for."""

    store: "Store"
    pointer: Pointer

    def table(self) -> pa.Table:
        """Rows as Arrow."""
        return self.store.read(self.pointer)

    def rows(self, record: type[T]) -> list[T]:
        """Rows as records."""
        return from_table(record, self.table())

    def batches(self, record: type[T]) -> Iterator[list[T]]:
        """Rows as records, some at a time."""
        return batches_of(record, self.table())

    def rejections(self) -> list[Rejection]:
        """Rejections as records."""
        return from_table(Rejection, self.store.read_rejections(self.pointer))


class Store:
    """The tables under `root`, a local folder or any fsspec URL."""

    def __init__(self, root: UPath) -> None:
        self.root = root

    def _folder(self, stage: str, partition: str | None) -> UPath:
        return self.root / stage / (partition or WHOLE)

    def pointer(self, stage: str, partition: str | None) -> Pointer | None:
        """The current pointer, or None if the partition was never built.  Raises: PipelineError if it is damaged."""
        path = self._folder(stage, partition) / POINTER
        try:
            text = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        try:
            return Pointer.model_validate_json(text)
        except ValueError:
            raise PipelineError(f"{path} is damaged or of another version; delete it and build {stage} again") from None

    def stored(self, stage: str, partition: str | None) -> Stored:
        """The current partition.  Raises: NotBuilt if there is none."""
        pointer = self.pointer(stage, partition)
        if pointer is None:
            where = f" of {partition}" if partition else ""
            raise NotBuilt(f"{stage}{where} has not been built yet; run: stepforge build --stage {stage}")
        return Stored(self, pointer)

    def partitions(self, stage: str) -> list[str]:
        """Names of the stage's partitions that exist, sorted."""
        folder = self.root / stage
        if not folder.exists():
            return []
        return sorted(p.name for p in folder.iterdir() if (p / POINTER).exists())

    def read(self, pointer: Pointer) -> pa.Table:
        """Rows of that version."""
        return self._read(pointer, f"{pointer.data_version}.parquet")

    def version(self, stage: str, partition: str, data_version: str | None) -> pa.Table | None:
        """Rows of a version that may be gone: then, or if no version is asked for, None."""
        path = self._folder(stage, partition) / f"{data_version}.parquet"
        if data_version is None or not path.exists():
            return None
        try:
            return pq.read_table(io.BytesIO(path.read_bytes()))
        except pa.ArrowInvalid:
            return None

    def is_whole(self, pointer: Pointer) -> bool:
        """Whether the files of that version are there."""
        folder = self._folder(pointer.stage, pointer.partition)
        names = (f"{pointer.data_version}.parquet", f"rejections-{pointer.rejections_version}.parquet")
        return all((folder / name).exists() for name in names)

    def read_rejections(self, pointer: Pointer) -> pa.Table:
        """Rejections of that version."""
        return self._read(pointer, f"rejections-{pointer.rejections_version}.parquet")

    def _read(self, pointer: Pointer, name: str) -> pa.Table:
        path = self._folder(pointer.stage, pointer.partition) / name
        repair = f"build it again: stepforge build --stage {pointer.stage}"
        try:
            return pq.read_table(io.BytesIO(path.read_bytes()))
        except FileNotFoundError:
            raise PipelineError(f"{path} is gone; {repair}") from None
        except pa.ArrowInvalid:
            raise PipelineError(f"{path} is damaged; {repair}") from None

    def write(self, stage: str, partition: str | None, result: StageResult, run_id: str, now: datetime) -> Pointer:
        """Store the result as the partition's current version, and the pointer that now stands."""
        folder = self._folder(stage, partition)
        named = {
            f"{result.data_version}.parquet": (result.rows, result.data_version),
            f"rejections-{result.rejections_version}.parquet": (result.rejections, result.rejections_version),
        }
        for name, (table, version) in named.items():
            write_atomic(folder / name, _parquet(table, stage, version))  # also mends a damaged file of that version
        pointer = Pointer(
            stage=stage,
            partition=partition or WHOLE,
            record=result.record.__name__,
            data_version=result.data_version,
            rejections_version=result.rejections_version,
            code_version=result.code_version,
            inputs={name: dict(sorted(versions.items())) for name, versions in sorted(result.inputs.items())},
            run_id=run_id,
            written_at=now,
            seconds=result.seconds,
            rows_in=result.rows_in,
            rows_kept=result.rows_kept,
            rows_out=result.rows.num_rows,
            dropped=result.dropped,
            not_applicable=result.not_applicable,
            models=result.models,
        )
        write_atomic(folder / POINTER, json.dumps(pointer.model_dump(mode="json"), indent=1).encode())
        return pointer


def _parquet(table: pa.Table, stage: str, version: str) -> bytes:
    metadata = {**(table.schema.metadata or {}), b"stage": stage.encode(), b"data_version": version.encode()}
    sink = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")
    return sink.getvalue()
