"""A filter before the judge: a Lean REPL, through the optional package `lean-interact`, that keeps its headers loaded.

What the REPL refuses with an error need not be run again; what it lets pass says nothing yet, and goes to the judge: a
REPL believes the messages of the text, axioms and all.  A limit that is reached in it says nothing either.  It runs
under `lean_check.sandbox`, as everything untrusted does: in the place of `lake`, lean-interact starts a script that
enters the sandbox.
"""

import contextlib
import hashlib
import importlib
import json
import os
import shlex
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lean_check import sandbox
from lean_check.messages import LeanMessage, error_kinds
from lean_check.process import Limits, Run, guarded
from lean_check.tokens import tokenize
from lean_check.toolchain import Toolchain
from lean_check.warm import Split, split_header
from lean_check.warm_process import PROCESS_CPU_S

PACKAGE_VERSION = "0.11.6"
NOTE = (
    f"refused by the REPL of the project (lean-interact {PACKAGE_VERSION}), whose messages these are; its memory was "
    "not measured"
)
COMMANDS_A_REPL = 400  # then it is begun anew: it keeps every environment, and fails after some 560 (its issue 6)
_OPTION = "set_option relaxedAutoImplicit false\n"  # as `lean_check.audit.OPTIONS` has it for every text
_LIMITS_REACHED = frozenset(["heartbeats", "deep_recursion"])  # kinds of error that are no verdict here
_BINARY = Path(".lake/build/bin/repl")


class NoReplError(Exception):
    """The REPL cannot be used; the message says what to do."""


def named(toolchain: Toolchain | None, env: Mapping[str, str] | None = None) -> Path | None:
    """The folder of the REPL that LEAN_CHECK_REPL names, where the toolchain is the project's in LEAN_CHECK_PROJECT and
    the REPL can be used; else None.  `env`: the environment to read, this process's by default."""
    env = os.environ if env is None else env
    repl, project = env.get("LEAN_CHECK_REPL"), env.get("LEAN_CHECK_PROJECT")
    if not repl or not project or toolchain is None or toolchain.project != Path(project).resolve():
        return None
    with contextlib.suppress(NoReplError):
        usable(Path(repl), toolchain)
        return Path(repl)
    return None


def usable(repl: Path, toolchain: Toolchain | None) -> Any:
    """The package lean-interact, with which this REPL can be used.  Raises: NoReplError."""
    if toolchain is None or toolchain.project is None:
        raise NoReplError("a REPL is used with a Lake project: name it in LEAN_CHECK_PROJECT or with --project")
    try:
        package = importlib.import_module("lean_interact")
    except ImportError:
        raise NoReplError(
            f"the package lean-interact is not installed: pip install lean-interact=={PACKAGE_VERSION}"
        ) from None
    if not os.access(repl / _BINARY, os.X_OK):
        raise NoReplError(f"{repl / _BINARY} is not there: build the REPL (lake build) in {repl}")
    if not sandbox.probe().works:
        raise NoReplError(f"untrusted Lean is not run: {sandbox.probe().detail}. {sandbox.INSTALL}")
    return package


def identity(repl: Path) -> str:
    """What a refusal of this REPL depends on, for keys."""
    about = (repl / _BINARY).stat()
    return hashlib.sha256(repr((PACKAGE_VERSION, _OPTION, about.st_size, about.st_mtime_ns)).encode()).hexdigest()


@dataclass(frozen=True)
class _Header:
    """A header that the REPL has read: the number of what stands after it, None where it has an error."""

    environment: int | None
    messages: tuple[LeanMessage, ...] = ()


