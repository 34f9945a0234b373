"""A Lean text in, a verdict out.

What `accepted` shows of a proof: the text passed the screening of `lean_check.screen`; this toolchain's Lean read it to
its last line in the sandbox without an error and without `sorry`; and by the audit of `lean_check.audit`, every
declaration of the compiled text went through the kernel again, and no axiom is used that is not allowed.  With a
reference it shows also that the theorem asked for is proved: it is there, it is a theorem, its type is the reference's,
and so is the meaning of every definition in that type.

Without a reference nothing is said of what the text states.  Of a statement without proof nothing is held to be proved,
and without a reference there is no audit.  Where the toolchain cannot audit, `Verdict.axioms` is None and
`Verdict.notes` says so; a check against a reference then says nothing (`infrastructure`).
"""

import secrets
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lean_check import external_audit, repl, sandbox, toolchains
from lean_check.audit import (
    STANDARD_AXIOMS,
    Audited,
    NoReferenceError,
    Question,
    Reference,
    audit,
    compile_job,
    run_job,
    why_not,
    why_not_itself,
)
from lean_check.messages import LeanMessage, error_kinds, missing_library, parse
from lean_check.process import GIB, Limits, Run
from lean_check.references import References
from lean_check.screen import Screened, screen
from lean_check.toolchains import Toolchain
from lean_check.verdict import NOT_AUDITED, NOT_COMPARED, Decision, Message, Verdict

METHOD_VERSION = "4"
"""Goes up with every change of rules or limits that can change a verdict."""

MAX_MESSAGES = 200  # kept in a verdict; all are read for it

# What Lean or its runtime writes to standard error when the text used up a resource.
_STDERR_REASONS = (
    ("stack overflow", "stack_overflow"),
    ("excessive memory", "memory"),
    ("out of memory", "memory"),
    ("bad_alloc", "memory"),
)
_SIGNAL_REASONS = {24: "timeout", 25: "file_size"}  # SIGXCPU, SIGXFSZ
_STOP_REASONS = {"timeout": "timeout", "memory": "memory", "output": "output_flood", "processes": "processes"}


Runner = Callable[[str, Limits, bool], Run | None]
"""A way to run Lean on a text other than to start it, told whether its `.olean` is wanted; None where it could not, and
Lean has to be started."""


Auditor = Callable[[bytes, Limits, Question], Audited | None]
"""A way to audit a compiled text other than to start a process for it; None where it could not."""


Filter = Callable[[str], Run | None]
"""A REPL: what it says of a text that it refuses, as a run of Lean; None where it says nothing."""


@dataclass(frozen=True)
class _Item:
    """One text under check, its comments emptied by the screening, and the mark that Lean prints at the end of it."""

    name: str
    source: str
    statement_only: bool
    marker: str

    def text(self) -> str:
        """The source and one line more, whose answer shows that Lean came to the end of the file: a text can make
        Lean stop early with exit code 0 and no error."""
        return f"{self.source}\n#check ∀ ({self.marker} : Prop), {self.marker}\n"


@dataclass(frozen=True)
class _Judged:
    verdict: Decision
    reasons: tuple[str, ...]
    notes: tuple[str, ...] = ()


def check(
    source: str,
    *,
    name: str = "<text>",
    statement_only: bool = False,
    timeout_s: float = 60,
    memory_bytes: int = 4 * GIB,
    address_space_bytes: int = 8 * GIB,
    toolchain: Toolchain | None = None,
    allow_unsandboxed: bool = False,
    allow: Collection[str] = (),
    runner: Runner | None = None,
    reference: Reference | None = None,
    axioms: Sequence[str] = STANDARD_AXIOMS,
    auditor: Auditor | None = None,
    asked_first: Filter | None = None,
    references: References | None = None,
) -> Verdict:
    """The verdict for one text; never raises for anything the text does.

    statement_only: `sorry` is allowed, and nothing is held to be proved.  toolchain: the first usable one by default.
    allow_unsandboxed: where the sandbox does not work, run the text with this user's rights; where it works it is used.
    allow: names of screening rules that are switched off for this text; the notes of the verdict repeat them.
    runner: used in the place of a Lean started for this text, where the sandbox works.
    auditor: used in the place of an audit started for this text, where the sandbox works.
    asked_first: a REPL that may refuse the text before Lean reads it, where the sandbox works.
    references: where compiled references are kept for other texts.
    reference: what the text has to prove, or with `statement_only` to state.  axioms: those that it may use.
    Timeout, memory and floods are the text's own fault, under limits that are the same for all; a run that the machine
    did not let compute (see Limits), a crash and a library that is not here say nothing of the text.
    """
    screened = screen(source, statement_only=statement_only, allow=allow)
    notes = tuple(["statement only: nothing is proved"] if statement_only else [])
    notes += tuple(f"rule switched off: {rule}" for rule in sorted(allow))
    if screened.refusals:
        return Verdict(name, "rejected", screened.rules(), _refused(screened), notes=notes, method=METHOD_VERSION)
    toolchain = toolchain or toolchains.find()
    if toolchain is None:
        return _infrastructure(name, "no_toolchain", toolchains.how_to_install(), notes)
    state = sandbox.probe()
    if not state.works and not allow_unsandboxed:
        return _infrastructure(name, "no_sandbox", f"untrusted Lean is not run: {state.detail}. {state.install}", notes)
    if not state.works:
        notes += ("ran outside a sandbox, as allowed",)
    limits = Limits(timeout_s=timeout_s, memory_bytes=memory_bytes, address_space_bytes=address_space_bytes)
    helpers = (runner, auditor, asked_first) if state.works else (None, None, None)
    how = _How(toolchain, limits, state.works, reference, tuple(axioms), references or References(), *helpers)
    item = _Item(name, screened.text, statement_only, "reached_end_" + secrets.token_hex(16))
    try:
        return _checked(item, how, notes)
    except OSError as error:
        return _infrastructure(name, "not_started", f"{toolchain.label} could not be started: {error}", notes)


