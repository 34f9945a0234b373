"""A Lean kept warm: one process in the sandbox that has read a header, and a copy of it (fork) for each text.

What it saves is the start of Lean, the imports and whatever else the header holds.  What it keeps: each text begins
from the header's own environment, in a process of its own under the limits of `lean_check.process`, and what Lean says
is judged as if Lean had been started for it.  Texts that share a warm Lean share one sandbox, one after the other: a
copy can neither read nor trace the process that it came from, but it can end it, and its text is then run alone.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from lean_check import sandbox
from lean_check.messages import parse
from lean_check.process import GRACE_S, TICK_S, Limits, Run, Stop, usage
from lean_check.tokens import tokenize
from lean_check.toolchains import Toolchain, python_executable

TRIED_VERSIONS = frozenset({"4.35.0"})  # whose library's functions `lean_check.warm_server` knows
START_TIMEOUT_S = 120.0  # for the header; Mathlib read from a cold disk takes half of that
TEXTS_A_PROCESS = 1000  # then it is begun anew: a bound on what its copies could leave behind
PROCESS_CPU_S = 600.0  # what the process may compute for its header and all copies that it makes
MAX_ANSWER_HEAD = 1000

_HEADER_WORDS = frozenset(["import", "open", "universe", "variable", "set_option"])
_COMMAND_WORDS = """
    theorem example def abbrev instance structure class inductive coinductive opaque namespace section
    noncomputable private protected public mutual attribute local scoped deriving #check #print #reduce
"""
_COMMANDS = frozenset([*_COMMAND_WORDS.split(), "@"])


class LostError(Exception):
    """The warm process ended or does not answer: nothing is known of the text that it had."""


@dataclass(frozen=True)
class Split:
    """A text in two: the header, which many texts share, and what follows.  Joined they are the text."""

    header: str
    body: str


def split_at(source: str, end: int) -> Split | None:
    """The text cut at `end`, where another says that its header ends; None where no command begins a line there."""
    lexed = tokenize(source)
    if lexed.doubts or "\r" in source or source[end - 1 : end] != "\n":
        return None
    after = next((token for token in lexed.tokens if token.kind != "comment" and token.start >= end), None)
    if after is None or after.text not in _COMMANDS or source[after.start - 1] != "\n":
        return None
    crossing = any(token.start < end < token.start + len(token.text) for token in lexed.tokens)
    return None if crossing else Split(source[:end], source[end:])


def split_header(source: str) -> Split | None:
    """The text cut where its first command other than `import`, `open`, `universe`, `variable` and `set_option` begins
    a line; None where it is not certain that a command begins there, or that all of the text agrees with the cut."""
    lexed = tokenize(source)
    if lexed.doubts or "\r" in source:  # which Lean leaves out, and with it the count of bytes changes
        return None
    cut = last = 0
    for token in lexed.tokens:
        if token.kind == "comment":
            continue
        begins_line = token.start == 0 or source[token.start - 1] == "\n"
        if begins_line and token.text in _COMMANDS:
            cut = source.find("\n", last) + 1 if last else 0
            break
        if begins_line and token.text in _HEADER_WORDS:
            cut = token.start
        elif begins_line:
            return None
        elif token.text == "in":  # `open X in theorem …` is one command, which may begin where `cut` is
            break
        last = token.start
    else:
        return None
    crossing = any(token.start < cut < token.start + len(token.text) for token in lexed.tokens)
    return None if crossing else Split(source[:cut], source[cut:])


def can_be_warm(toolchain: Toolchain) -> bool:
    """Whether this toolchain's library is one that the warm process knows."""
    return toolchain.library is not None and toolchain.version in TRIED_VERSIONS


