"""Many Lean texts, one verdict each, in the order given.

Lanes, as many as the machine's memory and cores allow, take the texts one by one; a lane keeps a Lean warm for the
header that its texts share.  A verdict is remembered by content as soon as it is there.  A run that crashed, or that a
busy machine never let compute, is tried again alone: it costs its own text a retry, and no other text anything.
"""

import functools
import hashlib
import json
import os
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from lean_check import repl, toolchains
from lean_check.audit import Audited, Question, Reference
from lean_check.audit_warm import WarmAudit
from lean_check.check import METHOD_VERSION, check
from lean_check.process import GIB, Limits, Run
from lean_check.references import References
from lean_check.schema import from_json
from lean_check.toolchains import Toolchain
from lean_check.verdict import Verdict
from lean_check.warm import LostError, Split, WarmLean, can_be_warm, split_at, split_header

RETRIED = frozenset({"crash", "stalled", "not_started", "audit_failed", "bad_reference"})
RETRIES = 2
LOSSES = 3
LISTEN_S = 0.1  # between two looks whether a signal has come
KEY_VERSION = "1"


class Memory(Protocol):
    """Where verdicts are remembered: see `lean_check.memory`."""

    def get(self, key: str) -> bytes | None:
        """What was put under the key."""

    def put(self, key: str, value: bytes) -> None:
        """Durable when it returns."""


@dataclass(frozen=True)
class Item:
    """One text.  `allow` and `reference`: see `lean_check.check.check`.  `header_end`: how many of its characters are
    a header that it shares with others, where that is known; it changes no verdict."""

    name: str
    source: str
    statement_only: bool = False
    allow: tuple[str, ...] = ()
    reference: Reference | None = None
    header_end: int = 0


@dataclass(frozen=True)
class Settings:
    """Limits of every text, as `lean_check.check.check` takes them, how often a crashed run is tried again, and the
    folder of a built REPL that is asked first: True for the one that the environment names, False for none."""

    timeout_s: float = 60
    memory_bytes: int = 4 * GIB
    address_space_bytes: int = 8 * GIB
    allow_unsandboxed: bool = False
    warm: bool = True
    retries: int = RETRIES
    repl: Path | bool = True

    def repl_of(self, toolchain: Toolchain | None) -> Path | None:
        """The folder of the REPL that is asked first, if one is: that of `repl`, or where it is True and can be used
        the one that LEAN_CHECK_REPL names for the project in LEAN_CHECK_PROJECT.  Raises: NoReplError for a named
        one that cannot be used."""
        if isinstance(self.repl, bool):
            return repl.named(toolchain) if self.repl else None
        repl.usable(self.repl, toolchain)
        return self.repl


def check_many(
    items: Sequence[Item],
    settings: Settings | None = None,
    *,
    toolchain: Toolchain | None = None,
    memory: Memory | None = None,
    lanes: int | None = None,
) -> Iterator[Verdict]:
    """A verdict for each item, in order, each as soon as it and those before it are there.

    Texts that are the same are run once.  toolchain: the first usable one by default.  memory: verdicts known from
    before are taken from it, new ones put into it; those of `infrastructure` are not remembered.  lanes: by default
    what `lanes_for` says.  Raises: NoReplError, see `Settings.repl_of`.
    """
    settings = settings or Settings()
    toolchain = toolchain or toolchains.find()
    work = _Work(items, settings, toolchain, memory)
    processes = 1 if work.repl is None else 2  # of a lane, each with the memory of a text
    return work.verdicts(lanes or lanes_for(processes * settings.memory_bytes))


def lanes_for(memory_bytes: int) -> int:
    """How many texts may run at once, each with so much memory: at most one a core, and at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, available_bytes() // memory_bytes))


def available_bytes(proc: Path = Path("/proc/meminfo"), group: Path = Path("/sys/fs/cgroup")) -> int:
    """Memory that is free for work: the machine's, or what the control group still allows, whichever is less."""
    free = [value for value in (_meminfo(proc), _group_bytes(group)) if value is not None]
    return min(free, default=GIB)


