"""`stepforge demo`: the whole chain on the bundled sample."""

from pathlib import Path
from typing import Annotated

import typer
from upath import UPath

from dagster_project.cli import build, ingest, serve
from dagster_project.cli._console import say
from resources.atomic import write_atomic
from resources.home import Home
from resources.llm.providers import PROVIDERS
from stepforge.errors import BadRequest

SAMPLE = Path(__file__).resolve().parents[2] / "examples"
LOCAL = "gemma-3-270m"
LOCAL_TASKS = 12  # about ten seconds of CPU each
LOCAL_MODELS = f"""\
# Written by `stepforge demo --local`: a small model on this machine.  `stepforge models` shows what is set up.
[providers.local]
kind = "local"

[models.{LOCAL}]
provider = "local"
concurrency = 2
timeout_s = 600
deadline_s = 1800

[roles.local_solver]
model = "{LOCAL}"
max_output_tokens = 160
temperature = 0.0
"""


def _ask_local_model(home: Home) -> None:
    """Add the local model as a system.  Raises: BadRequest if it is not installed, or if models.toml is the user's own
    and has no such role."""
    missing = PROVIDERS["local"].installed()
    if missing is not None:
        raise BadRequest(f"the local model is not installed: {missing} (or: make demo-local)")
    if not home.models_file.exists():
        write_atomic(UPath(home.models_file), LOCAL_MODELS.encode())
    ingest.add_system(LOCAL, role="local_solver", limit=LOCAL_TASKS, text_only=True, replace=True)


def demo(
    local: Annotated[
        bool, typer.Option("--local", help="Have a small model on this machine answer the tasks, too.")
    ] = False,
) -> None:
    """Ingest the bundled sample contest, build everything, and show the leaderboard and where the report is."""
    contest, replies = SAMPLE / "contest", SAMPLE / "replies.jsonl"
    if not contest.is_dir():
        raise BadRequest(f"the bundled sample is not at {contest}; run this from a clone of the repository")
    ingest.ingest([contest], batch="sample", replace=True)
    ingest.add_system("example_replies", replies=replies, partial=True, replace=True)
    home = Home.from_environment().prepare()
    if local:
        _ask_local_model(home)
    named, stale = build.work(home)
    code = build.build_stale(home, named, stale) if stale else 0
    if code:
        raise typer.Exit(code)
    serve.report()
    say("look around: stepforge status | stepforge rejections | stepforge ui   (commands are in .venv/bin)")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(demo)
