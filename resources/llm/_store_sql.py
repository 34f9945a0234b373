"""The reply store over any SQL database, in terms of its statements and of transactions."""

import secrets
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, Protocol, TypeVar

from resources.llm import _store_tables as sql
from resources.llm._owners import is_dead
from resources.llm._store_rows import (
    REPLY_COLUMNS,
    SUMS,
    Row,
    chunks,
    clean,
    condition,
    job_of,
    job_row,
    micros,
    payment_row,
    reply_row,
    spent_of,
    stored_reply,
)
from resources.llm.store import Claims, JobState, Payment, ReplyFilter, Spent, StoredReply
from stepforge.errors import BadHome

KEYS_AT_ONCE = 1000  # keys in one statement
ROWS_AT_ONCE = 100  # replies held in memory while many are streamed
BYTES_AT_ONCE = 8 << 20  # likewise, of replies that are taken in
FORGET_OWNERS_US = 86_400_000_000  # an owner without claims is forgotten after a day

T = TypeVar("T")


class Lane(StrEnum):
    """How a transaction is carried out: each lane has a connection of its own, so that reading waits for no disk."""

    DURABLE = "durable"  # what it wrote survives a power failure
    LIGHT = "light"  # it survives the process; losing it with the machine does no harm
    READ = "read"


