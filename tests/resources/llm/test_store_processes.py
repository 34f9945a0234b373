"""Several processes on one store, and what a killed one leaves: kill -9, no warning."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from resources.llm.store import ReplyFilter
from resources.llm.stores import ENVIRONMENT, open_store
from tests.resources.llm.store_process import GROUP, KEYS, SHARED, body
from tests.resources.llm.stored import reply

ROOT = Path(__file__).resolve().parents[3]
ALL = ReplyFilter()


class Child:
    """A process on the store.  Its standard error is part of what a failure shows."""

    def __init__(self, place, what, seed=0):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.resources.llm.store_process", what, str(seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env={**os.environ, ENVIRONMENT: place},
        )  # fmt: skip

    def hear(self):
        line = self._process.stdout.readline()
        assert line, f"it ended with code {self._process.wait()}"
        return json.loads(line)

    def go(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill(self):
        """Kill it now; what it had said before that was not heard yet."""
        self._process.kill()
        rest, _ = self._process.communicate()
        return [json.loads(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]

    def end(self):
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.mark.parametrize("heard", [1, 40])
def test_after_a_kill_every_reply_whose_put_returned_is_there_and_nothing_is_half_there(place, heard):
    child = Child(place, "put")
    told = [child.hear() for _ in range(heard)]
    told += child.kill()
    assert told == list(range(len(told)))
    store = open_store(place)
    found = {r.key: r for r in store.replies(ALL)}
    groups, rest = divmod(len(found), GROUP)
    assert rest == 0
    assert len(told) <= groups <= len(told) + 1  # the last may have been stored and not told
    for i in range(groups * GROUP):
        assert found[reply(i).key] == reply(i, body=body(i, 0))
    assert store.spent("run-1").calls == len(found)
    store.close()


def test_claims_of_a_killed_process_are_taken_over_at_once_and_those_of_a_live_one_are_not(place, store, owner):
    child = Child(place, "hold")
    held = child.hear()
    assert held == KEYS[:50]
    store.register(owner, datetime.now(UTC))
    assert store.claim(KEYS[:60], owner).others == set(held)
    assert store.claimed(datetime.now(UTC)) == (60, 0)
    child.kill()
    assert store.claimed(datetime.now(UTC)) == (10, 50)
    taken = store.claim(KEYS[:60], owner)
    assert taken.mine == set(KEYS[:60])
    assert taken.taken_over == set(held)
    assert taken.others == set()


def test_two_processes_that_claim_the_same_keys_never_both_get_one(place):
    open_store(place).close()
    children = [Child(place, "race", seed) for seed in (1, 2)]
    assert [child.hear() for child in children] == ["ready", "ready"]
    for child in children:
        child.go()
    (mine_1, others_1), (mine_2, others_2) = (child.hear() for child in children)
    assert sorted(mine_1 + mine_2) == KEYS
    assert (others_1, others_2) == (mine_2, mine_1)
    for child in children:
        child.go()
        child.end()


def test_eight_processes_that_open_a_new_store_together_pay_each_reply_once(place):
    children = [Child(place, "mixed", seed) for seed in range(8)]
    assert [child.hear() for child in children] == ["ready"] * 8
    for child in children:
        child.go()
    bought = [child.hear() for child in children]
    for child in children:
        child.end()
    assert sorted(i for part in bought for i in part) == list(range(SHARED))
    store = open_store(place)
    assert store.spent().calls == SHARED
    found = {r.key: r.body for r in store.replies(ALL)}
    assert found == {reply(i).key: body(i, seed) for seed, part in enumerate(bought) for i in part}
    assert store.claimed(datetime.now(UTC)) == (0, 0)
    store.close()


@pytest.mark.slow
def test_killed_again_and_again_among_others_nothing_is_lost_and_no_lock_stays(place):
    steady = [Child(place, "mixed", seed) for seed in range(2)]
    assert [child.hear() for child in steady] == ["ready"] * 2
    for child in steady:
        child.go()
    told = 0
    for heard in range(12):
        child = Child(place, "put", 5)
        told = max(told, *(child.hear() for _ in range(1 + heard)), *child.kill())
    bought = [child.hear() for child in steady]
    for child in steady:
        child.end()
    store = open_store(place)
    expected = {reply(i).key for i in range((told + 1) * GROUP)} | {reply(i).key for i in range(SHARED)}
    assert expected <= {r.key for r in store.replies(ALL)}
    assert len({i for part in bought for i in part}) == sum(map(len, bought))
    store.close()
