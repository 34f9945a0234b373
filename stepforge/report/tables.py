"""What the page shows, computed from the records: counts, matrices and their order.  No markup and no plot here."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from stepforge.records import ReportRow, Task
from stepforge.report.glossary import (
    CONTROLS,
    FAA,
    HEADLINE,
    canonical,
    detection_kind,
    is_contamination,
    is_correctness,
    is_count,
    is_lean,
    is_we_math,
    pick,
    we_math_label,
)
from stepforge.report.model import LeanCount, LeanGroup, StageCount
from stepforge.vocabulary import DefectKind, Difficulty

NOT_STATED = "not stated"
BUCKETS = ((1, 4), (5, 8), (9, 12), (13, 24))  # GeoLaux, section 4: reference step length
LONGER = "25+"
DUE = {"oracle": 1.0, "null": 0.0}  # what the controls score on each metric of CALIBRATED
CALIBRATED = frozenset({"faa", "ma", "detection"})
TOLERANCE = 1e-9
LANGUAGES = {"en": "English (en)", "zh": "Chinese (zh)"}


class StageSum(NamedTuple):
    """A stage over all its partitions.  `passed`: records that are neither rejected nor without work."""

    stage: str
    partitions: int
    n_in: int
    n_out: int
    rejected: int
    not_applicable: int
    passed: int
    by_reason: tuple[tuple[str, int], ...]


class Share(NamedTuple):
    """One value of an attribute with the problems and tasks that have it."""

    value: str
    problems: int
    tasks: int


class Column(NamedTuple):
    """A column of a matrix of scores."""

    key: str
    label: str
    name: str
    higher_is_better: bool | None
    is_count: bool = False


class MatrixRow(NamedTuple):
    """One row of scores.  `control`: what the control does, None for a system."""

    name: str
    control: str | None
    cells: tuple[ReportRow | None, ...]


class Matrix(NamedTuple):
    """Scores in rows and columns.  `corner`: what a row is."""

    corner: str
    columns: tuple[Column, ...]
    rows: tuple[MatrixRow, ...]


class Licence(NamedTuple):
    """Problems and tasks under one licence."""

    licence: str
    sources: str
    problems: int
    tasks: int


def finite(value: float | None) -> float | None:
    """The value, None in place of a number that is not one."""
    return value if value is not None and math.isfinite(value) else None


def sum_stages(stages: Sequence[StageCount]) -> list[StageSum]:
    """Counts per stage over all partitions, in the order in which the stages first come."""
    groups: dict[str, list[StageCount]] = defaultdict(list)
    for count in stages:
        groups[count.stage].append(count)
    return [_sum_stage(stage, counts) for stage, counts in groups.items()]


def _sum_stage(stage: str, counts: Sequence[StageCount]) -> StageSum:
    reasons: Counter[str] = Counter()
    for count in counts:
        reasons.update(count.by_reason)
    n_in, rejected, not_applicable = (
        sum(getattr(count, name) for count in counts) for name in ("n_in", "rejected", "not_applicable")
    )
    return StageSum(
        stage=stage,
        partitions=len(counts),
        n_in=n_in,
        n_out=sum(count.n_out for count in counts),
        rejected=rejected,
        not_applicable=not_applicable,
        passed=max(0, n_in - rejected - not_applicable),
        by_reason=tuple(sorted(((r, n) for r, n in reasons.items() if n), key=lambda pair: (-pair[1], pair[0]))),
    )


def length_bucket(step_length: int | None) -> str:
    """The GeoLaux bucket of a reference step length; `NOT_STATED` where there is none."""
    if step_length is None or step_length < 1:
        return NOT_STATED
    return next((f"{low}-{high}" for low, high in BUCKETS if low <= step_length <= high), LONGER)


def _words(value: str) -> str:
    return value.replace("_", " ")


ATTRIBUTES: dict[str, Callable[[Task], str | None]] = {
    "Source": lambda t: t.source,
    "Subject": lambda t: t.subject,
    "Difficulty": lambda t: t.difficulty,
    "Step length": lambda t: length_bucket(t.step_length),
    "Modality": lambda t: _words(t.modality),
    "Problem type": lambda t: _words(t.problem_type),
    "Language": lambda t: LANGUAGES.get(t.language, t.language),
    "Task kind": lambda t: _words(t.kind),
}

_ORDERS = {
    "Difficulty": tuple(str(d) for d in Difficulty),
    "Step length": (*(f"{low}-{high}" for low, high in BUCKETS), LONGER),
}


def problem_count(tasks: Iterable[Task]) -> int:
    """Distinct problems behind the tasks; one problem in two batches counts twice."""
    return len({(t.batch, t.problem_id) for t in tasks})


def composition(tasks: Sequence[Task], attribute: str) -> list[Share]:
    """Problems and tasks by the value of an attribute of `ATTRIBUTES`: in natural order where the attribute has one,
    else the most frequent first; problems without a value last."""
    value_of = ATTRIBUTES[attribute]
    task_count: Counter[str] = Counter()
    problems: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for task in tasks:
        value = value_of(task) or NOT_STATED
        task_count[value] += 1
        problems[value].add((task.batch, task.problem_id))
    shares = [Share(value, len(problems[value]), n) for value, n in task_count.items()]
    order = _ORDERS.get(attribute, ())

    def rank(share: Share) -> tuple[bool, int, int, int, str]:
        place = order.index(share.value) if share.value in order else len(order)
        return share.value == NOT_STATED, place, -share.problems, -share.tasks, share.value

    return sorted(shares, key=rank)


def licences(tasks: Sequence[Task]) -> list[Licence]:
    """What is under which licence, the most problems first."""
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[task.licence or NOT_STATED].append(task)
    rows = [
        Licence(name, ", ".join(sorted({t.source for t in members})), problem_count(members), len(members))
        for name, members in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.problems, row.licence))


class LeanTable(NamedTuple):
    """Lean's verdicts on one kind of text.  `kinds`: each kind of error, the most frequent first, with its count in
    each of `rows`; `unjudged`: the same for what lies in the machine."""

    key: str
    title: str
    corner: str
    rows: tuple[LeanCount, ...]
    kinds: tuple[tuple[str, tuple[int, ...]], ...]
    unjudged: tuple[tuple[str, tuple[int, ...]], ...] = ()


_LEAN_TITLES = {
    LeanGroup.SOURCE: ("Statements of the benchmark by source", "Source"),
    LeanGroup.LABEL: ("Formalizations that people judged, by what they said", "Source and label"),
    LeanGroup.SYSTEM: ("Formalizations in replies by system", "System"),
}


def lean_tables(counts: Sequence[LeanCount]) -> list[LeanTable]:
    """One table for items, one for labelled formalizations and one for candidates, without those that have nothing."""
    tables = []
    for group, (title, corner) in _LEAN_TITLES.items():
        rows = tuple(c for c in counts if c.of is group)
        if group is not LeanGroup.LABEL:  # labels have an order of their own
            rows = tuple(sorted(rows, key=lambda c: c.name))
        kinds, unjudged = (_by_kind([count(row) for row in rows]) for count in (_refused, _unjudged))
        if rows:
            tables.append(LeanTable(f"lean-{group}", title, corner, rows, kinds, unjudged))
    return tables


def _refused(row: LeanCount) -> dict[str, int]:
    return row.by_kind


def _unjudged(row: LeanCount) -> dict[str, int]:
    return row.unjudged_by


def _by_kind(counts: Sequence[dict[str, int]]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Each kind with its count in each row, the most frequent first."""
    total = Counter[str]()
    for count in counts:
        total.update(count)
    ranked = sorted(total, key=lambda kind: (-total[kind], kind))
    return tuple((kind, tuple(count.get(kind, 0) for count in counts)) for kind in ranked)


