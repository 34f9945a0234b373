"""The audit kept warm: one process in the sandbox that holds the kernel and the imports, and a copy of it (fork) for
each compiled text.  Nothing of a text is carried out in it (see `lean_check.audit`), so texts may share it; each copy
begins with the imports alone, and ends with its text."""

import json
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from lean_check import sandbox
from lean_check.audit import Audited, Question, answer, audit_job
from lean_check.process import Limits, Run, usage
from lean_check.toolchain import Toolchain
from lean_check.warm import PROCESS_CPU_S, _end, _Wait

AUDITS_A_PROCESS = 1000  # then it is begun anew: what imports left behind in memory is given back


class WarmAudit:
    """One warm process; one text at a time.  Use it in a `with`."""

    def __init__(self, toolchain: Toolchain, limits: Limits) -> None:
        """Begun with the first text, and again after it was lost."""
        self._toolchain = toolchain
        self._limits = replace(limits, timeout_s=max(limits.timeout_s, PROCESS_CPU_S))
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._served = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def audit(self, candidate: bytes, limits: Limits, question: Question) -> Audited | None:
        """As `lean_check.audit.audit` says; None where the process was lost, and nothing is known."""
        reference = b"" if question.reference is None else question.reference[0]
        try:
            process = self._begun()
            asked = {"candidate": len(candidate), "reference": len(reference), **question.request()}
            begin = time.monotonic()
            own = frozenset(usage(process.pid).pids)
            before = usage(process.pid).cpu_seconds
            self._send(process, json.dumps(asked).encode() + b"\n" + candidate + reference)
        except OSError:
            self.close()
            return None
        waited = _Wait(process, own, before, limits)
        head = waited.answer()
        if head is None:
            self.close()
        if head is None and waited.stopped is None:
            return None
        code = -9 if head is None else head["code"]
        seconds = time.monotonic() - begin
        run = Run(code, waited.stopped, waited.data, b"", seconds, waited.cpu_seconds, waited.peak_bytes)
        return answer(run) if waited.stopped is not None or code == 0 else None

    def close(self) -> None:
        """Ends the process and all in its sandbox."""
        if self._process is not None:
            _end(self._process)
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _begun(self) -> subprocess.Popen[bytes]:
        """Raises: OSError where it cannot be started."""
        self._served += 1
        if self._process is not None and (self._process.poll() is not None or self._served > AUDITS_A_PROCESS):
            self.close()
        if self._process is None:
            self._served = 1
            self._folder = tempfile.TemporaryDirectory(prefix="lean-check-audit-")
            job = audit_job(self._toolchain, Path(self._folder.name), "serve")
            self._process = subprocess.Popen(
                sandbox.command(job, self._limits),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={},
                start_new_session=True,
            )
        return self._process

    @staticmethod
    def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
        if process.stdin is None:
            raise BrokenPipeError
        process.stdin.write(data)
        process.stdin.flush()
