"""The figures of one page: each a plot with its title, a description in words, and the table of its numbers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from stepforge.report import charts

MAX_TABLE_ROWS = 200
MAX_ALT_VALUES = 15


class Figure(NamedTuple):
    """A plot with its title and the table of its numbers."""

    key: str
    title: str
    svg: Markup
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


class Drawer:
    """Draws the figures of one page and numbers them, so that no two share an id."""

    def __init__(self) -> None:
        self._drawn = 0

    def figure(
        self,
        key: str,
        title: str,
        axes: tuple[str, str],
        table: tuple[tuple[str, ...], Sequence[tuple[str, ...]]],
        draw: Callable[[charts.Frame], str],
    ) -> Figure:
        """The figure of `draw`, with a description made from its table.  `axes`: titles of x and y."""
        self._drawn += 1
        head, rows = table
        shown = "; ".join(" ".join(row[:2]) for row in rows[:MAX_ALT_VALUES])
        more = f"; and {len(rows) - MAX_ALT_VALUES} more" if len(rows) > MAX_ALT_VALUES else ""
        frame = charts.Frame(f"f{self._drawn}-", f"{title}. {head[0]} and {head[1]}: {shown}{more}.", *axes)
        with charts.unvalidated():
            svg = draw(frame)
        cut = list(rows[:MAX_TABLE_ROWS])
        if len(rows) > len(cut):
            cut.append((f"and {len(rows) - len(cut)} more rows", *[""] * (len(head) - 1)))
        return Figure(key, title, Markup(svg), head, cut)  # noqa: S704 - reduced to shapes and escaped text
