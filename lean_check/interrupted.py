"""An end on request: Ctrl-C, or SIGTERM as schedulers send it, in the middle of a batch."""

import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from lean_check.process import GRACE_S, TICK_S, start_no_more, usage

SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SAID = b"lean-check: interrupted; the verdicts that were there are printed, and kept where --remember names a file\n"


@contextlib.contextmanager
def own_folder_and_signals() -> Iterator[None]:
    """All temporary files of this process in one folder, and the signals that ask it to end: they kill what it started,
    remove the folder, and end the process at once with 128 + the signal's number.  Nothing waits for a text that runs:
    what was judged has been remembered before.  Only in the main thread, where signals are handled.
    Raises: OSError where there is no folder for temporary files."""
    before_folder = tempfile.tempdir
    with tempfile.TemporaryDirectory(prefix="lean-check-") as folder:

        def end(number: int, _: FrameType | None) -> None:
            start_no_more()  # a thread whose Lean is killed would start another
            _end_all(tuple(pid for pid in usage(os.getpid()).pids if pid != os.getpid()))
            for _attempt in range(3):  # a thread may be making a file meanwhile
                if Path(folder).exists():
                    shutil.rmtree(folder, ignore_errors=True)
            with contextlib.suppress(OSError):
                os.write(sys.__stderr__.fileno() if sys.__stderr__ is not None else 2, _SAID)
            os._exit(128 + number)

        tempfile.tempdir = folder
        # what a shell starts in the background inherits an ignored Ctrl-C, and is to live on; that SIGTERM is ignored,
        # or either is blocked, is an accident of whoever started this process
        heard = [n for n in SIGNALS if n != signal.SIGINT or signal.getsignal(n) is not signal.SIG_IGN]
        before = {number: signal.signal(number, end) for number in heard}
        signal.pthread_sigmask(signal.SIG_UNBLOCK, heard)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            tempfile.tempdir = before_folder


def _end_all(pids: Sequence[int]) -> None:
    """Kills the processes and waits, for a moment at most, until they are gone."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + GRACE_S
    while time.monotonic() < until and any(map(_lives, pids)):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(TICK_S)


def _lives(pid: int) -> bool:
    """Whether the process runs; one that nobody has asked for its end may stay listed for long."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return stat.rpartition(")")[2].split()[0] != "Z"
    except (OSError, IndexError):
        return False
