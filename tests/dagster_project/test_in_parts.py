"""A stage that works part by part gives what it gives at once, and takes over what did not change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets import _incremental
from assets._collect import Collected
from assets._incremental import Part, Whole, run_in_parts
from resources.store import ModelUse
from stepforge.arrow import to_table
from stepforge.outcome import Outcome, not_applicable
from stepforge.records import Problem, Step
from stepforge.vocabulary import Reason
from tests import make


def stage_function(given):
    """Two rows for each problem, none for one without a solution."""
    rows = given["problems"].rows(Problem)
    ids = [p.problem_id for p in rows]
    wordless = [p for p in rows if p.solution is None]
    said = [not_applicable("s", p.problem_id, Reason.NO_SOLUTION, "it has no solution") for p in wordless]
    steps = [make.step(problem_id=p.problem_id, index=i, text=p.solution) for p in rows if p.solution for i in range(2)]
    return Outcome(steps, said, ids)


def made(problems, seen, part_size, monkeypatch):
    monkeypatch.setattr(_incremental, "CHUNK_PROBLEMS", part_size)

    def run(inputs):
        seen.append(inputs["problems"].table().num_rows)
        return stage_function(inputs)

    whole = Whole(Step, lambda row: row.problem_id, run)
    table = to_table(Problem, problems)
    outcome, _ = run_in_parts(whole, {"problems": Part(None, table)}, None, None, lambda _size, _all: None)
    return outcome


PROBLEMS = [
    make.problem(f"s/{i:02}", question=f"q{i}", solution=None if i % 5 == 3 else f"solution {i}") for i in range(23)
]


@pytest.mark.parametrize("size", [1, 2, 7, 22, 23, 100])
def test_parts_of_any_size_give_the_same_rows_rejections_and_ids(size, monkeypatch):
    at_once = stage_function({"problems": Part(None, to_table(Problem, PROBLEMS))})
    seen = []
    outcome = made(PROBLEMS, seen, size, monkeypatch)
    assert outcome.table() == to_table(Step, at_once.kept)
    assert outcome.rejections == at_once.rejections
    assert outcome.input_ids == at_once.input_ids
    assert sum(seen) == len(PROBLEMS)
    assert max(seen) <= size


def test_no_problem_is_one_part_without_rows(monkeypatch):
    outcome = made([], [], 5, monkeypatch)
    assert (outcome.table().num_rows, outcome.rejections, outcome.input_ids) == (0, [], [])


@given(st.permutations(range(6)))
def test_rows_of_another_input_are_given_with_their_problem_whatever_their_order(order):
    ids = [f"s/{i}" for i in range(4)]
    rows = [make.step(problem_id=f"s/{i % 5}", index=i) for i in order]  # s/4 is no problem of the first input
    ordered = _incremental._ordered(None, to_table(Step, rows), ids)
    for first in range(4):
        part = ordered.part(first, first + 1).rows(Step)
        assert part == [row for row in rows if row.problem_id == ids[first]]


def test_a_row_taken_out_of_what_was_gathered_is_gone_and_its_neighbours_stay():
    gathered = Collected(Problem, lambda row: row.problem_id)
    gathered.add(Outcome(PROBLEMS[:3], [], []))
    gathered.add(Outcome(PROBLEMS[3:5], [], []))
    assert gathered.drop_row("problem_id", "s/01") == PROBLEMS[1]
    assert gathered.kept_ids == {"s/00", "s/02", "s/03", "s/04"}
    assert gathered.table().column("problem_id").to_pylist() == ["s/00", "s/02", "s/03", "s/04"]
    with pytest.raises(KeyError):
        gathered.drop_row("problem_id", "s/01")


def test_gathered_rows_are_put_in_order_and_equal_ones_stay_as_they_are():
    gathered = Collected(Step, lambda row: row.problem_id)
    gathered.add_rows([make.step(problem_id=f"s/{i}", index=n) for n, i in enumerate([2, 0, 1, 0])])
    gathered.sort("problem_id")
    assert gathered.table().column("index").to_pylist() == [1, 3, 2, 0]
    gathered.sort("problem_id", ["s/1", "s/2", "s/0"])
    assert gathered.table().column("index").to_pylist() == [2, 0, 1, 3]


def test_what_two_parts_used_of_models_is_added():
    one = ModelUse(replies=2, tokens_in=10, cost_usd="0.10", paid_usd="0.02")
    other = ModelUse(replies=1, failed=1, tokens_in=5, cost_usd="0.20", paid_usd="0")
    assert one.plus(other) == ModelUse(replies=3, failed=1, tokens_in=15, cost_usd="0.30", paid_usd="0.02")
