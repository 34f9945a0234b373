"""The home's Dagster instance: made ready, in step with the home, and free of what a killed process left behind."""

import os
import warnings
from collections.abc import Iterable

import dagster as dg
import psutil

from assets._run import metadata_of
from assets._stage import EXTERNAL_ASSETS, EXTERNALS, STAGES
from assets.partitions import BATCHES, SYSTEMS
from resources.home import Home
from resources.store import Pointer

DATA_VERSION, CODE_VERSION = "dagster/data_version", "dagster/code_version"
UNFINISHED = {"NOT_STARTED", "STARTING", "STARTED", "CANCELING"}
PROCESS_TAG = "stepforge/process"  # pid and start time of the command that executes a run


def this_process() -> str:
    """Name of this process that no later one can have."""
    process = psutil.Process()
    return f"{process.pid}@{process.create_time():.2f}"


def _is_alive(process: str) -> bool:
    pid, _, created = process.partition("@")
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" == created
    except (psutil.Error, ValueError):
        return False


def instance_of(home: Home) -> dg.DagsterInstance:
    """The home's Dagster instance; other processes of Stepforge find the same one."""
    home.prepare()
    os.environ["STEPFORGE_HOME"] = str(home.root)
    os.environ["DAGSTER_HOME"] = str(home.dagster)
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    warnings.filterwarnings("ignore", category=dg.PreviewWarning)
    return dg.DagsterInstance.get()


def end_dead_runs(instance: dg.DagsterInstance) -> int:
    """Mark as failed the runs whose command was killed, and count them: no monitor does it for runs in a command's own
    process, and they would hold their places in the queue for ever."""
    unfinished = dg.RunsFilter(statuses=[status for status in dg.DagsterRunStatus if status.value in UNFINISHED])
    dead = [
        run
        for run in instance.get_runs(unfinished)
        if PROCESS_TAG in run.tags and not _is_alive(run.tags[PROCESS_TAG])  # others belong to the daemon
    ]
    for run in dead:
        instance.report_run_failed(run, "the command that executed this run was killed")
    return len(dead)


def report_external(instance: dg.DagsterInstance, asset: str, partition: str, version: str) -> None:
    """Tell Dagster which version of a batch's files or a system's settings now stands."""
    instance.report_runless_asset_event(
        dg.AssetMaterialization(asset, partition=partition, tags={DATA_VERSION: version})
    )


def sync_partitions(instance: dg.DagsterInstance, home: Home) -> None:
    """Make Dagster's partitions those of the home: its batches and its systems, with the versions that stand."""
    for asset, definition, names in zip(
        EXTERNAL_ASSETS, (BATCHES, SYSTEMS), (home.batches.names(), home.systems.names()), strict=True
    ):
        kind = str(definition.name)
        known = set(instance.get_dynamic_partitions(kind))
        for gone in sorted(known - set(names)):
            instance.delete_dynamic_partition(kind, gone)
        new = [name for name in names if name not in known]
        instance.add_dynamic_partitions(kind, new)
        for name in new:
            report_external(instance, asset, name, EXTERNALS[asset](home, name))


def _built(home: Home) -> Iterable[tuple[str, str | None, Pointer]]:
    for stage in STAGES.values():
        for name in home.built(stage.name):
            partition = name if stage.partitions else None
            pointer = home.store.pointer(stage.name, partition)
            if pointer is not None:
                yield stage.name, partition, pointer


def tell_what_stands(instance: dg.DagsterInstance, home: Home) -> int:
    """Report to Dagster the stored partitions that it does not know of: those of a process that was killed between
    storing and reporting, or all of them if its database was lost.  The number of them."""
    built = list(_built(home))
    runs = (
        instance.get_runs(dg.RunsFilter(run_ids=sorted({pointer.run_id for _, _, pointer in built}))) if built else []
    )
    sound = {run.run_id for run in runs if run.status is dg.DagsterRunStatus.SUCCESS}
    told = 0
    for stage, partition, pointer in built:
        if pointer.run_id in sound:
            continue
        key = dg.AssetKey(stage)
        event = instance.fetch_materializations(
            dg.AssetRecordsFilter(asset_key=key, asset_partitions=[partition] if partition else None), limit=1
        ).records
        tags = (event[0].asset_materialization.tags or {}) if event and event[0].asset_materialization else {}
        if tags.get(DATA_VERSION) == pointer.data_version and tags.get(CODE_VERSION) == pointer.code_version:
            continue
        instance.report_runless_asset_event(
            dg.AssetMaterialization(
                key,
                partition=partition,
                metadata=metadata_of(STAGES[stage], pointer, home.store.read(pointer)),
                tags={DATA_VERSION: pointer.data_version, CODE_VERSION: pointer.code_version},
            )
        )
        told += 1
    return told
