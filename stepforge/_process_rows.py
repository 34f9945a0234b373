"""Rows of the report about the process that are no plain averages: milestones by capability, and the fall of PCS."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from stepforge._bootstrap import percentile_interval, ratio, ratio_interval, resampled_sums
from stepforge.metrics.geolaux import bucket, delta_pcs
from stepforge.records import Judgement, ReportRow, Score, Task
from stepforge.vocabulary import NOT_COUNTED, Capability

SHORT, LONG = "1-4", "13-24"

Capabilities = Mapping[str, Sequence[Sequence[Capability]]]  # problem → reference path → one a milestone


def capability_rows(
    by_id: Mapping[str, Task],
    judgements: Sequence[Judgement],
    capabilities: Capabilities,
    *,
    seed: int,
    resamples: int,
) -> list[ReportRow]:
    """MA by the capability (AgenticMathBench, appendix B) of the reference step that a milestone rests on: matched
    milestones of a capability / its milestones, `n` the items that have one.  A problem whose capabilities do not stand
    one to one beside its milestones is left out; so is a reply whose matches are not known."""
    sums: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    for judgement in judgements:
        for capability, matched in _marks(by_id, judgement, capabilities):
            entry = sums[judgement.system, capability.value][judgement.task_id]
            entry[0] += matched
            entry[1] += 1
    rows = []
    for (system, name), of in sorted(sums.items()):
        items = np.array([of[task_id] for task_id in sorted(of)], dtype=np.float64)
        key = f"{seed}|{system}|MA|capability|{name}"
        interval = ratio_interval(items[:, 0], items[:, 1], key=key, resamples=resamples)
        value = float(items[:, 0].sum() / items[:, 1].sum())
        rows.append(_row(system, "MA", "capability", name, len(items), value, interval))
    return rows


def _marks(
    by_id: Mapping[str, Task], judgement: Judgement, capabilities: Capabilities
) -> Iterable[tuple[Capability, bool]]:
    """Each milestone of the path that counts with its capability and whether it is matched."""
    task, path, total = by_id.get(judgement.task_id), judgement.reference_path, judgement.milestones_total
    if task is None or path is None or not total or judgement.failure in NOT_COUNTED:
        return ()
    paths = capabilities.get(task.problem_id, ())
    matches = [match.matched for match in judgement.milestone_matches] or [False] * total
    if path >= len(paths) or len(paths[path]) != total or len(matches) != total:
        return ()
    if not judgement.milestone_matches and judgement.milestones_matched:
        return ()
    return zip(paths[path], matches, strict=True)


def fall_of_pcs(by_id: Mapping[str, Task], scores: Sequence[Score], *, seed: int, resamples: int) -> list[ReportRow]:
    """ΔPCS of each system (GeoLaux): (PCS at 1-4 steps − PCS at 13-24 steps) / PCS at 1-4 steps; `n` the items of both
    buckets.  No row where one of the buckets has no item."""
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0] * 4))
    for score in scores:
        task = by_id.get(score.task_id)
        where = bucket(task.step_length) if task is not None else None
        if score.metric == "PCS" and where in {SHORT, LONG}:
            entry, at = sums[score.system][score.task_id], 0 if where == SHORT else 2
            entry[at] += score.value * score.weight
            entry[at + 1] += score.weight
    rows = []
    for system, of in sorted(sums.items()):
        items = np.array([of[task_id] for task_id in sorted(of)], dtype=np.float64)
        total = items.sum(axis=0)
        if total[1] and total[3]:
            drawn = resampled_sums(items, key=f"{seed}|{system}|delta_PCS", resamples=resamples)
            value = delta_pcs(float(total[0] / total[1]), float(total[2] / total[3]))
            interval = percentile_interval(_falls(drawn)) if value is not None else (None, None)
            rows.append(_row(system, "delta_PCS", "all", "all", len(items), value, interval))
    return rows


def _falls(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """ΔPCS of each resample; NaN where it has no base."""
    short, long = ratio(sums[:, :2]), ratio(sums[:, 2:])
    return ratio(np.stack([short - long, short], axis=-1))


def _row(
    system: str,
    metric: str,
    breakdown: str,
    group: str,
    n: int,
    value: float | None,
    interval: tuple[float | None, float | None],
) -> ReportRow:
    return ReportRow(
        system=system,
        metric=metric,
        breakdown=breakdown,
        group=group,
        n=n,
        value=value,
        low=interval[0],
        high=interval[1],
    )
