"""The page: figures and tables put into the template, every text escaped."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from stepforge.records import ReportRow
from stepforge.report import charts, tables
from stepforge.report.correctness import correctness_matrix
from stepforge.report.glossary import CONTROLS, HEADLINE, TERMS
from stepforge.report.lean_kinds import MEANINGS
from stepforge.report.model import ModelCost, ReportInput, VersionRow
from stepforge.report.tables import Matrix, StageSum

MAX_BARS = 12  # what one plot shows; its table has the rest
MAX_TABLE_ROWS = 200
MAX_REJECTIONS = 100  # enough to see every kind of fault, few enough to read on a phone
MAX_ALT_VALUES = 15
OUTCOME_COLOURS = {"passed on": charts.BLUE, "not applicable": "#c3cad1", "rejected": charts.ORANGE}
FIGURE_LEADS = {"detection": "Detection of defects: ", "we-math": "We-Math: "}
DASH = "–"

# Control characters may not stand in HTML; a lone surrogate cannot be written as UTF-8.
_UNPRINTABLE = {
    code: "\ufffd" for code in (*range(32), *range(127, 160), *range(0xD800, 0xE000)) if code not in (9, 10)
}


class Figure(NamedTuple):
    """A plot with its title and the table of its numbers."""

    key: str
    title: str
    svg: Markup
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


class Tile(NamedTuple):
    """A headline number."""

    key: str
    label: str
    text: str


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


def draw(report: ReportInput) -> str:
    """The page as HTML, in UTF-8 characters only.  One file; no script, no network, no other file."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("stepforge.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(score=score_text, thousands=count, dollars=dollars, span=interval_text, notes=notes_text)
    page = environment.get_template("template.html.j2").render(_context(report)).strip() + "\n"
    return page.translate(_UNPRINTABLE)


def percent(value: float | None) -> str:
    """A share in per cent with one decimal; a dash where there is none."""
    known = tables.finite(value)
    return DASH if known is None else f"{100 * known:.1f}"


def count(number: int) -> str:
    """A count with its thousands marked."""
    return f"{number:,}"


def score_text(value: float | None, *, is_count: bool) -> str:
    """A share in per cent, a count as it is; a dash where there is none."""
    known = tables.finite(value)
    return f"{known:,.0f}" if is_count and known is not None else percent(known)


def interval_text(row: ReportRow | None) -> str:
    """`[70.5, 75.6]`; a dash where no interval is known."""
    if row is None or tables.finite(row.low) is None or tables.finite(row.high) is None:
        return DASH
    return f"[{percent(row.low)}, {percent(row.high)}]"


def notes_text(row: ReportRow) -> str:
    """What stands behind a score: its number of items and those that failed, were undecided or out of reach."""
    counts = ((row.failures, "failed"), (row.undecided, "undecided"), (row.not_accessible, "not accessible"))
    return " · ".join([f"n {count(row.n)}", *(f"{count(number)} {what}" for number, what in counts if number)])


def _context(report: ReportInput) -> dict[str, Any]:
    drawer = Drawer()
    stages = tables.sum_stages(report.stages)
    scores = tables.Scores(report.rows)
    board, detection, we_math = scores.leaderboard(), scores.detection(), scores.we_math()
    return {
        "report": report,
        "versions": [VersionRow(*row) for row in report.data_versions],
        "tiles": _tiles(report, stages, scores.systems),
        "stages": stages,
        "funnel": _funnel_figures(drawer, stages),
        "composition": _composition_figures(drawer, report),
        "board": board,
        "board_figures": _interval_figures(drawer, "leaderboard", board),
        "faults": scores.control_faults(),
        "length_figures": _length_figures(drawer, scores.by_length()),
        "detection": detection,
        "detection_figures": _interval_figures(drawer, "detection", detection),
        "we_math": we_math,
        "we_math_figures": _interval_figures(drawer, "we-math", we_math),
        "others": scores.others(),
        "breakdowns": scores.breakdowns(),
        "rejections": report.rejections_sample[:MAX_REJECTIONS],
        "models": report.models,
        "lean": tables.lean_tables(report.lean),
        "kind_meanings": MEANINGS,
        "agreement": report.agreement,
        "correctness": correctness_matrix(report.rows, scores.systems),
        "licences": tables.licences(report.tasks),
        "metrics": HEADLINE,
        "terms": TERMS,
        "controls": CONTROLS,
    }


