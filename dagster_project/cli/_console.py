"""How the command line speaks: text from data is printed as it is, never as markup."""

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assets._preview import cell

PIPE_COLUMNS = 4000  # a line that goes into a file or another program is not folded
RECORD_COLUMNS = 160

out = Console(width=None if sys.stdout.isatty() else PIPE_COLUMNS)
errors = Console(stderr=True)

# a title or a colour that a source smuggled into its text must not reach the terminal
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_ESCAPED = re.compile(f"{_CONTROL.pattern}|[\ud800-\udfff]")  # half a surrogate pair cannot be printed at all


def safe(text: str) -> str:
    """`text` without control characters."""
    return _CONTROL.sub("\ufffd", text)


def say(text: str) -> None:
    """One line to standard output, no markup, not wrapped."""
    out.print(safe(text), markup=False, highlight=False, soft_wrap=True)


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Sequence[str] = ()) -> None:
    """A table to standard output; columns named in `right` are numbers."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(safe("" if value is None else str(value))) for value in row))
    out.print(drawn)


def records_as_table(rows: Sequence[dict[str, Any]]) -> None:
    """Rows of any record, the values cut to a terminal's width."""
    if not rows:
        say("no rows")
        return
    names = list(rows[0])
    columns = min(out.width, RECORD_COLUMNS)
    shown = names[: max(1, columns // 22)]
    width = max(12, columns // len(shown) - 2)
    table(shown, ([cell(row[name], width) for name in shown] for row in rows))
    if len(shown) < len(names):
        say(f"(columns left out: {', '.join(names[len(shown) :])}; --format jsonl shows all)")


def as_jsonl(rows: Iterable[dict[str, Any]]) -> None:
    """Rows as JSON Lines to standard output; what could steer a terminal is written as its escape."""
    for row in rows:
        print(_escaped(json.dumps(row, ensure_ascii=False, default=str)))


def as_json(value: object) -> None:
    """A value as indented JSON to standard output, escaped likewise."""
    print(_escaped(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def _escaped(text: str) -> str:
    return _ESCAPED.sub(lambda m: f"\\u{ord(m[0]):04x}", text)
