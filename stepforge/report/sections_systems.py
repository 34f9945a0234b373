"""The figures and matrices that set systems beside each other: significance, accuracy by group, answers against steps,
capabilities, We-Math states, sensitivity."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from stepforge.metrics.comparison import ALPHA, Comparison
from stepforge.metrics.sensitivity import Sensitivity
from stepforge.records import ReportRow
from stepforge.report import charts, charts_systems, tables
from stepforge.report.drawer import Drawer, Figure
from stepforge.report.formats import DASH, count, p_value, percent, points, span
from stepforge.report.gather import Significance
from stepforge.report.glossary import CONTROLS, HEADLINE
from stepforge.report.labels import plain
from stepforge.report.sections import SCORE_HEAD, point_of, score_row
from stepforge.report.tables import Matrix, Scores
from stepforge.vocabulary import Capability

MAX_GROUPS, MAX_SYSTEMS = 8, 10  # of one plot; its table has the rest
MIN_SPOKES = 3
MIN_SPOKE_ITEMS = 5  # a share over fewer items is no property of a system
CAPABILITY = "capability"
GROUPED = ("difficulty", "subject", "modality")
STATES = ("CM mastered", "RM by rote", "IG not generalised", "IK not known")
STATE_COLOURS = dict(zip(STATES, ("#1a7f5a", "#e0a100", "#7fb2d6", "#c3cad1"), strict=True))


class PairCell(NamedTuple):
    """One system against another.  `significant`: 1 better, −1 worse, 0 not shown to differ, None not compared."""

    comparison: Comparison | None
    adjusted: float | None
    significant: int | None
    difference: str
    p: str
    interval: str


class PairMatrix(NamedTuple):
    """Differences of the system of a row and the system of a column, in percentage points."""

    key: str
    label: str
    test: str
    systems: tuple[str, ...]
    rows: tuple[tuple[str, tuple[PairCell | None, ...]], ...]


def pair_matrices(told: Sequence[Significance], order: Sequence[str]) -> list[PairMatrix]:
    """A matrix for each metric by which systems were compared, systems in the order of the leaderboard."""
    higher = {metric.key: metric.higher_is_better for metric in HEADLINE}
    found = []
    for one in told:
        systems = tuple(system for system in order if system in one.letters)
        cells: dict[tuple[str, str], PairCell] = {}
        tests = set()
        for a, b, comparison, adjusted in one.pairs:
            tests.add(comparison.test)
            better = higher.get(one.metric.lower(), True)
            cells[a, b] = _cell(comparison, adjusted, 1, higher_is_better=better)
            cells[b, a] = _cell(comparison, adjusted, -1, higher_is_better=better)
        rows = tuple((a, tuple(cells.get((a, b)) for b in systems)) for a in systems)
        found.append(PairMatrix(one.metric, one.metric, " or ".join(sorted(tests)), systems, rows))
    return found


def _cell(comparison: Comparison, adjusted: float | None, sign: int, *, higher_is_better: bool) -> PairCell:
    known = comparison.difference
    difference = None if known is None else sign * known
    ends = (comparison.low, comparison.high) if sign > 0 else (_minus(comparison.high), _minus(comparison.low))
    significant = None
    if difference is not None and adjusted is not None:
        gained = difference if higher_is_better else -difference
        significant = 0 if adjusted > ALPHA or not difference else 1 if gained > 0 else -1
    return PairCell(comparison, adjusted, significant, points(difference), p_value(adjusted), _ends(*ends))


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def _ends(low: float | None, high: float | None) -> str:
    return DASH if low is None or high is None else f"[{points(low)}, {points(high)}]"


def letters_of(told: Sequence[Significance]) -> dict[str, dict[str, str]]:
    """By the key of a headline metric, the letters of each system."""
    keys = {metric.key: metric for metric in HEADLINE}
    return {one.metric.lower(): dict(one.letters) for one in told if one.metric.lower() in keys}


def group_figures(drawer: Drawer, scores: Scores) -> list[Figure]:
    """Final-answer and milestone accuracy by difficulty, subject and modality, the systems of a group together; of a
    single system, its groups together."""
    figures = []
    for breakdown in GROUPED:
        for label, matrix in scores.breakdowns().get(breakdown, []):
            groups = _groups(matrix)
            if label not in {"FAA", "MA"} or len(groups) < 2:
                continue
            shown = [(name, rows[:MAX_SYSTEMS]) for name, rows in groups[:MAX_GROUPS]]
            rows = [
                score_row(f"{row.name}: {column.label}", cell)
                for row in matrix.rows
                for column, cell in zip(matrix.columns, row.cells, strict=True)
                if cell is not None and column.key not in CONTROLS
            ]
            figures.append(_group_figure(drawer, breakdown, label, shown, rows))
    return figures


def _groups(matrix: Matrix) -> list[tuple[str, list[charts.Interval]]]:
    """Groups with the values of their systems, without the controls."""
    found = []
    for row in matrix.rows:
        points_ = [
            point_of(column.label, cell, muted=False)
            for column, cell in zip(matrix.columns, row.cells, strict=True)
            if column.key not in CONTROLS
        ]
        drawn = [point for point in points_ if point is not None]
        if drawn:
            found.append((row.name, drawn))
    return found


def _group_figure(
    drawer: Drawer,
    breakdown: str,
    label: str,
    groups: list[tuple[str, list[charts.Interval]]],
    rows: list[tuple[str, ...]],
) -> Figure:
    alone = all(len(drawn) == 1 for _, drawn in groups) and len({drawn[0].label for _, drawn in groups}) == 1
    of_one = [drawn[0]._replace(label=name) for name, drawn in groups]
    return drawer.figure(
        f"{breakdown}-{label.lower()}",
        f"{label} by {breakdown}" + (f", {plain(groups[0][1][0].label)}" if alone else ""),
        (f"{label} (%)", breakdown if alone else "system"),
        ((f"{breakdown.capitalize()} and system", *SCORE_HEAD), rows),
        lambda frame: charts.intervals(of_one, frame) if alone else charts_systems.grouped_intervals(groups, frame),
    )


def scatter_figures(drawer: Drawer, board: Matrix) -> list[Figure]:
    """Final-answer accuracy against milestone accuracy, for the systems that have both."""
    at = {column.key: place for place, column in enumerate(board.columns)}
    spots, rows = [], []
    for row in board.rows:
        x, y = (point_of(row.name, row.cells[at[key]], muted=row.control is not None) for key in ("faa", "ma"))
        if x is not None and y is not None:
            spots.append(charts_systems.Spot(x, y, row.control is not None))
            told = [row.name, percent(x.value), span(x.low, x.high), percent(y.value), span(y.low, y.high)]
            rows.append(tuple(told))
    if not any(not spot.muted for spot in spots):
        return []
    figure = drawer.figure(
        "faa-ma",
        "Right answers against reached milestones",
        ("FAA (%)", "MA (%)"),
        (("System", "FAA (%)", "95 % interval", "MA (%)", "95 % interval"), rows),
        lambda frame: charts_systems.scatter(spots, frame),
    )
    return [figure]


_SPOKES = {
    Capability.SYMBOL_RECOGNITION: "symbol\nrecognition",
    Capability.CONCEPT_UNDERSTANDING: "concept\nunderstanding",
    Capability.CALCULATION: "calculation",
    Capability.SPATIAL_PERCEPTION: "spatial\nperception",
    Capability.FORMALIZATION: "formalization",
    Capability.DEDUCTIVE_INDUCTIVE_REASONING: "deduction,\ninduction",
    Capability.MODELING: "modeling",
    Capability.THEOREM_APPLICATION: "theorem\napplication",
    Capability.SELF_REFLECTION: "self-\nreflection",
    Capability.NEW_KNOWLEDGE_LEARNING: "new\nknowledge",
}


def capability_figures(drawer: Drawer, rows: Sequence[ReportRow], systems: Sequence[str]) -> list[Figure]:
    """One radar a system: milestone accuracy by the capability that the milestone rests on, over the capabilities that
    some system was scored on with `MIN_SPOKE_ITEMS` items; none with fewer than three of them."""
    by_system: dict[str, dict[str, ReportRow]] = defaultdict(dict)
    for row in rows:
        if row.breakdown == CAPABILITY:
            by_system[row.system][row.group] = row
    ranked = [system for system in systems if system in by_system and system not in CONTROLS]
    items = {
        c: max((by_system[s][c.value].n for s in ranked if c.value in by_system[s]), default=0) for c in Capability
    }
    spokes = [c for c, n in items.items() if n >= MIN_SPOKE_ITEMS]
    if len(spokes) < MIN_SPOKES:
        return []
    figures = []
    for system in ranked[:MAX_SYSTEMS]:
        others = [other for other in ranked[:MAX_SYSTEMS] if other != system]
        figures.append(_radar(drawer, system, by_system, spokes, others))
    return figures


def _items(of: dict[str, ReportRow], capability: Capability) -> int:
    return of[capability.value].n if capability.value in of else 0


def _radar(
    drawer: Drawer,
    system: str,
    by_system: dict[str, dict[str, ReportRow]],
    spokes: list[Capability],
    others: list[str],
) -> Figure:
    def values(name: str) -> list[float | None]:
        cells = (by_system[name].get(spoke.value) for spoke in spokes)
        return [None if cell is None else tables.finite(cell.value) for cell in cells]

    return drawer.figure(
        f"capability-{plain(system)}",
        plain(system),
        ("", ""),
        (
            ("Capability", *SCORE_HEAD),
            [score_row(spoke.replace("_", " "), by_system[system].get(spoke.value)) for spoke in spokes],
        ),
        lambda frame: charts.drawing(
            charts_systems.radar(values(system), [values(o) for o in others], [_SPOKES[s] for s in spokes]), frame
        ),
    )


def state_figures(drawer: Drawer, matrix: Matrix) -> list[Figure]:
    """We-Math's four states as shares of the complete composite problems, strict and loose."""
    return [figure for setting in ("strict", "loose") if (figure := _states(drawer, matrix, setting)) is not None]


