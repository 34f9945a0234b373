"""One run of a stage on one partition: reuse, work on what changed, conservation, metadata."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import dagster as dg
import pyarrow as pa
from upath import UPath

from assets._collect import Collected, collected
from assets._incremental import Whole, run_in_parts, run_one_by_one
from assets._preview import preview_markdown
from assets._stage import CONSERVED, EXTERNALS, Stage, Work
from resources.atomic import write_atomic
from resources.home import Home
from resources.progress import LogWatcher, watcher_or
from resources.store import WHOLE, ModelUse, Pointer, StageResult, Stored
from stepforge.arrow import arrow_schema, content_hash, to_table
from stepforge.errors import PipelineError
from stepforge.outcome import unaccounted
from stepforge.records import Rejection
from stepforge.vocabulary import Disposition

Versions = dict[str, dict[str, str]]
Inputs = Mapping[str, Stored | dict[str, Stored]]


class Launch(NamedTuple):
    """How a stage was started.

    run: what a budget counts together.  reuse: keep what is stored if it is up to date, and of what is not only the
    problems that did not change.  replay_only: send nothing to a model."""

    run: str
    reuse: bool
    replay_only: bool


class NotConserved(Exception):
    """A stage lost, doubled or invented records: a fault of its code, never of its data."""


def _versions(stage: Stage, home: Home, partition: str | None, inputs: Inputs) -> Versions:
    found: Versions = {}
    for name, value in inputs.items():
        parts = value.values() if isinstance(value, dict) else [value]
        found[name] = {s.pointer.partition: stage.version_read(s.pointer) for s in parts}
    for name in stage.externals:
        found[name] = {partition or WHOLE: EXTERNALS[name](home, partition or WHOLE)}
    return found


def _counts(rejections: Sequence[Rejection], *, applicable: bool) -> dict[str, int]:
    counted = Counter(
        str(r.reason) for r in rejections if (r.disposition is not Disposition.NOT_APPLICABLE) is applicable
    )
    return dict(sorted(counted.items()))


def build_result(
    stage: Stage, outcome: Collected, inputs: Versions, seconds: float
) -> tuple[StageResult, dict[str, list[str]]]:
    """The result to store and the faults of conservation (empty if every input record is accounted for)."""
    faults = unaccounted(outcome.input_ids, outcome.kept_ids, (r.record_id for r in outcome.rejections))
    rows = outcome.table()
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
        rows_kept=len(outcome.kept_ids),
        dropped=_counts(outcome.rejections, applicable=True),
        not_applicable=_counts(outcome.rejections, applicable=False),
    )
    return result, faults


def metadata_of(stage: Stage, counts: StageResult | Pointer, rows: pa.Table) -> dict[str, Any]:
    """What the UI shows of a materialization: schema, counts by reason, a few rows."""
    columns = [
        dg.TableColumn(f.name, str(f.type), (f.metadata or {}).get(b"description", b"").decode() or None)
        for f in arrow_schema(stage.record)
    ]
    return {
        "dagster/row_count": rows.num_rows,
        "dagster/column_schema": dg.TableSchema(columns=columns),
        "records_in": counts.rows_in,
        "records_kept": counts.rows_kept,
        "dropped": sum(counts.dropped.values()),
        "dropped_by_reason": dg.JsonMetadataValue(counts.dropped),
        "not_applicable": sum(counts.not_applicable.values()),
        "not_applicable_by_reason": dg.JsonMetadataValue(counts.not_applicable),
        "seconds": round(counts.seconds, 3),
        **_models(counts.models),
        "preview": dg.MarkdownMetadataValue(preview_markdown(rows)),
    }


def _models(use: ModelUse | None) -> dict[str, Any]:
    """Tokens and money; nothing for a stage that asked no model."""
    return {} if use is None else {f"models/{name}": value for name, value in use.model_dump().items()}


def _notes(work: Work) -> dict[str, Any]:
    notes: dict[str, Any] = {"unchanged_since_last_build": work.taken_over}
    for name, lines in work.notes.items():
        notes[name] = dg.JsonMetadataValue({"count": len(lines), "first": lines[:20]})
    return notes


def _summary(work: Work, result: StageResult) -> str:
    told = (
        f"{result.rows_in} in, {result.rows_kept} kept as {result.rows.num_rows} rows, "
        f"{sum(result.dropped.values())} dropped, {sum(result.not_applicable.values())} not applicable"
    )
    if work.models is not None:
        told += f", {work.models.replies} replies for {work.models.cost_usd} USD ({work.models.paid_usd} paid now)"
    if work.taken_over:
        told += f", {work.taken_over} unchanged since the last build"
    for name, lines in work.notes.items():
        told += f", {name.replace('_', ' ')}: {len(lines)} (first: {lines[0]})"
    return told


def _outcome(
    stage: Stage,
    function: Callable[..., Any],
    work: Work,
    last: Pointer | None,
    inputs: Mapping[str, Any],
) -> Collected:
    """What the function makes of its inputs.  Of a stage that treats each problem by itself: run part by part on what
    changed since `last`, and a problem that makes the code fail becomes a rejection."""
    if not stage.per_problem:
        return collected(function(work, **inputs), stage.record, stage.key)
    run = partial(run_one_by_one, stage.name, partial(function, work))
    whole = Whole(stage.record, stage.key, run, stage.reads_provenance)
    outcome, work.taken_over = run_in_parts(whole, inputs, work.home.store, last, work.begin_part)
    return outcome


def _publish(work: Work) -> None:
    """Write the pages for people.  Raises: PipelineError if one cannot be written."""
    try:
        for write in work.later:
            write()
        for path, data in work.pages.items():
            write_atomic(UPath(path), data)
    except OSError as error:
        raise PipelineError(f"{error.filename or 'a page'} cannot be written ({error.strerror})") from None


def run(
    stage: Stage,
    function: Callable[..., Any],
    home: Home,
    partition: str | None,
    inputs: Mapping[str, Any],
    how: Launch,
    log: Callable[[str], None],
) -> Iterator[Any]:
    """The check and the output of the asset.  Raises: NotConserved; then nothing is stored."""
    versions = _versions(stage, home, partition, inputs)
    stood = home.store.pointer(stage.name, partition)
    last = stood if how.reuse and stood and stood.code_version == stage.code_version else None
    if last is not None and last.inputs == versions and stage.stands(home, last):
        yield dg.AssetCheckResult(passed=True, check_name=CONSERVED, metadata={"reused": True})
        metadata = metadata_of(stage, last, home.store.read(last)) | {"reused": True}
        yield dg.Output(last, data_version=dg.DataVersion(last.data_version), metadata=metadata)
        return
    began = time.monotonic()
    work = Work(home, stage.name, partition, watcher_or(LogWatcher(log)), run=how.run, replay_only=how.replay_only)
    outcome = _outcome(stage, function, work, last, inputs)
    result, faults = build_result(stage, outcome, versions, time.monotonic() - began)
    if not faults:
        _publish(work)
    result = result._replace(models=work.models, seconds=time.monotonic() - began)
    work.finish(_summary(work, result))
    yield dg.AssetCheckResult(
        passed=not faults,
        check_name=CONSERVED,
        metadata={"in": result.rows_in, "faults": dg.JsonMetadataValue({k: v[:20] for k, v in faults.items()})},
    )
    if faults:
        told = ", ".join(f"{how} {len(ids)} ({ids[0]}, …)" for how, ids in faults.items())
        raise NotConserved(f"{stage.name}: {told}; nothing was stored")
    metadata = metadata_of(stage, result, result.rows) | _notes(work)
    yield dg.Output(result, data_version=dg.DataVersion(result.data_version), metadata=metadata)