@dataclass(frozen=True)
class _How:
    """What a text is run with, and held against."""

    toolchain: Toolchain
    limits: Limits
    sandboxed: bool
    reference: Reference | None
    axioms: tuple[str, ...]
    references: References
    runner: Runner | None
    auditor: Auditor | None
    asked_first: Filter | None


def _checked(item: _Item, how: _How, notes: tuple[str, ...]) -> Verdict:
    """Lean on the text, then the audit of what it compiled.  Raises: OSError."""
    audited = how.reference is not None or not item.statement_only
    obstacle = _obstacle(item, how) if audited else None
    if obstacle is not None and how.reference is not None:
        return _infrastructure(item.name, "no_audit", obstacle, (*notes, NOT_AUDITED))
    if not audited or obstacle is not None:
        notes += (NOT_AUDITED,) if obstacle is None else (NOT_AUDITED, obstacle)
    if (refused := _refused_first(item, how, notes)) is not None:
        return refused
    if audited and obstacle is None:
        return _proof(item, how, notes)
    return _verdict(item, _warm(item, how, audited=False) or _run(item, how, audited=False), how, notes)


def _proof(item: _Item, how: _How, notes: tuple[str, ...]) -> Verdict:
    """Compiled once where the warm Lean hands its `.olean` on, and audited.  Raises: OSError."""
    run = _warm(item, how, audited=True)
    verdict = None if run is None else _verdict(item, run, how, notes)
    if verdict is not None and verdict.verdict != "accepted":
        return verdict
    try:
        asked = _reference(how)
    except (NoReferenceError, ValueError) as error:
        return _infrastructure(item.name, "bad_reference", str(error), (*notes, NOT_AUDITED))
    if run is None or verdict is None or run.product is None:
        run = _run(item, how, audited=True)
        verdict = _verdict(item, run, how, notes)
    return verdict if verdict.verdict != "accepted" else _audited(item, run, how, asked, verdict)


def _obstacle(item: _Item, how: _How) -> str | None:
    """Why this text cannot be audited."""
    if (obstacle := why_not(how.toolchain)) is not None or why_not_itself(how.toolchain) is None:
        return obstacle
    return external_audit.why_not_asked(how.axioms, item.statement_only)


def _refused_first(item: _Item, how: _How, notes: tuple[str, ...]) -> Verdict | None:
    """The verdict of a text that the REPL refuses for an error of Lean's."""
    run = None if how.asked_first is None else how.asked_first(item.text())
    if run is None:
        return None
    verdict = _verdict(item, run, how, (*notes, repl.NOTE))
    return replace(verdict, peak_bytes=None) if verdict.verdict == "rejected" else None


def _reference(how: _How) -> tuple[bytes, str] | None:
    """The compiled reference and the theorem that it is asked for.  Raises: NoReferenceError, ValueError, OSError."""
    if how.reference is None:
        return None
    source, target = how.reference.source, how.reference.target
    if why_not_itself(how.toolchain) is not None:
        source = external_audit.with_target(source, target)
    return how.references.compiled(source, how.toolchain, how.limits, how.sandboxed), target


def _audited(item: _Item, run: Run, how: _How, asked: tuple[bytes, str] | None, verdict: Verdict) -> Verdict:
    """The verdict with what the audit says of the file that Lean wrote.  Raises: OSError."""
    if run.product is None or len(run.product) > how.limits.product_bytes:
        size = "none" if run.product is None else f"more than {how.limits.product_bytes} bytes"
        return replace(verdict, verdict="rejected", reasons=("no_olean",), notes=(*verdict.notes, f".olean: {size}"))
    question = Question(asked, how.axioms, item.statement_only)
    found = how.auditor(run.product, how.limits, question) if how.auditor is not None else None
    found = found or audit(run.product, how.toolchain, how.limits, question, sandboxed=how.sandboxed)
    return _with_audit(verdict, found, compared=asked is not None)


