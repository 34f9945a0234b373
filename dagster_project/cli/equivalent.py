"""`stepforge equivalent`: pairs of answers judged by the answer-equivalence engine."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from dagster_project.cli._console import errors
from dagster_project.cli._jsonl import lines_of, unread, written
from dagster_project.cli._progress import Live
from resources.workers import worker_count
from stepforge.json_rows import RowError

CHUNK = 1000  # rows whose symbolic questions are asked together

HELP = """Judge pairs of answers: whether each prediction is the reference answer.

The row it wants, one JSON object a line:

    {"id": "q1", "gold": "1/2", "prediction": "0.5", "kind": "number"}

gold may be a list of texts that are equally right (with kind multi_part: the parts). kind may be left out; it is one of
number, expression, equation, inequality, interval, set, tuple, matrix, choice, multi_part, proof_condition, text.
The row it writes, in the order of the input:

    {"id": "q1", "verdict": "equal", "method": "number", "reason": "equal values"}

verdict is equal, different or undecided. A row that cannot be read is named with its line, the rest is judged, and
the exit code is 2."""


def equivalent(
    *,
    source: Annotated[str, typer.Option("--input", help="JSON Lines file; - for standard input.")],
    target: Annotated[str, typer.Option("--output", help="JSON Lines file; - for standard output.")],
    limit_s: Annotated[float, typer.Option("--limit-s", min=0.05, help="Seconds for one symbolic question.")] = 2.0,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="Processes; default: all cores.")] = None,
    math_verify: Annotated[
        bool, typer.Option("--math-verify", help="Let math-verify vote, confirmed, on what nothing else decides.")
    ] = False,
) -> None:
    """Judge pairs of answers (`--help` shows the row)."""
    count: Counter[str] = Counter()
    faults: list[str] = []
    began = time.monotonic()
    with lines_of(source) as (lines, total), written(target) as write, Live() as live:
        live.start("equivalent", Path(source).name, total)
        for verdicts in _judged(lines, source, faults, limit_s, workers or worker_count(), math_verify):
            for row in verdicts:
                write(json.dumps(row, ensure_ascii=False))
                count[row["verdict"]] += 1
                count["limit"] += row["reason"].startswith("limit:")
            live.advance(len(verdicts))
    _summary(count, len(faults), time.monotonic() - began)
    unread(faults, source, target)


def _judged(
    lines: Iterator[str], source: str, faults: list[str], limit_s: float, n: int, math_verify: bool
) -> "Iterator[list[dict[str, Any]]]":
    """Verdict rows, a chunk of lines at a time, in order."""
    from resources.symbolic import ask_all, symbolic_workers  # noqa: PLC0415 - SymPy costs every command 0.4 s
    from stepforge.answers.pairs import Pair, judge_pairs, read_pair  # noqa: PLC0415

    numbered = enumerate(lines, start=1)
    with symbolic_workers(n) as pool:
        while chunk := list(islice(numbered, CHUNK)):
            pairs: list[Pair] = []
            for number, line in chunk:
                try:
                    if line.strip():
                        pairs.append(read_pair(line))
                except RowError as error:
                    faults.append(f"{source}:{number}: {error}")
            verdicts = judge_pairs(
                pairs, lambda questions: ask_all(pool, questions, timeout_s=limit_s, math_verify=math_verify)
            )
            yield [
                {"id": pair.pair_id, "verdict": v.verdict.value, "method": v.method, "reason": v.reason}
                for pair, v in zip(pairs, verdicts, strict=True)
            ]


def _summary(count: Counter[str], faults: int, seconds: float) -> None:
    n = count["equal"] + count["different"] + count["undecided"]
    errors.print(
        f"{n:,} pairs: {count['equal']:,} equal, {count['different']:,} different, {count['undecided']:,} undecided "
        f"({count['limit']:,} by their limit), {faults:,} rows not read; {n / max(seconds, 1e-9):,.0f} a second",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="equivalent", help=HELP, short_help="Judge pairs of answers.")(equivalent)
