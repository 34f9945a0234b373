"""A filter before the judge: a Lean REPL, through the optional package `lean-interact`, that keeps its header loaded.

What the REPL refuses with an error need not be run again; what it lets pass says nothing yet, and goes to the judge: a
REPL believes the messages of the text, axioms and all.  It runs under `lean_check.sandbox`, as everything untrusted
does: in the place of `lake`, lean-interact starts a script that enters the sandbox.
"""

import importlib
import os
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lean_check import sandbox
from lean_check.messages import LeanMessage
from lean_check.process import Limits
from lean_check.toolchain import Toolchain
from lean_check.warm import Split, split_header

_BINARY = Path(".lake/build/bin/repl")


class NoReplError(Exception):
    """The REPL cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Filtered:
    """errors: what the REPL refuses the text for, positions in the text; empty: the judge is to be asked."""

    errors: tuple[LeanMessage, ...]


class ReplFilter:
    """One REPL.  `project`: the Lake project, `repl`: the folder of a built REPL for the project's Lean.

    Known of the package: it fails after some hundreds of commands (its issue 6) and where a stack overflowed with a
    loaded header (36); the text is then let pass, and the REPL begun anew.
    """

    def __init__(self, project: Path, repl: Path, toolchain: Toolchain, limits: Limits) -> None:
        """Raises: NoReplError."""
        try:
            self._package: Any = importlib.import_module("lean_interact")
        except ImportError:
            raise NoReplError("the package lean-interact is not installed: pip install lean-interact==0.11.6") from None
        if not os.access(repl / _BINARY, os.X_OK):
            raise NoReplError(f"{repl / _BINARY} is not there: build the REPL (lake build) in {repl}")
        if not sandbox.probe().works:
            raise NoReplError(f"untrusted Lean is not run: {sandbox.probe().detail}. {sandbox.INSTALL}")
        self._project, self._repl, self._toolchain, self._limits = project, repl, toolchain, limits
        self._folder = tempfile.TemporaryDirectory(prefix="lean-check-repl-")
        self._environments: dict[str, int] = {}
        self._server: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, source: str) -> Filtered:
        """What the REPL says of a text that the screening has passed.  Whatever goes wrong lets it pass."""
        split = split_header(source)
        if split is None:
            return Filtered(())
        try:
            answer = self._answer(split)
        except Exception:  # noqa: BLE001 - a REPL that broke has no opinion
            answer = None
        if answer is None:
            self._restart()
            return Filtered(())
        lines = split.header.count("\n")
        return Filtered(tuple(_message(m, lines) for m in answer.messages if m.severity == "error"))

    def close(self) -> None:
        """Ends the REPL and its sandbox."""
        self._restart()
        self._folder.cleanup()

    def _restart(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server = None
        self._environments.clear()

    def _answer(self, split: Split) -> Any:
        if not split.header.strip():
            return self._run(cmd=split.body)
        environment = self._environment(split.header)
        return None if environment is None else self._run(cmd=split.body, env=environment)

    def _environment(self, header: str) -> int | None:
        """The REPL's number for what stands after the header; None where the header has an error."""
        if header not in self._environments:
            answer = self._run(cmd=header)
            if answer is None or any(message.severity == "error" for message in answer.messages):
                return None
            self._environments[header] = answer.env
        return self._environments[header]

    def _run(self, **command: Any) -> Any:
        """The answer, or None where it is the REPL's error."""
        if self._server is None:
            self._server = self._begun()
        answer = self._server.run(self._package.Command(**command), timeout=self._limits.timeout_s)
        return None if isinstance(answer, self._package.interface.LeanError) else answer

    def _begun(self) -> Any:
        config = self._package.LeanREPLConfig(
            project=self._package.LocalProject(directory=self._project, auto_build=False),
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
        binds = (*self._toolchain.readable(), (self._repl / _BINARY).resolve())
        job = sandbox.Job([str((self._repl / _BINARY).resolve())], binds, self._toolchain.environment(), item)
        script = folder / "lake"
        script.write_text(f'#!/bin/sh\nshift 2\nexec {shlex.join(sandbox.command(job, self._limits))} "$@"\n')
        script.chmod(0o700)
        return script


def _message(message: Any, header_lines: int) -> LeanMessage:
    place = message.start_pos
    return LeanMessage("error", "", place.line + header_lines, place.column, str(message.data))
