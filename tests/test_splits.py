"""Held-out splits by time."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.aggregate import aggregate
from stepforge.records import Score, Split
from stepforge.splits import problem_dates, side_of, split_groups, split_rows, task_dates
from tests.make import problem
from tests.report.samples import task
from tests.scoring_records import judgement

REFRESH = Split(name="refresh", newer_than=date(2026, 1, 1))
DAYS = st.none() | st.dates(date(2020, 1, 1), date(2030, 1, 1))


@given(DAYS, st.dates(date(2020, 1, 1), date(2030, 1, 1)))
def test_a_problem_is_on_exactly_one_side_and_the_day_itself_is_older(day, newer_than):
    split = Split(name="s", newer_than=newer_than)
    side = side_of(split, day)
    assert side == ("undated" if day is None else "newer" if day > newer_than else "older")
    assert side_of(split, newer_than) == "older"


@given(st.lists(DAYS, min_size=1, max_size=6))
def test_a_part_of_a_composite_problem_is_as_old_as_the_oldest(days):
    parts = [task(k, group_id="g", group_role=f"sub_{k}", published_on=day) for k, day in enumerate(days)]
    alone = task(99, published_on=date(2026, 5, 1))
    found = task_dates([*parts, alone])
    expected = None if None in days else min(days)
    assert {found[part.task_id] for part in parts} == {expected}
    assert found[alone.task_id] == date(2026, 5, 1)


@pytest.mark.parametrize(
    ("first", "expected"), [(date(2020, 1, 1), date(2020, 1, 1)), (date(2027, 1, 1), date(2026, 5, 1)), (None, None)]
)
def test_a_variant_is_no_newer_than_its_original(first, expected):
    original = task(1, published_on=first)
    variant = task(2, published_on=date(2026, 5, 1), variant_of=original.problem_id)
    assert task_dates([variant, original])[variant.task_id] == expected
    assert task_dates([variant])[variant.task_id] == date(2026, 5, 1)


def test_problems_have_the_same_days_as_their_tasks():
    one = problem("native/p1", published_on=date(2026, 2, 1))
    assert problem_dates([one, problem("native/p2")]) == {"native/p1": date(2026, 2, 1), "native/p2": None}


TASKS = [
    *(task(k, published_on=date(2025, 6, 1)) for k in range(4)),
    *(task(k, published_on=date(2026, 6, 1)) for k in range(4, 10)),
    *(task(k) for k in range(10, 12)),
]
RIGHT = {0, 1, 2, 4, 5, 10}  # 3 of 4 older, 2 of 6 newer, 1 of 2 undated


def scores(metric="FAA"):
    return [
        Score(task_id=t.task_id, system="s", sample=0, metric=metric, value=float(k in RIGHT), weight=1, method="m")
        for k, t in enumerate(TASKS)
    ]


def test_before_after_and_difference_leave_undated_problems_out():
    rows = {row.metric: row for row in split_rows([REFRESH], task_dates(TASKS), scores(), seed=1)}
    before, after, difference = (rows[f"time_split_refresh_{name}"] for name in ("before", "after", "difference"))
    assert (before.value, before.n) == (0.75, 4)
    assert (after.value, after.n) == (pytest.approx(1 / 3), 6)
    assert (difference.value, difference.n) == (pytest.approx(1 / 3 - 0.75), 10)
    for row in rows.values():
        assert row.low <= row.value <= row.high
        assert row.low < row.high


def test_a_split_with_an_empty_side_has_no_rows():
    late = Split(name="late", newer_than=date(2029, 1, 1))
    assert list(split_rows([late], task_dates(TASKS), scores(), seed=1)) == []
    assert list(split_rows([REFRESH], task_dates(TASKS), scores("MA"), seed=1)) == []


def test_the_report_breaks_down_by_split_with_undated_apart():
    groups = split_groups([REFRESH], TASKS)
    judged = [judgement(t) for t in TASKS]
    rows = aggregate(TASKS, judged, scores(), seed=1, groups=groups)
    of = {row.group: (row.value, row.n) for row in rows if row.breakdown == "split" and row.metric == "FAA"}
    assert of == {"before refresh": (0.75, 4), "refresh": (pytest.approx(1 / 3), 6), "undated": (0.5, 2)}
    assert split_groups([], TASKS) == {}


def test_two_splits_break_down_together():
    early = Split(name="early", newer_than=date(2025, 1, 1))
    groups = split_groups([early, REFRESH], TASKS)
    assert groups[TASKS[0].task_id] == [("split", "before refresh"), ("split", "early")]
    assert groups[TASKS[4].task_id] == [("split", "early"), ("split", "refresh")]
    assert groups[TASKS[11].task_id] == [("split", "undated")]
