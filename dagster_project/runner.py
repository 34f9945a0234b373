"""Runs the plan: one Dagster run a partition, in this process, on the home's own instance."""

import secrets
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from typing import NamedTuple

import dagster as dg

from assets._stage import BUILD_TAG, STAGES
from assets.partitions import batch_files, system_settings
from dagster_project.definitions import defs
from dagster_project.instance import PROCESS_TAG, end_dead_runs, sync_partitions, tell_what_stands, this_process
from dagster_project.plan import Stale, order
from dagster_project.stages import STAGE_ASSETS
from resources.arrivals import arrival_order
from resources.home import Home
from stepforge.errors import PipelineError

Key = tuple[str, str | None]  # stage and partition

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
INTERRUPTED = "DagsterExecutionInterruptedError"


class Failed(NamedTuple):
    """A stage that did not succeed."""

    stage: str
    partition: str | None
    message: str
    users: bool  # True if the user can mend it: a PipelineError


class Models(NamedTuple):
    """How a build asks models.  build: what a budget counts together.  replay_only: nothing is sent."""

    build: str
    replay_only: bool = False

    @classmethod
    def of_new_build(cls, *, replay_only: bool = False) -> "Models":
        """A build of its own."""
        return cls(f"build-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}", replay_only)


class Interrupted(Exception):
    """The user stopped the build; what was finished is kept."""


def _user_errors() -> set[str]:
    names: set[str] = set()
    waiting: list[type[PipelineError]] = [PipelineError]
    while waiting:
        one = waiting.pop()
        names.add(one.__name__)
        waiting += one.__subclasses__()
    return names


def _failures(result: dg.ExecuteInProcessResult, partition: str | None) -> list[Failed]:
    """What failed.  Raises: Interrupted."""
    found = []
    for event in result.all_events:
        if event.is_step_failure:
            error = event.step_failure_data.error
            cause = error.cause if error and error.cause else error
            kind = (cause.cls_name if cause else None) or ""
            if INTERRUPTED in (kind, error.cls_name if error else None):
                raise Interrupted
            text = (cause.message if cause else "").strip()
            users = kind in _user_errors()
            found.append(Failed(event.step_key or "?", partition, text.split(": ", 1)[-1] if users else text, users))
    if not result.success and not found:
        told = [event.message or "" for event in result.all_events if event.is_failure]
        found.append(Failed("the run", partition, told[-1] if told else "Dagster gives no reason", users=False))
    return found


def run_partition(
    instance: dg.DagsterInstance,
    stages: Sequence[str],
    partition: str | None,
    forced: AbstractSet[Key],
    models: Models,
) -> list[Failed]:
    """Materialize those stages for one partition; what failed (with all below it left as it was).

    A stage that is not forced keeps its stored rows if, when its turn comes, code and inputs are what they were."""
    ops = {
        name: {"config": {"reuse": (name, partition) not in forced, "replay_only": models.replay_only}}
        for name in stages
    }
    result = dg.materialize(
        [batch_files, system_settings, *STAGE_ASSETS],
        instance=instance,
        resources=dict(defs.resources or {}),
        partition_key=partition,
        selection=dg.AssetSelection.assets(*stages),
        run_config={"ops": ops, **QUIET},
        raise_on_error=False,
        tags={"stepforge/started_by": "command line", PROCESS_TAG: this_process(), BUILD_TAG: models.build},
    )
    return _failures(result, partition)


def make_ready(home: Home, instance: dg.DagsterInstance) -> None:
    """Bring Dagster in step with the home, also after a process was killed."""
    end_dead_runs(instance)
    sync_partitions(instance, home)
    tell_what_stands(instance, home)


def _turns(kind: str | None) -> list[str | None]:
    """All partitions of a kind in the order in which they are built: batches as they came."""
    home = Home.from_environment()
    return [None] if kind is None else list(arrival_order(home) if kind == "batch" else home.systems.names())


def execute(
    instance: dg.DagsterInstance, work: Iterable[Stale], *, forced: AbstractSet[Key], models: Models
) -> list[Failed]:
    """Run it: every batch, then every system, then the report.  A batch that fails costs itself and no other; systems
    are then scored on the tasks that stand, which the caller should say.  Raises: Interrupted."""
    wanted = {(s.stage, s.partition) for s in work}
    failed: list[Failed] = []
    for kind in ("batch", "system", None):
        names = [n for n in order() if STAGES[n].partitions == kind]
        have = {p for n, p in wanted if n in names}
        for partition in [p for p in _turns(kind) if p in have]:
            stages = [n for n in names if (n, partition) in wanted]
            failed += run_partition(instance, stages, partition, forced, models)
    return failed
