"""`stepforge build` and `stepforge status`: what is out of date, and its rebuilding."""

from collections.abc import Sequence
from typing import Annotated

import typer

from assets._stage import STAGES, waiting_for_models
from dagster_project.cli._console import errors, safe, say, table
from dagster_project.cli._progress import Live
from dagster_project.instance import instance_of
from dagster_project.plan import Stale, checked_stage, downstream, order, partitions_of, plan, upstream
from dagster_project.runner import Failed, Interrupted, Models, execute, make_ready
from resources.home import Home, checked_name
from resources.progress import watch_with
from resources.store import WHOLE
from stepforge.errors import BadRequest, NotBuilt

Batch = Annotated[str | None, typer.Option("--batch", help="Only this batch; --system for stages below the tasks.")]
System = Annotated[str | None, typer.Option("--system", help="Only this system.")]


def check_partition(home: Home, batch: str | None, system: str | None) -> None:
    """Raises: BadRequest if there is no such batch or system."""
    if batch is not None:
        home.batches.get(batch)
    if system is not None:
        home.systems.get(system)


def _selected(home: Home, names: Sequence[str], batch: str | None, system: str | None) -> list[tuple[str, str | None]]:
    chosen = []
    for name in names:
        stage = STAGES[name]
        only = {"batch": batch, "system": system}.get(stage.partitions or "")
        chosen += [(name, p) for p in partitions_of(home, stage) if only is None or p == only]
    return chosen


def _require_inputs(home: Home, name: str, partition: str | None) -> None:
    stage = STAGES[name]
    for above in stage.inputs:
        found = home.store.partitions(above)
        if (above in stage.all_of and not found) or (above not in stage.all_of and (partition or WHOLE) not in found):
            where = f" of {partition}" if partition and above not in stage.all_of else ""
            raise NotBuilt(
                f"{name} reads {above}{where}, which has not been built; run: stepforge build --from {above}"
            )


def work(
    home: Home,
    batch: str | None = None,
    system: str | None = None,
    stage: str | None = None,
    begin: str | None = None,
    end: str | None = None,
) -> tuple[list[Stale], list[Stale]]:
    """What to run: first what is asked for by name (run in any case), then what is stale."""
    if stage is not None:
        checked_stage(stage)
        _check_fits(stage, batch, system)
        named = [Stale(stage, p, "asked for") for _, p in _selected(home, [stage], batch, system)]
        for one in named:
            _require_inputs(home, one.stage, one.partition)
        return named, []
    stale = plan(home)
    if end is not None:
        checked_stage(end)
        stale = [s for s in stale if s.stage in upstream(end)]
    if begin is not None:
        checked_stage(begin)
        _check_fits(begin, batch, system)
        stale = [s for s in stale if s.stage in downstream([begin])]
    if batch is not None:
        stale = [s for s in stale if STAGES[s.stage].partitions != "batch" or s.partition == batch]
    if system is not None:
        stale = [s for s in stale if STAGES[s.stage].partitions != "system" or s.partition == system]
    if begin is None:
        return [], stale
    named = [Stale(begin, p, "asked for") for _, p in _selected(home, [begin], batch, system)]
    below = downstream([begin])
    known = {(s.stage, s.partition) for s in stale}
    rest = [
        Stale(name, p, f"below {begin}")
        for name, p in _selected(home, [n for n in order() if n in below and n != begin], batch, system)
        if (end is None or name in upstream(end)) and (name, p) not in known
    ]
    return named, stale + rest


def _check_fits(stage: str, batch: str | None, system: str | None) -> None:
    kind = STAGES[stage].partitions
    if (batch is not None and kind != "batch") or (system is not None and kind != "system" and batch is None):
        by = f"by {kind}: choose with --{kind}" if kind else "in no way: leave --batch and --system out"
        raise BadRequest(f"{stage} is partitioned {by}")


def _tell(failed: Sequence[Failed]) -> None:
    for one in failed:
        where = f" of {one.partition}" if one.partition else ""
        errors.print(f"failed: {one.stage}{where}: {safe(one.message)}", markup=False, highlight=False, soft_wrap=True)


