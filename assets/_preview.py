"""A few rows of a table for a person to look at."""

import html
import json
from typing import Any

import pyarrow as pa

ROWS = 5
CELL_CHARS = 80


def cell(value: Any, width: int = CELL_CHARS) -> str:
    """One value on one line, cut to `width` characters."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def preview_markdown(table: pa.Table) -> str:
    """The first rows as a Markdown table; the text is escaped, because rows hold text from anywhere."""

    def safe(value: Any) -> str:
        return html.escape(cell(value)).replace("|", "&#124;").replace("`", "&#96;").replace("[", "&#91;")

    names = table.column_names
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    lines += ["| " + " | ".join(safe(row[n]) for n in names) + " |" for row in table.slice(0, ROWS).to_pylist()]
    return "\n".join(lines)
