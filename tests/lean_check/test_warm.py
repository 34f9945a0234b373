"""A Lean kept warm says what a Lean started for the text says."""

import contextlib
import os
import signal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check import check
from lean_check.batch import Item, Settings, _Lane, check_many
from lean_check.process import MIB, Limits, _tree
from lean_check.sandbox import probe
from lean_check.toolchains import Toolchain
from lean_check.warm import LostError, WarmLean, split_header
from tests.lean_check.real import real_toolchain

LIMITS = Limits(timeout_s=30)
HEADER = "universe u\nvariable (p q : Prop)\n"
DEEP = "theorem t : True := " + "(" * 50_000 + "True.intro" + ")" * 50_000


@pytest.fixture(scope="module")
def toolchain():
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    return real_toolchain()


@pytest.fixture
def warm(toolchain):
    with WarmLean(toolchain, HEADER, LIMITS) as lean:
        yield lean


TEXTS = [
    "theorem t : True := True.intro",
    "\n\ntheorem t (h : p) : p := h\n#check t\n",
    "theorem t : False := True.intro",
    "theorem t : False :=\n  nowhere",
    "theorem t (n : Nat) (h : Eq n mm) : Eq n mm := h",
    "theorem t (n : Nat) (h : Eq n m) : Eq n m := h",
    "theorem t : True :=",
    "theorem t : True := True.intro\n#exit",
    "theorem t (α : Sort (u+1)) : Sort u := α",
    "theorem t : True := True.intro\nimport Nowhere",
    "end Nothing",
]
HEADERS = ["", HEADER, "set_option maxRecDepth 300\n\n", "open Nowhere\n", "import Nowhere\n"]


@pytest.mark.parametrize(("header", "body"), [*product([HEADER], TEXTS), *product(HEADERS, TEXTS[1:3]), (HEADER, DEEP)])
def test_the_verdict_is_that_of_a_lean_started_for_the_text(toolchain, header, body):
    lane = _Lane(toolchain, Settings())
    used = []

    def runner(text, limits, audited):
        used.append(lane.run(0, text, limits, audited))
        return used[-1]

    # `#exit` is refused before Lean runs; here it is Lean that is asked
    options = {"toolchain": toolchain, "timeout_s": 60, "allow": ("exit",)}
    try:
        kept = check(header + body, runner=runner, **options)
    finally:
        lane.close()
    started = check(header + body, **options)
    assert (kept.verdict, kept.reasons, kept.messages) == (started.verdict, started.reasons, started.messages)
    imports = not header.startswith("import")
    assert [run is not None for run in used] == ([imports] if "theorem" in body else [])
    assert kept.peak_bytes is None or kept.peak_bytes > MIB


def test_no_text_sees_what_another_declared(warm):
    assert b"error" not in warm.run("theorem t : True := True.intro\n", LIMITS).stdout
    assert b"error" not in warm.run("theorem t : p → p := fun h => h\n", LIMITS).stdout
    assert b"Unknown identifier `t`" in warm.run("theorem s : True := t\n", LIMITS).stdout


def test_positions_are_those_of_header_and_text_together(warm):
    assert b'"line":4' in warm.run("\ntheorem t : False := nowhere", LIMITS).stdout


def test_a_text_that_computes_for_ever_is_stopped_and_the_next_one_runs(warm):
    spin = (
        "set_option maxHeartbeats 0\nset_option maxRecDepth 100000000\n"
        "noncomputable def f (n : Nat) : Bool → Bool := Nat.rec (fun b => b) (fun _ g b => g (g b)) n\n"
        + "theorem t : Eq (f ("
        + "Nat.succ (" * 40
        + "Nat.zero"
        + ")" * 40
        + ") Bool.true) Bool.false := Eq.refl _\n"
    )
    stopped = warm.run(spin, Limits(timeout_s=1))
    assert stopped.stopped in ("timeout", "stalled")  # the second on a busy machine
    assert b"error" not in warm.run("theorem t : True := True.intro\n", LIMITS).stdout


def test_a_memory_limit_is_that_of_the_text_alone(warm):
    assert warm.run(DEEP, Limits(timeout_s=60, memory_bytes=64 * MIB)).stopped == "memory"
    assert warm.run("theorem t : True := True.intro\n", Limits(timeout_s=60, memory_bytes=64 * MIB)).stopped is None


