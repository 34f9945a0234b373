"""The gateway's promises, kept against real sockets and real kills, by the books of the server that is asked."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from resources.llm.gateway import Gateway
from resources.llm.store import ReplyFilter
from resources.llm.stores import open_store
from stepforge.asking import Answered, ModelFailure, ModelReply
from stepforge.vocabulary import PASSING_FAILURES
from stepforge.vocabulary import ModelFailureKind as Kind
from tests.resources.llm.stage import Stage, Verdict, config, no_media, requests
from tests.wire import Entry, Fault, Script, WireServer, even

PASSING_FAULTS = (
    Fault.RATE_LIMITED,
    Fault.RATE_LIMITED_SILENT,
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE,
    Fault.RESET,
    Fault.STALL,
    Fault.TRUNCATED,
    Fault.WRONG_JSON,
    Fault.EMPTY,
)
EVERY_FAULT = (*PASSING_FAULTS, Fault.SCHEMA, Fault.REFUSAL, Fault.FILTERED, Fault.LENGTH)
URLS = {"openai": "openai_url", "google": "google_url"}


def a_stage(wire: WireServer, folder: Path, count: int, kind: str = "openai", **more: Any) -> Stage:
    return Stage(
        kind=kind,
        url=getattr(wire, URLS[kind]),
        count=count,
        **{"slots": 64, "store": str(folder / "replies.sqlite"), **more},
    )


# faults


def ask_all(stage: Stage) -> list[Answered]:
    """All answers as they come, so that one given twice is seen."""
    store = open_store(Path(stage.store))
    try:
        with Gateway(config(stage), store, no_media, run="evidence") as gateway:
            return list(gateway.ask(requests(stage.count), Verdict if stage.structured else None))
    finally:
        store.close()


def kinds_of(answers: list[Answered], count: int) -> Counter[Kind]:
    """How often each kind of failure is met.  Checks that each request has one answer, and each failure a reason."""
    assert sorted(answered.request_id for answered in answers) == [request.request_id for request in requests(count)]
    failures = [answered for answered in answers if isinstance(answered, ModelFailure)]
    assert all(failure.request_id in failure.detail for failure in failures)
    return Counter(failure.kind for failure in failures)


def check_books(wire: WireServer, kinds: Counter[Kind]) -> list[Entry]:
    """The server's entries.  Checks that each request was paid once at most, and that what the model did is told."""
    totals, entries = wire.totals(), wire.entries()
    assert totals.paid_twice == totals.billed_twice == totals.in_flight == 0
    assert max(wire.paid().values()) == 1
    met = Counter(entry.outcome for entry in entries)
    assert kinds[Kind.REFUSED] + kinds[Kind.CONTENT_FILTERED] == met["refusal"] + met["filtered"]
    assert kinds[Kind.TRUNCATED] == met["length"]
    return entries


def check_plain(wire: WireServer, stage: Stage) -> Counter[Kind]:
    answers = ask_all(stage)
    kinds = kinds_of(answers, stage.count)
    assert set(kinds) <= {*PASSING_FAILURES, Kind.REFUSED, Kind.CONTENT_FILTERED, Kind.TRUNCATED}
    # every good reply that the server was paid for is the reply of one request, and the other way round
    good = [reply for reply in answers if isinstance(reply, ModelReply)]
    told = [reply.text.split()[1].rstrip(".") for reply in good]
    paid = [entry.content for entry in check_books(wire, kinds) if entry.paid and entry.outcome == "ok"]
    assert sorted(told) == sorted(paid)
    assert len(good) + kinds.total() == stage.count
    check_rerun(wire, stage, good)
    return kinds


def check_rerun(wire: WireServer, stage: Stage, good: list[ModelReply]) -> None:
    """That only what failed for a passing reason is sent again."""
    before = wire.entries()
    last = {entry.content: entry.outcome for entry in before}
    again = {answered.request_id: answered for answered in ask_all(stage)}
    sent = {entry.content for entry in wire.entries()[len(before) :]}
    assert sent == {content for content, outcome in last.items() if outcome in PASSING_FAULTS}
    for reply in good:
        now = again[reply.request_id]
        assert isinstance(now, ModelReply)
        assert (now.text, now.key, now.cost_usd, now.from_store) == (reply.text, reply.key, reply.cost_usd, True)


