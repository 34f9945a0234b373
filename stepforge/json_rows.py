"""Rows of a JSON Lines file that is handed to a command: each line is one object."""

import json
from typing import Any


class RowError(ValueError):
    """The row cannot be read; the message says what to put right."""


def row_of(line: str) -> dict[str, Any]:
    """The object of one line.  Raises: RowError."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(f"no JSON: {error}") from None
    if not isinstance(row, dict):
        raise RowError(f"a JSON object is needed, this is {type(row).__name__}")
    return row
