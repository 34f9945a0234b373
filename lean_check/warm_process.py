"""A process in the sandbox that answers requests one by one: begun with the first, and again after it was lost.

A request and an answer are each a line of JSON with the sizes of what follows it.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lean_check import sandbox
from lean_check.process import GRACE_S, TICK_S, Limits, Stop, starting, usage

PROCESS_CPU_S = 600.0  # what one process may compute, for its beginning and all copies that it makes
MAX_ANSWER_HEAD = 1000
_PARTS = ("stdout", "stderr", "product")  # of an answer, in the order in which they follow its head


class Server:
    """At most one process.  Use it in a `with`."""

    def __init__(self, job: Callable[[Path], sandbox.Job], limits: Limits, most: int) -> None:
        """job: made for the folder that the process sees as /item.  most: requests that one process answers; then it
        is begun anew, a bound on what requests could leave behind."""
        self._job, self._most = job, most
        self._limits = replace(limits, timeout_s=max(limits.timeout_s, PROCESS_CPU_S))
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._served = 0
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begun(self) -> tuple[subprocess.Popen[bytes], bool]:
        """The process for one request more, and whether it is a new one.  Raises: OSError where none can be started."""
        if self.process is not None and (self.process.poll() is not None or self._served >= self._most):
            self.close()
        new = self.process is None
        if self.process is None:
            self._served = 0
            self._folder = tempfile.TemporaryDirectory(prefix="lean-check-warm-")
            with starting():
                self.process = subprocess.Popen(
                    sandbox.command(self._job(Path(self._folder.name)), self._limits),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={},
                    start_new_session=True,
                )
        self._served += 1
        return self.process, new

    def send(self, head: dict[str, object], data: bytes) -> None:
        """The other side reads all of a request before it does anything with it.  Raises: OSError, after which the
        process is ended."""
        try:
            if self.process is None or self.process.stdin is None:
                raise BrokenPipeError
            self.process.stdin.write(json.dumps(head).encode() + b"\n" + data)
            self.process.stdin.flush()
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Ends the process and all in its sandbox."""
        if self.process is not None:
            _end(self.process)
            self.process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()


class Wait:
    """One answer waited for, while the process tree is watched."""

    def __init__(
        self, process: subprocess.Popen[bytes], own: frozenset[int], cpu_before: float, limits: Limits
    ) -> None:
        """own: the processes that are not the request's.  cpu_before: what the tree had computed before it."""
        self._process, self._own, self._limits = process, own, limits
        self._cpu_before = cpu_before
        self._received = bytearray()
        self.parts = dict.fromkeys(_PARTS, b"")
        self.stopped: Stop | None = None
        self.cpu_seconds = 0.0
        self.peak_bytes = 0

    def answer(self) -> dict[str, int] | None:
        """The head of the answer, what follows it in `parts`; None where the process is lost or was stopped and says
        no more.  The request's own processes are killed when they pass a limit; then the answer tells how they
        ended."""
        out = self._process.stdout
        if out is None:
            return None
        begin, until = time.monotonic(), float("inf")
        with selectors.DefaultSelector() as pipe:
            pipe.register(out, selectors.EVENT_READ)
            while time.monotonic() < until:
                if pipe.select(TICK_S) and not self._read(out):
                    return None
                if (head := self._complete()) is not None:
                    self.peak_bytes = max(self.peak_bytes, head.get("memory", 0))
                    return head
                if self.stopped is None and self._over(time.monotonic() - begin):
                    until = time.monotonic() + GRACE_S
        return None

    def _read(self, out: IO[bytes]) -> bool:
        data = os.read(out.fileno(), 1 << 16)
        self._received += data
        return bool(data)

    def _complete(self) -> dict[str, int] | None:
        line, newline, _ = bytes(self._received[:MAX_ANSWER_HEAD]).partition(b"\n")
        if not newline:
            return None
        head: dict[str, int] = json.loads(line)
        begin = len(line) + 1
        if len(self._received) < begin + sum(head.get(name, 0) for name in _PARTS):
            return None
        for name in _PARTS:
            self.parts[name] = bytes(self._received[begin : begin + head.get(name, 0)])
            begin += head.get(name, 0)
        return head

    def _over(self, elapsed_s: float) -> bool:
        now = usage(self._process.pid, self._own)
        self.cpu_seconds = max(self.cpu_seconds, now.cpu_seconds - self._cpu_before)
        self.peak_bytes = max(self.peak_bytes, now.memory_bytes)
        self.stopped = self._limits.passed(replace(now, cpu_seconds=self.cpu_seconds), 0, elapsed_s)
        if self.stopped is None:
            return False
        for pid in now.pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        return True
