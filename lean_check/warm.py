"""A Lean kept warm: one process in the sandbox that has read a header, and a copy of it (fork) for each text.

What it saves is the start of Lean, the imports and whatever else the header holds.  What it keeps: each text begins
from the header's own environment, in a process of its own under the limits of `lean_check.process`, and what Lean says
is judged as if Lean had been started for it.  Texts that share a warm Lean share one sandbox, one after the other: a
copy can neither read nor trace the process that it came from, but it can end it, and its text is then run alone.
"""

import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from lean_check import sandbox
from lean_check.messages import parse
from lean_check.process import Limits, Run, Stop, usage
from lean_check.tokens import tokenize
from lean_check.toolchains import Toolchain, python_executable
from lean_check.warm_process import Server, Wait

TRIED_VERSIONS = frozenset({"4.35.0"})  # whose library's functions `lean_check.warm_server` knows
START_TIMEOUT_S = 120.0  # for the header; Mathlib read from a cold disk takes half of that
TEXTS_A_PROCESS = 1000  # then it is begun anew: a bound on what its copies could leave behind

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
        self._toolchain, self._memory_bytes = toolchain, limits.memory_bytes
        self._server = Server(self._job, limits, TEXTS_A_PROCESS)
        self._own: frozenset[int] = frozenset()
        self._header_output = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, body: str, limits: Limits, *, audited: bool = False) -> Run:
        """Lean on the header and this text; positions are those of both together.  audited: where it has no error, its
        `.olean` too, written by the copy whose messages these are.  Raises: LostError."""
        process = self._begun()
        data = (self.header + body).encode()
        head: dict[str, object] = {
            "size": len(data),
            "cpu_s": int(2 * limits.timeout_s) + 10,
            "output_bytes": limits.output_bytes,
            "product_bytes": limits.product_bytes if audited else None,
        }
        begin = time.monotonic()
        before = usage(process.pid).cpu_seconds
        self._send(head, data)
        waited = Wait(process, self._own, before, limits)
        answer = waited.answer()
        if answer is None:
            self.close()
            if waited.stopped is None:
                raise LostError
            answer = {"code": -signal.SIGKILL}
        stdout, stderr, product = (waited.parts[name] for name in ("stdout", "stderr", "product"))
        stopped: Stop | None = waited.stopped
        if stopped is None and len(stdout) + len(stderr) > limits.output_bytes:
            stopped = "output"
        seconds = time.monotonic() - begin
        if self._server.process is not None and set(usage(process.pid).pids) - self._own:
            self.close()  # the text left a process behind: with the sandbox it dies, and nothing of it reaches another
        out = self._header_output + stdout
        usages = (seconds, waited.cpu_seconds, waited.peak_bytes)
        return Run(answer["code"], stopped, out, stderr, *usages, product=product or None)

    def close(self) -> None:
        """Ends the process and all in its sandbox."""
        self._server.close()

    def _begun(self) -> subprocess.Popen[bytes]:
        process, new = self._server.begun()
        if new:
            self._read_header(process)
        return process

    def _read_header(self, process: subprocess.Popen[bytes]) -> None:
        data = self.header.encode()
        self._send({"size": len(data)}, data)
        waited = Wait(process, frozenset(), 0.0, Limits(timeout_s=START_TIMEOUT_S, memory_bytes=self._memory_bytes))
        said = None if waited.answer() is None else waited.parts["stdout"]
        if said is None or (self._clean and any(message.is_error() for message in parse(said).messages)):
            self.close()
            raise LostError
        self._header_output = said
        self._own = frozenset(usage(process.pid).pids)

    def _job(self, folder: Path) -> sandbox.Job:
        library = self._toolchain.library
        script = Path(__file__).with_name("warm_server.py").read_text(encoding="utf-8")
        command = [python_executable(), "-I", "-S", "-c", script, str(library), "/scratch"]
        return sandbox.Job(command, self._toolchain.readable(), self._toolchain.environment(), folder)

    def _send(self, head: dict[str, object], data: bytes) -> None:
        """Raises: LostError."""
        try:
            self._server.send(head, data)
        except OSError:
            raise LostError from None
