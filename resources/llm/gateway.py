"""Requests in, replies and typed failures out: the one way to a model.

For each request the store is asked first. What is not there is claimed, so that no other process sends the same, sent,
made durable, and only then read. A request that another live process is getting is waited for. Nothing here raises
because of what a model or a provider did; that is a `ModelFailure` of its request.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import TracebackType
from typing import NamedTuple

from resources.llm._owners import new_owner
from resources.llm.batch import Jobs
from resources.llm.budget import Budget, Estimate, estimate
from resources.llm.calls import Call
from resources.llm.config import ModelsConfig
from resources.llm.desk import AT_ONCE, Desk, NotInStore, Shop
from resources.llm.engine import DRAIN_S, Booking, Engine
from resources.llm.outbox import Outbox
from resources.llm.prices import Price, Prices
from resources.llm.providers import LoadMedia
from resources.llm.schemas import strict_schema
from resources.llm.store import ReplyStore, StoredReply
from stepforge.asking import Answered, ModelReply, ModelRequest
from stepforge.records import Record

__all__ = ["Gateway", "NotInStore", "Totals"]


class Totals(NamedTuple):
    """What a gateway did so far.  `cost_pico_usd` is what all replies used cost when they were paid, `paid_pico_usd`
    what was paid now."""

    from_store: int = 0
    sent: int = 0
    failed: int = 0
    retries: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_pico_usd: int = 0
    paid_pico_usd: int = 0
    unpriced: int = 0
    sent_again: int = 0  # taken over from a process that died: their replies may have been paid and lost


class Gateway(AbstractContextManager["Gateway"]):
    """The models of a configuration, for one stage of one run.  Used from one thread.

    run: what the budget counts together; a run that is started again under its name goes on with what it has spent.
    replay_only: nothing is sent; a reply that is not stored is an error that names its request."""

    def __init__(
        self,
        config: ModelsConfig,
        store: ReplyStore,
        load_media: LoadMedia,
        *,
        run: str,
        stage: str | None = None,
        partition: str | None = None,
        replay_only: bool = False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        tell: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._config, self._store, self._load_media = config, store, load_media
        self._booking, self._partition = Booking(run, stage), partition
        self._now, self._tell = now, tell
        self._owner = new_owner()
        self._prices = Prices.load()
        self._engine: Engine | None = None
        self._outbox: Outbox | None = None
        gc.freeze()  # what is loaded stays: or collecting the garbage of many calls walks all of it each time
        self._totals = Totals()
        self._rounds: set[Desk] = set()
        self._budget = Budget(config, self._prices, store, run, now().date())
        self._shop = Shop(
            config,
            store,
            self._owner,
            replay_only,
            self._running,
            self._posting,
            self._count,
            self._again,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it; replies that are on their way are waited for, because they are paid."""
        if self._engine is not None:
            self._totals = self.totals
            self._engine.close()
            self._engine = None
        while self._rounds:  # also of an iterator that somebody still holds: others must not wait for what it claimed
            self._store.release(self._rounds.pop().end(), self._owner)

    @property
    def totals(self) -> Totals:
        """What was done so far."""
        if self._engine is None:
            return self._totals
        return self._totals._replace(
            retries=self._totals.retries + self._engine.retries,
            paid_pico_usd=self._totals.paid_pico_usd + self._engine.paid_pico_usd,
        )

    def price_of(self, call: Call) -> Price | None:
        """Price of the call's model today, from the configuration or the table."""
        return self._prices.of_configured(self._config, call.model_name, self._now().date())

    def estimate(self, requests: Iterable[ModelRequest], reply_type: type[Record] | None = None) -> Estimate:
        """What the requests would cost: how many replies are stored, what the others may use.  Sends nothing."""
        schema = strict_schema(reply_type) if reply_type else None
        calls = [self._config.resolve(request, schema) for request in requests]
        known: set[str] = set()
        for start in range(0, len(calls), AT_ONCE):
            known |= self._store.get_many([call.key for call in calls[start : start + AT_ONCE]]).keys()
        return estimate(calls, known, self._config, self._prices, self._now().date(), self._store)

    def ask_all(self, requests: Iterable[ModelRequest], reply_type: type[Record] | None = None) -> dict[str, Answered]:
        """What came of every request, by its id."""
        return {answered.request_id: answered for answered in self.ask(requests, reply_type)}

    def ask(self, requests: Iterable[ModelRequest], reply_type: type[Record] | None = None) -> Iterator[Answered]:
        """One reply or failure for each request, as they come; memory does not grow with the number of requests.

        reply_type: the record that a reply has to be.  A reply that is none is mended once by a follow-up call.
        Raises: NotInStore in a replay; BadRequest for an unknown role, a missing key or a budget without a price."""
        desk = Desk(self._shop, strict_schema(reply_type) if reply_type else None, reply_type)
        self._rounds.add(desk)
        try:
            yield from desk.serve(requests)
        finally:
            if desk in self._rounds:  # or it was closed before
                if desk.is_waiting:  # whoever asked has gone: replies on their way are kept, the rest is not sent
                    if self._engine is not None:
                        self._tell(f"stopping: replies on their way are paid, and waited for, {DRAIN_S:.0f} s at most")
                    self.close()
                self._store.release(desk.end(), self._owner)
                self._rounds.discard(desk)

    def _running(self) -> Engine:
        """The engine, started when something has to be sent."""
        if self._engine is None:
            self._engine = Engine(
                self._config,
                self._store,
                self._load_media,
                owner=self._owner,
                booking=self._booking,
                budget=self._budget,
                price_of=self.price_of,
                now=self._now,
            )
        return self._engine

    def _posting(self) -> Outbox:
        """Where requests go that travel in a batch."""
        if self._outbox is None:
            jobs = Jobs(self._config, self._store, self._prices, self._now)
            self._outbox = Outbox(
                self._store,
                jobs,
                self._running,
                self._budget,
                self._load_media,
                self._booking,
                self._partition,
                self._now,
            )
        return self._outbox

    def _count(self, answered: Answered, used: tuple[StoredReply, ...], sent: bool) -> None:
        t = self._totals
        ok = isinstance(answered, ModelReply)
        self._totals = t._replace(
            from_store=t.from_store + (bool(used) and not sent),
            sent=t.sent + sent,
            failed=t.failed + (not ok),
            tokens_in=t.tokens_in + answered.tokens_in,
            tokens_out=t.tokens_out + answered.tokens_out,
            cost_pico_usd=t.cost_pico_usd + sum(reply.cost_pico_usd or 0 for reply in used),
            unpriced=t.unpriced + any(reply.cost_pico_usd is None for reply in used),
        )

    def _again(self, n: int) -> None:
        self._totals = self._totals._replace(sent_again=self._totals.sent_again + n)
