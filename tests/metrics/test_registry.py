"""What holds for every metric: a new one is tested before its author writes a line."""

import json
import math

import pytest

from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics._rows import fields, parse

NAMES = [metric.name for metric in METRICS]


def example(metric, **changed):
    return metric.row.model_validate({**metric.row.EXAMPLE, **changed})


def run(metric, rows, **options):
    return evaluate(metric, rows, Options(metric.parameters(), **options))


def failed(metric, failure):
    """The example with nothing of the system's or a judge's left, and the reason why."""
    said = {*metric.row.REPLY, *metric.row.JUDGED, *metric.row.needed(), "right"}
    return metric.row.model_validate(
        {k: v for k, v in metric.row.EXAMPLE.items() if k not in said} | {"failure": failure}
    )


def test_the_metrics_of_the_five_papers_are_there():
    assert {"faa", "milestones", "detection", "geolaux", "mv-math", "we-math", "overlap", "compare"} <= set(NAMES)
    assert len(NAMES) >= 28


@pytest.mark.parametrize("name", NAMES)
def test_the_example_row_is_a_row_and_gives_numbers_that_are_json(name):
    metric = METRICS[name]
    line = json.dumps(dict(metric.row.EXAMPLE)).encode()
    rows = parse([line, b"\n", line], metric, "f")
    assert len(rows) == 2
    found = run(metric, rows, resamples=20)
    assert found["ignored_fields"] == []
    json.dumps(found, allow_nan=False)
    for value in found["values"].values():
        if value["value"] is not None:
            assert value["n"] > 0
            assert value["low"] - 1e-12 <= value["value"] <= value["high"] + 1e-12
            assert math.isfinite(value["value"])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_count_is_null_and_never_zero_or_one(name):
    metric = METRICS[name]
    found = run(metric, [], resamples=5)
    measures = metric.measures(metric.parameters())
    assert list(found["values"]) == [measure.name for measure in measures]
    assert all(v == {"value": None, "low": None, "high": None, "n": 0} for v in found["values"].values())


@pytest.mark.parametrize("name", NAMES)
def test_what_a_system_could_not_read_changes_no_number(name):
    metric = METRICS[name]
    rows = [example(metric)]
    found = run(metric, [*rows, failed(metric, "not_accessible")], resamples=5)
    assert found["values"] == run(metric, rows, resamples=5)["values"]
    if name != "we-math":  # where it leaves its group incomplete
        assert found["not_accessible"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_reply_that_failed_is_never_better_than_wrong(name):
    metric = METRICS[name]
    for reason in ("missing", "empty", "refused", "unparsable"):
        alone = run(metric, [failed(metric, reason)], resamples=5)
        if name != "we-math":
            assert alone["failures"] == {reason: 1}
        for measure in metric.measures(metric.parameters()):
            if measure.better == "higher":
                assert alone["values"][measure.name]["value"] in {0.0, None}, measure.name


@pytest.mark.parametrize("name", NAMES)
def test_a_row_without_its_reply_and_without_a_reason_is_refused(name):
    metric = METRICS[name]
    needed = metric.row.needed()
    for field in needed:
        left = {k: v for k, v in metric.row.EXAMPLE.items() if k != field}
        with pytest.raises(ValueError, match=field):
            metric.row.model_validate(left)


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_said_in_words(name):
    metric = METRICS[name]
    assert metric.title
    assert metric.source
    assert metric.row.EXAMPLE
    measures = metric.measures(metric.parameters())
    assert measures or metric.more_words
    assert len({measure.name for measure in measures}) == len(measures)
    for measure in measures:
        assert measure.words
        assert measure.formula
        assert measure.better in {"higher", "lower", ""}
    assert all(field.description and "<" not in field.type for field in fields(metric))
    found = run(metric, [example(metric)], resamples=5)
    known = {"metric", "rows", "items", "not_accessible", "failures", "undecided", "parameters", "seed", "resamples"}
    told = {*(metric.table_words or {}), *(metric.more_words or {})}
    assert set(found) - known - {"ignored_fields", "values", "by"} <= told


@pytest.mark.parametrize("name", NAMES)
def test_the_same_rows_give_the_same_bytes_and_another_seed_the_same_values(name):
    metric = METRICS[name]
    rows = [example(metric), failed(metric, "empty")]
    one, again, other = (run(metric, rows, resamples=50, seed=seed) for seed in (1, 1, 2))
    assert json.dumps(one) == json.dumps(again)
    assert {k: v["value"] for k, v in one["values"].items()} == {k: v["value"] for k, v in other["values"].items()}
