"""Rows to numbers: every measure of a metric, whole and broken down, with intervals and what did not count."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stepforge._bootstrap import Interval, Sums, percentile_interval, resampled_sums
from stepforge.errors import BadRequest
from stepforge.metrics._base import Item, Label, Measure, Metric, Options, Row
from stepforge.metrics.geolaux import bucket
from stepforge.vocabulary import NOT_COUNTED

UNKNOWN = "unknown"
MAX_GROUPS = 200  # of one breakdown: more are ids, not labels

Json = dict[str, Any]


def evaluate(metric: Metric, rows: Sequence[Row], options: Options) -> Json:
    """Every measure of `metric` over `rows` as JSON values, whole and by each label at hand; a ratio over nothing is
    None.  What a system could not read is left out and counted; what failed counts as wrong and is counted by cause.
    Raises: BadRequest if a label has too many values to break down by, or none at all."""
    _check_labels(metric, rows, options.by)
    items = metric.items(rows, options.by)
    counted = [item for item in items if item.failure not in NOT_COUNTED]
    measures = list(metric.measures(options.parameters))
    key = f"{options.seed}|{metric.name}"
    return {
        "metric": metric.name,
        "rows": len(rows),
        "items": len({item.id for item in counted}),
        "not_accessible": sum(item.failure in NOT_COUNTED for item in items),
        "failures": dict(sorted(Counter(item.failure.value for item in counted if item.failure).items())),
        "undecided": sum(item.undecided for item in counted),
        "parameters": options.parameters.model_dump(mode="json"),
        "seed": options.seed,
        "resamples": options.resamples,
        "ignored_fields": _ignored(metric, rows, options.by),
        "values": values(counted, measures, key=f"{key}|all|all", resamples=options.resamples),
        **{
            name: values(counted, table, key=f"{key}|{name}", resamples=options.resamples)
            for name, table in metric.tables([item.content for item in counted], options.parameters).items()
        },
        **metric.more(rows, options),
        "by": _breakdowns(metric, counted, measures, key, options),
    }


def values(items: Sequence[Item], measures: Sequence[Measure], *, key: str, resamples: int) -> Json:
    """Value, interval and number of items of each measure; items with one id are resampled together."""
    places = {item_id: k for k, item_id in enumerate(sorted({item.id for item in items}))}
    columns: list[Sums] = []
    counts: list[int] = []
    for measure in measures:
        found = [(places[item.id], sums) for item in items if (sums := measure.sums(item.content)) is not None]
        column = np.zeros((len(places), len(found[0][1]) if found else 1))
        for place, sums in found:
            column[place] += sums
        columns.append(column)
        counts.append(len({place for place, _ in found}))
    stacked = np.hstack(columns) if columns else np.zeros((len(places), 0))
    drawn = resampled_sums(stacked, key=key, resamples=resamples) if places else stacked
    result: Json = {}
    start = 0
    for measure, column, n in zip(measures, columns, counts, strict=True):
        end = start + column.shape[1]
        result[measure.name] = _value(measure, stacked[:, start:end], drawn[:, start:end], n)
        start = end
    return result


def _value(measure: Measure, column: Sums, drawn: Sums, n: int) -> Json:
    """None where no item is counted or the statistic is undefined."""
    value = float(measure.statistic(column.sum(axis=0)[None, :])[0]) if n else np.nan
    if np.isnan(value):
        return {"value": None, "low": None, "high": None, "n": n}
    interval: Interval = percentile_interval(measure.statistic(drawn))
    return {"value": value, "low": interval.low, "high": interval.high, "n": n}


def _breakdowns(metric: Metric, items: Sequence[Item], measures: Sequence[Measure], key: str, options: Options) -> Json:
    """Values by each label that some item has, those of the option `by` in any case."""
    result: Json = {}
    for name in dict.fromkeys([*metric.row.LABELS, *options.by]):
        groups: dict[str, list[Item]] = defaultdict(list)
        for item in items:
            groups[_group(name, item.labels.get(name))].append(item)
        if set(groups) <= {UNKNOWN} and name not in options.by:
            continue
        if len(groups) > MAX_GROUPS:
            raise BadRequest(f"{name!r} has {len(groups)} different values, more than the {MAX_GROUPS} that can be a "
                             "breakdown; choose a field with few values")  # fmt: skip
        result[name] = {
            group: values(members, measures, key=f"{key}|{name}|{group}", resamples=options.resamples)
            for group, members in sorted(groups.items(), key=lambda named: _place(named[0]))
        }
    return result


def _group(name: str, label: Label) -> str:
    if name == "step_length" and isinstance(label, int):
        return bucket(label) or UNKNOWN
    if label is None or label == "":
        return UNKNOWN
    return str(label).lower() if isinstance(label, bool) else str(label)


def _place(group: str) -> tuple[bool, float, str]:
    """Numbers and buckets by size, then words, then what is unknown."""
    number = re.match(r"-?\d{1,15}", group)
    return group == UNKNOWN, float(number[0]) if number else math.inf, group


def _check_labels(metric: Metric, rows: Sequence[Row], by: Sequence[str]) -> None:
    for name in by:
        found = [getattr(row, name, None) for row in rows]
        bad = next((v for v in found if not isinstance(v, str | int | float | bool | None)), None)
        if bad is not None:
            raise BadRequest(
                f"--by {name}: a value is {type(bad).__name__}; a label is a text, a number, true or false"
            )
        if rows and all(value is None for value in found):
            known = sorted({*metric.row.LABELS, *(n for row in rows for n in row.model_extra or {})})
            raise BadRequest(f"--by {name}: no row has this field; the labels here: {', '.join(known)}")


def _ignored(metric: Metric, rows: Sequence[Row], by: Sequence[str]) -> list[str]:
    """Fields of the rows that nothing has read: a misspelt field is seen here."""
    names: Mapping[str, object] = {name: None for row in rows for name in row.model_extra or {}}
    return sorted(set(names) - set(by) - set(metric.row.LABELS))
