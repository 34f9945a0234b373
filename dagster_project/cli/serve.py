"""`stepforge ui` and `stepforge report`: what a person looks at."""

import os
import signal
import socket
import sys
from typing import Annotated

import typer

from assets._stage import waiting_for_models
from dagster_project.cli._console import say, table
from dagster_project.instance import instance_of
from dagster_project.plan import plan
from dagster_project.runner import make_ready
from resources.home import Home
from resources.store import Stored
from stepforge.errors import BadRequest, NotBuilt
from stepforge.records import ReportRow
from stepforge.vocabulary import Failure

HEADLINE_NOTE = "FAA, MA, detection: higher is better; SRR (redundant steps), SMR (missing steps): lower is better"
HEADLINE = ("FAA", "MA", "SRR", "SMR", "detection")


SILENT = (Failure.MISSING, Failure.NOT_ATTEMPTED, Failure.NOT_ACCESSIBLE)


def headline(home: Home) -> list[list[str]]:
    """One line a system: name, then value with interval and n of each headline metric."""
    rows = home.store.stored("report", None).rows(ReportRow)
    shown = {(r.system, r.metric): r for r in rows if r.breakdown == "all"}
    lines = []
    for system in sorted({r.system for r in rows}):
        line = [system, _answered(home.store.stored("predictions", system))]
        for metric in HEADLINE:
            row = shown.get((system, metric))
            if row is None or row.value is None:
                line.append("–")
            elif row.low is None or row.high is None:
                line.append(f"{row.value:.3f} (n={row.n})")
            else:
                line.append(f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}] (n={row.n})")
        lines.append(line)
    return lines


def _answered(predictions: Stored) -> str:
    """How many of the tasks that the system was asked have a reply; those that wait for a model have none yet."""
    table = predictions.table()
    failures = zip(table["task_id"].to_pylist(), table["failure"].to_pylist(), strict=True)
    replied = {task_id for task_id, failure in failures if failure not in SILENT}
    told = f"{len(replied)} of {predictions.pointer.rows_in} tasks"
    waiting = waiting_for_models(predictions.pointer)
    return f"{told}, {waiting} waiting" if waiting else told


def report() -> None:
    """The leaderboard, and where the report page is."""
    home = Home.from_environment()
    page = home.report / "index.html"
    if home.store.pointer("report", None) is None or not page.exists():
        raise NotBuilt("there is no report yet; run: stepforge build")
    table(["system", "answered", *HEADLINE], headline(home))
    say(HEADLINE_NOTE)
    if any(s.stage == "report" for s in plan(home)):
        say("the report is out of date; run: stepforge build")
    say(f"report: {page}")


def ui(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on the loopback address.")] = 3000,
    host: Annotated[
        str, typer.Option(help="Address to listen on; anything but loopback needs protection in front.")
    ] = "127.0.0.1",
) -> None:
    """Start the Dagster UI on this home; Ctrl-C stops it."""
    home = Home.from_environment().prepare()
    with instance_of(home) as instance:
        make_ready(home, instance)
    command = [sys.executable, "-m", "dagster", "dev", "-m", "dagster_project.definitions", "-h", host, "-p", str(port)]
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BadRequest(
                f"port {port} of {host} cannot be used ({error.strerror}); choose another with --port"
            ) from None
    say(f"Dagster UI of {home.root} at http://{host}:{port} (Ctrl-C stops it)")
    signal.signal(
        signal.SIGINT, signal.SIG_DFL
    )  # a shell's background job inherits an ignored SIGINT and could never be stopped
    environment = {**os.environ, "DAGSTER_HOME": str(home.dagster), "STEPFORGE_HOME": str(home.root)}
    try:
        os.execve(sys.executable, command, environment)  # noqa: S606 - no shell, own arguments
    except OSError as error:
        raise BadRequest(f"the UI cannot be started: {error.strerror}") from None


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(report)
    app.command()(ui)
