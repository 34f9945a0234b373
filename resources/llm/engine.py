"""The part of the gateway that is on the network: one thread with one event loop, on which calls run and replies are
made durable in groups."""

import asyncio
import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, NamedTuple, TypeVar, cast

import stamina.instrumentation

from resources.blobs import LostBlob
from resources.llm.budget import Budget, OverBudget, Reservation
from resources.llm.calls import Call
from resources.llm.config import ModelsConfig
from resources.llm.faults import ProviderFault
from resources.llm.flow import Lane
from resources.llm.prices import Price
from resources.llm.providers import PROVIDERS, LoadMedia, Provider, Read, Usage
from resources.llm.store import Payment, ReplyStore, StoredReply
from stepforge.errors import BadRequest, PipelineError
from stepforge.vocabulary import ModelFailureKind

HEARTBEAT_S = 10.0
SWITCH_S = 0.0005  # a call goes through three threads; at Python's 5 ms each handover costs it some of its slot's time
DRAIN_STEP_S = 0.2
DRAIN_S = 20.0  # how long a gateway that is closed waits for replies that are on their way, and paid


class Failed(NamedTuple):
    """A call that got no reply."""

    kind: ModelFailureKind
    detail: str


R = TypeVar("R")
Done = tuple[Call, StoredReply | Failed | BaseException]
Results = queue.SimpleQueue[Done]


class Booking(NamedTuple):
    """For whom replies are paid."""

    run: str
    stage: str | None


class _Received(NamedTuple):
    body: bytes
    read: Read
    latency_s: float


