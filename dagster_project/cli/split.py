"""`stepforge split`: parts of the benchmark that are held out by time."""

from collections import Counter
from datetime import date
from typing import Annotated

import typer

from assets._tasks import all_tasks
from dagster_project.cli._console import say, table
from resources.home import Home, checked_name
from resources.release import keep_split, release_of, remove_split
from stepforge.errors import BadRequest
from stepforge.records import Split
from stepforge.splits import NEWER, OLDER, RESERVED, UNDATED, side_of, task_dates


def split(
    newer_than: Annotated[str | None, typer.Option(help="Last day that is not in it, YYYY-MM-DD.")] = None,
    name: Annotated[str, typer.Option(help="Name of the split.")] = "refresh",
    remove: Annotated[bool, typer.Option("--remove", help="Forget the split of that name.")] = False,
) -> None:
    """Hold out the problems that were published after a day; without options, the splits and what is in them."""
    home = Home.from_environment()
    if remove:
        remove_split(home, name)
        say(f"split {name} removed; next: stepforge build")
        return
    if newer_than is not None:
        home.prepare()
        keep_split(home, _checked(name, newer_than))
        say(f"split {name}: problems published after {newer_than}; next: stepforge build")
    _show(home)


def _checked(name: str, newer_than: str) -> Split:
    try:
        day = date.fromisoformat(newer_than)
    except ValueError:
        raise BadRequest(f"--newer-than {newer_than!r} is no date; write YYYY-MM-DD") from None
    if checked_name("split", name) in RESERVED:
        raise BadRequest(f"{name!r} cannot name a split: it is what is in none; take another name")
    return Split(name=name, newer_than=day)


def _show(home: Home) -> None:
    splits = release_of(home).splits
    if not splits:
        say("no splits; add one with: stepforge split --newer-than YYYY-MM-DD --name NAME")
        return
    tasks = all_tasks({name: home.store.stored("benchmark_tasks", name) for name in home.built("benchmark_tasks")})
    dates = task_dates(tasks)
    by_problem = {task.problem_id: dates[task.task_id] for task in tasks}
    rows = []
    for one in splits:
        sides = Counter(side_of(one, day) for day in by_problem.values())
        rows.append([one.name, one.newer_than, sides[NEWER], sides[OLDER], sides[UNDATED]])
    table(
        ["split", "newer than", "problems in it", "older", "undated"],
        rows,
        right=["problems in it", "older", "undated"],
    )
    if any(row[4] for row in rows):
        say("undated problems are in no split; give a batch its date with published_on, or ask for --split undated")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(split)