def check_structured(wire: WireServer, stage: Stage) -> None:
    answers = ask_all(stage)
    kinds = kinds_of(answers, stage.count)
    good = [reply for reply in answers if isinstance(reply, ModelReply)]
    assert all(Verdict.model_validate_json(reply.structured or "") for reply in good)
    mended = sum(reply.repaired for reply in good)
    broken = sum(entry.outcome == Fault.SCHEMA for entry in check_books(wire, kinds))
    # a broken reply is followed by one call: it mends it, breaks the schema again (two broken replies), or fails
    assert 0 < mended <= broken - 2 * kinds[Kind.SCHEMA_VIOLATED]


def check_faults(wire: WireServer, folder: Path, kind: str, count: int, timeout_s: float = 6) -> None:
    script = Script(seed=3, latency_ms=5, jitter_ms=10, retry_after_s=0.1, shares=even(0.2, *EVERY_FAULT))
    wire.script(script)
    # three tries, so that some requests fail for good
    stage = a_stage(wire, folder, count // 2, kind, limits={"timeout_s": timeout_s, "attempts": 3})
    kinds = check_plain(wire, stage)
    assert kinds.total() > 0
    faulty = sum(entry.outcome != "ok" for entry in wire.entries()) / wire.totals().arrived
    assert 0.1 < faulty < 0.3
    wire.reset(script)
    check_structured(wire, stage.model_copy(update={"structured": True}))


def test_at_a_fifth_of_faults_each_request_is_answered_or_fails_with_a_reason(wire: WireServer, tmp_path: Path) -> None:
    check_faults(wire, tmp_path, "openai", 600, timeout_s=3)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["openai", "google"])
def test_ten_thousand_requests_at_a_fifth_of_faults_lose_none_and_pay_none_twice(
    wire: WireServer, tmp_path: Path, kind: str
) -> None:
    check_faults(wire, tmp_path, kind, 10_000)


# kills


class Killed(NamedTuple):
    """The state after a kill: replies that the server has charged for, and those that the store has kept."""

    billed: int
    stored: int

    @property
    def lost(self) -> int:
        return self.billed - self.stored


def start(stage: Stage) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.resources.llm.stage", stage.model_dump_json()], stdout=subprocess.PIPE, text=True
    )


def finish(process: "subprocess.Popen[str]") -> dict[str, int]:
    said, _ = process.communicate()
    assert process.returncode == 0, said
    return dict(json.loads(said.splitlines()[-1]))


