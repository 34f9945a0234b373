"""`stepforge jobs`: requests that travel through a provider's batch API."""

import time
from typing import Annotated

import typer

from dagster_project.cli._console import say, table
from dagster_project.model_jobs import poll, told
from resources.home import Home

app = typer.Typer(help="Model requests that travel through a provider's batch API.", no_args_is_help=True)

WAIT_S = 30.0


@app.command("list")
def list_jobs(
    everything: Annotated[bool, typer.Option("--all", help="Also those that have ended.")] = False,
) -> None:
    """The jobs, for whom they are, and what became of them."""
    jobs = Home.from_environment().replies.jobs(open_only=not everything)
    if not jobs:
        say("no job" if everything else "no job is open")
        return
    rows = [
        [
            j.job_id,
            j.state,
            j.total,
            j.role,
            j.stage or "",
            j.partition or "",
            f"{j.updated_at:%Y-%m-%d %H:%M}",
            j.detail,
        ]
        for j in jobs
    ]
    table(
        ["job", "state", "requests", "role", "stage", "partition", "updated (UTC)", "detail"],
        rows,
        right=["requests"],
    )


@app.command("poll")
def poll_now(
    wait: Annotated[bool, typer.Option("--wait", help="Go on until no job is open.")] = False,
) -> None:
    """Ask the providers about every open job and store the replies of those that ended; then: stepforge build."""
    home = Home.from_environment()
    jobs = poll(home)
    for job in jobs:
        say(told(job))
    while wait and any(job.state not in ("collected", "failed") for job in jobs):
        time.sleep(WAIT_S)
        jobs = poll(home)
        for job in jobs:
            say(told(job))
    if not jobs:
        say("no job is open")
    elif home.replies.jobs(open_only=True):
        say("some are still open; poll again later, or leave it to the sensor of a running `stepforge ui`")
    else:
        say("all jobs have ended; next: stepforge build")


def register(main: typer.Typer) -> None:
    """Add the commands to `main`."""
    main.add_typer(app, name="jobs")
