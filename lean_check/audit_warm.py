"""The audit kept warm: one process in the sandbox that holds the kernel and the imports, and a copy of it (fork) for
each compiled text.  Nothing of a text is carried out in it (see `lean_check.audit`), so texts may share it; each copy
begins with the imports alone, and ends with its text."""

import time
from types import TracebackType
from typing import Self

from lean_check.audit import Audited, Question, answer, audit_job
from lean_check.process import Limits, Run, usage
from lean_check.toolchain import Toolchain
from lean_check.warm_process import Server, Wait

AUDITS_A_PROCESS = 1000  # then it is begun anew: what imports left behind in memory is given back


class WarmAudit:
    """One warm process; one text at a time.  Use it in a `with`."""

    def __init__(self, toolchain: Toolchain, limits: Limits) -> None:
        self._server = Server(lambda folder: audit_job(toolchain, folder, "serve"), limits, AUDITS_A_PROCESS)

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
            process, _ = self._server.begun()
            begin = time.monotonic()
            own = frozenset(usage(process.pid).pids)
            before = usage(process.pid).cpu_seconds
            asked = {"candidate": len(candidate), "reference": len(reference), **question.request()}
            self._server.send(asked, candidate + reference)
        except OSError:
            self._server.close()
            return None
        waited = Wait(process, own, before, limits)
        head = waited.answer()
        if head is None:
            self._server.close()
        if head is None and waited.stopped is None:
            return None
        code = -9 if head is None else head["code"]
        seconds = time.monotonic() - begin
        run = Run(code, waited.stopped, waited.parts["stdout"], b"", seconds, waited.cpu_seconds, waited.peak_bytes)
        return answer(run) if waited.stopped is not None or code == 0 else None

    def close(self) -> None:
        """Ends the process and all in its sandbox."""
        self._server.close()