def _tiles(report: ReportInput, stages: Sequence[StageSum], systems: Sequence[str]) -> list[Tile]:
    """Problems read are the rows of the stage `problems`, or what came into the first stage where there is none."""
    read = next((s.n_out for s in stages if s.stage == "problems"), stages[0].n_in if stages else 0)
    scored = [system for system in systems if system not in CONTROLS]
    return [
        Tile("problems", "problems in", count(read)),
        Tile("kept", "problems kept", count(tables.problem_count(report.tasks))),
        Tile("tasks", "tasks out", count(len(report.tasks))),
        Tile("systems", f"systems, + {len(systems) - len(scored)} controls", count(len(scored))),
        Tile("stages", "stages", count(len(stages))),
        _cost_tile(report.models),
    ]


def dollars(amount: Decimal) -> str:
    """US dollars to the cent; what is less than a cent in full."""
    return f"{amount:,.2f}" if not amount or amount >= Decimal("0.01") else f"{amount.normalize():f}"


def _cost_tile(models: Sequence[ModelCost]) -> Tile:
    unpriced = sum(m.unpriced for m in models)
    label = "cost in USD" + (f", + {count(unpriced)} replies without a price" if unpriced else "")
    return Tile("cost", label, dollars(sum((m.cost_usd for m in models), Decimal())))


def _funnel_figures(drawer: Drawer, stages: Sequence[StageSum]) -> list[Figure]:
    figures = []
    counted = [s for s in stages if s.n_in]
    if counted:
        splits = [
            charts.Split(s.stage, tuple(zip(OUTCOME_COLOURS, (s.passed, s.not_applicable, s.rejected), strict=True)))
            for s in counted
        ]
        rows = [(s.stage, count(s.n_in), count(s.passed), count(s.not_applicable), count(s.rejected)) for s in counted]
        figures.append(
            drawer.figure(
                "funnel",
                "Records in (number at the right) and what became of them",
                ("share of the records in (%)", "stage"),
                (("Stage", "Records in", "Passed on", "Not applicable", "Rejected"), rows),
                lambda frame: charts.splits(splits, OUTCOME_COLOURS, frame),
            )
        )
    groups = [(s.stage, [charts.Bar(reason, n) for reason, n in s.by_reason]) for s in stages if s.by_reason]
    if groups:
        reasons = [(f"{stage}: {bar.label}", count(bar.value)) for stage, bars in groups for bar in bars]
        figures.append(
            drawer.figure(
                "rejections",
                "Rejections by stage and reason",
                ("rejected records (count)", "reason"),
                (("Stage and reason", "Records"), reasons),
                lambda frame: charts.grouped_bars(groups, frame),
            )
        )
    return figures


def _composition_figures(drawer: Drawer, report: ReportInput) -> list[Figure]:
    return [_composition_figure(drawer, report, attribute) for attribute in tables.ATTRIBUTES if report.tasks]


