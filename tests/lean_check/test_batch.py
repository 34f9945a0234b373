import contextlib
import os
import signal
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check import batch
from lean_check.batch import Item, Settings, available_bytes, check_many, key_of, lanes_for
from lean_check.memory import FileMemory, MemoryDamagedError
from lean_check.process import GIB, _tree
from lean_check.toolchains import Toolchain
from tests.lean_check.fakes import counted_checks, fake_toolchain, source

QUICK = Settings(timeout_s=20, allow_unsandboxed=True)


@pytest.fixture
def toolchain(tmp_path):
    return fake_toolchain(tmp_path)


@pytest.fixture
def calls(monkeypatch):
    return counted_checks(monkeypatch)


def modes(names):
    return [Item(f"{n}-{name}", source(name)) for n, name in enumerate(names)]


def test_verdicts_come_in_the_order_of_the_items_whatever_ends_first(toolchain):
    items = modes(["sleep", "fine", "mismatch", "fine"])
    got = list(check_many(items, Settings(0.3, allow_unsandboxed=True, retries=0), toolchain=toolchain, lanes=3))
    assert [v.file for v in got] == [item.name for item in items]
    assert [v.verdict for v in got] == ["infrastructure", "accepted", "rejected", "accepted"]


def test_nothing_to_do_ends_at_once_and_a_caller_may_leave_early(toolchain):
    assert list(check_many([], QUICK, toolchain=toolchain)) == []
    some = check_many(modes(["fine"] * 3), QUICK, toolchain=toolchain)
    assert next(some).verdict == "accepted"
    some.close()


def test_the_same_text_is_run_once_and_keeps_its_names(toolchain, calls):
    items = [Item("a", source("fine")), Item("b", source("fine")), Item("c", source("fine"), statement_only=True)]
    got = list(check_many(items, QUICK, toolchain=toolchain))
    assert [v.file for v in got] == ["a", "b", "c"]
    assert len(calls) == 2


def test_a_crash_is_tried_again_and_costs_no_other_text_anything(toolchain, calls):
    got = list(check_many(modes(["fine", "crash", "mismatch"]), QUICK, toolchain=toolchain, lanes=1))
    assert [(v.verdict, v.reasons) for v in got] == [
        ("accepted", ()), ("infrastructure", ("crash",)), ("rejected", ("type_mismatch",)),
    ]  # fmt: skip
    assert sorted(calls) == ["0-fine", "1-crash", "1-crash", "1-crash", "2-mismatch"]


def test_verdicts_are_remembered_by_content_and_those_of_the_machine_are_not(toolchain, calls, tmp_path):
    items = modes(["fine", "mismatch", "crash"])
    with FileMemory(tmp_path / "memory") as memory:
        first = list(check_many(items, QUICK, toolchain=toolchain, memory=memory))
        before = len(calls)
        again = [Item(f"other {item.name}", item.source) for item in items]
        second = list(check_many(again, QUICK, toolchain=toolchain, memory=memory))
    assert set(calls[before:]) == {"other 2-crash"}
    assert [v.file for v in second] == [item.name for item in again]
    assert [(v.verdict, v.messages, v.seconds) for v in second[:2]] == [
        (v.verdict, v.messages, v.seconds) for v in first[:2]
    ]


def test_what_was_finished_before_a_failure_is_in_the_memory(toolchain, tmp_path, monkeypatch):
    path, real = tmp_path / "memory", batch.check

    def failing(text, **options):
        if "mismatch" in options["name"]:
            raise RuntimeError("the machine burns")
        return real(text, **options)

    monkeypatch.setattr(batch, "check", failing)
    items = modes(["fine", "mismatch"])
    with FileMemory(path) as memory, pytest.raises(RuntimeError, match="burns"):
        list(check_many(items, QUICK, toolchain=toolchain, memory=memory, lanes=1))
    with FileMemory(path) as memory:
        assert memory.get(key_of(items[0], QUICK, toolchain)) is not None
        assert memory.get(key_of(items[1], QUICK, toolchain)) is None


def test_a_file_that_is_no_memory_says_so(tmp_path):
    (tmp_path / "text").write_text("no database, and long enough to be read as one" * 50)
    for path in (tmp_path / "text", tmp_path / "no" / "folder"):
        with pytest.raises(MemoryDamagedError, match="name another file"):
            FileMemory(path)


