"""The command line `stepforge`, over the same definitions as the UI."""

import sys

import typer

from dagster_project.cli import (
    build,
    demo,
    doctor,
    duplicates,
    equivalent,
    ingest,
    inspect,
    jobs,
    judge,
    lineage,
    metric,
    models,
    replies,
    review,
    segment,
    serve,
    split,
)
from dagster_project.cli._console import errors, safe
from stepforge.errors import PipelineError

app = typer.Typer(
    name="stepforge",
    help="Build process-level mathematics benchmarks and score models on them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    ingest,
    build,
    inspect,
    lineage,
    serve,
    models,
    replies,
    jobs,
    judge,
    review,
    split,
    metric,
    equivalent,
    duplicates,
    segment,
    doctor,
    demo,
):
    module.register(app)


def main() -> None:
    """Run the command line; a user's mistake is one line on standard error and exit code 2."""
    try:
        app()
    except PipelineError as error:
        errors.print(f"error: {safe(str(error))}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader of our output has left, as `| head` does
            sys.stderr.close()
            sys.exit(0)
        where = f"{error.filename}: " if error.filename else ""
        errors.print(f"error: {safe(where)}{error.strerror or error}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
