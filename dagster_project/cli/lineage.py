"""`stepforge lineage`: where a partition or a row came from."""

from typing import Annotated, Any

import typer

from assets._preview import cell
from dagster_project.cli._console import say
from dagster_project.cli.inspect import Partition, stored_partition
from dagster_project.lineage import Made, Trace, trace, upstream
from dagster_project.plan import checked_stage
from resources.home import Home

SHOWN_ROWS = 4


def _made(made: Made) -> str:
    indent = "  " * made.depth
    line = f"{indent}{made.stage}[{made.partition}] version {made.version}"
    if made.pointer is None:
        return line
    if not made.current:
        return f"{line} (replaced since by {made.pointer.data_version})"
    pointer = made.pointer
    return (
        f"{line}, {pointer.rows_out} rows, code {pointer.code_version}, "
        f"run {pointer.run_id[:8]}, {pointer.written_at:%Y-%m-%d %H:%M} UTC"
    )


_SUMMARY = (
    "path", "question", "text", "plan", "solved", "kind", "location", "before", "after", "verdict", "outcome",
    "reasons", "final_answer", "reply", "answer", "metric", "value", "licence", "media_type",
)  # fmt: skip


def _row(row: dict[str, Any]) -> str:
    row = row.get("problem") or row  # an item shows its problem
    parts = [f"{name}={cell(row[name], 70)}" for name in _SUMMARY if row.get(name) not in (None, [], "")]
    return "; ".join(parts) or cell(row, 200)


def _provenance(row: dict[str, Any]) -> list[str]:
    came = row.get("provenance")
    if not came:
        return []
    page = f", page {came['page']}" if came["page"] else ""
    where = f"{came['path']} ({came['locator']}{page})"
    lines = [f"    from {where}, sha256 {came['document_id'][:16]}…, read by {came['method']}"]
    for step in came["cleaning"]:
        lines.append(f"    cleaned: {step['rule']} on {step['field']}: {step['before']!r} -> {step['after']!r}")
    return lines


def _trace(found: Trace) -> None:
    say(f"{found.stage}[{found.partition}]")
    for row in found.rows[:SHOWN_ROWS]:
        say(f"  {_row(row)}")
        for line in _provenance(row) if found.stage in ("problems", "clean_problems") else []:
            say(line)
    if len(found.rows) > SHOWN_ROWS:
        say(f"  … {len(found.rows) - SHOWN_ROWS} more rows")
    for rejection in found.rejections:
        say(f"  {rejection['disposition']}: {rejection['reason']}: {rejection['detail']}")


def lineage(
    stage: Annotated[str, typer.Argument(help="Name of the stage.")],
    batch: Partition = None,
    record: Annotated[str | None, typer.Option(help="Id of one row; without it, of the whole partition.")] = None,
) -> None:
    """Where a partition or one of its rows came from: versions, code, runs, documents, cleaning."""
    home = Home.from_environment()
    stored = stored_partition(home, checked_stage(stage), batch)
    if record is None:
        for made in upstream(home, stored):
            say(_made(made))
        return
    for found in trace(home, stored, record):
        _trace(found)


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(lineage)