def build_stale(home: Home, named: Sequence[Stale], stale: Sequence[Stale], models: Models | None = None) -> int:
    """Run it with live progress.  The exit code: 0, 2 for a user's mistake, 130 if stopped, 1 for anything else."""
    failed: list[Failed] = []
    with instance_of(home) as instance, Live() as live:
        make_ready(home, instance)
        watch_with(live)
        try:
            forced = {(s.stage, s.partition) for s in named}
            failed = execute(instance, [*named, *stale], forced=forced, models=models or Models.of_new_build())
        except (Interrupted, KeyboardInterrupt):
            errors.print("stopped; what was finished is kept, and the next build goes on from there")
            return 130
        finally:
            watch_with(None)
    _tell(failed)
    if failed:
        if any(f.partition in home.batches.names() for f in failed):
            say("systems were scored on the tasks that stand; those of the failed batches are missing or old")
        return 2 if all(f.users for f in failed) else 1
    waiting = _waiting(home, [*named, *stale])
    if waiting:
        say(f"done: {live.done} stages run; {waiting}")
    else:
        say(f"done: {live.done} stages run, everything asked for is up to date")
    return 0


def _waiting(home: Home, built: Sequence[Stale]) -> str:
    """What still waits for a model, and what to do; empty if nothing does."""
    told = []
    for stage, partition in dict.fromkeys((s.stage, s.partition) for s in built):
        pointer = home.store.pointer(stage, partition)
        if pointer is not None and (n := waiting_for_models(pointer)):
            option = {"batch": "--batch", "system": "--system"}.get(STAGES[stage].partitions or "")
            where = f" {option} {partition}" if option else ""
            told.append(f"{n} records of {stage} wait for a model (why: stepforge rejections --stage {stage}{where})")
    return "; ".join(told) + "; the next build asks again, for them alone" if told else ""


def build(
    batch: Batch = None,
    system: System = None,
    stage: Annotated[str | None, typer.Option(help="Run just this stage, also if it is up to date.")] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="Run this stage again and what its new rows change below it.")
    ] = None,
    to: Annotated[str | None, typer.Option(help="Stop after this stage: it and what it is made of, if stale.")] = None,
    replay_only: Annotated[
        bool, typer.Option("--replay-only", help="Send nothing to a model: every reply must be in the store.")
    ] = False,
    run: Annotated[
        str | None,
        typer.Option(help="Name of this build; a budget counts all builds of one name together (default: a new name)."),
    ] = None,
) -> None:
    """Build whatever is out of date; what is up to date is not run again."""
    home = Home.from_environment().prepare()
    if stage and (from_ or to):
        raise BadRequest("--stage runs one stage, --from and --to say where to begin and end: give one of them")
    if from_ and to and from_ not in upstream(checked_stage(to).name):
        raise BadRequest(f"{to} is not made of {checked_stage(from_).name}: nothing lies between them")
    check_partition(home, batch, system)
    if not home.batches.names():
        raise BadRequest("there is no batch yet; add one with: stepforge ingest PATH --batch NAME")
    named, stale = work(home, batch, system, stage, from_, to)
    if not named and not stale:
        with instance_of(home) as instance:
            make_ready(home, instance)
        say("everything is up to date: nothing to do")
        return
    models = Models(checked_name("build", run), replay_only) if run else Models.of_new_build(replay_only=replay_only)
    raise typer.Exit(build_stale(home, named, stale, models))


def status(batch: Batch = None, system: System = None) -> None:
    """Every stage and partition: rows, rejections, version, and whether it is up to date, and why not."""
    home = Home.from_environment()
    check_partition(home, batch, system)
    why = {(s.stage, s.partition): s.why for s in plan(home)}
    rows: list[list[object]] = []
    for name, partition in _selected(home, order(), batch, system):
        pointer = home.store.pointer(name, partition)
        state = why.get((name, partition), "up to date")
        if pointer is None:
            rows.append([name, partition or "", "", "", "", "", "", state])
        else:
            counts = [
                pointer.rows_in,
                pointer.rows_out,
                sum(pointer.dropped.values()),
                sum(pointer.not_applicable.values()),
            ]
            rows.append([name, partition or "", *counts, pointer.data_version[:8], state])
    columns = ["stage", "partition", "in", "rows", "rejected", "n/a", "version", "state"]
    table(columns, rows, right=["in", "rows", "rejected", "n/a"])
    if not home.batches.names():
        say("no batch yet; add one with: stepforge ingest PATH --batch NAME")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(build)
    app.command()(status)