class WarmLean:
    """One warm process; one text at a time.  Use it in a `with`."""

    def __init__(self, toolchain: Toolchain, header: str, limits: Limits, *, clean: bool = False) -> None:
        """Begun with the first text, and again after it was lost.  clean: a header with an error is not used, since
        the error may be that it stops within a command.  Raises: ValueError for an untried toolchain."""
        if not can_be_warm(toolchain):
            raise ValueError(f"{toolchain.label} cannot be kept warm; versions tried: {', '.join(TRIED_VERSIONS)}")
        self.header, self._clean = header, clean
        self._toolchain = toolchain
        self._limits = replace(limits, timeout_s=max(limits.timeout_s, PROCESS_CPU_S))
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._own: frozenset[int] = frozenset()
        self._served = 0
        self._header_output = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, body: str, limits: Limits) -> Run:
        """Lean on the header and this text; positions are those of both together.  Raises: LostError."""
        process = self._begun()
        self._served += 1
        data = (self.header + body).encode()
        cpu_s = int(2 * limits.timeout_s) + 10
        head = {"size": len(data), "cpu_s": cpu_s, "output_bytes": limits.output_bytes}
        begin = time.monotonic()
        before = usage(process.pid).cpu_seconds
        self._send(json.dumps(head).encode() + b"\n" + data)
        waited = _Wait(process, self._own, before, limits)
        answer = waited.answer()
        if answer is None:
            self.close()
            if waited.stopped is None:
                raise LostError
            answer = {"code": -signal.SIGKILL, "stdout": 0, "stderr": 0}
        stdout, stderr = waited.data[: answer["stdout"]], waited.data[answer["stdout"] :]
        stopped: Stop | None = waited.stopped
        if stopped is None and len(waited.data) > limits.output_bytes:
            stopped = "output"
        seconds = time.monotonic() - begin
        if self._process is not None and set(usage(process.pid).pids) - self._own:
            self.close()  # the text left a process behind: with the sandbox it dies, and nothing of it reaches another
        out = self._header_output + stdout
        return Run(answer["code"], stopped, out, stderr, seconds, waited.cpu_seconds, waited.peak_bytes)

    def close(self) -> None:
        """Ends the process and all in its sandbox."""
        if self._process is not None:
            _end(self._process)
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._process is not None and (self._process.poll() is not None or self._served >= TEXTS_A_PROCESS):
            self.close()
        if self._process is None:
            self._begin()
        if self._process is None:
            raise LostError
        return self._process

    def _begin(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lean-check-warm-")
        self._served = 0
        self._process = subprocess.Popen(
            sandbox.command(self._job(Path(self._folder.name)), self._limits),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            start_new_session=True,
        )
        data = self.header.encode()
        self._send(json.dumps({"size": len(data)}).encode() + b"\n" + data)
        limits = Limits(timeout_s=START_TIMEOUT_S, memory_bytes=self._limits.memory_bytes)
        waited = _Wait(self._process, frozenset(), 0.0, limits)
        if waited.answer() is None:
            self.close()
            raise LostError
        self._header_output = waited.data
        if self._clean and any(message.is_error() for message in parse(waited.data).messages):
            self.close()
            raise LostError
        self._own = frozenset(usage(self._process.pid).pids)

    def _job(self, folder: Path) -> sandbox.Job:
        library = self._toolchain.library
        script = Path(__file__).with_name("warm_server.py").read_text(encoding="utf-8")
        command = [python_executable(), "-I", "-S", "-c", script, str(library), "/scratch"]
        return sandbox.Job(command, self._toolchain.readable(), self._toolchain.environment(), folder)

    def _send(self, data: bytes) -> None:
        """Raises: LostError.  The other side reads all of a request before it does anything with it."""
        if self._process is None or self._process.stdin is None:
            raise LostError
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except OSError:
            self.close()
            raise LostError from None


class _Wait:
    """One answer waited for, while the process tree is watched."""

    def __init__(
        self, process: subprocess.Popen[bytes], own: frozenset[int], cpu_before: float, limits: Limits
    ) -> None:
        self._process, self._own, self._limits = process, own, limits
        self._cpu_before = cpu_before
        self._received = bytearray()
        self.data = b""
        self.stopped: Stop | None = None
        self.cpu_seconds = 0.0
        self.peak_bytes = 0

    def answer(self) -> dict[str, int] | None:
        """The head of the answer, its data in `data`; None where the process is lost or was stopped and says no more.
        The text's own processes are killed when they pass a limit; then the answer tells how they ended."""
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
        size = head.get("stdout", 0) + head.get("stderr", 0)
        start = len(line) + 1
        if len(self._received) < start + size:
            return None
        self.data = bytes(self._received[start : start + size])
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


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.wait()