class Statements(Protocol):
    """An open transaction."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query."""
        ...

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Number of rows that a statement changed."""
        ...

    def many(self, sql: str, rows: Sequence[Row]) -> int:
        """Number of rows that a statement changed, run once for each of `rows`."""
        ...


class SqlStore(ABC):
    """`ReplyStore` in terms of transactions.  A backend carries them out: whole or not at all, again if another process
    was in the way, and with errors that say what to do and hold no password."""

    def __init__(self) -> None:
        self._beats: dict[str, int] = {}  # owners of this object: when each last said that it lives

    @abstractmethod
    def _do(self, lane: Lane, work: Callable[[Statements], T]) -> T:
        """What `work` returns, done in one transaction; it may be called more than once."""

    @abstractmethod
    def _create(self) -> None:
        """Make the tables unless another process has; refuse a database that holds something else."""

    @abstractmethod
    def close(self) -> None:
        """Close connections."""

    def _checked_version(self, found: Sequence[Row], place: str) -> None:
        if not found or found[0][0] > sql.VERSION:
            written = found[0][0] if found else "unknown"
            raise BadHome(
                f"{place} was written by a newer Stepforge (version {written} of the reply store; this one reads up to "
                f"{sql.VERSION}); update Stepforge, or name another store with STEPFORGE_REPLIES"
            )

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._do(Lane.READ, lambda do: do.rows(sql, values))

    def _read_each(self, sql: str, keys: Sequence[str]) -> Iterator[Row]:
        for part in chunks(keys, KEYS_AT_ONCE):
            yield from self._read(sql, [part])

    def get_many(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The stored replies among `keys`, `canonical` left empty."""
        return {row[0]: stored_reply(row) for row in self._read_each(sql.GET, keys)}

    def put_many(self, replies: Sequence[tuple[StoredReply, Payment]], owner: str) -> None:  # noqa: ARG002 - ends anybody's claims
        """Make all of them durable, book their payments and end the claims on their keys, in one transaction."""
        if not replies:
            return
        # sorted: two processes that write the same keys wait for each other in one order only.  The payments' own
        # names make a transaction that is done again after a lost connection book nothing twice.
        rows = [reply_row(reply) for reply, _ in sorted(replies, key=lambda pair: pair[0].key)]
        name = secrets.token_hex(8)
        paid = [payment_row(f"{name}-{i:06}", payment) for i, (_, payment) in enumerate(replies)]

        def put(do: Statements) -> None:
            do.many(sql.PUT, rows)
            do.many(sql.PAY, paid)
            do.run("DELETE FROM claims WHERE key AMONG ?", [[row[0] for row in rows]])

        self._do(Lane.DURABLE, put)

    def pay(self, payments: Sequence[Payment]) -> None:
        """Book, durably, what was paid for answers that cannot be used and are not kept."""
        name = secrets.token_hex(8)
        rows = [payment_row(f"{name}-{i:06}", payment) for i, payment in enumerate(payments)]
        if rows:
            self._do(Lane.DURABLE, partial(_many, sql.PAY, rows))

    def claim(self, keys: Sequence[str], owner: str) -> Claims:
        """Claim the keys for `owner`, which has registered.  Raises: ValueError if it has not."""
        if owner not in self._beats:
            raise ValueError(f"{owner} has to register before it claims")
        asked = sorted(set(keys))
        parts = [self._do(Lane.LIGHT, self._claiming(part, owner)) for part in chunks(asked, KEYS_AT_ONCE)]
        return Claims(*(frozenset().union(*(part[i] for part in parts)) for i in range(3)))

    def _claiming(self, keys: list[str], owner: str) -> Callable[[Statements], Claims]:
        now = self._beats[owner]

        def take(do: Statements) -> Claims:
            holders = {key: (holder, beat) for key, holder, beat in do.rows(sql.HELD, [keys]) if holder != owner}
            dead = {holder for holder, beat in set(holders.values()) if _is_dead(holder, beat, now)}
            free = [key for key in keys if key not in holders or holders[key][0] in dead]
            # whoever was faster since the holders were read is not among the dead, and keeps what it took
            mine = {row[0] for row in do.rows(sql.TAKE, [owner, free, [owner, *sorted(dead)]])} if free else set()
            # read after taking: a reply that was put in between has ended no claim of ours
            there = {row[0] for row in do.rows("SELECT key FROM replies WHERE key AMONG ?", [keys])}
            if mine & there:
                do.run(sql.RELEASE, [owner, sorted(mine & there)])
            mine -= there
            taken = {key for key in mine if key in holders}
            return Claims(frozenset(mine), frozenset(keys) - mine - there, frozenset(taken))

        return take

    def release(self, keys: Iterable[str], owner: str) -> None:
        """End the owner's claims on those keys."""
        for part in chunks(sorted(set(keys)), KEYS_AT_ONCE):
            self._do(Lane.LIGHT, partial(_run, sql.RELEASE, [owner, part]))

    def register(self, owner: str, now: datetime) -> None:
        """Say that the owner lives."""
        beat = micros(now)

        def write(do: Statements) -> None:
            do.run(sql.LIVE, [owner, beat])
            if owner not in self._beats:
                do.run(sql.FORGET, [beat - FORGET_OWNERS_US])

        self._do(Lane.LIGHT, write)
        self._beats[owner] = beat

    def claimed(self, now: datetime) -> tuple[int, int]:
        """How many keys live processes are getting, and how many claims dead ones left."""
        rows = self._read(sql.CLAIMED)
        left = sum(count for owner, beat, count in rows if _is_dead(owner, beat, micros(now)))
        return sum(row[2] for row in rows) - left, left

    def spent(self, run: str | None = None, role: str | None = None) -> Spent:
        """What was paid in a run (all if None), by a role (all if None)."""
        asked = [(test, value) for test, value in (("run = ?", run), ("role = ?", role)) if value is not None]
        where = " AND ".join(test for test, _ in asked) or "1 = 1"
        query = f"SELECT {SUMS} FROM payments WHERE {where}"  # noqa: S608
        return spent_of(self._read(query, [value for _, value in asked])[0])

    def payments(self, run: str) -> Mapping[tuple[str, str], Spent]:
        """What was paid in a run, by stage ('' where none was named) and role, in their order."""
        rows = self._read(sql.PAYMENTS, [run])
        return {(row[0], row[1]): spent_of(row[2:]) for row in sorted(rows, key=lambda row: row[:2])}

    def replies(self, which: ReplyFilter) -> Iterator[StoredReply]:
        """The replies that fit, sorted by key, `canonical` included; a page at a time, so that nothing is locked while
        the reader works.  What is put meanwhile may be among them."""
        last: str | None = None
        while True:
            where, values = condition(which, after=last)
            query = f"SELECT {REPLY_COLUMNS}, canonical FROM replies WHERE {where} ORDER BY key LIMIT {ROWS_AT_ONCE}"  # noqa: S608
            rows = self._read(query, values)
            yield from map(stored_reply, rows)
            if len(rows) < ROWS_AT_ONCE:
                return
            last = rows[-1][0]

    def count(self, which: ReplyFilter) -> Spent:
        """How many replies fit and what they cost."""
        where, values = condition(which)
        query = f"SELECT {SUMS} FROM replies WHERE {where}"  # noqa: S608
        return spent_of(self._read(query, values)[0])

    def by_model(self) -> dict[str, Spent]:
        """How many replies each model gave and what they cost, sorted by model."""
        return {row[0]: spent_of(row[1:]) for row in sorted(self._read(sql.BY_MODEL))}

    def add(self, replies: Iterable[StoredReply]) -> tuple[int, int]:
        """Take in replies from elsewhere; how many were new and how many were there."""
        new = seen = 0
        for rows in _in_parts(map(reply_row, replies)):
            new += self._do(Lane.DURABLE, partial(_many, sql.PUT, rows))
            seen += len(rows)
        return new, seen - new

    def prune(self, which: ReplyFilter) -> int:
        """Delete the replies that fit, some at a time so that others can write in between; how many."""
        deleted, last = 0, ""
        while True:
            where, values = condition(which, after=last)
            query = f"SELECT key FROM replies WHERE {where} ORDER BY key LIMIT {KEYS_AT_ONCE}"  # noqa: S608

            def cut(do: Statements, query: str = query, values: list[Any] = values) -> tuple[int, list[str]]:
                keys = [row[0] for row in do.rows(query, values)]
                return do.run("DELETE FROM replies WHERE key AMONG ?", [keys]), keys

            gone, keys = self._do(Lane.DURABLE, cut)
            deleted += gone
            if len(keys) < KEYS_AT_ONCE:
                return deleted
            last = keys[-1]

    def save_job(self, job: JobState, calls: Sequence[tuple[str, bytes]] | None = None) -> None:
        """Write the job down durably, with its calls (key, JSON) when it is first written."""
        rows = [(job.job_id, key, zlib.compress(call, 1)) for key, call in sorted(calls or ())]

        def save(do: Statements) -> None:
            do.run(sql.SAVE_JOB, job_row(job))
            if rows:
                do.many(sql.SAVE_CALL, rows)

        self._do(Lane.DURABLE, save)

    def jobs(self, *, open_only: bool = True) -> list[JobState]:
        """Batch jobs, oldest first; open are all but `collected` and `failed`."""
        return [job_of(row) for row in self._read(sql.OPEN_JOBS if open_only else sql.JOBS)]

    def job_calls(self, job_id: str) -> list[tuple[str, bytes]]:
        """The calls of a job that have no reply yet, sorted by key."""
        rows = self._read(sql.JOB_CALLS, [job_id])
        return [(key, zlib.decompress(call)) for key, call in rows]

    def refuse(self, job_id: str, errors: Mapping[str, str]) -> None:
        """Write down, by key, what the provider answered to calls of the job in place of a reply."""
        rows = [(clean(error), job_id, key) for key, error in sorted(errors.items())]
        if rows:
            self._do(Lane.DURABLE, partial(_many, "UPDATE job_calls SET error = ? WHERE job_id = ? AND key = ?", rows))

    def refused(self, keys: Sequence[str]) -> dict[str, str]:
        """Those of the keys that a batch refused, with the newest error, and that have no reply."""
        return {row[0]: row[1] for row in self._read_each(sql.REFUSED, keys)}

    def jobs_of(self, keys: Sequence[str]) -> dict[str, str]:
        """For each key that an open job is getting: the job's id (of the oldest, if there are several)."""
        return {row[0]: row[1] for row in self._read_each(sql.JOBS_OF, keys)}


def _run(sql: str, values: Sequence[Any], do: Statements) -> int:
    return do.run(sql, values)


def _many(sql: str, rows: Sequence[Row], do: Statements) -> int:
    return do.many(sql, rows)


def _is_dead(owner: str, beat: int | None, now: int) -> bool:
    return is_dead(owner, None if beat is None else beat / 1e6, now / 1e6)


def _in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Lists of rows, sorted by key, small enough to be held in memory and written in one transaction."""
    part: list[Row] = []
    size = 0
    for row in rows:
        part.append(row)
        size += len(row[-1]) + len(row[-2])
        if len(part) == KEYS_AT_ONCE or size > BYTES_AT_ONCE:
            yield sorted(part, key=lambda row: row[0])
            part, size = [], 0
    if part:
        yield sorted(part, key=lambda row: row[0])