def test_too_much_output_is_stopped(warm):
    many = "".join(f"theorem t{n} : False := nowhere\n" for n in range(200))
    assert warm.run(many, Limits(timeout_s=60, output_bytes=10_000)).stopped == "output"


def test_a_process_that_died_is_begun_anew(warm):
    warm.run("theorem t : True := True.intro\n", LIMITS)
    os.killpg(warm._server.process.pid, signal.SIGKILL)
    warm._server.process.wait()
    assert b"error" not in warm.run("theorem t : True := True.intro\n", LIMITS).stdout


def test_a_process_killed_over_a_text_is_lost_and_the_next_text_has_a_new_one(warm, monkeypatch):
    warm.run("theorem t : True := True.intro\n", LIMITS)
    send = warm._server.send

    def send_and_kill(head, data):
        send(head, data)
        os.killpg(warm._server.process.pid, signal.SIGKILL)

    monkeypatch.setattr(warm._server, "send", send_and_kill)
    with pytest.raises(LostError):
        warm.run(DEEP, LIMITS)
    monkeypatch.undo()
    assert b"error" not in warm.run("theorem t : True := True.intro\n", LIMITS).stdout


def test_killing_warm_processes_under_load_loses_no_verdict(toolchain):
    items = [Item(str(n), f"{HEADER}theorem t{n} : True := {('True.intro', 'nowhere')[n % 2]}\n") for n in range(60)]
    got, killed = [], 0
    for verdict in check_many(items, Settings(30, retries=20), toolchain=toolchain, lanes=2):
        got.append(verdict.verdict)
        if len(got) % 15 == 0:
            for pid in reversed(_tree(os.getpid())[1:]):
                with contextlib.suppress(ProcessLookupError):  # it went with its parent
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
    assert got == [("accepted", "rejected")[n % 2] for n in range(60)]
    assert killed > 0


def test_nothing_is_left_behind(toolchain, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with WarmLean(toolchain, "", LIMITS) as lean:
        lean.run("theorem t : True := True.intro\n", LIMITS)
        pids = _tree(lean._server.process.pid)
        assert len(pids) > 1
    assert list(tmp_path.iterdir()) == []
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids[:1])  # noqa: PTH110


def test_a_lean_of_another_version_is_not_kept_warm(toolchain):
    other = Toolchain("other", "4.36.0", toolchain.command, toolchain.binds, (), toolchain.library)
    with pytest.raises(ValueError, match="cannot be kept warm"):
        WarmLean(other, "", LIMITS)


@pytest.mark.parametrize(
    ("source", "header"),
    [
        ("theorem t : p", ""),
        ("import Mathlib\nopen Real\n\n/-- doc -/\ntheorem t : p", "import Mathlib\nopen Real\n"),
        ("import Mathlib -- all of it\ntheorem t", "import Mathlib -- all of it\n"),
        ("variable {α : Type}\n  [Fintype α]\n@[simp] theorem t", "variable {α : Type}\n  [Fintype α]\n"),
        ("open Real\nopen Nat in\ntheorem t", "open Real\n"),
        ("open Nat in theorem t", ""),
        ("import A /- a\ncomment -/\ntheorem t", None),
        ("variable\n(x : Nat)\ntheorem t", None),
        ("import Mathlib\nnonsense\ntheorem t", None),
        ("import Mathlib", None),
        ("", None),
        ("open A /--/ theorem t", None),
    ],
)
def test_a_header_ends_where_it_is_certain_that_another_command_begins(source, header):
    split = split_header(source)
    assert (None if split is None else split.header) == header


LINES = [
    "import A",
    "open B",
    "variable (x : N)",
    "theorem t : p := h",
    "-- note",
    "/- a",
    "-/",
    "  q",
    "end",
    "in",
    "",
]


@given(st.lists(st.sampled_from(LINES)))
def test_header_and_body_are_the_text_and_the_header_ends_a_line(lines):
    source = "\n".join(lines)
    split = split_header(source)
    if split is not None:
        assert split.header + split.body == source
        assert split.header == "" or split.header.endswith("\n")
        assert "theorem" not in split.header or "--" in split.header or "/-" in split.header
