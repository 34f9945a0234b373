"""Correctness judgment in the report: what accuracy alone does not show."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from stepforge._bootstrap import ratio_interval
from stepforge.correctness import METRIC, WRONG, expected
from stepforge.metrics.correctness import Call, Ratio, f1, precision, recall
from stepforge.metrics.faa import right
from stepforge.records import Judgement, ReportRow, Task
from stepforge.vocabulary import NOT_COUNTED, Failure

LABEL = "label"  # the breakdown by what people said

_RATES: Mapping[str, Callable[[Call], Ratio]] = {"precision": precision, "recall": recall, "f1": f1}


def correctness_rows(
    by_id: Mapping[str, Task], judgements: Sequence[Judgement], *, seed: int, resamples: int
) -> list[ReportRow]:
    """Precision, recall and F1 of `wrong` for each system, whole and by source, and its accuracy by what people said;
    n and failures count what is in the denominator.  Intervals resample items, all samples of a task together."""
    cells: dict[tuple[str, str, str, str], list[tuple[Judgement, Ratio]]] = defaultdict(list)
    for judgement in judgements:
        task = by_id.get(judgement.task_id)
        if task is None or task.target.formal_label is None:
            continue
        label = task.target.formal_label
        call = Call(expected(label) == WRONG, judgement.answer == WRONG)
        for name, rate in _RATES.items():
            for place in (("all", "all"), ("source", task.source)):
                cells[judgement.system, f"{METRIC}_{name}", *place].append((judgement, rate(call)))
        hit = Ratio(int(right(judgement.verdict)), 1)
        cells[judgement.system, METRIC, LABEL, label.value].append((judgement, hit))
    return [_row(*place, found, seed=seed, resamples=resamples) for place, found in sorted(cells.items())]


def _row(
    system: str,
    metric: str,
    breakdown: str,
    group: str,
    found: Iterable[tuple[Judgement, Ratio]],
    *,
    seed: int,
    resamples: int,
) -> ReportRow:
    every = list(found)
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for judgement, ratio in every:
        if judgement.failure not in NOT_COUNTED:
            sums[judgement.task_id][0] += ratio.top
            sums[judgement.task_id][1] += ratio.bottom
    items = np.array([sums[task_id] for task_id in sorted(sums)], dtype=np.float64).reshape(-1, 2)
    top, bottom = float(items[:, 0].sum()), float(items[:, 1].sum())
    key = f"{seed}|{system}|{metric}|{breakdown}|{group}"
    interval = ratio_interval(items[:, 0], items[:, 1], key=key, resamples=resamples)
    failed = [j for j, ratio in every if ratio.bottom and j.failure is not None and j.failure not in NOT_COUNTED]
    return ReportRow(
        system=system,
        metric=metric,
        breakdown=breakdown,
        group=group,
        n=int((items[:, 1] > 0).sum()),
        value=top / bottom if bottom else None,
        low=interval.low,
        high=interval.high,
        failures=len(failed),
        not_accessible=sum(judgement.failure is Failure.NOT_ACCESSIBLE for judgement, _ in every),
    )
