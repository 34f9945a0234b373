"""Requests that travel in a batch: gathered into jobs, written down, and only then sent."""

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from resources.llm.batch import Jobs
from resources.llm.budget import Budget, Reservation
from resources.llm.calls import Call
from resources.llm.engine import Booking, Engine
from resources.llm.providers import LoadMedia
from resources.llm.store import JobState, ReplyStore

MAX_CALLS = 50_000  # both providers' limit of a batch
MAX_BYTES = 90_000_000  # the smaller of both providers' limits of a file is 100 MB


class _Parcel(NamedTuple):
    job: JobState
    calls: dict[str, Call]
    bytes: list[int]
    reserved: list[Reservation]


class Outbox:
    """Jobs in the making, one for each model and role, until they are full or flushed."""

    def __init__(
        self,
        store: ReplyStore,
        jobs: Jobs,
        engine: Callable[[], Engine],
        budget: Budget,
        load_media: LoadMedia,
        booking: Booking,
        partition: str | None,
        now: Callable[[], datetime],
    ) -> None:
        self._store, self._jobs, self._engine, self._budget = store, jobs, engine, budget
        self._load_media = load_media
        self._booking, self._partition, self._now = booking, partition, now
        self._parcels: dict[tuple[str, str], _Parcel] = {}

    def pending(self, keys: list[str]) -> dict[str, str]:
        """Those of the keys that an open job, or one that is in the making here, is getting, with the job's name."""
        taken = {key: p.job.job_id for key in keys for p in self._parcels.values() if key in p.calls}
        return self._store.jobs_of(keys) | taken

    def add(self, call: Call) -> str:
        """Take the call; the name of the job that will get its reply.  Raises: OverBudget, LostBlob."""
        size = self._size(call)
        reserved = self._budget.reserve(call, batch=True)
        place = (call.model_name, call.request.role)
        parcel = self._parcels.get(place)
        if parcel is not None and (len(parcel.calls) >= MAX_CALLS or parcel.bytes[0] + size > MAX_BYTES):
            self._send(self._parcels.pop(place))
            parcel = None
        if parcel is None:
            parcel = self._parcels[place] = _Parcel(self._job(call), {}, [0], [])
        parcel.calls[call.key] = call
        parcel.bytes[0] += size
        parcel.reserved.append(reserved)
        return parcel.job.job_id

    def flush(self) -> None:
        """Write down and send off what was taken."""
        while self._parcels:
            self._send(self._parcels.popitem()[1])

    def _send(self, parcel: _Parcel) -> None:
        worst = sum(reserved.pico for reserved in parcel.reserved)
        job = parcel.job._replace(total=len(parcel.calls), reserved_pico_usd=worst)
        self._store.save_job(job, [(key, call.dump()) for key, call in sorted(parcel.calls.items())])
        for reserved in parcel.reserved:
            self._budget.hand_over(reserved)
        self._engine().run(lambda provider: self._jobs.advance(job, provider), job.provider)

    def _job(self, call: Call) -> JobState:
        at = self._now()
        return JobState(
            job_id=f"stepforge-{at:%Y%m%d-%H%M%S}-{secrets.token_hex(4)}",
            provider=call.provider,
            model_name=call.model_name,
            role=call.request.role,
            run=self._booking.run,
            stage=self._booking.stage,
            partition=self._partition,
            state="preparing",
            file_id=None,
            batch_id=None,
            total=0,
            created_at=at,
            updated_at=at,
        )

    def _size(self, call: Call) -> int:
        media = [part.sha256 for message in call.request.messages for part in message.parts if part.sha256]
        return len(call.canonical) * 2 + sum(len(self._load_media(sha256)) * 4 // 3 for sha256 in media)
