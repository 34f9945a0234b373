"""The audit of a compiled text, by a process of its own in a sandbox of its own, and the reference it is held against.

The text under check has been compiled in one sandbox, whose `.olean` is all that is kept of it.  In another, which
holds the toolchain, that file and the reference's, `lean_check.audit_rules` answers.  Nothing that the text could carry
out runs there, and Lean is given no object of the file (see `lean_check.audit_olean`), so what it prints is believed.
"""

import functools
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lean_check import external_audit, sandbox
from lean_check.audit_kernel import VERSIONS
from lean_check.process import Limits, Run
from lean_check.toolchain import Toolchain
from lean_check.toolchains import python_executable

STANDARD_AXIOMS = ("propext", "Classical.choice", "Quot.sound")
"""What Lean's own libraries stand on; see the section on axioms of "Theorem Proving in Lean 4"."""

PRODUCT = "Item.olean"
OPTIONS = ("-DrelaxedAutoImplicit=false",)
"""Lean's options for every text: an unknown name of several letters is an error, and never a new variable.  The warm
Lean sets the same (`lean_check.warm_server`)."""
_STARTER = "import sys; sys.path.insert(0, sys.argv.pop(1)); from lean_check import audit_rules; audit_rules.{}()"
_PACKAGE = Path(__file__).resolve().parent
_ENDED_BY: dict[str | None, str] = {"timeout": "timeout", "memory": "memory"}
_STDERR_REASONS = (("Stack overflow", "deep_recursion"), ("MemoryError", "memory"), ("bad_alloc", "memory"))


@dataclass(frozen=True)
class Reference:
    """What a proof has to prove: a Lean text of ours whose theorem `target` states it, its proof left as `sorry`."""

    source: str
    target: str


@dataclass(frozen=True)
class Question:
    """What is asked of a compiled text.  reference: the reference's `.olean` and the name of the theorem asked for;
    without it every declaration's axioms are found, and no statement is compared.  axioms: those allowed."""

    reference: tuple[bytes, str] | None = None
    axioms: tuple[str, ...] = STANDARD_AXIOMS
    allow_sorry: bool = False

    def request(self) -> dict[str, object]:
        """The part of it that is no file, as `lean_check.audit_rules` reads it."""
        target = None if self.reference is None else self.reference[1]
        return {"target": target, "axioms": self.axioms, "allow_sorry": self.allow_sorry}


@dataclass(frozen=True)
class Audited:
    """What the audit says.  `reasons` is empty where nothing is wrong.  `failed` says why there is no answer: its first
    part is the reason of the verdict."""

    reasons: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    axioms: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()
    failed: tuple[str, str] | None = None
    seconds: float = 0.0
    peak_bytes: int = 0


def why_not(toolchain: Toolchain) -> str | None:
    """Why this toolchain cannot audit; None where it can, by itself or by public checkers."""
    own = why_not_itself(toolchain)
    external = None if own is None else external_audit.why_not(toolchain)
    return None if external is None else f"{own}, and {external}"


def why_not_itself(toolchain: Toolchain) -> str | None:
    """Why the audit of `lean_check.audit_rules` cannot be run with this toolchain; None where it can."""
    if toolchain.version not in VERSIONS:
        return f"the audit speaks to Lean {', '.join(sorted(VERSIONS))} only; this is {toolchain.version}"
    if library_of(toolchain) is None:
        return f"no libleanshared.so of {toolchain.label} was found"
    return None


def library_of(toolchain: Toolchain) -> Path | None:
    """The shared library that holds this toolchain's kernel: named by it, or beside its binary."""
    if toolchain.library is not None:
        return toolchain.library
    beside = Path(toolchain.command[0]).resolve().parent.parent / "lib" / "lean" / "libleanshared.so"
    return beside if beside.is_file() else None


def compile_job(source: str, toolchain: Toolchain, folder: Path, *, sandboxed: bool, audited: bool) -> sandbox.Job:
    """The job that reads a text with Lean, and writes its `.olean` where it shall be audited.  The text is always the
    module `Item`, so that names made from the module's are the same for a candidate and its reference."""
    (folder / "Item.lean").write_bytes(source.encode())
    root = "/item" if sandboxed else str(folder)
    product = ["-o", PRODUCT] if audited else []
    command = [*toolchain.command, "--json", *OPTIONS, "-R", root, *product, f"{root}/Item.lean"]
    return sandbox.Job(command, toolchain.readable(), toolchain.environment(), folder, PRODUCT if audited else None)


def run_job(job: sandbox.Job, limits: Limits, *, sandboxed: bool) -> Run:
    """The job in the sandbox, or where that was allowed without one.  Raises: OSError."""
    return (sandbox.run_sandboxed if sandboxed else sandbox.run_unsandboxed)(job, limits)


class NoReferenceError(Exception):
    """The reference does not compile; the text is what Lean said."""