def _meminfo(path: Path) -> int | None:
    try:
        rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
        return next((int(row[1]) * 1024 for row in rows if row[:1] == ["MemAvailable:"]), None)
    except (OSError, ValueError, IndexError):
        return None


def _group_bytes(folder: Path) -> int | None:
    try:
        limit, used = ((folder / name).read_text().strip() for name in ("memory.max", "memory.current"))
        return None if limit == "max" else max(0, int(limit) - int(used))
    except (OSError, ValueError):
        return None


def key_of(item: Item, settings: Settings, toolchain: Toolchain | None) -> str:
    """The content that a verdict depends on: text, mode, limits, toolchain with its libraries, rules."""
    lean = None if toolchain is None else toolchain.identity()
    limits = (settings.timeout_s, settings.memory_bytes, settings.address_space_bytes, settings.allow_unsandboxed)
    asked = None if item.reference is None else (item.reference.source, item.reference.target)
    parts: tuple[object, ...] = (
        KEY_VERSION,
        METHOD_VERSION,
        lean,
        item.source,
        item.statement_only,
        sorted(item.allow),
        limits,
        asked,
    )
    asked_first = settings.repl_of(toolchain)
    if asked_first is not None:  # which may refuse a text in other words than Lean itself
        parts = (*parts, repl.identity(asked_first))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class _Work:
    """The texts that wait, by header, and the verdicts that are there."""

    def __init__(
        self, items: Sequence[Item], settings: Settings, toolchain: Toolchain | None, memory: Memory | None
    ) -> None:
        self._items, self._settings, self._toolchain, self._memory = items, settings, toolchain, memory
        self.repl = settings.repl_of(toolchain)
        self._references = References()
        self._keys = [key_of(item, settings, toolchain) for item in items]
        self._done: dict[str, Verdict] = {}
        self._news = threading.Condition()
        self._waiting: dict[str, deque[tuple[str, Item]]] = {}
        self._ended = False
        self._failure: BaseException | None = None

    def verdicts(self, lanes: int) -> Iterator[Verdict]:
        """The verdicts in the order of the items."""
        for key, item in dict(zip(reversed(self._keys), reversed(self._items), strict=True)).items():
            if (known := self._remembered(key)) is not None:
                self._done[key] = known
            else:
                self._waiting.setdefault(self._header(item), deque()).appendleft((key, item))
        count = min(lanes, sum(map(len, self._waiting.values())))
        threads = [threading.Thread(target=self._lane, daemon=True) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            for key, item in zip(self._keys, self._items, strict=True):
                yield replace(self._wait_for(key), file=item.name)
        finally:
            self._ended = True
            for thread in threads:
                thread.join()

    def _wait_for(self, key: str) -> Verdict:
        with self._news:
            # a signal that comes just before a wait without an end would be handled after it
            while not self._news.wait_for(lambda: key in self._done or self._failure is not None, LISTEN_S):
                pass
            if self._failure is not None:
                raise self._failure
            return self._done[key]

    def _header(self, item: Item) -> str:
        """What texts are grouped by: their header, where one is told or seen.  A wrong guess only costs time."""
        if item.header_end:
            return item.source[: item.header_end]
        split = split_header(item.source) if self._warms() else None
        return "" if split is None else split.header

    def _warms(self) -> bool:
        return self._settings.warm and self._toolchain is not None and can_be_warm(self._toolchain)

    def _next(self, header: str) -> tuple[str, tuple[str, Item]] | None:
        """A text with this header, or with the one that most texts wait for."""
        with self._news:
            if self._ended or self._failure is not None or not self._waiting:
                return None
            if header not in self._waiting:
                header = max(self._waiting, key=lambda name: (len(self._waiting[name]), name))
            queue = self._waiting[header]
            job = queue.popleft()
            if not queue:
                del self._waiting[header]
            return header, job

    def _lane(self) -> None:
        lane = _Lane(self._toolchain, self._settings, self.repl)
        header = ""
        try:
            while (taken := self._next(header)) is not None:
                header, (key, item) = taken
                verdict = self._judge(item, lane)
                if self._memory is not None and verdict.verdict != "infrastructure":
                    self._memory.put(key, verdict.to_json().encode())
                with self._news:
                    self._done[key] = verdict
                    self._news.notify_all()
        except BaseException as error:  # noqa: BLE001 - told to the caller, who waits for the verdict
            with self._news:
                self._failure = error
                self._news.notify_all()
        finally:
            lane.close()

    def _judge(self, item: Item, lane: "_Lane") -> Verdict:
        verdict = self._check(item, lane)
        for _ in range(self._settings.retries):
            if verdict.verdict != "infrastructure" or not RETRIED.intersection(verdict.reasons):
                break
            verdict = self._check(item, None)
        return verdict

    def _check(self, item: Item, lane: "_Lane | None") -> Verdict:
        s = self._settings
        return check(
            item.source,
            name=item.name,
            statement_only=item.statement_only,
            timeout_s=s.timeout_s,
            memory_bytes=s.memory_bytes,
            address_space_bytes=s.address_space_bytes,
            toolchain=self._toolchain,
            allow_unsandboxed=s.allow_unsandboxed,
            allow=item.allow,
            reference=item.reference,
            runner=None if lane is None or not self._warms() else functools.partial(lane.run, item.header_end),
            auditor=None if lane is None or not self._warms() else lane.audit,
            asked_first=None if lane is None or self.repl is None else lane.ask,
            references=self._references,
        )

    def _remembered(self, key: str) -> Verdict | None:
        known = None if self._memory is None else self._memory.get(key)
        try:
            return None if known is None else from_json(known.decode())
        except ValueError:  # damaged: the text is judged anew, and the row written over
            return None


def _split(text: str, header_end: int) -> Split | None:
    return split_at(text, header_end) if header_end else split_header(text)


class _Lane:
    """A REPL, a warm audit, and at most one warm Lean, for the header of the text that came last.  A header whose Lean
    was lost LOSSES times in a row, such as one with an import that is not there, is not tried again."""

    def __init__(self, toolchain: Toolchain | None, settings: Settings, repl_folder: Path | None = None) -> None:
        self._toolchain, self._settings, self._repl_folder = toolchain, settings, repl_folder
        self._filter: repl.ReplFilter | None = None
        self._warm: WarmLean | None = None
        self._auditor: WarmAudit | None = None
        self._losses: Counter[str] = Counter()

    def run(self, header_end: int, text: str, limits: Limits, audited: bool) -> Run | None:
        """Lean on the text, with its `.olean` where it is audited; None where it has to be started for it."""
        split = _split(text, header_end)
        if split is None or self._toolchain is None or self._losses[split.header] >= LOSSES:
            return None
        if self._warm is None or self._warm.header != split.header:
            self._close_lean()
            self._warm = WarmLean(self._toolchain, split.header, limits, clean=header_end > 0)
        try:
            run = self._warm.run(split.body, limits, audited=audited)
        except (LostError, OSError):
            self._losses[split.header] += 1
            return None
        del self._losses[split.header]
        return run

    def audit(self, compiled: bytes, limits: Limits, question: Question) -> Audited | None:
        """The audit of a compiled text, or None where a process has to be started for it."""
        if self._toolchain is None:
            return None
        if self._auditor is None:
            self._auditor = WarmAudit(self._toolchain, limits)
        return self._auditor.audit(compiled, limits, question)

    def ask(self, text: str) -> Run | None:
        """What the REPL refuses the text for, if it does."""
        if self._toolchain is None or self._repl_folder is None:
            return None
        if self._filter is None:
            s = self._settings
            limits = Limits(
                timeout_s=s.timeout_s, memory_bytes=s.memory_bytes, address_space_bytes=s.address_space_bytes
            )
            self._filter = repl.ReplFilter(self._repl_folder, self._toolchain, limits)
        return self._filter.ask(text)

    def close(self) -> None:
        """Ends the warm Lean, the warm audit and the REPL."""
        self._close_lean()
        if self._filter is not None:
            self._filter.close()
            self._filter = None
        if self._auditor is not None:
            self._auditor.close()
            self._auditor = None

    def _close_lean(self) -> None:
        if self._warm is not None:
            self._warm.close()
            self._warm = None
