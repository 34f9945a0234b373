"""JSON Lines in and out of a command: an output that appears whole, and rows that cannot be read."""

import os
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from dagster_project.cli._console import errors, safe, say
from stepforge.errors import BadInput, BadRequest

SHOWN_ERRORS = 100
STANDARD = "-"


def unread(faults: Sequence[str], source: str, target: str) -> None:
    """Name the rows that could not be read.  Raises: BadInput if there are any."""
    for fault in faults[:SHOWN_ERRORS]:
        errors.print(f"error: {safe(fault)}", markup=False, highlight=False, soft_wrap=True)
    if faults:
        more = f" ({len(faults) - SHOWN_ERRORS:,} more lines are not shown)" if len(faults) > SHOWN_ERRORS else ""
        where = "standard output" if target == STANDARD else target
        raise BadInput(f"{len(faults):,} rows of {source} could not be read{more}; all others are in {where}")


@contextmanager
def lines_of(source: str) -> "Iterator[tuple[Iterator[str], int]]":
    """The lines of a file and how many there are (0 where that is not known)."""
    if source == STANDARD:
        yield iter(sys.stdin), 0
        return
    path = Path(source)
    if path.is_dir():
        raise BadInput(f"{path} is a folder; name a JSON Lines file with --input")
    try:
        with path.open("rb") as handle:
            total = sum(block.count(b"\n") for block in iter(lambda: handle.read(1 << 20), b""))
    except FileNotFoundError:
        raise BadInput(f"{path} does not exist; name a JSON Lines file with --input") from None
    with path.open(encoding="utf-8", errors="surrogateescape", newline="\n") as text:
        yield _readable(text), total


def _readable(text: IO[str]) -> Iterator[str]:
    """Lines, with bytes that are no UTF-8 as replacement characters."""
    for line in text:
        yield line if line.isascii() else line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@contextmanager
def written(target: str) -> "Iterator[Callable[[str], None]]":
    """A function that writes one line; the file appears whole, when all is done."""
    if target == STANDARD:
        yield print
        return
    path = Path(target)
    if path.is_dir():
        raise BadRequest(f"{path} is a folder; name a file with --output")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as handle:
            yield lambda line: print(line, file=handle)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    say(f"written: {path}")
