"""Rows of the report about contamination: how much of the reference solution the replies of a system repeat."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from stepforge._bootstrap import ratio_interval
from stepforge.metrics._text import tokens
from stepforge.metrics.overlap import N, ngram_overlap, rouge_l
from stepforge.records import Prediction, ReportRow, Task
from stepforge.vocabulary import TaskKind

ROUGE, OVERLAP = "ROUGE_L", f"overlap_{N}_gram"
MAX_TOKENS = 20_000  # of a reply: ten times the longest solution of the five benchmarks


def overlap_rows(
    system: str,
    tasks: Sequence[Task],
    solutions: Mapping[str, str],
    predictions: Sequence[Prediction],
    *,
    seed: int,
    resamples: int = 1000,
) -> list[ReportRow]:
    """ROUGE-L (F1) and the overlap of 10-grams with the reference solution, means over items, whole and by source
    (GeoLaux, appendix F.1).  `solutions`: by problem.  A task counts where its problem has a solution, and a reply
    where there is one; for the overlap the solution must have ten tokens.  Samples of a task are averaged first."""
    by_id = {task.task_id: task for task in tasks if task.kind is TaskKind.SOLVE}
    values: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for prediction in predictions:
        task = by_id.get(prediction.task_id)
        solution = solutions.get(task.problem_id) if task is not None else None
        if task is None or not solution or not prediction.reply or prediction.failure is not None:
            continue
        for metric, value in _overlaps(solution, prediction.reply).items():
            for breakdown, group in (("all", "all"), ("source", task.source)):
                values[metric, breakdown, group][prediction.task_id].append(value)
    return [_row(system, *place, of, seed, resamples) for place, of in sorted(values.items())]


def _overlaps(solution: str, reply: str) -> dict[str, float]:
    reference, said = tokens(solution)[:MAX_TOKENS], tokens(reply)[:MAX_TOKENS]
    rouge, overlap = rouge_l(reference, said), ngram_overlap(reference, said)
    found = {ROUGE: None if rouge is None else rouge.f1, OVERLAP: overlap}
    return {name: value for name, value in found.items() if value is not None}


def _row(
    system: str, metric: str, breakdown: str, group: str, of: Mapping[str, Sequence[float]], seed: int, resamples: int
) -> ReportRow:
    means = np.array([np.mean(of[task_id]) for task_id in sorted(of)])
    key = f"{seed}|{system}|{metric}|{breakdown}|{group}"
    interval = ratio_interval(means, np.ones_like(means), key=key, resamples=resamples)
    return ReportRow(
        system=system,
        metric=metric,
        breakdown=breakdown,
        group=group,
        n=len(means),
        value=float(means.mean()),
        low=interval.low,
        high=interval.high,
    )
