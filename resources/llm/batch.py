"""Jobs of the providers' batch APIs: a small state machine, each step of which is written down before the next.

preparing → uploaded → running → ended → collected, or failed. Whoever finds a job in any state can go on with it: a
process that died after it started a batch and before it wrote the batch's id down is followed by one that finds the
batch by the job's name, and does not pay a second time.
"""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from resources.llm._owners import new_owner
from resources.llm.calls import Call
from resources.llm.config import ModelsConfig
from resources.llm.engine import HEARTBEAT_S, open_provider
from resources.llm.faults import ProviderFault
from resources.llm.prices import Price, Prices
from resources.llm.providers import PROVIDERS, BatchApi, BatchResult, BatchState, LoadMedia, Provider
from resources.llm.store import JobState, Payment, ReplyStore, StoredReply
from stepforge.errors import PipelineError
from stepforge.vocabulary import ModelFailureKind

AT_ONCE = 500  # replies made durable together
MAX_AGAIN = 3  # how often calls that a provider never ran are put into another batch
STATES = {BatchState.RUNNING: "running", BatchState.ENDED: "ended", BatchState.FAILED: "failed"}


class Sorted(NamedTuple):
    """The lines of a batch's output: replies, what the provider refused, and what it never ran."""

    replies: list[tuple[Call, StoredReply]]
    refused: dict[str, str]
    billed: list[Payment]
    unrun: list[Call]


