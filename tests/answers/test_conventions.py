"""Conventions on which public judges disagree: ours is tested, math-verify is asked again, the page shows all."""

import tomllib
from pathlib import Path

import pytest

from stepforge.answers.equivalence import equivalent
from stepforge.answers.math_verify_vote import says_equal
from stepforge.records import Answer

FOLDER = Path(__file__).parent
ROWS = tomllib.loads((FOLDER / "conventions.toml").read_text(encoding="utf-8"))["convention"]
PAGE = FOLDER.parents[1] / "docs" / "equivalence.md"


def shown(text):
    return "`" + text.replace("|", "\\|") + "`"


def table():
    lines = [
        "| convention | reference | prediction | ours | math-verify | PRM800K | OlympiadBench | why |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in ROWS:
        cells = [row["name"], shown(row["gold"]), shown(row["predicted"]), f"**{row['ours']}**"]
        cells += [row["math_verify"], row["prm800k"], row["olympiadbench"], row.get("why", "")]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_our_convention_holds(row):
    assert equivalent(Answer(kind=row["kind"], text=row["gold"]), row["predicted"]).verdict == row["ours"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_math_verify_says_what_the_page_says(row):
    assert ("equal" if says_equal((row["gold"], row["predicted"])) else "no") == row["math_verify"]


def test_the_page_shows_every_convention():
    assert table() in PAGE.read_text(encoding="utf-8"), f"the table of {PAGE.name} must be:\n{table()}"
