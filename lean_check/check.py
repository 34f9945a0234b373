"""A Lean text in, a verdict out.

What `accepted` shows: the text passed the screening of `lean_check.screen`, and this toolchain's Lean read it to its
last line in the sandbox without an error; for a proof, also without `sorry`.

What it does not show yet: that the statement is the one asked for, that no instance or name is shadowed, which axioms
were used, or that the compiled result passes the kernel when it is replayed from an empty environment.  A text written
to deceive can be accepted.  So `Verdict.axioms` is None, and `Verdict.notes` says so with every verdict.
"""

import secrets
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from lean_check import sandbox, toolchains
from lean_check.messages import LeanMessage, error_kinds, missing_library, parse
from lean_check.process import GIB, Limits, Run
from lean_check.screen import Screened, screen
from lean_check.toolchains import Toolchain
from lean_check.verdict import NOT_AUDITED, Decision, Message, Verdict

METHOD_VERSION = "1"
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


@dataclass(frozen=True)
class _Item:
    """One text under check, its comments emptied by the screening, and the mark that Lean prints at the end of it."""

    name: str
    source: str
    statement_only: bool
    marker: str


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
) -> Verdict:
    """The verdict for one text; never raises for anything the text does.

    statement_only: `sorry` is allowed, and nothing is held to be proved.  toolchain: the first usable one by default.
    allow_unsandboxed: where the sandbox does not work, run the text with this user's rights; where it works it is used.
    allow: names of screening rules that are switched off for this text; the notes of the verdict repeat them.
    Timeout, memory and floods are the text's own fault, under limits that are the same for all; a run that the machine
    did not let compute (see Limits), a crash and a library that is not here say nothing of the text.
    """
    screened = screen(source, statement_only=statement_only, allow=allow)
    notes = (NOT_AUDITED, *(["statement only: nothing is proved"] if statement_only else []))
    notes += tuple(f"rule switched off: {rule}" for rule in sorted(allow))
    if screened.refusals:
        return Verdict(name, "rejected", screened.rules(), _refused(screened), notes=notes, method=METHOD_VERSION)
    toolchain = toolchain or toolchains.find()
    if toolchain is None:
        return _infrastructure(name, "no_toolchain", toolchains.how_to_install(), notes)
    state = sandbox.probe()
    if not state.works and not allow_unsandboxed:
        return _infrastructure(name, "no_sandbox", f"untrusted Lean is not run: {state.detail}. {state.install}", notes)
    limits = Limits(timeout_s=timeout_s, memory_bytes=memory_bytes, address_space_bytes=address_space_bytes)
    item = _Item(name, screened.text, statement_only, "reached_end_" + secrets.token_hex(16))
    try:
        run = _run(item, toolchain, limits, sandboxed=state.works)
    except OSError as error:
        return _infrastructure(name, "not_started", f"{toolchain.label} could not be started: {error}", notes)
    if not state.works:
        notes += ("ran outside a sandbox, as allowed",)
    return _verdict(item, run, toolchain.label, limits, notes)


def _infrastructure(name: str, reason: str, text: str, notes: tuple[str, ...]) -> Verdict:
    message = Message("error", None, None, text)
    return Verdict(name, "infrastructure", (reason,), (message,), notes=notes, method=METHOD_VERSION)


def _refused(screened: Screened) -> tuple[Message, ...]:
    return tuple(
        Message("refused", refusal.line, refusal.column, f"{refusal.rule}: {refusal.detail}")
        for refusal in screened.refusals[:MAX_MESSAGES]
    )


def _run(item: _Item, toolchain: Toolchain, limits: Limits, *, sandboxed: bool) -> Run:
    """Lean on the text and one line more, whose answer shows that Lean came to the end of the file: a text can make
    Lean stop early with exit code 0 and no error."""
    with tempfile.TemporaryDirectory(prefix="lean-check-") as name:
        folder = Path(name)
        text = f"{item.source}\n#check ∀ ({item.marker} : Prop), {item.marker}\n"
        (folder / "Item.lean").write_bytes(text.encode())
        seen_as = "/item" if sandboxed else name
        command = [*toolchain.command, "--json", f"{seen_as}/Item.lean"]
        job = sandbox.Job(command, toolchain.readable(), toolchain.environment(), folder)
        return (sandbox.run_sandboxed if sandboxed else sandbox.run_unsandboxed)(job, limits)


def _verdict(item: _Item, run: Run, label: str, limits: Limits, notes: tuple[str, ...]) -> Verdict:
    parsed = parse(run.stdout)
    reached_end = any(m.severity == "information" and item.marker in m.text for m in parsed.messages)
    own = [message for message in parsed.messages if item.marker not in message.text]
    judged = _stopped(run, limits) or _judge(run, own, parsed.other_lines, reached_end, item.statement_only)
    last_line = item.source.count("\n") + 1
    return Verdict(
        file=item.name,
        verdict=judged.verdict,
        reasons=judged.reasons,
        messages=tuple(message.public(last_line) for message in _kept(own)),
        seconds=round(run.seconds, 3),
        peak_bytes=run.peak_bytes,
        toolchain=label,
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