@functools.lru_cache(maxsize=64)
def compile_reference(source: str, toolchain: Toolchain, limits: Limits, sandboxed: bool) -> bytes:
    """The reference's `.olean`, made once.  Raises: NoReferenceError; OSError where Lean cannot be started."""
    with tempfile.TemporaryDirectory(prefix="lean-check-") as name:
        job = compile_job(source, toolchain, Path(name), sandboxed=sandboxed, audited=True)
        run = run_job(job, limits, sandboxed=sandboxed)
    if run.exit_code == 0 and run.stopped is None and run.product:
        return run.product
    said = (run.stdout + run.stderr).decode("utf-8", "replace").strip()
    how = f"exit code {run.exit_code}" if run.stopped is None else f"stopped: {run.stopped}"
    raise NoReferenceError(f"{how}: {said[:1000]}")


def audit(
    candidate: bytes, toolchain: Toolchain, limits: Limits, question: Question, *, sandboxed: bool = True
) -> Audited:
    """What the kernel says of a compiled text.  Raises: OSError where nothing can be started."""
    if (reason := why_not(toolchain)) is not None:
        return Audited(failed=("no_audit", reason))
    if why_not_itself(toolchain) is not None:
        return _by_public_checkers(candidate, toolchain, limits, question, sandboxed=sandboxed)
    with tempfile.TemporaryDirectory(prefix="lean-check-audit-") as name:
        folder = Path(name)
        seen_as = "/item" if sandboxed else name
        (folder / "candidate.olean").write_bytes(candidate)
        if question.reference is not None:
            (folder / "reference.olean").write_bytes(question.reference[0])
        (folder / "request.json").write_text(json.dumps(question.request()), encoding="utf-8")
        job = audit_job(toolchain, folder, "main", seen_as)
        return answer(run_job(job, limits, sandboxed=sandboxed))


def _by_public_checkers(
    candidate: bytes, toolchain: Toolchain, limits: Limits, question: Question, *, sandboxed: bool
) -> Audited:
    if (reason := external_audit.why_not_asked(question.axioms, question.allow_sorry)) is not None:
        return Audited(failed=("no_audit", reason))
    try:
        compared = question.reference or (compile_reference("", toolchain, limits, sandboxed), None)
    except NoReferenceError as error:
        return Audited(failed=("no_audit", f"an empty text does not compile: {error}"))
    asked = external_audit.Asked(candidate, *compared)
    with tempfile.TemporaryDirectory(prefix="lean-check-audit-") as name:
        found = external_audit.run(toolchain, asked, limits, Path(name), sandboxed=sandboxed)
    return Audited(found.reasons, found.details, None, found.notes, found.failed, found.seconds, found.peak_bytes)


def audit_job(toolchain: Toolchain, folder: Path, function: str, *arguments: str) -> sandbox.Job:
    """The job that calls this function of `lean_check.audit_rules`, and nothing of the text under check."""
    starter = _STARTER.format(function)
    start = [
        python_executable(),
        "-I",
        "-S",
        "-c",
        starter,
        str(_PACKAGE.parent),
        str(library_of(toolchain)),
        *arguments,
    ]
    binds = (*toolchain.readable(), _PACKAGE, *_python_folders())
    return sandbox.Job(start, binds, toolchain.environment(), folder)


def _python_folders() -> tuple[Path, ...]:
    base = Path(sys.base_prefix).resolve()
    return tuple(base / part for part in ("bin", "lib") if (base / part).is_dir())


def answer(run: Run) -> Audited:
    """What the report that this run printed says; it may have been stopped, or have crashed, before that."""
    used: dict[str, Any] = {"seconds": run.seconds, "peak_bytes": run.peak_bytes}
    if run.stopped in _ENDED_BY:
        detail = f"stopped by its limit of {run.stopped} while the kernel read the proof"
        return Audited((_ENDED_BY[run.stopped],), (detail,), **used)
    if run.stopped is not None:
        return Audited(failed=(run.stopped, f"the audit was stopped: {run.stopped}"), **used)
    try:
        report = json.loads(run.stdout)
        refusals = [(str(rule), str(detail)) for rule, detail in report["refusals"]]
        axioms = None if report["axioms"] is None else tuple(map(str, report["axioms"]))
        notes = tuple(map(str, report["notes"]))
        error = report["error"]
    except (ValueError, KeyError, TypeError):
        return _no_answer(run)
    if error is not None:
        return Audited(failed=("bad_reference", str(error)), **used)
    reasons = tuple(dict.fromkeys(rule for rule, _ in refusals))
    return Audited(reasons, tuple(f"{rule}: {detail}" for rule, detail in refusals), axioms, notes, **used)


def _no_answer(run: Run) -> Audited:
    """The audit ended without its report: the text's fault where the runtime names what it used up."""
    said = run.stderr.decode("utf-8", "replace").strip()
    reason = next((reason for text, reason in _STDERR_REASONS if text in said), None)
    if reason is not None:
        return Audited((reason,), (f"{reason}: {said[-300:]}",), seconds=run.seconds, peak_bytes=run.peak_bytes)
    return Audited(failed=("crash", f"the audit ended with exit code {run.exit_code}: {said[-500:]}"))
