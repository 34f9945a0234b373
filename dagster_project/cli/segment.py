"""`stepforge segment`: solutions cut into reasoning steps."""

import json
import time
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from dagster_project.cli._console import errors
from dagster_project.cli._jsonl import STANDARD, lines_of, unread, written
from dagster_project.cli._progress import Live
from stepforge.json_rows import RowError

CHUNK = 500

HELP = """Cut solutions into reasoning steps.

The row it wants, one JSON object a line (language, as en or zh, may be left out):

    {"id": "q1", "question": "…", "solution": "∵AB=AC，∴∠B=∠C。", "language": "zh"}

The row it writes, in the order of the input:

    {"id": "q1", "steps": [{"index": 0, "text": "…", "start": 0, "end": 14, "premises": ["AB=AC"], "rule": null,
    "conclusion": "∠B=∠C", "depends_on": [], …}], "auxiliary_lines": [{"text": "…", "complexity": "simple"}],
    "method": "rules"}

solution[start:end] is the step's text. A row that cannot be read is named with its line, the rest is done, and the
exit code is 2."""


def segment(
    *,
    source: Annotated[str, typer.Option("--input", help="JSON Lines file; - for standard input.")],
    target: Annotated[str, typer.Option("--output", help="JSON Lines file; - for standard output.")] = STANDARD,
) -> None:
    """Cut solutions into steps (`--help` shows the row)."""
    from stepforge.steps.rows import read_solution, segmented  # noqa: PLC0415 - costs every command 0.3 s

    faults: list[str] = []
    solutions = steps = 0
    began = time.monotonic()
    with lines_of(source) as (lines, total), written(target) as write, Live() as live:
        live.start("segment", Path(source).name, total)
        numbered = enumerate(lines, start=1)
        while chunk := list(islice(numbered, CHUNK)):
            for number, line in chunk:
                try:
                    row = segmented(read_solution(line)) if line.strip() else None
                except RowError as error:
                    faults.append(f"{source}:{number}: {error}")
                    continue
                if row is not None:
                    write(json.dumps(row, ensure_ascii=False))
                    solutions, steps = solutions + 1, steps + len(row["steps"])
            live.advance(len(chunk))
    rate = solutions / max(time.monotonic() - began, 1e-9)
    errors.print(
        f"{solutions:,} solutions, {steps:,} steps, {len(faults):,} rows not read; {rate:,.0f} solutions a second",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    unread(faults, source, target)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="segment", help=HELP, short_help="Cut solutions into reasoning steps.")(segment)