class Engine:
    """Sends calls and hands back what came of them, each reply after it is durable."""

    def __init__(
        self,
        config: ModelsConfig,
        store: ReplyStore,
        load_media: LoadMedia,
        *,
        owner: str,
        booking: Booking,
        budget: Budget,
        price_of: Callable[[Call], Price | None],
        now: Callable[[], datetime],
    ) -> None:
        self._config, self._store, self._load_media = config, store, load_media
        self._owner, self._booking, self._budget, self._price_of, self._now = owner, booking, budget, price_of, now
        self._lanes: dict[str, Lane] = {}
        self._providers: dict[str, Provider] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._flying: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._unkept: Exception | None = None  # why the store kept a reply not: nothing more is paid for
        self.paid_pico_usd = 0
        self._uncommitted: list[tuple[StoredReply, Payment, asyncio.Future[None]]] = []
        self._committing: asyncio.Task[None] | None = None
        self._rereading: asyncio.Future[None] | None = None
        self._disk = ThreadPoolExecutor(1, "reply-store")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-gateway", daemon=True)
        stamina.instrumentation.set_on_retry_hooks(())  # a log line a retry says nothing that the counts do not say
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        self._thread.start()
        self._store.register(owner, now())
        self._heart = asyncio.run_coroutine_threadsafe(self._beat(), self._loop)

    @property
    def retries(self) -> int:
        """How many tries failed and were made again."""
        return sum(lane.retries for lane in self._lanes.values())

    def submit(self, calls: Sequence[Call], done: Results) -> None:
        """Start the calls; each appears in `done` once."""
        self._loop.call_soon_threadsafe(self._start, calls, done)

    def _start(self, calls: Sequence[Call], done: Results) -> None:
        for call in calls:
            task = self._loop.create_task(self._run(call, done))
            self._tasks.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        self._flying.discard(task)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            with contextlib.suppress(Exception):  # a store that is away for a moment: the next beat says it
                await self._loop.run_in_executor(self._disk, self._store.register, self._owner, self._now())

    async def _run(self, call: Call, done: Results) -> None:
        outcome: StoredReply | Failed | BaseException
        try:
            outcome = await self._answer(call)
        except asyncio.CancelledError:
            if self._closing:
                return
            outcome = Failed(ModelFailureKind.PROVIDER_ERROR, "the call was cancelled by the provider's library")
        except ProviderFault as fault:
            outcome = Failed(fault.kind, fault.detail)
        except Exception as error:  # noqa: BLE001 - whoever waits for the call must hear of it and raises it
            outcome = error
        done.put((call, outcome))

    async def _answer(self, call: Call) -> StoredReply | Failed:
        stored: list[StoredReply] = []
        reserved: Reservation | None = None

        async def attempt() -> _Received:
            nonlocal reserved
            if reserved is None:  # the try before was billed
                reserved = await self._reserve(call)
            try:
                return await self._send(call)
            except ProviderFault as fault:
                if fault.billed is not None:
                    await self._pay(call, fault.billed, reserved)
                    reserved = None
                raise

        async def keep(received: _Received) -> None:
            stored.append(await self._keep(call, received, reserved))

        try:
            reserved = await self._reserve(call)
            await self._lane(call).run(attempt, keep, reserved.tokens)
        except OverBudget as over:
            return Failed(ModelFailureKind.OVER_BUDGET, str(over))
        finally:
            if not stored and reserved is not None:
                self._budget.cancel(reserved)
        return stored[0]

    async def _reserve(self, call: Call) -> Reservation:
        if self._budget.is_old:  # sums over many payments, perhaps of a database that is away: not on this loop
            if self._rereading is None or self._rereading.done():
                self._rereading = self._loop.run_in_executor(self._disk, self._budget.reread)
            await asyncio.shield(self._rereading)
        return self._budget.reserve(call)

    async def _pay(self, call: Call, usage: Usage, reserved: Reservation) -> None:
        """Book what came and cannot be used."""
        price = self._price_of(call)
        cost = None if price is None else price.cost_pico(usage, batch=False)
        payment = Payment(call.key, self._booking.run, call.request.role, self._booking.stage, cost, usage)
        await asyncio.shield(self._loop.run_in_executor(self._disk, self._store.pay, [payment]))
        self._budget.settle(reserved, cost or 0)
        self.paid_pico_usd += cost or 0

    async def _send(self, call: Call) -> _Received:
        if self._closing:
            raise asyncio.CancelledError
        if self._unkept is not None:
            raise self._unkept
        provider = self._provider(call.provider)
        began = time.monotonic()
        flight = cast("asyncio.Task[None]", asyncio.current_task())
        self._flying.add(flight)  # until its reply is durable or it brought none
        try:
            body = await provider.send(call, self._config.models[call.model_name].timeout_s)
            return _Received(body, PROVIDERS[self._kind(call)].read(body), time.monotonic() - began)
        except BaseException as error:
            self._flying.discard(flight)
            if isinstance(error, LostBlob):
                raise ProviderFault(ModelFailureKind.BAD_REQUEST, str(error), retryable=False) from None
            if isinstance(error, ProviderFault | PipelineError) or not isinstance(error, Exception):
                raise
            # what an SDK raises that nobody has foreseen; not its text, which may hold a header
            told = f"the call failed unexpectedly ({type(error).__name__})"
            raise ProviderFault(ModelFailureKind.PROVIDER_ERROR, told, retryable=False) from None

    async def _keep(self, call: Call, received: _Received, reserved: Reservation | None) -> StoredReply:
        price = self._price_of(call)
        usage = received.read.usage
        cost = None if price is None else price.cost_pico(usage, batch=False)
        stored = StoredReply(
            key=call.key,
            canonical=call.canonical,
            provider=self._kind(call),
            model=call.model,
            body=received.body,
            usage=usage,
            cost_pico_usd=cost,
            created_at=self._now(),
            latency_s=round(received.latency_s, 4),
            prompt_id=call.request.prompt_id,
            prompt_sha256=call.request.prompt_sha256,
        )
        payment = Payment(call.key, self._booking.run, call.request.role, self._booking.stage, cost, usage)
        await self._durable(stored, payment)
        if reserved is not None:
            self._budget.settle(reserved, cost or 0)
        self.paid_pico_usd += cost or 0
        return stored

    async def _durable(self, stored: StoredReply, payment: Payment) -> None:
        """Return when the reply is on disk; replies that arrive while others are written go together, in one commit."""
        future = self._loop.create_future()
        self._uncommitted.append((stored, payment, future))
        if self._committing is None:
            self._committing = self._loop.create_task(self._commit())
        await asyncio.shield(future)

    async def _commit(self) -> None:
        while self._uncommitted:
            group, self._uncommitted = self._uncommitted, []
            rows = [(stored, payment) for stored, payment, _ in group]
            error: BaseException | None = None
            try:
                await self._loop.run_in_executor(self._disk, self._store.put_many, rows, self._owner)
            except Exception as failure:  # noqa: BLE001 - whoever waits for the reply raises it
                error = self._unkept = failure
            for _, _, future in group:
                if error is None:
                    future.set_result(None)
                else:
                    future.set_exception(error)
        self._committing = None

    def _kind(self, call: Call) -> str:
        return self._config.providers[call.provider].kind

    def _lane(self, call: Call) -> Lane:
        if call.model_name not in self._lanes:
            self._lanes[call.model_name] = Lane(self._config.models[call.model_name])
        return self._lanes[call.model_name]

    def _provider(self, name: str) -> Provider:
        if name not in self._providers:
            self._providers[name] = open_provider(self._config, name, self._load_media)
        return self._providers[name]

    def run(self, work: Callable[[Provider], Coroutine[Any, Any, R]], provider: str) -> R:
        """The result of work with a provider on this engine's loop."""

        async def on_loop() -> R:
            return await work(self._provider(provider))

        future = asyncio.run_coroutine_threadsafe(on_loop(), self._loop)
        try:
            return future.result()
        except BaseException:  # whoever waits was interrupted: the work ends in order, and leaves its job to others
            future.cancel()
            raise

    def close(self) -> None:
        """Drop the calls that were not sent, wait for replies that are on their way and keep them, end the thread."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._wind_up(), self._loop).result(DRAIN_S + 10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._disk.shutdown()
        if not self._thread.is_alive():
            self._loop.close()

    async def _wind_up(self) -> None:
        self._closing = True
        self._heart.cancel()
        until = self._loop.time() + DRAIN_S
        while self._tasks & self._flying and self._loop.time() < until:
            self._drop(self._tasks - self._flying)  # also those whose try has failed meanwhile
            await asyncio.wait(self._tasks, timeout=DRAIN_STEP_S)
        self._drop(self._tasks)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1)
        if self._committing is not None:
            await self._committing
        for provider in self._providers.values():
            await provider.close()

    def _drop(self, tasks: Collection[asyncio.Task[None]]) -> None:
        for task in tasks:
            task.cancel()


def open_provider(config: ModelsConfig, name: str, load_media: LoadMedia) -> Provider:
    """The provider of that name, with as many connections as its models have slots.  Call it inside the event loop that
    uses it.  Raises: BadRequest if it is not configured, or its package or its key is missing."""
    settings = config.providers.get(name)
    if settings is None:
        known = ", ".join(sorted(config.providers)) or "none"
        raise BadRequest(f"provider {name[:100]!r} is not in models.toml; there are: {known}")
    kind = PROVIDERS[settings.kind]
    missing = kind.installed() or config.missing_key(name)
    if missing is not None:
        raise BadRequest(f"provider {name}: {missing}")
    slots = sum(model.concurrency for model in config.models.values() if model.provider == name)
    return kind.open(settings, config.secret(name), load_media, max(slots, 1))
