"""The command asked to end in the middle of a batch."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lean_check.memory import FileMemory
from lean_check.sandbox import probe
from tests.lean_check.corpus import GREEDY, TWICE
from tests.lean_check.real import compiled_library, real_toolchain

# so deep that it takes minutes to reach a limit, on a machine however busy
NO_END = f"{GREEDY}set_option maxRecDepth 100000000\n{TWICE}theorem t : f 60 true = true := by decide"


def _as_usual():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _deaf():
    _as_usual()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})


@pytest.fixture
def begun(tmp_path, request):
    """The command on a text that is soon judged and one that is not, when the first verdict is there."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    real_toolchain()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (tmp_path / "fine.lean").write_text("theorem t : True := trivial")
    (tmp_path / "no_end.lean").write_text(NO_END)
    command = [sys.executable, "-m", "lean_check.cli", str(tmp_path / "fine.lean"), str(tmp_path / "no_end.lean")]
    process = subprocess.Popen(
        [*command, "--json", "--jobs", "1", "--timeout", "1000", "--remember", str(tmp_path / "memory")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a runner in the background ignores Ctrl-C, and what it starts with it
        preexec_fn=getattr(request, "param", _as_usual),  # noqa: PLW1509 - no other thread forks here
        env={**os.environ, "TMPDIR": str(temporary), "LEAN_CHECK_LEAN_PATH": str(compiled_library())},
    )
    assert b'"accepted"' in process.stdout.readline()
    yield process, temporary
    process.kill()
    process.communicate()


def running_in(folder):
    """The processes whose command names the folder, as that of a sandbox does."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # it has ended
            found += [file.parent.name] if os.fsencode(folder) in file.read_bytes() else []
    return found


def ended(folder):
    """Whether no such process is left; the kernel ends a sandbox just after the process that began it."""
    for _ in range(200):
        if not running_in(folder):
            return True
        subprocess.run(["sleep", "0.05"], check=True)
    return False


@pytest.mark.parametrize("begun", [_as_usual, _deaf], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_end_on_request_waits_for_no_text_and_leaves_nothing(begun, number, tmp_path):
    process, temporary = begun
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    assert b"interrupted" in said
    assert b"Traceback" not in said
    assert list(temporary.iterdir()) == []
    assert ended(temporary)
    assert remembered(tmp_path) == 1


def test_a_kill_leaves_no_process_and_the_verdicts_that_were_there(begun, tmp_path):
    process, temporary = begun
    process.kill()
    process.communicate(timeout=60)  # its pipes close when the last process that holds them has ended
    assert ended(temporary)
    assert remembered(tmp_path) == 1


def remembered(folder):
    with FileMemory(folder / "memory") as memory:
        return memory._connection.execute("SELECT count(*) FROM verdicts").fetchone()[0]


def test_no_thread_starts_a_process_once_the_end_has_begun():
    code = (
        "import threading, time\n"
        "from lean_check.process import start_no_more, starting\n"
        "begun = []\n"
        "def start():\n"
        "    with starting():\n"
        "        begun.append(1)\n"
        "start(); start_no_more()\n"
        "late = threading.Thread(target=start, daemon=True); late.start(); late.join(0.2)\n"
        "print(len(begun), late.is_alive())\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [
        b"1",
        b"True",
    ]
