"""`stepforge demo`: the whole chain on the bundled sample."""

from pathlib import Path

import typer

from dagster_project.cli import build, ingest, serve
from dagster_project.cli._console import say
from resources.home import Home
from stepforge.errors import BadRequest

SAMPLE = Path(__file__).resolve().parents[2] / "examples"


def demo() -> None:
    """Ingest the bundled sample contest, build everything, and show the leaderboard and where the report is."""
    contest, replies = SAMPLE / "contest", SAMPLE / "replies.jsonl"
    if not contest.is_dir():
        raise BadRequest(f"the bundled sample is not at {contest}; run this from a clone of the repository")
    ingest.ingest([contest], batch="sample", replace=True)
    ingest.add_system("example_replies", replies=replies, partial=True, replace=True)
    home = Home.from_environment().prepare()
    named, stale = build.work(home)
    code = build.build_stale(home, named, stale) if stale else 0
    if code:
        raise typer.Exit(code)
    serve.report()
    say("look around: stepforge status | stepforge rejections | stepforge ui   (commands are in .venv/bin)")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(demo)
