"""Runs the plan: one Dagster run a partition, in this process, on the home's own instance."""

import os
import warnings
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import dagster as dg

from assets._stage import STAGES, external_version
from assets.partitions import BATCHES, SYSTEMS, batch_files, system_settings
from dagster_project.definitions import STAGE_ASSETS, defs
from dagster_project.plan import Stale, order
from resources.home import Home
from stepforge.errors import PipelineError

Key = tuple[str, str | None]  # stage and partition

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class Failed(NamedTuple):
    """A stage that did not succeed."""

    stage: str
    partition: str | None
    message: str
    users: bool  # True if the user can mend it: a PipelineError


def instance_of(home: Home) -> dg.DagsterInstance:
    """The home's Dagster instance; other processes of Stepforge find the same one."""
    home.prepare()
    os.environ["STEPFORGE_HOME"] = str(home.root)
    os.environ["DAGSTER_HOME"] = str(home.dagster)
    warnings.filterwarnings("ignore", category=dg.BetaWarning)
    warnings.filterwarnings("ignore", category=dg.PreviewWarning)
    return dg.DagsterInstance.get()


def report_external(instance: dg.DagsterInstance, asset: str, partition: str, version: str) -> None:
    """Tell Dagster which version of a batch's files or a system's settings now stands."""
    instance.report_runless_asset_event(
        dg.AssetMaterialization(asset, partition=partition, tags={"dagster/data_version": version})
    )


def sync_partitions(instance: dg.DagsterInstance, home: Home) -> None:
    """Make Dagster's partitions those of the home: its batches and its systems, with the versions that stand."""
    for asset, definition, names in (
        ("batch_files", BATCHES, home.batches.names()),
        ("system_settings", SYSTEMS, home.systems.names()),
    ):
        known = set(instance.get_dynamic_partitions(str(definition.name)))
        new = [name for name in names if name not in known]
        instance.add_dynamic_partitions(str(definition.name), new)
        for name in new:
            report_external(instance, asset, name, external_version(home, asset, name))


def _failures(result: dg.ExecuteInProcessResult, partition: str | None) -> list[Failed]:
    found = []
    for event in result.all_events:
        if event.is_step_failure:
            error = event.step_failure_data.error
            cause = error.cause if error and error.cause else error
            name = event.step_key or "?"
            kind = (cause.cls_name if cause else None) or ""
            text = (cause.message if cause else "").strip()
            users = kind in _user_errors()
            found.append(Failed(name, partition, text.split(": ", 1)[-1] if users else text, users))
    return found


def _user_errors() -> set[str]:
    names: set[str] = set()
    waiting: list[type[PipelineError]] = [PipelineError]
    while waiting:
        one = waiting.pop()
        names.add(one.__name__)
        waiting += one.__subclasses__()
    return names


def run_partition(
    instance: dg.DagsterInstance, stages: Sequence[str], partition: str | None, forced: AbstractSet[Key]
) -> list[Failed]:
    """Materialize those stages for one partition; what failed (with all below it left as it was).

    A stage that is not forced keeps its stored rows if, when its turn comes, code and inputs are what they were."""
    ops = {name: {"config": {"reuse": (name, partition) not in forced}} for name in stages}
    result = dg.materialize(
        [batch_files, system_settings, *STAGE_ASSETS],
        instance=instance,
        resources=dict(defs.resources or {}),
        partition_key=partition,
        selection=dg.AssetSelection.assets(*stages),
        run_config={"ops": ops, **QUIET},
        raise_on_error=False,
        tags={"stepforge/started_by": "command line"},
    )
    return _failures(result, partition)


def execute(
    home: Home, instance: dg.DagsterInstance, work: Iterable[Stale], *, forced: AbstractSet[Key]
) -> list[Failed]:
    """Run it: every batch, then every system, then the report.  A partition that fails costs itself and what reads it,
    no other."""
    sync_partitions(instance, home)
    wanted = {(s.stage, s.partition) for s in work}
    failed: list[Failed] = []
    for kind in ("batch", "system", None):
        names = [n for n in order() if STAGES[n].partitions == kind]
        for partition in sorted({p for n, p in wanted if n in names}, key=lambda p: p or ""):
            stages = [n for n in names if (n, partition) in wanted]
            failed += run_partition(instance, stages, partition, forced)
    return failed