def _composition_figure(drawer: Drawer, report: ReportInput, attribute: str) -> Figure:
    shares = tables.composition(report.tasks, attribute)
    of_tasks = attribute == "Task kind"
    bars = [charts.Bar(s.value, s.tasks if of_tasks else s.problems) for s in shares]
    if len(bars) > MAX_BARS:
        rest = bars[MAX_BARS - 1 :]
        bars = [*bars[: MAX_BARS - 1], charts.Bar(f"{len(rest)} more", sum(bar.value for bar in rest))]
    unit = "tasks" if of_tasks else "problems"
    axis = "reference solution (steps)" if attribute == "Step length" else attribute.lower()
    return drawer.figure(
        attribute.lower().replace(" ", "-"),
        f"{unit.capitalize()} by {attribute.lower()}",
        (f"{unit} (count)", axis),
        ((attribute, "Problems", "Tasks"), [(s.value, count(s.problems), count(s.tasks)) for s in shares]),
        lambda frame: charts.bars(bars, frame),
    )


def _point(label: str, row: ReportRow | None, *, muted: bool) -> charts.Interval | None:
    value = tables.finite(row.value) if row else None
    if row is None or value is None:
        return None
    return charts.Interval(label, value, tables.finite(row.low), tables.finite(row.high), muted)


def _score_row(label: str, row: ReportRow | None) -> tuple[str, ...]:
    if row is None:
        return (label, *[DASH] * 6)
    behind = (row.n, row.failures, row.undecided, row.not_accessible)
    return (label, percent(row.value), interval_text(row), *(count(number) for number in behind))


_SCORE_HEAD = ("Value (%)", "95 % interval", "n", "Failures", "Undecided", "Not accessible")


def _interval_figures(drawer: Drawer, key: str, matrix: Matrix) -> list[Figure]:
    """One plot a column, without the rows that have no value there."""
    figures = []
    for place, column in enumerate(matrix.columns):
        cells = [(row, row.cells[place]) for row in matrix.rows]
        points = [_point(row.name, cell, muted=row.control is not None) for row, cell in cells]
        drawn = [point for point in points if point is not None and 0 <= point.value <= 1]
        if drawn and not column.is_count:
            figures.append(_interval_figure(drawer, key, column, [_score_row(r.name, c) for r, c in cells], drawn))
    return figures


def _interval_figure(
    drawer: Drawer,
    key: str,
    column: tables.Column,
    rows: list[tuple[str, ...]],
    drawn: list[charts.Interval],
) -> Figure:
    arrow = {True: " ↑", False: " ↓", None: ""}[column.higher_is_better]
    name = f" {column.name}" if column.name else ""
    return drawer.figure(
        f"{key}-{column.key}",
        f"{FIGURE_LEADS.get(key, '')}{column.label}{arrow}{name}",
        (f"{column.label} (%)", "system"),
        (("System", *_SCORE_HEAD), rows),
        lambda frame: charts.intervals(drawn, frame),
    )


def _length_figures(drawer: Drawer, matrix: Matrix) -> list[Figure]:
    """One plot a system, with other systems behind it in grey; problems of unknown length stand in the table only."""
    labels = [column.label for column in matrix.columns]
    buckets = [label for label in labels if any(character.isdigit() for character in label)]
    lines = [
        charts.Line(
            row.name,
            tuple(_point(b, cell, muted=False) for b, cell in zip(labels, row.cells, strict=True) if b in buckets),
            row.control is not None,
        )
        for row in matrix.rows
    ]
    figures = []
    for row, line in zip(matrix.rows, lines, strict=True):
        if any(line.points):
            rows = [_score_row(label, cell) for label, cell in zip(labels, row.cells, strict=True)]
            others = [other for other in lines if other is not line and not other.muted]
            figures.append(_length_figure(drawer, line, others, buckets, rows))
    return figures


def _length_figure(
    drawer: Drawer, line: charts.Line, others: list[charts.Line], buckets: list[str], rows: list[tuple[str, ...]]
) -> Figure:
    return drawer.figure(
        f"length-{line.label}",
        f"{line.label}{' (control)' if line.muted else ''}",
        ("reference solution (steps)", "final-answer accuracy (%)"),
        (("Steps", *_SCORE_HEAD), rows),
        lambda frame: charts.curve(line, others, buckets, frame),
    )
