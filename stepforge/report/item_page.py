"""The pages of items: one for each problem, and the tables that lead to them.

Pure, as the report is: the same evidence gives the same bytes; formulas and figures are handed in, made where they can
be killed."""

import base64
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup, escape

from stepforge.records import Task
from stepforge.report.evidence import Standing, page_name
from stepforge.report.figures import FigureView
from stepforge.report.glossary import CONTROLS
from stepforge.report.item_view import IMAGE_MARK, ItemView
from stepforge.report.labels import plain
from stepforge.report.mathematics import Formula, pieces
from stepforge.report.safety import printable
from stepforge.report.templates import environment

ROWS_PER_PAGE = 500
MAX_FILTERS = 12
EXCERPT_CHARS = 140
INDEX = "index.html"


class ItemRow(NamedTuple):
    """One line of the table of items.  `page`: file name of the item's page."""

    problem_id: str
    page: str
    source: str
    excerpt: str
    standings: tuple[Standing, ...]


class _Filter(NamedTuple):
    anchor: str
    mark: str
    label: str
    rows: int


class _Marked(NamedTuple):
    problem_id: str
    page: str
    excerpt: Markup
    standings: tuple[Standing, ...]
    marks: str


@cache
def _style() -> Markup:
    return Markup((files("stepforge.report") / "item.css").read_text("utf-8"))  # noqa: S704 - a file of this package


def typeset(text: str, formulas: Mapping[Formula, str]) -> Markup:
    """The text with its formulas as MathML; a formula without one stands as it is written."""
    made = []
    for piece in pieces(text):
        markup = None if piece.latex is None else formulas.get(Formula(piece.latex, piece.display))
        made.append(escape(piece.text) if markup is None else Markup(markup))  # noqa: S704 - reduced to MathML
    return Markup("").join(made)


def render_item(view: ItemView, formulas: Mapping[Formula, str], figures: Mapping[str, FigureView]) -> str:
    """The page of one item as HTML.  `formulas`: MathML by formula; `figures`: drawn anew, by sha256."""
    page = (
        environment()
        .get_template("item.html.j2")
        .render(
            item=view,
            tex=lambda text: typeset(text, formulas),
            figures={sha256: _data_url(figure) for sha256, figure in figures.items()},
            controls=CONTROLS,
            style=_style(),
        )
    )
    return printable(page.strip() + "\n")


def _data_url(figure: FigureView) -> str:
    return f"data:{figure.media_type};base64,{base64.b64encode(figure.data).decode()}"


def item_row(task: Task, standings: Sequence[Standing]) -> ItemRow:
    """The line that leads to the page of a task's item."""
    return ItemRow(task.problem_id, page_name(task.problem_id), task.source, _excerpt(task.question), tuple(standings))


def _excerpt(question: str) -> str:
    """The beginning of a question on one line, cut between two words and never in a formula."""
    kept, room = "", EXCERPT_CHARS
    for piece in pieces(plain(IMAGE_MARK.sub(r"[figure \1]", question[: 8 * EXCERPT_CHARS]))):
        if len(piece.text) > room:
            words = "" if piece.latex is not None else piece.text[:room].rpartition(" ")[0]
            return f"{kept}{words}…"
        kept, room = kept + piece.text, room - len(piece.text)
    return kept


def index_name(number: int) -> str:
    """File name of the table's page `number`, from 1."""
    return INDEX if number == 1 else f"index-{number}.html"


def render_items(rows: Sequence[ItemRow], systems: Sequence[str], formulas: Mapping[Formula, str]) -> dict[str, str]:
    """The table of items by file name, at most `ROWS_PER_PAGE` a page, sorted by source and id.  One page, with
    nothing in it, where there is no item."""
    ordered = sorted(rows, key=lambda row: (row.source, row.problem_id))
    parts = [ordered[start : start + ROWS_PER_PAGE] for start in range(0, len(ordered), ROWS_PER_PAGE)] or [[]]
    first: dict[str, int] = {}
    for number, part in enumerate(parts, start=1):
        for row in part:
            first.setdefault(row.source, number)
    template = environment().get_template("items.html.j2")
    pages = {}
    for number, part in enumerate(parts, start=1):
        marked = [_marked(row, formulas) for row in part]
        page = template.render(
            rows=marked,
            systems=systems,
            filters=_filters(marked, systems),
            page=number,
            pages=len(parts),
            names=[index_name(n) for n in range(1, len(parts) + 1)],
            sources=[(source, index_name(n)) for source, n in first.items()],
            style=_style(),
        )
        pages[index_name(number)] = printable(page.strip() + "\n")
    return pages


def _marked(row: ItemRow, formulas: Mapping[Formula, str]) -> _Marked:
    """The row with a class for each thing that it can be looked for by: `w0` where system 0 is wrong, …"""
    wrong = [f"w{k}" for k, standing in enumerate(row.standings) if standing.answer.right is False]
    told = {s.answer.right for s in row.standings if s.system not in CONTROLS and s.answer.right is not None}
    marks = " ".join([*wrong, *["d"] * (len(told) > 1)])
    return _Marked(row.problem_id, row.page, typeset(row.excerpt, formulas), row.standings, marks)


def _filters(rows: Sequence[_Marked], systems: Sequence[str]) -> list[_Filter]:
    """What the rows of a page can be reduced to, without those that none or all of them answer to."""
    named = [("d", "systems disagree")]
    named += [(f"w{k}", f"{system} is wrong") for k, system in enumerate(systems) if system not in CONTROLS]
    counted = [
        _Filter(f"only-{mark}", mark, label, sum(mark in row.marks.split() for row in rows)) for mark, label in named
    ]
    return [f for f in counted if f.rows][:MAX_FILTERS]