def test_changing_anything_that_can_change_a_verdict_changes_the_key(toolchain):
    item = Item("a", "text")
    other = Toolchain("other", *(getattr(toolchain, name) for name in ("version", "command", "binds")))
    keys = [
        key_of(item, QUICK, toolchain),
        key_of(Item("a", "text "), QUICK, toolchain),
        key_of(Item("a", "text", statement_only=True), QUICK, toolchain),
        key_of(Item("a", "text", allow=("notation",)), QUICK, toolchain),
        key_of(item, Settings(timeout_s=21, allow_unsandboxed=True), toolchain),
        key_of(item, Settings(timeout_s=20, memory_bytes=1, allow_unsandboxed=True), toolchain),
        key_of(item, Settings(timeout_s=20), toolchain),
        key_of(item, QUICK, other),
        key_of(item, QUICK, None),
    ]
    assert len(set(keys)) == len(keys)
    assert key_of(Item("b", "text"), QUICK, toolchain) == keys[0]
    assert key_of(item, Settings(timeout_s=20, allow_unsandboxed=True, warm=False, retries=0), toolchain) == keys[0]


def test_a_library_compiled_anew_changes_the_key(toolchain, tmp_path):
    keys = set()
    for size in (1, 2):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "Init.olean").write_bytes(b"x" * size)
        changed = Toolchain("fake", "4.0.0", toolchain.command, toolchain.binds, (folder,))
        keys.add(key_of(Item("a", "text"), QUICK, changed))
    assert len(keys) == 2


@given(st.integers(1, 1 << 50))
def test_there_is_always_a_lane_and_never_more_than_cores(memory_bytes):
    assert 1 <= lanes_for(memory_bytes) <= (os.cpu_count() or 1)


def test_memory_is_the_least_of_what_machine_and_control_group_allow(tmp_path):
    proc = tmp_path / "meminfo"
    proc.write_text("MemTotal: 9 kB\nMemAvailable:   4194304 kB\n")
    assert available_bytes(proc, tmp_path) == 4 * GIB
    (tmp_path / "memory.max").write_text(f"{3 * GIB}\n")
    (tmp_path / "memory.current").write_text(f"{GIB}\n")
    assert available_bytes(proc, tmp_path) == 2 * GIB
    (tmp_path / "memory.max").write_text("max\n")
    assert available_bytes(proc, tmp_path) == 4 * GIB
    assert available_bytes(tmp_path / "absent", tmp_path) == GIB


class Killer(threading.Thread):
    """Ends a process below this one with SIGKILL, again and again, each time that another item is done."""

    def __init__(self):
        super().__init__(daemon=True)
        self.more, self.over, self.killed = threading.Semaphore(0), False, 0

    def run(self):
        while self.more.acquire() and not self.over:
            for pid in reversed(_tree(os.getpid())[1:]):
                with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
                    os.kill(pid, signal.SIGKILL)
                    self.killed += 1
                    break


def test_killing_runs_under_load_loses_no_verdict(toolchain):
    expected = [("accepted", "rejected")[n % 2] for n in range(24)]
    items = [Item(str(n), source("mismatch" if n % 2 else "fine") + f"-- {n}\n") for n in range(24)]
    killer = Killer()
    killer.start()
    got = []
    for verdict in check_many(items, Settings(20, allow_unsandboxed=True, retries=20), toolchain=toolchain, lanes=2):
        got.append(verdict.verdict)
        killer.more.release()
    killer.over = True
    killer.more.release()
    killer.join()
    assert got == expected
    assert killer.killed > 0


def test_a_damaged_row_of_the_memory_is_judged_anew_and_written_over(toolchain, tmp_path, calls):
    memory = FileMemory(tmp_path / "verdicts.sqlite")
    item = Item("a", source("fine"))
    key = key_of(item, QUICK, toolchain)
    for damaged in (b"not json", b"{}", b"\xff"):
        memory.put(key, damaged)
        (got,) = check_many([item], QUICK, toolchain=toolchain, memory=memory)
        assert got.verdict == "accepted"
        assert b'"accepted"' in (memory.get(key) or b"")
    assert len(calls) == 3
    memory.close()