def _states(drawer: Drawer, matrix: Matrix, setting: str) -> Figure | None:
    at = {tables.canonical_state(column.key): place for place, column in enumerate(matrix.columns)}
    names = ("ik", "ig", f"cm_{setting}")
    if any(name not in at for name in names):
        return None
    bars, rows = [], []
    for row in matrix.rows:
        cells = [row.cells[at[name]] for name in names]
        if any(cell is None or tables.finite(cell.value) is None for cell in cells):
            continue
        shares = [float(cell.value or 0) for cell in cells if cell is not None]
        n = max(cell.n for cell in cells if cell is not None)
        ik, ig, cm = (round(share * n) for share in shares)
        parts = (cm, n - ik - ig - cm, ig, ik)
        bars.append(charts.Split(row.name, tuple(zip(STATES, parts, strict=True))))
        rows.append((row.name, count(n), *(count(part) for part in parts)))
    if not bars:
        return None
    head = ("System", "Problems", "CM", "RM", "IG", "IK")
    title = f"States of the composite problems, {setting}"
    axes = ("share of the composite problems (%)", "system")
    return drawer.figure(
        f"states-{setting}",
        title,
        axes,
        (head, rows),
        lambda frame: charts.splits(bars, STATE_COLOURS, frame, columns=2),
    )


def sensitivity_figures(drawer: Drawer, told: Sensitivity | None) -> list[Figure]:
    """How far MA moves over all settings."""
    values: dict[str, list[float]] = defaultdict(list)
    for row in told.rows if told else ():
        if row.ma is not None:
            values[row.system].append(row.ma)
    if not values:
        return []
    drawn = [charts.Interval(name, of[0], min(of), max(of)) for name, of in values.items()]
    rows = [(d.label, percent(d.value), span(d.low, d.high)) for d in drawn]
    figure = drawer.figure(
        "sensitivity",
        "MA, and the range in which it lies over all settings",
        ("MA (%)", "system"),
        (("System", "MA (%)", "Range over all settings"), rows),
        lambda frame: charts.intervals(drawn, frame),
    )
    return [figure]
