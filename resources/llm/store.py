"""The reply store: what was asked, what came back and what it cost, in SQLite or PostgreSQL.

A reply is durable when `put` returns, and it is put before anything is made of it. One reply a key: the first stays, a
second (of two processes that raced) is counted as paid and not kept. A claim says that a live process is getting the
reply of a key, so that no other sends the same request; a claim whose owner died is free for the next.

SQLite is the default, one file in the home. `STEPFORGE_REPLIES=postgresql://…` names a database that several machines
share. Both are tested by the same tests.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from resources.llm.providers import Usage

PICO = 10**12  # money is kept in whole picodollars: exact, and summed by the database


class StoredReply(NamedTuple):
    """One reply as received.  `canonical`: the canonical request, of which `key` is the sha256.  `provider`: the kind
    of provider, which tells how `body` is read."""

    key: str
    canonical: bytes
    provider: str
    model: str
    body: bytes
    usage: Usage
    cost_pico_usd: int | None
    created_at: datetime
    latency_s: float | None
    prompt_id: str | None
    prompt_sha256: str | None
    batch_id: str | None = None


class Payment(NamedTuple):
    """What was spent on one reply, and for whom."""

    key: str
    run: str
    role: str
    stage: str | None
    cost_pico_usd: int | None
    usage: Usage


class Spent(NamedTuple):
    """Sum of payments: `unpriced` replies have no known price and are in no sum."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost_pico_usd: int
    unpriced: int


class Claims(NamedTuple):
    """What came of claiming keys: those that are now the asker's (`taken_over` of them from an owner that died, whose
    request may have been paid and its reply lost), and those that another live process is getting."""

    mine: frozenset[str]
    others: frozenset[str]
    taken_over: frozenset[str]


class ReplyFilter(NamedTuple):
    """Which replies a person means; None is any."""

    model: str | None = None
    provider: str | None = None
    prompt_id: str | None = None
    before: datetime | None = None
    since: datetime | None = None
    key_prefix: str | None = None


class JobState(NamedTuple):
    """A batch job as last seen.  `state`: preparing, uploaded, running, ended, failed, collected."""

    job_id: str
    provider: str
    model_name: str
    role: str
    run: str
    stage: str | None
    partition: str | None
    state: str
    file_id: str | None
    batch_id: str | None
    total: int
    created_at: datetime
    updated_at: datetime
    detail: str = ""
    reserved_pico_usd: int = 0  # what it may cost at most; counts against the run's budget while the job is open
    again: int = 0  # how many jobs before this one did not get the same calls


class ReplyStore(Protocol):
    """Replies, claims, payments and batch jobs.  All methods may be called from any thread."""

    def get_many(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The stored replies among `keys` (`canonical` left empty: it is not read here)."""
        ...

    def put_many(self, replies: Sequence[tuple[StoredReply, Payment]], owner: str) -> None:
        """Make all of them durable, book their payments and end the claims on their keys, in one transaction."""
        ...

    def pay(self, payments: Sequence[Payment]) -> None:
        """Book, durably, what was paid for answers that cannot be used and are not kept."""
        ...

    def claim(self, keys: Sequence[str], owner: str) -> Claims:
        """Claim the keys for `owner`, which has registered here; one that has a reply by now is neither mine nor
        another's."""
        ...

    def release(self, keys: Iterable[str], owner: str) -> None:
        """End the owner's claims on those keys."""
        ...

    def register(self, owner: str, now: datetime) -> None:
        """Say that the owner lives; called again every few seconds while it has claims."""
        ...

    def spent(self, run: str | None = None, role: str | None = None) -> Spent:
        """What was paid in a run (all if None), by a role (all if None)."""
        ...

    def payments(self, run: str) -> Mapping[tuple[str, str], Spent]:
        """What was paid in a run, by stage ('' where none was named) and role."""
        ...

    def replies(self, which: ReplyFilter) -> Iterator[StoredReply]:
        """The replies that fit, sorted by key, `canonical` included; streamed, not loaded."""
        ...

    def count(self, which: ReplyFilter) -> Spent:
        """How many replies fit and what they cost."""
        ...

    def by_model(self) -> dict[str, Spent]:
        """How many replies each model gave and what they cost, sorted by model."""
        ...

    def claimed(self, now: datetime) -> tuple[int, int]:
        """How many keys live processes are getting, and how many claims dead ones left."""
        ...

    def add(self, replies: Iterable[StoredReply]) -> tuple[int, int]:
        """Take in replies from elsewhere; how many were new and how many were there.  Books no payment."""
        ...

    def prune(self, which: ReplyFilter) -> int:
        """Delete the replies that fit; how many."""
        ...

    def save_job(self, job: JobState, calls: Sequence[tuple[str, bytes]] | None = None) -> None:
        """Write the job down durably, with its calls (key, JSON) when it is first written."""
        ...

    def jobs(self, *, open_only: bool = True) -> list[JobState]:
        """Batch jobs, oldest first; open are all but `collected` and `failed`."""
        ...

    def job_calls(self, job_id: str) -> list[tuple[str, bytes]]:
        """The calls of a job that have no reply yet, sorted by key."""
        ...

    def refuse(self, job_id: str, errors: Mapping[str, str]) -> None:
        """Write down, by key, what the provider answered to calls of the job in place of a reply."""
        ...

    def refused(self, keys: Sequence[str]) -> dict[str, str]:
        """Those of the keys that a batch refused, with the newest error, and that have no reply."""
        ...

    def jobs_of(self, keys: Sequence[str]) -> dict[str, str]:
        """For each key that an open job is getting: the job's id."""
        ...

    def close(self) -> None:
        """Close connections."""
        ...
