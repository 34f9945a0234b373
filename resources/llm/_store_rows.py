"""Rows of the reply store's tables and the records they stand for."""

import math
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, get_type_hints

from resources.llm.providers import Usage
from resources.llm.store import JobState, Payment, ReplyFilter, Spent, StoredReply

PACKED_FROM = 8192  # bytes; unpacking a shorter body takes longer than reading it
MAX_TOKENS = 10**12  # no reply has so many; an absurd count of a server must neither lose the reply nor spoil a sum
MAX_COST_PICO = 10**16  # 10,000 dollars, likewise

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Row = tuple[Any, ...]


def micros(when: datetime) -> int:
    """Microseconds since 1970 UTC.  Raises: TypeError if `when` names no time zone."""
    return (when - _EPOCH) // _MICROSECOND


def when(microseconds: int) -> datetime:
    """The time of that many microseconds since 1970, UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)


def clean(text: str) -> str:
    """`text` without what a database cannot hold: NUL and lone surrogates become U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _clean(text: str | None) -> str | None:
    return None if text is None else clean(text)


def _tokens(usage: Usage) -> tuple[int, int, int, int]:
    tokens_in, cached, tokens_out, reasoning = (min(max(n, 0), MAX_TOKENS) for n in usage[:4])
    return tokens_in, cached, tokens_out, reasoning


def _cost(pico: int | None) -> int | None:
    return None if pico is None else min(max(pico, 0), MAX_COST_PICO)


REPLY_COLUMNS = (
    "key, provider, model, tokens_in, tokens_cached, tokens_out, tokens_reasoning, cost_pico_usd, created_at, "
    "latency_s, prompt_id, prompt_sha256, batch_id, packed, body"
)  # canonical comes after these: a row is read up to the last column that is asked for


def reply_row(reply: StoredReply) -> Row:
    """Values of `REPLY_COLUMNS` and `canonical`."""
    body, packed = reply.body, 0
    if len(body) >= PACKED_FROM:
        smaller = zlib.compress(body, 1)
        if len(smaller) < len(body):
            body, packed = smaller, 1
    latency_s = max(0.0, reply.latency_s) if reply.latency_s is not None and math.isfinite(reply.latency_s) else None
    return (
        reply.key,
        clean(reply.provider),
        clean(reply.model),
        *_tokens(reply.usage),
        _cost(reply.cost_pico_usd),
        micros(reply.created_at),
        latency_s,
        _clean(reply.prompt_id),
        _clean(reply.prompt_sha256),
        _clean(reply.batch_id),
        packed,
        body,
        zlib.compress(reply.canonical, 1),
    )


def stored_reply(row: Row) -> StoredReply:
    """The reply of a row of `REPLY_COLUMNS`, with or without `canonical` after them."""
    key, provider, model, t_in, cached, t_out, reasoning, cost, created, latency, prompt, sha, batch, packed, body = (
        row if len(row) == 15 else row[:15]
    )
    return StoredReply(
        key,
        zlib.decompress(row[15]) if len(row) > 15 else b"",
        provider,
        model,
        zlib.decompress(body) if packed else body,
        Usage(t_in, cached, t_out, reasoning),
        cost,
        _EPOCH + timedelta(microseconds=created),
        latency,
        prompt,
        sha,
        batch,
    )


PAYMENT_COLUMNS = (
    "payment_id, key, run, role, stage, tokens_in, tokens_cached, tokens_out, tokens_reasoning, cost_pico_usd"
)


def payment_row(payment_id: str, payment: Payment) -> Row:
    """Values of `PAYMENT_COLUMNS`."""
    stage = _clean(payment.stage)
    usage, cost = _tokens(payment.usage), _cost(payment.cost_pico_usd)
    return (payment_id, payment.key, clean(payment.run), clean(payment.role), stage, *usage, cost)


# calls, tokens in, tokens out, money in two parts (SQLite sums no further than 9 million dollars in one), unpriced: of
# replies and of payments
SUMS = (
    "COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(cost_pico_usd / 1000000), "
    "SUM(cost_pico_usd - cost_pico_usd / 1000000 * 1000000), COUNT(*) - COUNT(cost_pico_usd)"
)


def spent_of(row: Row) -> Spent:
    """The sums of `SUMS`; those over no row are 0.  PostgreSQL gives them as decimals."""
    calls, tokens_in, tokens_out, millions, rest, unpriced = (int(value or 0) for value in row)
    return Spent(calls, tokens_in, tokens_out, millions * 1_000_000 + rest, unpriced)


# of a batch job, each field is a column
_JOB_TYPES = get_type_hints(JobState)
_JOB_TIMES = {i for i, kind in enumerate(_JOB_TYPES.values()) if kind is datetime}
_SQL_TYPES = {str: "{text} NOT NULL", str | None: "{text}", int: "BIGINT NOT NULL", datetime: "BIGINT NOT NULL"}
JOB_COLUMNS = [f'"{name}"' for name in JobState._fields]
JOB_TABLE = ", ".join(f'"{name}" {_SQL_TYPES[kind]}' for name, kind in _JOB_TYPES.items())


def job_row(job: JobState) -> Row:
    """Values of `JOB_COLUMNS`."""
    return tuple(
        micros(value) if isinstance(value, datetime) else clean(value) if isinstance(value, str) else value
        for value in job
    )


def job_of(row: Row) -> JobState:
    """The job of a row of `JOB_COLUMNS`."""
    return JobState._make(when(value) if i in _JOB_TIMES else value for i, value in enumerate(row))


def condition(which: ReplyFilter, *, after: str | None = None) -> tuple[str, list[Any]]:
    """The SQL of a filter, made of fixed fragments, and its values.  after: only keys that sort after it."""
    tests: list[tuple[str, Any]] = [
        ("model = ?", which.model),
        ("provider = ?", which.provider),
        ("prompt_id = ?", which.prompt_id),
        ("created_at < ?", None if which.before is None else micros(which.before)),
        ("created_at >= ?", None if which.since is None else micros(which.since)),
        ("key >= ?", which.key_prefix or None),
        ("key < ?", which.key_prefix + "\U0010ffff" if which.key_prefix else None),
        ("key > ?", after),
    ]
    asked = [(sql, clean(value) if isinstance(value, str) else value) for sql, value in tests if value is not None]
    return " AND ".join(sql for sql, _ in asked) or "1 = 1", [value for _, value in asked]


def chunks(values: Sequence[Any], size: int) -> Iterator[list[Any]]:
    """`values` in lists of at most `size`."""
    for start in range(0, len(values), size):
        yield list(values[start : start + size])
