"""What all stages share: inputs, versions, progress, conservation, metadata."""

import inspect
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import dagster as dg

from assets._incremental import run_on_changes
from assets._preview import preview_markdown
from assets.partitions import PARTITIONS
from resources.code import code_version
from resources.home import Home
from resources.io_manager import ALL_PARTITIONS
from resources.progress import LogWatcher, Watcher, watcher_or
from resources.store import Pointer, StageResult, Stored
from stepforge.arrow import arrow_schema, content_hash, to_table
from stepforge.outcome import Outcome, unaccounted
from stepforge.records import Record, Rejection
from stepforge.vocabulary import Disposition

T = TypeVar("T", bound=Record)

CONSERVED = "counts_are_conserved"
OWNER = "team:benchmark-builders"


class StageConfig(dg.Config):
    """Launch settings of a stage."""

    reuse: bool = False
    """Keep the stored partition if code and inputs are what they were; otherwise the stage is run."""


@dataclass(frozen=True)
class Stage:
    """What a stage is, as its module declares it."""

    name: str
    record: type[Record]
    partitions: str | None
    inputs: tuple[str, ...]
    all_of: tuple[str, ...]
    external: str | None
    reads_rejections: bool
    per_problem: bool
    key: Callable[[Any], str]
    code_version: str


STAGES: dict[str, Stage] = {}


class NotConserved(Exception):
    """A stage lost, doubled or invented records: a fault of its code, never of its data."""


class Work:
    """What a stage's function is given beside its inputs."""

    def __init__(self, home: Home, stage: str, partition: str | None, watcher: Watcher) -> None:
        self.home, self.stage, self.partition, self._watcher = home, stage, partition, watcher
        self.notes: dict[str, list[str]] = {}
        self.taken_over = 0  # records whose rows are those of the version before

    def note(self, name: str, lines: Sequence[str]) -> None:
        """Something that a person should know of this run and that concerns no input record."""
        self.notes[name] = list(lines)

    def begin(self, total: int) -> Callable[[int], None]:
        """Announce the number of records; the function to call with the number finished since the last call."""
        self._watcher.start(self.stage, self.partition or "all", total)
        return self._watcher.advance


def version_read(stage: Stage, pointer: Pointer) -> str:
    """What the stage reads of an upstream partition: its rows, and where it shows them its rejections, too."""
    return f"{pointer.data_version}+{pointer.rejections_version}" if stage.reads_rejections else pointer.data_version


def _versions(stage: Stage, inputs: Mapping[str, Stored | dict[str, Stored]]) -> dict[str, dict[str, str]]:
    def versions(value: Stored | dict[str, Stored]) -> dict[str, str]:
        parts = value.values() if isinstance(value, dict) else [value]
        return {s.pointer.partition: version_read(stage, s.pointer) for s in parts}

    return {name: versions(value) for name, value in inputs.items()}


def _counts(rejections: Sequence[Rejection], *, applicable: bool) -> dict[str, int]:
    counted = Counter(
        str(r.reason) for r in rejections if (r.disposition is not Disposition.NOT_APPLICABLE) is applicable
    )
    return dict(sorted(counted.items()))


def build_result(
    stage: Stage, outcome: Outcome[Any], inputs: dict[str, dict[str, str]], seconds: float
) -> tuple[StageResult, dict[str, list[str]]]:
    """The result to store and the faults of conservation (empty if every input record is accounted for)."""
    kept_ids = {stage.key(row) for row in outcome.kept}
    faults = unaccounted(outcome.input_ids, kept_ids, (r.record_id for r in outcome.rejections))
    rows = to_table(stage.record, outcome.kept)
    rejections = to_table(Rejection, sorted(outcome.rejections, key=lambda r: (r.record_id, r.reason)))
    result = StageResult(
        record=stage.record,
        rows=rows,
        rejections=rejections,
        data_version=content_hash(stage.record, rows),
        rejections_version=content_hash(Rejection, rejections),
        code_version=stage.code_version,
        inputs=inputs,
        seconds=seconds,
        rows_in=len(set(outcome.input_ids)),
        rows_kept=len(kept_ids),
        dropped=_counts(outcome.rejections, applicable=True),
        not_applicable=_counts(outcome.rejections, applicable=False),
    )
    return result, faults


def _metadata(stage: Stage, result: StageResult) -> dict[str, Any]:
    columns = [
        dg.TableColumn(f.name, str(f.type), (f.metadata or {}).get(b"description", b"").decode() or None)
        for f in arrow_schema(stage.record)
    ]
    return {
        "dagster/row_count": result.rows.num_rows,
        "dagster/column_schema": dg.TableSchema(columns=columns),
        "records_in": result.rows_in,
        "records_kept": result.rows_kept,
        "dropped": sum(result.dropped.values()),
        "dropped_by_reason": dg.JsonMetadataValue(result.dropped),
        "not_applicable": sum(result.not_applicable.values()),
        "not_applicable_by_reason": dg.JsonMetadataValue(result.not_applicable),
        "seconds": round(result.seconds, 3),
        "preview": dg.MarkdownMetadataValue(preview_markdown(result.rows)),
    }


def _notes(work: Work) -> dict[str, Any]:
    return {"unchanged_since_last_build": work.taken_over} | {
        name: dg.JsonMetadataValue({"count": len(lines), "first": lines[:20]}) for name, lines in work.notes.items()
    }


def _unchanged(stage: Stage, pointer: Pointer | None, inputs: dict[str, dict[str, str]]) -> bool:
    return pointer is not None and pointer.code_version == stage.code_version and pointer.inputs == inputs


