"""Files and batches: what is common to the batch APIs of the two wire formats."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.wire.dialects import Dialect, Error
from tests.wire.ledger import Entry, Ledger
from tests.wire.script import PAID_FAULTS, BatchScript, Fault, Script, draw, fault_for


@dataclass
class File:
    """An uploaded or a written file."""

    id: str
    name: str
    kind: str  # purpose or media type
    content: bytes
    made: bool  # by the service; else uploaded


class Files:
    """Files by id."""

    def __init__(self) -> None:
        self.by_id: dict[str, File] = {}
        self._count = 0

    def add(self, prefix: str, name: str, kind: str, content: bytes, *, made: bool = False) -> File:
        self._count += 1
        file = File(f"{prefix}{self._count:06d}", name, kind, content, made)
        self.by_id[file.id] = file
        return file


class Asked(NamedTuple):
    """One line of a batch's input: the asker's key and the request."""

    key: str
    model: str
    body: dict[str, Any]


@dataclass
class Line:
    """One line of a batch at work, with the reply or the error that it will get."""

    key: str
    entry: Entry
    reply: dict[str, Any] | None
    error: Error | None
    expired: bool = False
    missing: bool = False


@dataclass
class Batch:
    """One batch.  `state`: running, ended, expired, failed, cancelled.  It moves when its status is asked."""

    id: str
    input_file: str
    model: str
    title: str
    extra: dict[str, Any]
    script: BatchScript
    lines: list[Line]
    trouble: str = ""
    state: str = "running"
    polls: int = 0
    files: dict[str, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        if self.state in ("ended", "expired"):
            return sum(not line.expired for line in self.lines)
        return len(self.lines) * self.polls // (self.script.polls + 1)


class Desk:
    """The batches of one wire format.  `write(batch, lines)` puts the finished lines into the format's files.
    `whole`: a batch that expires or is cancelled has no results at all."""

    def __init__(
        self, dialect: Dialect, prefix: str, write: Callable[[Batch, Sequence[Line]], None], *, whole: bool = False
    ) -> None:
        self.batches: dict[str, Batch] = {}
        self._dialect, self._prefix, self._write, self._whole = dialect, prefix, write, whole

    def create(
        self,
        asked: Sequence[Asked],
        script: Script,
        ledger: Ledger,
        now_s: float,
        *,
        input_file: str,
        title: str,
        extra: dict[str, Any],
        trouble: str = "",
    ) -> Batch:
        """Start a batch; `trouble` says why its file is refused."""
        number = len(self.batches)
        plan = script.batch(number)
        batch_id = f"{self._prefix}{number + 1:06d}"
        lines = [] if trouble else [self._line(a, script, plan, ledger, now_s, batch_id) for a in asked]
        model = asked[0].model if asked else ""
        batch = Batch(batch_id, input_file, model, title, extra, plan, lines, trouble)
        self.batches[batch_id] = batch
        return batch

    def _line(
        self, asked: Asked, script: Script, plan: BatchScript, ledger: Ledger, now_s: float, batch_id: str
    ) -> Line:
        content = self._dialect.content(asked.model, asked.body)
        entry = ledger.arrive(content, now_s, batch_id)
        fault = fault_for(script, content, entry.attempt, json.dumps(asked.body).encode())
        if fault is Fault.SCHEMA and self._dialect.schema_of(asked.body) is None:
            fault = None
        entry.outcome = fault or "ok"
        line = Line(asked.key, entry, None, None)
        line.expired = draw(script.seed, "expired", content, entry.attempt) < plan.expired_share
        line.missing = draw(script.seed, "missing", content, entry.attempt) < plan.missing_share
        if fault is None or fault in PAID_FAULTS or fault is Fault.EMPTY:
            line.reply = self._dialect.reply(asked.model, asked.body, content, fault)
            entry.charged = fault is not Fault.EMPTY
        else:
            # what breaks a connection online is a failed line here
            known = fault in (Fault.RATE_LIMITED, Fault.BAD_REQUEST, Fault.SERVER_ERROR, Fault.UNAVAILABLE)
            line.error = self._dialect.error(fault if known else Fault.SERVER_ERROR, script)
        return line

    def poll(self, batch: Batch, script: Script, ledger: Ledger) -> None:
        """Move the batch by one step; at the last, write its files and book what is charged."""
        if batch.state != "running":
            return
        batch.polls += 1
        if batch.trouble or batch.script.fails:
            batch.state = "failed"
            batch.trouble = batch.trouble or "The batch could not be processed"
            for line in batch.lines:
                line.entry.outcome, line.entry.charged = "batch-failed", False
                ledger.failed(line.entry)
        elif batch.polls > batch.script.polls:
            self._end(batch, script, ledger)

    def cancel(self, batch: Batch, script: Script, ledger: Ledger) -> None:
        """Stop the batch: what was not done is never run."""
        if batch.state == "running":
            for line in batch.lines[batch.done :]:
                line.expired = True
            self._end(batch, script, ledger)
            batch.state = "cancelled"

    def _end(self, batch: Batch, script: Script, ledger: Ledger) -> None:
        expired = any(line.expired for line in batch.lines)
        batch.state = "expired" if expired else "ended"
        for line in batch.lines:
            line.expired |= expired and self._whole
            if line.expired or batch.script.no_output:
                line.entry.charged = False
                line.entry.outcome = "expired" if line.expired else "no-output"
            ledger.written(line.entry)
        if not batch.script.no_output and not (expired and self._whole):
            lines = [line for line in batch.lines if not line.missing]
            random.Random(f"{script.seed}:{batch.id}").shuffle(lines)
            self._write(batch, lines)
