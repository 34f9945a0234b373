"""`stepforge metric`: any metric over rows of a file."""

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from dagster_project.cli._console import as_json, table
from stepforge.errors import BadRequest

if TYPE_CHECKING:  # the metrics are dear to import, and few commands need them
    from stepforge.metrics._base import Metric

STANDARD_INPUT = "-"
MAX_COMPANION_BYTES = 16_000_000


class Metrics(TyperGroup):
    """A command for each metric of the registry, made when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the signature of a group
        """The names of all metrics."""
        from stepforge.metrics._base import METRICS  # noqa: PLC0415 - see above

        return [metric.name for metric in METRICS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - as above
        """The command of that metric.  Raises: BadRequest if there is none."""
        from stepforge.metrics._rows import find  # noqa: PLC0415 - see above

        return _command(find(cmd_name))


metrics = typer.Typer(cls=Metrics, help="Compute a metric from rows of a file.", invoke_without_command=True)


@metrics.callback()
def show(
    context: typer.Context,
    *,
    list_all: Annotated[bool, typer.Option("--list", help="All metrics with what they are.")] = False,
) -> None:
    """Compute a metric from rows of a file, a JSON object a line: `stepforge metric NAME --input F.jsonl`.  The row
    that it wants: `stepforge metric NAME --help`."""
    if list_all or context.invoked_subcommand is None:
        from stepforge.metrics._base import METRICS  # noqa: PLC0415 - see above

        table(["metric", "what it is", "source"], [(m.name, m.title, m.source) for m in METRICS])
        raise typer.Exit


def _command(metric: "Metric") -> Any:
    """The command that computes `metric`."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)

    @app.command(name=metric.name, help=_help(metric))
    def run(
        *,
        file: Annotated[str, typer.Option("--input", help="JSON Lines file; - for standard input.")] = "",
        by: Annotated[list[str] | None, typer.Option(help="Field to break down by as well; may be repeated.")] = None,
        settings: Annotated[
            list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help=_parameters(metric))
        ] = None,
        seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
        resamples: Annotated[int, typer.Option(min=1, max=100_000, help="Resamples of the bootstrap.")] = 1000,
        companion: Annotated[
            str, typer.Option(metavar="FILE", help=metric.companion.words if metric.companion else "Read by none here.")
        ] = "",
        official: Annotated[
            bool,
            typer.Option("--official", help="The numbers as the origin's own scorer extracts, rounds and prints them."),
        ] = False,
        row: Annotated[bool, typer.Option("--row", help="The row that it wants, as JSON, and nothing else.")] = False,
    ) -> None:
        if row:
            as_json(_row(metric))
            return
        if not file:
            raise BadRequest(f"--input is missing; the row it wants: stepforge metric {metric.name} --row")
        options = _Given(file, companion, by or [], settings or [], seed, resamples, official)
        as_json(_computed(metric, options))

    return typer.main.get_command(app)


class _Given(NamedTuple):
    file: str
    companion: str
    by: list[str]
    settings: list[str]
    seed: int
    resamples: int
    official: bool


def _computed(metric: "Metric", given: _Given) -> dict[str, Any]:
    from stepforge.metrics._base import METRICS, Options  # noqa: PLC0415 - see above
    from stepforge.metrics._evaluate import evaluate  # noqa: PLC0415
    from stepforge.metrics._rows import parameters, parse  # noqa: PLC0415

    options = Options(parameters(metric, given.settings), tuple(given.by), given.seed, given.resamples)
    if given.companion and metric.companion is None:
        raise BadRequest(f"{metric.name} reads no second file; leave --companion out")
    if given.official and metric.official is None:
        having = ", ".join(m.name for m in METRICS if m.official is not None)
        raise BadRequest(f"{metric.name} has no official scorer; these have: {having}")
    with nullcontext(sys.stdin.buffer) if given.file == STANDARD_INPUT else Path(given.file).open("rb") as stream:
        rows = parse(_lines(stream), metric, given.file)
    if given.companion and metric.companion is not None:
        with Path(given.companion).open("rb") as stream:
            rows = metric.companion.add(rows, stream.read(MAX_COMPANION_BYTES))
    if given.official and metric.official is not None:
        return {"metric": metric.name, "rows": len(rows), "official": metric.official(rows)}
    return evaluate(metric, rows, options)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines, each read no further than a row may be long."""
    from stepforge.metrics._rows import MAX_LINE_BYTES  # noqa: PLC0415 - see above

    while line := stream.readline(MAX_LINE_BYTES + 1):
        yield line


def _parameters(metric: "Metric") -> str:
    fields = metric.parameters.model_fields
    told = [f"{name}: {field.description} (default {field.default})" for name, field in fields.items()]
    return "; ".join(told) if told else "Parameters of the metric; this one has none."


def _row(metric: "Metric") -> dict[str, Any]:
    from stepforge.metrics._rows import fields  # noqa: PLC0415 - see above

    return {
        "metric": metric.name,
        "row": " ".join((metric.row.__doc__ or "").split()),
        "fields": [field._asdict() for field in fields(metric)],
        "example": dict(metric.row.EXAMPLE),
        "schema": metric.row.model_json_schema(),
    }


def _help(metric: "Metric") -> str:
    """What is measured, the row, and an example; \\b keeps the lines as they are."""
    from stepforge.metrics._rows import fields  # noqa: PLC0415 - see above

    measures = metric.measures(metric.parameters())
    tables = {**(metric.table_words or {}), **(metric.more_words or {})}
    lines = [f"{metric.title} ({metric.source}).", "", "\b", "Measures:"]
    lines += [f"  {m.name}: {m.words}; {m.formula}" for m in measures]
    lines += [f"  {name}: {words}" for name, words in tables.items()]
    lines += ["", "\b", f"A row: {' '.join((metric.row.__doc__ or '').split())}"]
    for field in fields(metric):
        needed = f", {field.needed}" if field.needed else ""
        lines.append(f"  {field.name} ({field.type}{needed}): {field.description}")
    return "\n".join([*lines, "", "\b", "Example:", f"  {json.dumps(dict(metric.row.EXAMPLE), ensure_ascii=False)}"])


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.add_typer(metrics, name="metric")