def stage(
    *,
    record: type[Record],
    group: str,
    partitions: str | None = "batch",
    external: str | None = None,
    reads_rejections: bool = False,
    per_problem: bool = False,
    parameters: str = "",
    kinds: Sequence[str] = ("python", "parquet"),
    key: Callable[[Any], str] = lambda row: str(row.problem_id),
) -> Callable[[Callable[..., Outcome[T]]], dg.AssetsDefinition]:
    """Make an asset of a function `(work, <upstream>: Stored | dict[str, Stored], …) -> Outcome[record]`.

    The function's module and all of the project that it imports are the code version.
    partitions: the kind of partition, None for one table.
    An upstream annotated `Stored` is read in the same partition, `dict[str, Stored]` in all partitions.
    external: asset outside the pipeline whose version decides, too (a batch's files, a system's settings).
    reads_rejections: other rejections upstream make it stale even where the rows are the same.
    per_problem: each problem is treated by itself, in the order of the first input, and nothing is made of its
    provenance: only those that changed are run.
    key: the input record that a row stands for; with the rejections these must be exactly the inputs."""

    def decorate(function: Callable[..., Outcome[T]]) -> dg.AssetsDefinition:
        name = function.__name__
        parameters_of = dict(list(inspect.signature(function).parameters.items())[1:])
        all_of = tuple(n for n, p in parameters_of.items() if p.annotation == dict[str, Stored])
        this = Stage(
            name=name,
            record=record,
            partitions=partitions,
            inputs=tuple(parameters_of),
            all_of=all_of,
            external=external,
            reads_rejections=reads_rejections,
            per_problem=per_problem,
            key=key,
            code_version=code_version([function.__module__], [record], parameters),
        )
        STAGES[name] = this

        @dg.asset(
            name=name,
            ins={n: _asset_in(n in all_of) for n in parameters_of},
            deps=[external] if external else [],
            partitions_def=PARTITIONS[partitions] if partitions else None,
            description=inspect.getdoc(function),
            owners=[OWNER],
            kinds=set(kinds),
            group_name=group,
            code_version=this.code_version,
            io_manager_key="store",
            check_specs=[
                dg.AssetCheckSpec(
                    CONSERVED,
                    asset=name,
                    blocking=True,
                    description="Every record that came in is a row or a rejection, once.",
                )
            ],
        )
        def asset(
            context: dg.AssetExecutionContext, config: StageConfig, home: dg.ResourceParam[Home], **inputs: Any
        ) -> Iterator[Any]:
            yield from _run(this, function, context, config, home, inputs)

        return asset

    return decorate


def _asset_in(every: bool) -> dg.AssetIn:
    if every:
        return dg.AssetIn(metadata={ALL_PARTITIONS: True}, partition_mapping=dg.AllPartitionMapping())
    return dg.AssetIn()


def external_version(home: Home, external: str, partition: str) -> str:
    """Version of what lies outside the pipeline: a batch's manifest or a system's settings."""
    if external == "batch_files":
        return home.batches.get(partition).version()
    return home.systems.get(partition).version()


def _outcome(
    stage: Stage,
    function: Callable[..., Outcome[Any]],
    work: Work,
    config: StageConfig,
    stood: Pointer | None,
    inputs: dict[str, Any],
) -> Outcome[Any]:
    """What the function makes of all inputs; of a stage that treats each problem by itself, run on what changed."""
    if not (config.reuse and stage.per_problem and stood is not None and stood.code_version == stage.code_version):
        return function(work, **inputs)
    outcome, taken_over = run_on_changes(partial(function, work), stage.record, work.home.store, stood, inputs)
    work.taken_over = taken_over
    return outcome


def _run(
    stage: Stage,
    function: Callable[..., Outcome[Any]],
    context: dg.AssetExecutionContext,
    config: StageConfig,
    home: Home,
    inputs: dict[str, Any],
) -> Iterator[Any]:
    partition = context.partition_key if stage.partitions else None
    versions = _versions(stage, inputs)
    if stage.external and partition:
        versions[stage.external] = {partition: external_version(home, stage.external, partition)}
    stood = home.store.pointer(stage.name, partition)
    if config.reuse and stood is not None and _unchanged(stage, stood, versions):
        yield dg.AssetCheckResult(passed=True, check_name=CONSERVED, metadata={"reused": True})
        yield dg.Output(
            stood,
            data_version=dg.DataVersion(stood.data_version),
            metadata={"dagster/row_count": stood.rows_out, "reused": True},
        )
        return
    watcher = watcher_or(LogWatcher(context.log.info))
    began = time.monotonic()
    work = Work(home, stage.name, partition, watcher)
    outcome = _outcome(stage, function, work, config, stood, inputs)
    result, faults = build_result(stage, outcome, versions, time.monotonic() - began)
    watcher.finish(
        f"{result.rows_in} in, {result.rows_kept} kept as {result.rows.num_rows} rows, "
        f"{sum(result.dropped.values())} dropped, {sum(result.not_applicable.values())} not applicable"
        + (f", {work.taken_over} unchanged since the last build" if work.taken_over else "")
        + "".join(f", {name.replace('_', ' ')}: {len(lines)}" for name, lines in work.notes.items())
    )
    yield dg.AssetCheckResult(
        passed=not faults,
        check_name=CONSERVED,
        metadata={"in": result.rows_in, "faults": dg.JsonMetadataValue({k: v[:20] for k, v in faults.items()})},
    )
    if faults:
        told = ", ".join(f"{how} {len(ids)} ({ids[0]}, …)" for how, ids in faults.items())
        raise NotConserved(f"{stage.name}: {told}; nothing was stored")
    yield dg.Output(
        result, data_version=dg.DataVersion(result.data_version), metadata=_metadata(stage, result) | _notes(work)
    )