def _with_audit(verdict: Verdict, found: Audited, *, compared: bool) -> Verdict:
    if found.failed is not None:
        reason, detail = found.failed
        messages = (*verdict.messages, Message("error", None, None, detail))
        notes = (*verdict.notes, NOT_AUDITED)
        return replace(verdict, verdict="infrastructure", reasons=(reason,), messages=messages, notes=notes)
    refusals = tuple(Message("refused", None, None, detail) for detail in found.details[:MAX_MESSAGES])
    return replace(
        verdict,
        verdict="rejected" if found.reasons else "accepted",
        reasons=found.reasons,
        messages=(*verdict.messages, *refusals),
        axioms=found.axioms,
        seconds=round((verdict.seconds or 0) + found.seconds, 3),
        peak_bytes=max(verdict.peak_bytes or 0, found.peak_bytes),
        notes=(*verdict.notes, *found.notes, *(() if compared else (NOT_COMPARED,))),
    )


def _infrastructure(name: str, reason: str, text: str, notes: tuple[str, ...]) -> Verdict:
    message = Message("error", None, None, text)
    return Verdict(name, "infrastructure", (reason,), (message,), notes=notes, method=METHOD_VERSION)


def _refused(screened: Screened) -> tuple[Message, ...]:
    return tuple(
        Message("refused", refusal.line, refusal.column, f"{refusal.rule}: {refusal.detail}")
        for refusal in screened.refusals[:MAX_MESSAGES]
    )


def _warm(item: _Item, how: _How, *, audited: bool) -> Run | None:
    return None if how.runner is None else how.runner(item.text(), how.limits, audited)


def _run(item: _Item, how: _How, *, audited: bool) -> Run:
    with tempfile.TemporaryDirectory(prefix="lean-check-") as name:
        job = compile_job(item.text(), how.toolchain, Path(name), sandboxed=how.sandboxed, audited=audited)
        return run_job(job, how.limits, sandboxed=how.sandboxed)


def _verdict(item: _Item, run: Run, how: _How, notes: tuple[str, ...]) -> Verdict:
    parsed = parse(run.stdout)
    reached_end = any(m.severity == "information" and item.marker in m.text for m in parsed.messages)
    own = [message for message in parsed.messages if item.marker not in message.text]
    judged = _stopped(run, how.limits) or _judge(run, own, parsed.other_lines, reached_end, item.statement_only)
    last_line = item.source.count("\n") + 1
    return Verdict(
        file=item.name,
        verdict=judged.verdict,
        reasons=judged.reasons,
        messages=tuple(message.public(last_line, item.source) for message in _kept(own)),
        seconds=round(run.seconds, 3),
        peak_bytes=run.peak_bytes,
        toolchain=how.toolchain.label,
        notes=(*notes, *judged.notes),
        method=METHOD_VERSION,
    )


def _kept(messages: Sequence[LeanMessage]) -> list[LeanMessage]:
    """At most MAX_MESSAGES in the order printed; errors are the last to go."""
    ranked = sorted(range(len(messages)), key=lambda index: (not messages[index].is_error(), index))
    return [messages[index] for index in sorted(ranked[:MAX_MESSAGES])]


def _stopped(run: Run, limits: Limits) -> _Judged | None:
    """The verdict for a run that a limit ended."""
    if run.stopped is None:
        return None
    note = f"stopped after {run.seconds:.1f} s; computed for {run.cpu_seconds:.1f} s of {limits.timeout_s:g} s allowed"
    if run.stopped == "stalled":
        return _Judged("infrastructure", ("stalled",), (f"{note}: the machine was too busy to tell, run it again",))
    return _Judged("rejected", (_STOP_REASONS[run.stopped],), (note,))


def _judge(
    run: Run, messages: Sequence[LeanMessage], other_lines: int, reached_end: bool, statement_only: bool
) -> _Judged:
    """The verdict for a run that ended by itself.  The exit code alone is never believed."""
    if (library := missing_library(messages)) is not None:
        return _Judged("infrastructure", ("missing_library",), (f"{library} is not installed for this toolchain",))
    if errors := error_kinds(messages):
        return _Judged("rejected", errors)
    if run.exit_code != 0:
        return _crashed(run, other_lines)
    if not reached_end:
        return _Judged("rejected", ("not_read_to_the_end",), ("Lean ended before the last line of the text",))
    if not statement_only and any(message.says_sorry() for message in messages):
        return _Judged("rejected", ("sorry",))
    return _Judged("accepted", ())


def _crashed(run: Run, other_lines: int) -> _Judged:
    """Ended badly and said no error as JSON: the text's fault only where the runtime names a resource it used up."""
    said = run.stderr.decode("utf-8", "replace")
    low = said.lower()
    number = -run.exit_code if run.exit_code < 0 else run.exit_code - 128  # bubblewrap passes a signal on as 128 + n
    reason = _SIGNAL_REASONS.get(number) or next((reason for text, reason in _STDERR_REASONS if text in low), None)
    note = f"exit code {run.exit_code}, {other_lines} lines that are no messages, standard error: {said.strip()[:500]}"
    if reason is not None:
        return _Judged("rejected", (reason,), (note,))
    return _Judged("infrastructure", ("crash",), (note,))
