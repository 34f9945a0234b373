"""Held-out splits by time: what was published after a day, which a system made before it cannot have seen.

Source: AgenticMathBench, appendix I.2 (a refresh protocol, and a split built after the release of the systems).

A problem without a date is in no split: not in what is newer, and not in what is older.  A part of a composite problem
is as old as the oldest part, and undated if one part is; a variant is no newer than its original, as far as that is at
hand, and undated if that is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from stepforge.metrics._base import METRICS, Item
from stepforge.metrics._evaluate import values
from stepforge.metrics.time_split import DatedRow, SplitParameters
from stepforge.records import Problem, ReportRow, Score, Split, Task

NEWER, OLDER, UNDATED = "newer", "older", "undated"
BEFORE = "before"
BREAKDOWN = "split"
RESERVED = frozenset({NEWER, OLDER, UNDATED, BEFORE, "all", "unknown"})
FAA = "FAA"


def side_of(split: Split, published_on: date | None) -> str:
    """`newer` for what is in the split, `older` for what is as old as its day, `undated`."""
    if published_on is None:
        return UNDATED
    return NEWER if published_on > split.newer_than else OLDER


def task_dates(tasks: Sequence[Task]) -> dict[str, date | None]:
    """By task, the day that counts: of a composite problem's part that of the oldest part, of a variant of another
    problem that of the older of the two; None if one of them has none."""
    return dict(zip((task.task_id for task in tasks), _days(tasks), strict=True))


def problem_dates(problems: Sequence[Problem]) -> dict[str, date | None]:
    """The same by problem."""
    return dict(zip((problem.problem_id for problem in problems), _days(problems), strict=True))


def _days(rows: Sequence[Task] | Sequence[Problem]) -> list[date | None]:
    known = {row.problem_id: row.published_on for row in rows}
    groups: dict[tuple[str, str], set[date | None]] = defaultdict(set)
    for row in rows:
        if row.group_id is not None:
            groups[row.source, row.group_id].add(row.published_on)
    found = []
    for row in rows:
        days = {row.published_on} if row.group_id is None else set(groups[row.source, row.group_id])
        if row.variant_of in known:
            days.add(known[row.variant_of])
        dated = [day for day in days if day is not None]
        found.append(min(dated) if len(dated) == len(days) else None)
    return found


def group_names(split: Split) -> dict[str, str]:
    """What the sides of a split are called in the report."""
    return {NEWER: split.name, OLDER: f"{BEFORE} {split.name}", UNDATED: UNDATED}


def split_groups(splits: Sequence[Split], tasks: Sequence[Task]) -> dict[str, list[tuple[str, str]]]:
    """By task, its groups of the breakdown `split`; empty if there are no splits."""
    if not splits:
        return {}
    dates = task_dates(tasks)
    return {
        task: sorted({(BREAKDOWN, group_names(split)[side_of(split, day)]) for split in splits})
        for task, day in dates.items()
    }


def split_rows(
    splits: Sequence[Split],
    dates: Mapping[str, date | None],
    scores: Sequence[Score],
    *,
    seed: int,
    resamples: int = 1000,
) -> Iterator[ReportRow]:
    """Rows of the report for each split and system: FAA on what is older (`before`), on what is newer (`after`), and
    the difference with its interval over items; none where a side has no scored task.  `dates`: of `task_dates`."""
    metric = METRICS["time-split"]
    for system in sorted({score.system for score in scores}):
        items = [
            Item(
                id=score.task_id,
                content=DatedRow(id=score.task_id, published_on=dates.get(score.task_id), score=score.value),
                labels={},
                failure=None,
                undecided=False,
            )
            for score in scores
            if score.system == system and score.metric == FAA
        ]
        for split in splits if items else ():
            measures = list(metric.measures(SplitParameters(cutoff=split.newer_than + timedelta(days=1))))
            key = f"{seed}|{system}|time_split|{split.name}"
            found = values(items, measures, key=key, resamples=resamples)
            if any(found[side]["n"] == 0 for side in ("before", "after")):
                continue
            for measure in measures:
                yield ReportRow(
                    system=system,
                    metric=f"time_split_{split.name}_{measure.name}",
                    breakdown="all",
                    group="all",
                    **found[measure.name],
                )