class Scores:
    """The report's rows, ready to be looked up."""

    def __init__(self, rows: Sequence[ReportRow]) -> None:
        self._rows = sorted(rows, key=lambda r: (r.breakdown, r.group != "all", r.group, r.metric, r.system))
        self._overall: dict[tuple[str, str], ReportRow] = {}
        for row in self._rows:
            if row.breakdown == "all":
                self._overall.setdefault((row.system, row.metric), row)
        names = {row.metric for row in self._rows}
        self._name = {metric.key: pick(metric, names) for metric in HEADLINE}
        self.systems = sorted({row.system for row in self._rows}, key=self._rank)

    def _overall_of(self, system: str, metric: str | None) -> ReportRow | None:
        return None if metric is None else self._overall.get((system, metric))

    def _rank(self, system: str) -> tuple[bool, float, str]:
        """Systems before controls, the highest FAA first, those without an FAA last."""
        row = self._overall_of(system, self._name["faa"])
        value = finite(row.value) if row else None
        return system in CONTROLS, math.inf if value is None else -value, system

    def _matrix(self, columns: Sequence[tuple[Column, str | None]], *, only_scored: bool = True) -> Matrix:
        rows = [
            MatrixRow(s, CONTROLS.get(s), tuple(self._overall_of(s, metric) for _, metric in columns))
            for s in self.systems
        ]
        kept = [row for row in rows if any(row.cells) or not only_scored]
        return Matrix("System", tuple(column for column, _ in columns), tuple(kept))

    def leaderboard(self) -> Matrix:
        """System × headline metric, over all tasks; a metric that nobody was scored on keeps its empty column."""
        columns = [(Column(m.key, m.label, m.name, m.higher_is_better), self._name[m.key]) for m in HEADLINE]
        return self._matrix(columns, only_scored=False)

    def we_math(self) -> Matrix:
        """System × state and score of We-Math."""
        return self._named(is_we_math, we_math_label)

    def contamination(self) -> Matrix:
        """System × each sign that a benchmark was known before."""
        return self._named(is_contamination)

    def others(self) -> Matrix:
        """System × each metric that stands nowhere else."""
        headline = set(self._name.values()) - {None}
        elsewhere = (is_we_math, is_correctness, is_contamination, lambda name: detection_kind(name) is not None)
        return self._named(lambda name: name not in headline and not any(told(name) for told in elsewhere))

    def _named(self, wanted: Callable[[str], bool], label: Callable[[str], str] = str) -> Matrix:
        names = sorted({metric for _, metric in self._overall if wanted(metric)})
        return self._matrix([(Column(name, label(name), "", None, is_count(name)), name) for name in names])

    def detection(self) -> Matrix:
        """System × defect kind, from metrics named after a kind (`detect_wrong`), or detection broken down by kind."""
        cells: dict[tuple[str, str], ReportRow] = {}
        for row in self._rows:
            kind = self._kind(row)
            if kind is not None:
                cells.setdefault((row.system, kind), row)
        order = [str(k) for k in DefectKind]
        kinds = sorted({k for _, k in cells}, key=lambda k: (order.index(k) if k in order else len(order), k))
        rows = [MatrixRow(s, CONTROLS.get(s), tuple(cells.get((s, k)) for k in kinds)) for s in self.systems]
        columns = tuple(Column(k, k, "", True) for k in kinds)
        return Matrix("System", columns, tuple(row for row in rows if any(row.cells)))

    def _kind(self, row: ReportRow) -> str | None:
        if row.breakdown == "kind" and row.metric == self._name["detection"]:
            return detection_kind(row.group) or row.group
        return detection_kind(row.metric) if row.breakdown == "all" else None

    def control_faults(self) -> list[str]:
        """What a control scored and should not have: a sign that the scorer, not a system, is wrong."""
        faults = []
        for metric in HEADLINE:
            for control, due in DUE.items():
                row = self._overall_of(control, self._name[metric.key])
                value = finite(row.value) if row else None
                if metric.key in CALIBRATED and value is not None and abs(value - due) > TOLERANCE:
                    faults.append(
                        f"{control} scores {100 * value:.1f} % {metric.label}; it must score {100 * due:.0f} %"
                    )
        return faults + self._lean_faults()

    def _lean_faults(self) -> list[str]:
        found = [
            (control, name, finite(row.value), DUE[control])
            for (control, name), row in sorted(self._overall.items())
            if control in DUE and (is_lean(name) or is_correctness(name))
        ]
        return [
            f"{control} scores {100 * value:.1f} % {name}; it must score {100 * due:.0f} %"
            for control, name, value, due in found
            if value is not None and abs(value - due) > TOLERANCE
        ]

    def by_length(self) -> Matrix:
        """System × step-length bucket: final-answer accuracy, the shortest bucket first."""
        return self.breakdown("step_length", self._name[FAA.key])

    def breakdowns(self) -> dict[str, list[tuple[str, Matrix]]]:
        """Per breakdown, the headline metrics: group × system."""
        found: dict[str, list[tuple[str, Matrix]]] = {}
        for breakdown in sorted({row.breakdown for row in self._rows} - {"all"}):
            matrices = [(m.label, self.breakdown(breakdown, self._name[m.key], across=False)) for m in HEADLINE]
            found[breakdown] = [(label, matrix) for label, matrix in matrices if matrix.rows]
        return {name: matrices for name, matrices in found.items() if matrices}

    def overall(self, metric: str | None) -> list[ReportRow]:
        """The rows of a metric over all tasks, the best system first."""
        found = [self._overall_of(system, metric) for system in self.systems]
        return [row for row in found if row is not None]

    def name_of(self, key: str) -> str | None:
        """The name under which the rows carry a headline metric."""
        return self._name[key]

    def breakdown(self, breakdown: str, metric: str | None, *, across: bool = True) -> Matrix:
        """System × group of one metric, or with `across` false group × system."""
        rows = [row for row in self._rows if row.breakdown == breakdown and row.metric == metric]
        cells = {(row.system, row.group): row for row in rows}
        groups = sorted({row.group for row in rows}, key=lambda g: _group_rank(breakdown, g))
        systems = [s for s in self.systems if any(row.system == s for row in rows)]
        if across:
            return Matrix(
                "System",
                tuple(Column(g, g, "", True) for g in groups),
                tuple(MatrixRow(s, CONTROLS.get(s), tuple(cells.get((s, g)) for g in groups)) for s in systems),
            )
        return Matrix(
            breakdown.replace("_", " ").capitalize(),
            tuple(Column(s, s, "", None) for s in systems),
            tuple(MatrixRow(g, None, tuple(cells.get((s, g)) for s in systems)) for g in groups),
        )


def only(matrix: Matrix, wanted: Callable[[str], bool]) -> Matrix:
    """The matrix with those columns whose key is wanted."""
    places = [place for place, column in enumerate(matrix.columns) if wanted(column.key)]
    rows = tuple(row._replace(cells=tuple(row.cells[place] for place in places)) for row in matrix.rows)
    return Matrix(matrix.corner, tuple(matrix.columns[place] for place in places), rows)


def is_we_math_score(name: str) -> bool:
    """Whether one of We-Math's metrics is its score, strict or loose."""
    return "score" in canonical(name).split("_")


def canonical_state(name: str) -> str:
    """`cm_strict` from `CM_strict` or `we_math_cm_strict`."""
    return canonical(name).removeprefix("we_math_")


def _group_rank(breakdown: str, group: str) -> tuple[int, str]:
    """Buckets by their first number, difficulties by level, other groups by name."""
    if breakdown == "step_length":
        number = re.search(r"[0-9]{1,9}", group)
        return (int(number[0]), group) if number else (10**9, group)
    levels = _ORDERS["Difficulty"]
    return (levels.index(group) if breakdown == "difficulty" and group in levels else len(levels), group)
