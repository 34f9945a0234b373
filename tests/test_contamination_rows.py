"""Overlap of replies with reference solutions in the report."""

import pytest

from stepforge._contamination_rows import OVERLAP, ROUGE, overlap_rows
from stepforge.vocabulary import Failure, TaskKind
from tests.scoring_records import prediction, task

SOLUTION = "The hall has 24 tables. 10 of them seat 6 people, so they seat 60. The others seat 56 people."


def rows(*replies, solutions=None, tasks=None):
    tasks = tasks or [task(f"t{k}") for k in range(len(replies))]
    given = [prediction(of, reply) for of, reply in zip(tasks, replies, strict=True)]
    known = {of.problem_id: SOLUTION for of in tasks} if solutions is None else solutions
    found = overlap_rows("s", tasks, known, given, seed=1, resamples=50)
    return {(row.metric, row.breakdown, row.group): row for row in found}


def test_a_copied_solution_overlaps_wholly_and_another_text_not_at_all():
    found = rows(SOLUTION, SOLUTION.upper())
    assert {(row.value, row.n) for row in found.values()} == {(1.0, 2)}
    assert {(metric, breakdown) for metric, breakdown, _ in found} == {
        (metric, breakdown) for metric in (ROUGE, OVERLAP) for breakdown in ("all", "source")
    }
    other = rows("Zeichne zuerst eine Skizze.")
    assert {row.value for row in other.values()} == {0.0}


def test_half_a_solution_is_in_between():
    found = rows(SOLUTION[: len(SOLUTION) // 2])
    assert found[ROUGE, "all", "all"].value == pytest.approx(2 / 3, abs=0.1)
    assert 0 < found[OVERLAP, "all", "all"].value < 0.5


def test_without_reply_solution_or_ten_tokens_there_is_no_value():
    assert rows(None, "") == {}
    assert rows(SOLUTION, solutions={}) == {}
    short = task("short")
    found = rows("1 + 1 = 2", solutions={short.problem_id: "1 + 1 = 2"}, tasks=[short])
    assert {metric for metric, _, _ in found} == {ROUGE}
    refused = prediction(short, SOLUTION).model_copy(update={"failure": Failure.NOT_ATTEMPTED})
    assert overlap_rows("s", [short], {short.problem_id: SOLUTION}, [refused], seed=1) == []
    detection = task("d", kind=TaskKind.DETECT_WRONG)
    assert rows(SOLUTION, tasks=[detection]) == {}


def test_samples_of_a_task_are_one_item():
    of = task("t")
    given = [prediction(of, SOLUTION), prediction(of, "nothing like it").model_copy(update={"sample": 1})]
    found = overlap_rows("s", [of], {of.problem_id: SOLUTION}, given, seed=1, resamples=5)
    assert {(row.metric, row.value, row.n) for row in found if row.breakdown == "all"} == {
        (ROUGE, 0.5, 1),
        (OVERLAP, 0.5, 1),
    }
