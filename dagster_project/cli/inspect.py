"""`stepforge rows` and `stepforge rejections`: what a stage holds and what it refused."""

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from assets._stage import STAGES, Stage
from dagster_project.cli._console import as_jsonl, records_as_table, say, table
from dagster_project.cli._splits import SplitOption, rows_in_split, tasks_in_split
from dagster_project.plan import checked_stage, order
from resources.home import Home
from resources.store import Stored
from stepforge.errors import BadRequest, NotBuilt
from stepforge.records import ImageRef, Task
from stepforge.vocabulary import Reason


class Format(StrEnum):
    """How rows are printed."""

    JSONL = "jsonl"
    TABLE = "table"


Partition = Annotated[
    str | None, typer.Option("--batch", "--system", help="Batch, or system for stages below the tasks.")
]


def stored_partition(home: Home, stage: Stage, partition: str | None) -> Stored:
    """The stage's partition; may be left out where there is only one.  Raises: BadRequest, NotBuilt."""
    if stage.partitions is None:
        if partition is not None:
            raise BadRequest(f"{stage.name} is one table for all: leave --batch and --system out")
        return home.store.stored(stage.name, None)
    known = home.built(stage.name)
    if partition is None and len(known) == 1:
        partition = known[0]
    if partition is None and not known:
        return home.store.stored(stage.name, None)  # which says what to run
    if partition is None:
        option = f"--{stage.partitions}"
        raise BadRequest(
            f"{stage.name} has {len(known)} partitions ({', '.join(known) or 'none built yet'}): choose with {option}"
        )
    names = home.batches.names() if stage.partitions == "batch" else home.systems.names()
    if partition not in names:
        raise BadRequest(f"there is no {stage.partitions} {partition!r}; there are: {', '.join(names) or 'none'}")
    return home.store.stored(stage.name, partition)


def _print(rows: list[dict[str, Any]], style: Format) -> None:
    if style is Format.JSONL:
        as_jsonl(rows)
    else:
        records_as_table(rows)


def rows(
    stage: Annotated[str, typer.Argument(help="Name of the stage; `stepforge status` lists them.")],
    batch: Partition = None,
    style: Annotated[
        Format, typer.Option("--format", help="jsonl has every field, table is cut to the terminal.")
    ] = Format.TABLE,
    limit: Annotated[int, typer.Option(min=0, help="At most so many rows; 0 for all.")] = 20,
    split: SplitOption = None,
) -> None:
    """Rows of one stage."""
    home = Home.from_environment()
    stored = stored_partition(home, checked_stage(stage), batch)
    found = stored.table() if split is None else rows_in_split(home, stored, split)
    _print(found.slice(0, limit or None).to_pylist(), style)
    if style is Format.TABLE and limit and found.num_rows > limit:
        say(f"({limit} of {found.num_rows} rows; --limit 0 for all)")


def rejections(
    stage: Annotated[str | None, typer.Option(help="Only this stage.")] = None,
    batch: Partition = None,
    reason: Annotated[str | None, typer.Option(help="Only this reason.")] = None,
    style: Annotated[Format, typer.Option("--format")] = Format.TABLE,
    every: Annotated[bool, typer.Option("--all", help="Also the records that a stage had no work for.")] = False,
) -> None:
    """What was refused and why: the funnel by reason and, for one stage or reason, each record."""
    home = Home.from_environment()
    if stage is not None:
        checked_stage(stage)
    if reason is not None and reason not in set(Reason):
        raise BadRequest(f"there is no reason {reason!r}; the reasons are: {', '.join(Reason)}")
    if batch is not None and batch not in [*home.batches.names(), *home.systems.names()]:
        names = ", ".join([*home.batches.names(), *home.systems.names()])
        raise BadRequest(f"there is no batch or system {batch!r}; there are: {names}")
    found: list[dict[str, Any]] = []
    for name in order() if stage is None else [stage]:
        for partition in home.built(name):
            if batch is None or partition == batch or STAGES[name].partitions is None:
                table_rows = home.store.stored(name, partition).rejections()
                found += [{"partition": partition, **r.model_dump(mode="json")} for r in table_rows]
    if not every:
        found = [r for r in found if r["disposition"] != "not_applicable"]
    if reason is not None:
        found = [r for r in found if r["reason"] == reason]
    if style is Format.JSONL:
        as_jsonl(found)
    elif not found:
        say("no rejections")
    elif stage is None and reason is None:
        counted = Counter((r["stage"], r["partition"], r["disposition"], r["reason"]) for r in found)
        rank = {name: i for i, name in enumerate(order())}
        lines = sorted(counted.items(), key=lambda kv: (rank.get(kv[0][0], 99), kv[0]))
        table(
            ["stage", "partition", "disposition", "reason", "records"], ([*k, n] for k, n in lines), right=["records"]
        )
        say(f"{len(found)} rejections; one reason in full: stepforge rejections --reason REASON")
    else:
        table(
            ["partition", "record", "reason", "detail"],
            ([r["partition"], r["record_id"], r["reason"], r["detail"]] for r in found),
        )


def _question(task: Task) -> dict[str, Any]:
    """What a system may see of a task: everything but its target."""
    images = [{"mark": f"<image_{k}>", "file": _file_name(image)} for k, image in enumerate(task.images, 1)]
    return {
        "task_id": task.task_id,
        "kind": task.kind,
        "language": task.language,
        "instruction": task.instruction,
        "question": task.question,
        "choices": {choice.label: choice.text for choice in task.choices},
        "steps": [f"Step {k}: {text}" for k, text in enumerate(task.chain, 1)],
        "images": images,
    }


def _file_name(image: ImageRef) -> str:
    return f"{image.sha256}.{(image.media_type or 'image/png').rsplit('/', 1)[-1]}"


def questions(
    batch: Annotated[str | None, typer.Option(help="Only the tasks of this batch.")] = None,
    figures: Annotated[Path | None, typer.Option(help="Folder to copy the figures to, under the names given.")] = None,
    split: SplitOption = None,
) -> None:
    """What to ask a system: every task without its target, as JSON Lines."""
    home = Home.from_environment()
    names = home.built("benchmark_tasks") if batch is None else [batch]
    wanted = None if split is None else tasks_in_split(home, split)
    asked: set[str] = set()
    for name in names:
        for task in stored_partition(home, checked_stage("benchmark_tasks"), name).rows(Task):
            if task.task_id in asked or (wanted is not None and task.task_id not in wanted):
                continue
            asked.add(task.task_id)
            as_jsonl([_question(task)])
            for image in task.images if figures is not None else ():
                if figures is not None and image.sha256 is not None:
                    figures.mkdir(parents=True, exist_ok=True)
                    (figures / _file_name(image)).write_bytes(home.blobs.get(image.sha256))
    if not names:
        raise NotBuilt("there are no tasks yet; run: stepforge build")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(rows)
    app.command()(rejections)
    app.command()(questions)
