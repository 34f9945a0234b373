"""`stepforge jobs`: requests that travel through a provider's batch API."""

import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from dagster_project.cli._console import say, table
from dagster_project.model_jobs import poll, told
from resources.home import Home
from stepforge.errors import BadRequest

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


@app.command("drop")
def drop(
    job_id: Annotated[str, typer.Argument(help="Name of the job, as `stepforge jobs list` shows it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without, only say what it means.")] = False,
) -> None:
    """Give up a job that will never end, such as one whose batch was deleted at the provider."""
    store = Home.from_environment().replies
    job = next((j for j in store.jobs(open_only=True) if j.job_id == job_id), None)
    if job is None:
        raise BadRequest(f"no job {job_id[:100]!r} is open; see: stepforge jobs list")
    meaning = "what its batch still brings is lost, and the next build asks, and pays, again"
    if not yes:
        say(f"{told(job)}\nto give it up: {meaning}; say --yes")
        raise typer.Exit(2)
    store.save_job(job._replace(state="failed", detail="given up by the user", updated_at=datetime.now(UTC)))
    say(f"{job_id} is given up: {meaning}")


def register(main: typer.Typer) -> None:
    """Add the commands to `main`."""
    main.add_typer(app, name="jobs")
