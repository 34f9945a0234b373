"""The report's numbers: every metric of every system, whole and broken down, with intervals and what did not count."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stepforge._bootstrap import Interval, ratio_interval
from stepforge._correctness import correctness_rows
from stepforge._groups import group_rows
from stepforge._process_rows import Capabilities, capability_rows, fall_of_pcs
from stepforge.metrics.formalization import pass_at_k
from stepforge.metrics.geolaux import bucket
from stepforge.records import Judgement, ReportRow, Score, Task
from stepforge.scoring import LEAN_METRICS, NOT_SHOWN, UNDECIDED
from stepforge.tasks import JUDGED_METRICS, SPARSE_METRICS
from stepforge.vocabulary import NOT_COUNTED, Failure

MACRO = ("MA", "SMR", "SRR", "SAR")  # metrics whose micro average weighs items; the mean of items stands beside it
NOT_FAILED = frozenset({None, Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED})

BREAKDOWNS: Mapping[str, Callable[[Task], str | None]] = {
    "all": lambda _task: "all",
    "source": lambda task: task.source,
    "modality": lambda task: task.modality.value,
    "difficulty": lambda task: task.difficulty.value if task.difficulty else None,
    "subject": lambda task: task.subject,
    "step_length": lambda task: bucket(task.step_length),
    "problem_type": lambda task: task.problem_type.value,
    "kind": lambda task: task.kind.value,
}
UNKNOWN = "unknown"


class _Side(NamedTuple):
    """What stands beside a value: counts of judgements that failed, were not accessible, were left undecided."""

    failures: int
    not_accessible: int
    undecided: int


class _Cell(NamedTuple):
    """Scores and judgements of one metric, system and group."""

    scores: list[Score]
    judgements: list[Judgement]


def aggregate(
    tasks: Sequence[Task],
    judgements: Sequence[Judgement],
    scores: Sequence[Score],
    *,
    seed: int,
    resamples: int = 1000,
    capabilities: Capabilities | None = None,
    groups: Mapping[str, Sequence[tuple[str, str]]] | None = None,
) -> list[ReportRow]:
    """Report rows sorted by system, metric, breakdown and group.

    Micro averages (Σ value·weight / Σ weight; for FAA and detection the plain share); `MA_macro` and the like are means
    of items; `lean_compile@k` and `lean_align@k` are pass@k, for 1 and the number of samples.  `n` counts items (tasks)
    scored; items without a value of the breakdown are in its group "unknown".  Intervals resample items, all samples of
    a task together.  Then the We-Math states of composite problems (see `group_rows`), what is to be said of
    correctness judgment beside its accuracy (see `correctness_rows`), ΔPCS, and with `capabilities` MA by capability
    (see `capability_rows`).  `groups`: by task, further breakdowns and its groups in them.
    """
    by_id = {task.task_id: task for task in tasks}
    rows = []
    samples = _samples(judgements)
    known = {(score.system, score.metric) for score in scores}
    for (system, metric, breakdown, group), cell in sorted(_cells(by_id, judgements, scores, groups or {}).items()):
        key = f"{seed}|{system}|{metric}|{breakdown}|{group}"
        if metric in SPARSE_METRICS and (system, metric) not in known:
            continue  # no judge, or nothing for it to say
        if metric in LEAN_METRICS:
            for k in sorted({1, samples[system]}):
                rate = _pass_rate(cell, k, key=f"{key}|{k}", resamples=resamples)
                place = {"system": system, "metric": f"{metric}@{k}", "breakdown": breakdown, "group": group}
                rows.append(ReportRow.model_validate({**place, **rate}))
            continue
        side = _side(cell.judgements, undecided=_undecided(metric, cell))
        for name, macro in ((metric, False), *(((f"{metric}_macro", True),) if metric in MACRO else ())):
            value, interval, n = _average(cell.scores, macro=macro, key=key, resamples=resamples)
            rows.append(
                ReportRow(
                    system=system,
                    metric=name,
                    breakdown=breakdown,
                    group=group,
                    n=n,
                    value=value,
                    low=interval.low,
                    high=interval.high,
                    **side._asdict(),
                )
            )
    rows += group_rows(by_id, judgements, scores, seed=seed, resamples=resamples)
    rows += fall_of_pcs(by_id, scores, seed=seed, resamples=resamples)
    rows += capability_rows(by_id, judgements, capabilities or {}, seed=seed, resamples=resamples)
    rows += correctness_rows(by_id, judgements, seed=seed, resamples=resamples)
    return sorted(rows, key=lambda r: (r.system, r.metric, r.breakdown, r.group))


def _cells(
    by_id: Mapping[str, Task],
    judgements: Sequence[Judgement],
    scores: Sequence[Score],
    more: Mapping[str, Sequence[tuple[str, str]]],
) -> dict[tuple[str, str, str, str], _Cell]:
    """Scores and judgements by system, metric, breakdown and group; a judgement counts for each metric of its task."""
    cells: dict[tuple[str, str, str, str], _Cell] = defaultdict(lambda: _Cell([], []))
    places = {task_id: [*_groups(task), *more.get(task_id, ())] for task_id, task in by_id.items()}
    for score in scores:
        for breakdown, group in places.get(score.task_id, ()):
            cells[score.system, score.metric, breakdown, group].scores.append(score)
    for judgement in judgements:
        task = by_id.get(judgement.task_id)
        for metric in task.metrics if task else ():
            for breakdown, group in places[judgement.task_id]:
                cells[judgement.system, metric, breakdown, group].judgements.append(judgement)
    return cells


def _groups(task: Task) -> list[tuple[str, str]]:
    return [(breakdown, group_of(task) or UNKNOWN) for breakdown, group_of in BREAKDOWNS.items()]


def _undecided(metric: str, cell: _Cell) -> int:
    """Replies that neither the engine nor a judge decided; of a metric that a judge decides, those without a score."""
    if metric in JUDGED_METRICS and not metric.startswith("construction"):
        return sum(j.failure not in NOT_COUNTED for j in cell.judgements) - len(cell.scores)
    return sum(score.method == UNDECIDED for score in cell.scores)


def _side(judgements: Sequence[Judgement], *, undecided: int) -> _Side:
    return _Side(
        failures=sum(j.failure not in NOT_FAILED for j in judgements),
        not_accessible=sum(j.failure is Failure.NOT_ACCESSIBLE for j in judgements),
        undecided=undecided,
    )


def _samples(judgements: Sequence[Judgement]) -> dict[str, int]:
    """The number of replies a task, by system."""
    found: dict[str, int] = defaultdict(lambda: 1)
    for judgement in judgements:
        found[judgement.system] = max(found[judgement.system], judgement.sample + 1)
    return found


def _pass_rate(cell: _Cell, k: int, *, key: str, resamples: int) -> dict[str, object]:
    """Mean pass@k over the items all of whose counted replies were judged by Lean, with what stands beside it."""
    expected = Counter(j.task_id for j in cell.judgements if j.failure not in NOT_COUNTED)
    values: dict[str, list[bool]] = defaultdict(list)
    for score in cell.scores:
        values[score.task_id].append(score.value == 1)
    scored = {task: marks for task, marks in values.items() if len(marks) == expected[task]}
    rates = np.array([pass_at_k(len(m), sum(m), k) for _, m in sorted(scored.items())], dtype=np.float64)
    interval = ratio_interval(rates, np.ones_like(rates), key=key, resamples=resamples)
    side = _side(cell.judgements, undecided=sum(score.method == NOT_SHOWN for score in cell.scores))
    return {
        **side._asdict(),
        "n": len(rates),
        "value": float(rates.mean()) if len(rates) else None,
        "low": interval.low,
        "high": interval.high,
    }


def _average(scores: Sequence[Score], *, macro: bool, key: str, resamples: int) -> tuple[float | None, Interval, int]:
    """Micro or macro average over items, its interval, and the number of items."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for score in scores:
        weight = 1.0 if macro else score.weight
        sums[score.task_id][0] += score.value * weight
        sums[score.task_id][1] += weight
    items = np.array([sums[task_id] for task_id in sorted(sums)], dtype=np.float64).reshape(-1, 2)
    total = float(items[:, 1].sum())
    value = float(items[:, 0].sum()) / total if total else None
    return value, ratio_interval(items[:, 0], items[:, 1], key=key, resamples=resamples), len(items)
