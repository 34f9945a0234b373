"""The figures of the funnel, of what the benchmark holds, of scores with intervals and of accuracy by step length."""

from collections.abc import Sequence

from stepforge.records import ReportRow
from stepforge.report import charts, tables
from stepforge.report.drawer import Drawer, Figure
from stepforge.report.formats import DASH, count, interval_text, percent
from stepforge.report.model import ReportInput
from stepforge.report.tables import Matrix, StageSum

MAX_BARS = 12  # what one plot shows; its table has the rest
OUTCOME_COLOURS = {"passed on": charts.BLUE, "not applicable": "#c3cad1", "rejected": charts.ORANGE}
FIGURE_LEADS = {"detection": "Detection of defects: ", "we-math": "We-Math: "}


def funnel_figures(drawer: Drawer, stages: Sequence[StageSum]) -> list[Figure]:
    """What became of the records at each stage, and why some were rejected."""
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


def composition_figures(drawer: Drawer, report: ReportInput) -> list[Figure]:
    """Problems, and tasks by their kind, by each attribute."""
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


def point_of(label: str, row: ReportRow | None, *, muted: bool) -> charts.Interval | None:
    """A value with its interval as it is drawn; None where there is none."""
    value = tables.finite(row.value) if row else None
    if row is None or value is None:
        return None
    return charts.Interval(label, value, tables.finite(row.low), tables.finite(row.high), muted)


def score_row(label: str, row: ReportRow | None) -> tuple[str, ...]:
    """A line under `SCORE_HEAD`."""
    if row is None:
        return (label, *[DASH] * 6)
    behind = (row.n, row.failures, row.undecided, row.not_accessible)
    return (label, percent(row.value), interval_text(row), *(count(number) for number in behind))


SCORE_HEAD = ("Value (%)", "95 % interval", "n", "Failures", "Undecided", "Not accessible")


def interval_figures(drawer: Drawer, key: str, matrix: Matrix) -> list[Figure]:
    """One plot a column, without the rows that have no value there; none where only controls have one."""
    figures = []
    for place, column in enumerate(matrix.columns):
        cells = [(row, row.cells[place]) for row in matrix.rows]
        points = [point_of(row.name, cell, muted=row.control is not None) for row, cell in cells]
        drawn = [point for point in points if point is not None and 0 <= point.value <= 1]
        if any(not point.muted for point in drawn) and not column.is_count:
            figures.append(_interval_figure(drawer, key, column, [score_row(r.name, c) for r, c in cells], drawn))
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
        (("System", *SCORE_HEAD), rows),
        lambda frame: charts.intervals(drawn, frame),
    )


def length_figures(drawer: Drawer, matrix: Matrix, metric: str = "FAA") -> list[Figure]:
    """One plot a system, with other systems behind it in grey; problems of unknown length stand in the table only.  The
    controls, which are the same at each length, have no plot."""
    labels = [column.label for column in matrix.columns]
    buckets = [label for label in labels if any(character.isdigit() for character in label)]
    lines = [
        charts.Line(
            row.name,
            tuple(point_of(b, cell, muted=False) for b, cell in zip(labels, row.cells, strict=True) if b in buckets),
            row.control is not None,
        )
        for row in matrix.rows
    ]
    figures = []
    for row, line in zip(matrix.rows, lines, strict=True):
        if any(line.points) and not line.muted:
            rows = [score_row(label, cell) for label, cell in zip(labels, row.cells, strict=True)]
            others = [other for other in lines if other is not line and not other.muted]
            figures.append(_length_figure(drawer, metric, line, others, buckets, rows))
    return figures


_LENGTH_TITLES = {"FAA": "final-answer accuracy (%)", "PCS": "process correctness (%)"}


def _length_figure(
    drawer: Drawer,
    metric: str,
    line: charts.Line,
    others: list[charts.Line],
    buckets: list[str],
    rows: list[tuple[str, ...]],
) -> Figure:
    key = "length" if metric == "FAA" else f"length-{metric.lower()}"
    return drawer.figure(
        f"{key}-{line.label}",
        line.label,
        ("reference solution (steps)", _LENGTH_TITLES[metric]),
        (("Steps", *SCORE_HEAD), rows),
        lambda frame: charts.curve(line, others, buckets, frame),
    )