class ReplFilter:
    """One REPL, begun with the first text.  `repl`: the folder of a REPL built for the project's Lean.

    Known of the package: it fails where a stack overflowed with a loaded header (its issue 36); the text is then let
    pass, and the REPL begun anew.
    """

    def __init__(self, repl: Path, toolchain: Toolchain, limits: Limits) -> None:
        """Raises: NoReplError."""
        self._package: Any = usable(repl, toolchain)
        self._repl, self._toolchain, self._limits = repl, toolchain, limits
        self._folder = tempfile.TemporaryDirectory(prefix="lean-check-repl-")
        self._headers: dict[str, _Header] = {}
        self._commands = 0
        self._server: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, text: str) -> Run | None:
        """What Lean says of a text that the screening has passed, as if it had been started for it, where that is an
        error; None where the judge is to be asked.  Whatever goes wrong lets the text pass."""
        split = split_header(text)
        if split is None:
            return None
        begin = time.monotonic()
        try:
            messages = self._messages(split)
        except Exception:  # noqa: BLE001 - a REPL that broke has no opinion
            messages = None
        if messages is None:
            self._restart()
        kinds = frozenset(error_kinds(messages or ()))
        if messages is None or not kinds or kinds & _LIMITS_REACHED:
            return None
        printed = "".join(f"{json.dumps(_as_lean(message))}\n" for message in messages).encode()
        return Run(1, None, printed, b"", time.monotonic() - begin, 0.0, 0)

    def close(self) -> None:
        """Ends the REPL and its sandbox."""
        self._restart()
        self._folder.cleanup()

    def _restart(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server = None
        self._headers.clear()
        self._commands = 0

    def _messages(self, split: Split) -> tuple[LeanMessage, ...] | None:
        """What Lean says of header and body, in that order; nothing where the header has an error; None where the REPL
        gave no answer."""
        if self._commands >= COMMANDS_A_REPL:
            self._restart()
        header = self._header(split.header)
        if header is None or header.environment is None:
            return None if header is None else ()
        answer = self._run(cmd=split.body, env=header.environment)
        return None if answer is None else header.messages + _moved(answer, split.header.count("\n"))

    def _header(self, header: str) -> _Header | None:
        if header not in self._headers:
            end = _end_of_imports(header)
            answer = self._run(cmd=header[:end] + _OPTION + header[end:])
            if answer is None:
                return None
            messages = _moved(answer, -1)  # an import's message is an error
            failed = any(message.is_error() for message in messages)
            self._headers[header] = _Header(None if failed else answer.env, messages)
        return self._headers[header]

    def _run(self, **command: Any) -> Any:
        """The answer, or None where it is the REPL's error."""
        if self._server is None:
            self._server = self._begun()
        self._commands += 1
        with guarded(self._server._proc.pid, self._limits):  # it stops by time alone, and keeps what is printed
            answer = self._server.run(self._package.Command(**command), timeout=self._limits.timeout_s)
        return None if isinstance(answer, self._package.interface.LeanError) else answer

    def _begun(self) -> Any:
        config = self._package.LeanREPLConfig(
            project=self._package.LocalProject(directory=self._toolchain.project, auto_build=False),
            local_repl_path=self._repl,
            build_repl=False,
            lake_path=self._entrance(),
            enable_incremental_optimization=False,
            enable_parallel_elaboration=False,
        )
        return self._package.LeanServer(config)

    def _entrance(self) -> Path:
        """A script that stands for `lake`: `env REPL ARGUMENTS…` starts the REPL in the sandbox."""
        folder = Path(self._folder.name)
        item = folder / "item"
        item.mkdir(exist_ok=True)
        binary = (self._repl / _BINARY).resolve()
        job = sandbox.Job([str(binary)], (*self._toolchain.readable(), binary), self._toolchain.environment(), item)
        limits = replace(self._limits, timeout_s=max(self._limits.timeout_s, PROCESS_CPU_S))
        script = folder / "lake"
        script.write_text(f'#!/bin/sh\nshift 2\nexec {shlex.join(sandbox.command(job, limits))} "$@"\n')
        script.chmod(0o700)
        return script


def _end_of_imports(header: str) -> int:
    """Where the first line begins that an import is not part of."""
    for token in tokenize(header).tokens:
        begins_line = token.start == 0 or header[token.start - 1] == "\n"
        if token.kind != "comment" and begins_line and token.text != "import":
            return token.start
    return len(header)


def _moved(answer: Any, lines: int) -> tuple[LeanMessage, ...]:
    return tuple(
        LeanMessage(
            "information" if message.severity in ("info", "trace") else message.severity,
            "",
            message.start_pos.line + lines,
            message.start_pos.column,
            str(message.data),
        )
        for message in answer.messages
    )


def _as_lean(message: LeanMessage) -> dict[str, object]:
    place = {"line": message.line, "column": message.column}
    return {"severity": message.severity, "kind": message.kind, "pos": place, "data": message.text}