def await_line(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdout is not None
    for said in process.stdout:
        if said.strip() == line:
            return
    raise AssertionError(f"the stage ended before it was {line}")


def kill(process: "subprocess.Popen[str]", wire: WireServer, store: str) -> Killed:
    """Kill -9, and what the books say once the server has seen the connections end."""
    assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    until = time.monotonic() + 30
    while wire.totals().in_flight:
        assert time.monotonic() < until, "the server still waits for a process that is dead"
        time.sleep(0.01)
    return Killed(wire.totals().billed, kept(store))


def kept(place: str) -> int:
    """How many replies the store has."""
    if "://" in place:
        # the database may still be at what the process sent it last
        clients = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        with psycopg.connect(place, autocommit=True) as connection:
            while connection.execute(clients).fetchone() != (1,):
                time.sleep(0.01)
    elif not Path(place).exists():
        return 0
    store = open_store(place)
    try:
        return store.count(ReplyFilter()).calls
    finally:
        store.close()


def moments(kills: int, count: int, slots: int) -> Iterator[tuple[str, float]]:
    """When to kill, drawn with a seed: while it starts, after so many more requests, and while it writes its rows."""
    rng = random.Random(20260418)
    early, late = kills // 8, max(kills // 17, 1)
    ahead = 2 * (count + (kills - early - late) * slots) // (kills + 10)
    for _ in range(early):
        yield "starting", rng.uniform(0, 1.5)
    for _ in range(kills - early - late):
        yield "arrived", rng.randint(1, ahead)
    for _ in range(late):
        yield "asked", rng.uniform(0, 0.03)


def check_kills(wire: WireServer, folder: Path, place: str, *, kills: int, count: int, slots: int) -> None:
    script = Script(latency_ms=20, jitter_ms=30, shares=even(0.05, Fault.RESET, Fault.UNAVAILABLE, Fault.TRUNCATED))
    wire.script(script)
    (folder / "calm").mkdir()
    calm = a_stage(wire, folder / "calm", count, slots=slots, out=str(folder / "calm.parquet"))
    assert finish(start(calm))["replies"] == count
    wire.reset(script)

    stage = a_stage(wire, folder, count, slots=slots, store=place, out=str(folder / "rows.parquet"))
    killed = [Killed(0, 0)]
    for when, amount in moments(kills, count, slots):
        before = wire.totals().arrived
        process = start(stage)
        if when == "arrived":
            wire.wait_until_arrived(before + int(amount))
        else:
            if when == "asked":
                await_line(process, "asked")
            time.sleep(amount)
        if when == "asked" and process.poll() is not None:
            process.communicate()  # it was done before the signal: no kill
            continue
        killed.append(kill(process, wire, stage.store))
        # what was in flight: charged by the server, not yet kept; never more than there are slots
        assert 0 <= killed[-1].lost - killed[-2].lost <= slots
    assert finish(start(stage))["replies"] == count

    assert (folder / "rows.parquet").read_bytes() == (folder / "calm.parquet").read_bytes()
    totals = wire.totals()
    assert totals.distinct == count
    # nothing but what was in flight at a kill was charged a second time
    assert totals.billed_twice == killed[-1].lost <= slots * kills
    assert totals.paid_twice <= totals.billed_twice
    assert len(killed) - 1 >= kills - max(kills // 17, 1)
    # and once it is finished, nothing is sent any more
    assert finish(start(stage))["sent"] == 0
    assert wire.totals().arrived == totals.arrived
    print(f"{len(killed) - 1} kills; {totals.billed_twice} charged twice, {totals.paid_twice} of them delivered")


def test_a_killed_stage_goes_on_and_pays_again_only_for_what_was_in_flight(
    wire: WireServer, tmp_path: Path, place: str
) -> None:
    check_kills(wire, tmp_path, place, kills=5, count=200, slots=8)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_fifty_kills_change_no_byte_of_two_thousand_rows(wire: WireServer, tmp_path: Path, place: str) -> None:
    check_kills(wire, tmp_path, place, kills=53, count=2000, slots=16)  # the three last may come too late


# several processes


def test_two_processes_that_ask_the_same_send_each_request_once(wire: WireServer, tmp_path: Path, place: str) -> None:
    wire.script(Script(latency_ms=20, jitter_ms=20, shares=even(0.1, Fault.UNAVAILABLE, Fault.RESET)))
    files = [str(tmp_path / f"{i}.parquet") for i in range(2)]
    stages = [a_stage(wire, tmp_path, 400, slots=8, store=place, out=file) for file in files]
    counts = [finish(process) for process in [start(stage) for stage in stages]]
    totals = wire.totals()
    assert [count["replies"] for count in counts] == [400, 400]
    assert (totals.distinct, totals.paid, totals.billed_twice) == (400, 400, 0)
    assert totals.arrived == 400 + totals.outcomes["503"] + totals.outcomes["reset"]
    assert (tmp_path / "0.parquet").read_bytes() == (tmp_path / "1.parquet").read_bytes()
    assert sum(count["sent"] for count in counts) == 400


def test_a_replay_of_what_is_stored_sends_nothing(wire: WireServer, tmp_path: Path) -> None:
    stage = a_stage(wire, tmp_path, 50)
    finish(start(stage))
    again = finish(start(stage.model_copy(update={"replay_only": True})))
    assert (again["replies"], again["sent"], wire.totals().arrived) == (50, 0, 50)


# memory

FLAT_KIB = 24 * 1024  # 45,000 requests and replies more, of some 2 KB each, would be 90 MB if they were kept


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process alone is known on Linux")
def test_memory_is_flat_from_five_to_fifty_thousand_requests(wire: WireServer, tmp_path: Path) -> None:
    peaks = {}
    for count in (5_000, 50_000):
        stage = a_stage(wire, tmp_path, count)
        sent = finish(start(stage))
        again = finish(start(stage))
        assert (sent["replies"], again["replies"], again["sent"]) == (count, count, 0)
        peaks[count] = (sent["peak_rss_kib"], again["peak_rss_kib"])
    assert wire.totals().billed_twice == 0
    print(f"peak RSS in MiB, asking and reading again: { {n: [kib // 1024 for kib in p] for n, p in peaks.items()} }")
    for small, large in zip(peaks[5_000], peaks[50_000], strict=True):
        assert large - small < FLAT_KIB
