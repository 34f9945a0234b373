"""What batch APIs do to a stage, and what a kill does to a batch, by the books of the server that is asked."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.resources.llm.stage import Stage, run
from tests.wire import BatchScript, Fault, Script, WireServer, even

COUNT = 60


@pytest.fixture(params=["openai", "google"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def a_stage(wire: WireServer, folder: Path, kind: str, name: str = "batch", *, batch: bool = True) -> Stage:
    return Stage(
        kind=kind,
        url=wire.google_url if kind == "google" else wire.openai_url,
        store=str(folder / f"{name}.sqlite"),
        count=COUNT,
        slots=16,
        out=str(folder / f"{name}.parquet"),
        batch=batch,
    )


def replies(folder: Path, name: str) -> dict[str, str]:
    rows = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return {row["request_id"]: row["text"] for row in rows}


def test_a_batch_out_of_order_gives_the_replies_of_single_requests(wire: WireServer, tmp_path: Path, kind: str) -> None:
    online = run(a_stage(wire, tmp_path, kind, "online", batch=False))
    wire.reset()
    counts = run(a_stage(wire, tmp_path, kind))
    assert (online["replies"], counts["replies"], counts["failures"]) == (COUNT, COUNT, 0)
    assert replies(tmp_path, "batch") == replies(tmp_path, "online")
    totals = wire.totals()
    assert (totals.arrived, totals.paid, totals.paid_twice) == (COUNT, COUNT, 0)
    assert all(entry.batch is not None for entry in wire.entries())


def test_what_expired_is_put_into_another_batch_and_paid_once(wire: WireServer, tmp_path: Path, kind: str) -> None:
    wire.script(Script(batches=(BatchScript(expired_share=0.4), BatchScript())))
    assert run(a_stage(wire, tmp_path, kind))["replies"] == COUNT
    assert wire.totals().paid_twice == 0
    assert len({entry.batch for entry in wire.entries()}) == 2
    assert wire.totals().outcomes["expired"] > 0


def test_lines_that_are_in_no_file_are_asked_again_and_no_others(wire: WireServer, tmp_path: Path, kind: str) -> None:
    wire.script(Script(batches=(BatchScript(missing_share=0.3), BatchScript())))
    assert run(a_stage(wire, tmp_path, kind))["replies"] == COUNT
    first = [entry for entry in wire.entries() if entry.batch == wire.entries()[0].batch]
    assert len(first) == COUNT
    assert 0 < wire.totals().arrived - COUNT < COUNT // 2


def test_refused_lines_are_asked_by_themselves(wire: WireServer, tmp_path: Path, kind: str) -> None:
    wire.script(Script(shares=even(0.4, Fault.SERVER_ERROR), good_after=1))
    assert run(a_stage(wire, tmp_path, kind))["replies"] == COUNT
    online = [entry for entry in wire.entries() if entry.batch is None]
    failed = {entry.content for entry in wire.entries() if entry.outcome == Fault.SERVER_ERROR}
    assert {entry.content for entry in online} == failed
    assert failed
    assert wire.totals().paid_twice == 0


@pytest.mark.parametrize("first", [BatchScript(fails=True), BatchScript(no_output=True)], ids=["failed", "no output"])
def test_a_batch_that_brings_nothing_is_followed_by_another(
    wire: WireServer, tmp_path: Path, kind: str, first: BatchScript
) -> None:
    wire.script(Script(batches=(first, BatchScript())))
    assert run(a_stage(wire, tmp_path, kind))["replies"] == COUNT
    assert (wire.totals().arrived, wire.totals().paid) == (2 * COUNT, COUNT)


def test_a_batch_whose_creation_was_not_answered_is_found_and_not_paid_again(
    wire: WireServer, tmp_path: Path, kind: str
) -> None:
    wire.script(Script(batches=(BatchScript(lose_create_reply=True),)))
    assert run(a_stage(wire, tmp_path, kind))["replies"] == COUNT
    assert (wire.totals().arrived, wire.totals().paid) == (COUNT, COUNT)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_kills_lose_no_batch_and_pay_for_none_twice(wire: WireServer, tmp_path: Path, kind: str) -> None:
    script = Script(batches=(BatchScript(polls=12, expired_share=0.2), BatchScript(polls=3)))
    wire.script(script)
    assert run(a_stage(wire, tmp_path, kind, "calm"))["replies"] == COUNT
    wire.reset(script)
    stage = a_stage(wire, tmp_path, kind)
    rng, kills = random.Random(7), 0
    for _ in range(20):
        command = [sys.executable, "-m", "tests.resources.llm.stage", stage.model_dump_json()]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == "asking":
                break
        time.sleep(rng.uniform(0, 0.4))
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.communicate()
    assert run(stage)["replies"] == COUNT
    assert kills >= 5
    assert (tmp_path / "batch.parquet").read_bytes() == (tmp_path / "calm.parquet").read_bytes()
    assert (wire.totals().paid, wire.totals().paid_twice) == (COUNT, 0)