class Jobs:
    """Goes on with batch jobs."""

    def __init__(self, config: ModelsConfig, store: ReplyStore, prices: Prices, now: Callable[[], datetime]) -> None:
        self._config, self._store, self._prices, self._now = config, store, prices, now
        self._owner = new_owner()

    def poll(self, load_media: LoadMedia) -> list[JobState]:
        """Take every open job as far as it goes now; what became of each.  A job whose provider is not configured here
        stays as it is and says so."""
        jobs = self._store.jobs(open_only=True)
        return asyncio.run(self._poll(jobs, load_media)) if jobs else []

    async def _poll(self, jobs: list[JobState], load_media: LoadMedia) -> list[JobState]:
        providers: dict[str, Provider] = {}
        done = []
        try:
            for job in jobs:
                try:
                    if job.provider not in providers:
                        providers[job.provider] = open_provider(self._config, job.provider, load_media)
                    done.append(await self.advance(job, providers[job.provider]))
                except PipelineError as error:  # the state as it is now: an older one would send the batch again
                    done.append(self._write(self._state(job), detail=str(error)))
        finally:
            for provider in providers.values():
                await provider.close()
        return done

    async def advance(self, job: JobState, provider: Provider) -> JobState:
        """Take the job as far as it goes now; the state that is written down.  After a fault it stays in its state,
        with what happened as its detail, unless the provider refused it before it began.  A job that another process
        is going on with is left to it: two would start its batch twice."""
        claim = f"job {job.job_id}"
        self._store.register(self._owner, self._now())
        if claim not in self._store.claim([claim], self._owner).mine:
            return self._state(job)._replace(detail="another process is going on with it")
        heart = asyncio.create_task(self._beat())
        try:
            return await self._claimed(self._state(job), provider)
        finally:
            heart.cancel()
            self._store.release([claim], self._owner)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            with contextlib.suppress(Exception):
                await asyncio.to_thread(self._store.register, self._owner, self._now())

    async def _claimed(self, job: JobState, provider: Provider) -> JobState:
        if job.state in ("collected", "failed"):  # by whoever had it before
            return job
        if provider.batch is None:
            return self._write(job, state="failed", detail=f"provider {job.provider} has no batch API")
        try:
            return await self._advance(job, provider.batch)
        except ProviderFault as fault:
            job = self._state(job)
            # a batch that may have started is never given up here: a wrong key today does not undo what is paid
            refused = fault.kind is ModelFailureKind.BAD_REQUEST and job.state in ("preparing", "uploaded")
            return self._write(job, state="failed" if refused else job.state, detail=fault.detail)
        except PipelineError:
            raise
        except Exception as error:  # noqa: BLE001 - an answer that nobody has foreseen must not hold up the other jobs
            told = (
                f"the provider's answer cannot be used ({type(error).__name__}); its batch API may not be the one of "
            )
            return self._write(self._state(job), detail=f"{told}its kind (batch = false in models.toml)")

    def _state(self, job: JobState) -> JobState:
        return next((j for j in self._store.jobs(open_only=False) if j.job_id == job.job_id), job)

    async def _advance(self, job: JobState, api: BatchApi) -> JobState:
        known_unstarted = False
        if job.state == "preparing":
            calls = [Call.load(dumped) for _, dumped in self._store.job_calls(job.job_id)]
            job = self._write(job, state="uploaded", file_id=await api.upload(job.job_id, calls), detail="")
            known_unstarted = True
        if job.state == "uploaded":
            found = None if known_unstarted else await self._found(job, api)
            settings = self._config.models.get(job.model_name)
            model = (settings.model if settings else "") or job.model_name
            batch_id = found or await api.create(job.job_id, job.file_id or "", model)
            job = self._write(job, state="running", batch_id=batch_id, detail="")
        batch_id = job.batch_id or ""
        if job.state == "running":
            status = await api.status(batch_id)
            told = f"{status.done} of {status.total} {status.detail}".strip()
            job = self._write(job, state=STATES[status.state], detail=told)
        if job.state == "ended":
            job = self._collect(job, await api.results(batch_id))
        return job

    async def _found(self, job: JobState, api: BatchApi) -> str | None:
        try:
            return await api.find(job.job_id)
        except ProviderFault as fault:  # of whatever kind: it says nothing against the batch, which may have started
            told = f"whether its batch was started is not known: {fault.detail}"
            raise ProviderFault(ModelFailureKind.PROVIDER_ERROR, told, retryable=True) from None

    def _write(self, job: JobState, **changes: Any) -> JobState:
        job = job._replace(updated_at=self._now(), **changes)
        self._store.save_job(job)
        return job

    def _collect(self, job: JobState, results: list[BatchResult]) -> JobState:
        """Make the replies durable, write down what was refused, put what was never run into another job."""
        sort = self._sort(job, results)
        for start in range(0, len(sort.replies), AT_ONCE):
            part = sort.replies[start : start + AT_ONCE]
            self._store.put_many([(reply, self._payment(job, reply)) for _, reply in part], self._owner)
        known = self._store.refused(list(sort.refused))  # by a collection that was cut short, and booked them
        self._store.pay([payment for payment in sort.billed if payment.key not in known])
        self._store.refuse(job.job_id, sort.refused)
        again = f", {len(sort.unrun)} never run" if sort.unrun else ""
        if sort.unrun and job.again < MAX_AGAIN:
            # written before this job is collected; its name is derived, so that a second try finds it, and leaves it
            following = self._following(job, len(sort.unrun))
            if all(known.job_id != following.job_id for known in self._store.jobs(open_only=False)):
                self._store.save_job(following, [(call.key, call.dump()) for call in sort.unrun])
            again += f" and put into {following.job_id}"
        told = f"{len(sort.replies)} replies, {len(sort.refused)} refused{again}"
        return self._write(job, state="collected", detail=told)

    def _sort(self, job: JobState, results: list[BatchResult]) -> Sorted:
        # those without a reply: an earlier collection that was cut short has stored and booked some of them
        waiting = {key: Call.load(dumped) for key, dumped in self._store.job_calls(job.job_id)}
        price = self._price(job)
        kind = self._config.providers[job.provider].kind
        replies: list[tuple[Call, StoredReply]] = []
        refused: dict[str, str] = {}
        billed: list[Payment] = []
        for result in results:
            if result.key not in waiting or result.expired:
                continue  # of no call of ours, a second line of one, or never run
            call = waiting.pop(result.key)
            if result.body is None:
                refused[result.key] = result.error or "refused without a reason"
                continue
            try:
                replies.append((call, self._reply(job, call, result.body, kind, price)))
            except ProviderFault as fault:
                refused[result.key] = fault.detail
                if fault.billed is not None:
                    cost = None if price is None else price.cost_pico(fault.billed, batch=True)
                    billed.append(Payment(result.key, job.run, job.role, job.stage, cost, fault.billed))
        return Sorted(replies, refused, billed, [waiting[key] for key in sorted(waiting)])

    def _reply(self, job: JobState, call: Call, body: bytes, kind: str, price: Price | None) -> StoredReply:
        usage = PROVIDERS[kind].read(body).usage
        return StoredReply(
            key=call.key,
            canonical=call.canonical,
            provider=kind,
            model=call.model,
            body=body,
            usage=usage,
            cost_pico_usd=None if price is None else price.cost_pico(usage, batch=True),
            created_at=self._now(),
            latency_s=None,
            prompt_id=call.request.prompt_id,
            prompt_sha256=call.request.prompt_sha256,
            batch_id=job.batch_id,
        )

    def _price(self, job: JobState) -> Price | None:
        on = self._now().date()
        if job.model_name in self._config.models:
            return self._prices.of_configured(self._config, job.model_name, on)
        return self._prices.of(job.model_name, on)  # it is no longer configured; its replies are paid all the same

    def _payment(self, job: JobState, reply: StoredReply) -> Payment:
        return Payment(reply.key, job.run, job.role, job.stage, reply.cost_pico_usd, reply.usage)

    def _following(self, job: JobState, total: int) -> JobState:
        base, again = job.job_id.split("-again-")[0], job.again + 1
        return job._replace(
            job_id=f"{base}-again-{again}",
            state="preparing",
            file_id=None,
            batch_id=None,
            total=total,
            again=again,
            created_at=self._now(),
            updated_at=self._now(),
            detail=f"goes on with what {job.job_id} did not get",
        )
