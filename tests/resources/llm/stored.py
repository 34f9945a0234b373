"""Replies, payments and jobs to put into a store."""

import hashlib
from datetime import UTC, datetime, timedelta

from resources.llm.providers import Usage
from resources.llm.store import JobState, Payment, StoredReply

NOW = datetime(2026, 5, 4, 12, 30, 15, 123456, tzinfo=UTC)


def key_of(canonical):
    return hashlib.sha256(canonical).hexdigest()


def reply(i, body=None, **changes):
    canonical = b'{"messages":[["user",[["text","question %d"]]]],"model":"m"}' % i
    made = StoredReply(
        key=key_of(canonical),
        canonical=canonical,
        provider="openai",
        model="gpt-5-mini",
        body=b'{"id":%d}' % i if body is None else body,
        usage=Usage(100 + i, 10, 50, 20),
        cost_pico_usd=1_234_567_890 + i,
        created_at=NOW + timedelta(seconds=i),
        latency_s=0.25,
        prompt_id="segment/v1",
        prompt_sha256="ab" * 32,
    )
    return made._replace(**changes)


def payment(stored, run="run-1", role="segmenter", stage="solution_steps"):
    return Payment(stored.key, run, role, stage, stored.cost_pico_usd, stored.usage)


def paid(*replies, **whose):
    return [(one, payment(one, **whose)) for one in replies]


def job(name="job-1", **changes):
    made = JobState(
        job_id=name,
        provider="openai",
        model_name="mini",
        role="segmenter",
        run="run-1",
        stage="solution_steps",
        partition="spring",
        state="running",
        file_id=None,
        batch_id=None,
        total=3,
        created_at=NOW,
        updated_at=NOW,
    )
    return made._replace(**changes)


def read_back(stored):
    """As `get_many` gives it."""
    return stored._replace(canonical=b"")
