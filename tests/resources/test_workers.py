import functools
import os
import time
from pathlib import Path

import pytest

from resources.workers import GIB, Workers, WorkersUnavailable
from stepforge.errors import LimitExceeded


def work(item):
    if item == "hang":
        time.sleep(600)
    if item == "eat":
        return len(bytearray(8 * GIB))
    if item == "die":
        os._exit(7)
    if item == "raise":
        raise ValueError("no")
    if item == "deep":
        return nested(10**6)
    return item * 2


def refuse_to_start():
    raise RuntimeError("this worker cannot start")


def start_at_the_second_try(marker):
    if not Path(marker).exists():
        Path(marker).touch()
        raise RuntimeError("not yet")


def nested(depth):
    return depth and nested(depth - 1)


def test_what_hangs_eats_memory_crashes_or_raises_costs_only_itself():
    with Workers(2) as workers:
        results = list(workers.map(work, ["a", "hang", "eat", "die", "raise", "deep", "b"], timeout_s=3))
    assert results[0] == "aa"
    assert results[-1] == "bb"
    kinds = [type(r) for r in results[1:-1]]
    assert kinds == [LimitExceeded, LimitExceeded, LimitExceeded, ValueError, RecursionError]
    assert "longer than 3 s" in str(results[1])


def test_one_call_raises_what_went_wrong():
    with Workers(1) as workers:
        assert workers.call(work, "x", 3) == "xx"
        with pytest.raises(LimitExceeded):
            workers.call(work, "hang", 0.5)


def test_processes_that_cannot_start_are_an_error_and_not_a_wait_for_ever():
    with pytest.raises(WorkersUnavailable), Workers(1, initializer=refuse_to_start) as workers:
        workers.call(work, "x", 3)


def test_a_pool_whose_processes_all_died_is_renewed_and_the_rest_goes_on(tmp_path):
    marker = tmp_path / "started"
    with Workers(1, initializer=functools.partial(start_at_the_second_try, str(marker))) as workers:
        broken = workers._pool
        assert list(workers.map(work, ["a", "b"], 3)) == ["aa", "bb"]
        assert workers._pool is not broken
        assert marker.exists()
