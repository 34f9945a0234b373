"""What a run may cost: checked before a call is sent, against what is spent and the worst of what is on its way.

The worst of a call is all its input at the dearest input price and `max_output_tokens` at the output price. What was
spent is what the store says of the run, with the worst case of its batch jobs that are not collected yet: a run that is
started again, or that several processes share, has one budget.
Processes do not see what the others have on its way: a limit can be passed by the calls in flight of all but one of
them. What a provider bills for a reply that never arrived is known to the provider alone.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from resources.llm.calls import Call
from resources.llm.config import Mode, ModelsConfig
from resources.llm.prices import Price, Prices, usd
from resources.llm.providers import Usage
from resources.llm.store import PICO, ReplyStore
from resources.llm.tokens import Tokens, tokens_of
from stepforge.errors import BadRequest

REREAD_S = 5.0  # how old what other processes spent may be
REPAIR_AT_MOST = 4_000  # tokens of the request to mend a reply, beside the reply itself
OUTPUT_TOKENS = 1_000  # expected of a reply where the store has none of its role: a solution with its steps


class OverBudget(Exception):
    """A call that was not sent because it might pass a limit: `ModelFailureKind.OVER_BUDGET`."""


@dataclass(eq=False)
class Reservation:
    """What is put aside for a call that is on its way.  tokens: what it counts for a rate of tokens a minute."""

    role: str
    pico: int
    tokens: int
    open: bool = True


class _Account:
    """One limit with what counts against it, in picodollars."""

    def __init__(self, limit: int, key: str) -> None:
        self.limit, self.key = limit, key
        self.spent = self.reserved = 0

    def refusal(self, pico: int) -> str | None:
        if self.spent + self.reserved + pico <= self.limit:
            return None
        return (
            f"the budget {self.key} = {usd(self.limit)} USD would be passed: {usd(self.spent)} spent, "
            f"{usd(self.reserved)} put aside for calls on their way, {usd(pico)} at most for this one; "
            "raise it in models.toml and build again"
        )


class Budget:
    """The limits of a run and of its roles.  May be used from any thread.

    today: the day whose prices hold.  clock: seconds, for how old the store's sums are."""

    def __init__(
        self,
        config: ModelsConfig,
        prices: Prices,
        store: ReplyStore,
        run: str,
        today: date,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config, self._prices, self._store, self._run, self._today = config, prices, store, run, today
        self._clock = clock
        self._lock = threading.Lock()
        limit = config.budget.run_usd
        self._of_run = None if limit is None else _Account(_pico(limit), "[budget] run_usd")
        self._of_role = {
            name: _Account(_pico(role.budget_usd), f"[roles.{name}] budget_usd")
            for name, role in config.roles.items()
            if role.budget_usd is not None
        }
        self._read_at: float | None = None
        self._settled: dict[str, int] = {}  # picodollars by role, of this process

    def reserve(self, call: Call, *, batch: bool = False) -> Reservation:
        """Put the worst case of the call aside.  Raises: OverBudget if a limit might be passed; BadRequest if there is
        a limit and no worst case: no known price, or no bound of the output."""
        tokens = tokens_of(call)
        counted = tokens.expected + (call.sampling.max_output_tokens or OUTPUT_TOKENS)
        role = call.request.role
        accounts = self._accounts(role)
        if not accounts:
            return Reservation(role, 0, counted)
        pico = self._worst_case(call, tokens, accounts[0].key, batch=batch)
        self.reread()
        with self._lock:
            refused = next((told for account in accounts if (told := account.refusal(pico))), None)
            if refused is not None:
                raise OverBudget(refused)
            for account in accounts:
                account.reserved += pico
        return Reservation(role, pico, counted)

    def settle(self, reservation: Reservation, actual_pico: int) -> None:
        """Book what the reply did cost, after it is durable, in place of what was put aside."""
        with self._lock:
            self._release(reservation)
            for account in self._accounts(reservation.role):
                account.spent += actual_pico
            self._settled[reservation.role] = self._settled.get(reservation.role, 0) + actual_pico

    def hand_over(self, reservation: Reservation) -> None:
        """Count no longer here what was put aside for a call of a batch: its job is written down, and counts it."""
        self.settle(reservation, reservation.pico)

    def cancel(self, reservation: Reservation) -> None:
        """Give back what was put aside for a call that brought no reply."""
        with self._lock:
            self._release(reservation)

    def spent_pico(self, role: str | None = None) -> int | None:
        """What counts as spent against the limit of the role (of the run if None); None if there is no such limit."""
        self.reread()
        account = self._of_run if role is None else self._of_role.get(role)
        return None if account is None else account.spent

    def _accounts(self, role: str) -> list[_Account]:
        return [account for account in (self._of_role.get(role), self._of_run) if account is not None]

    def _release(self, reservation: Reservation) -> None:
        if reservation.open:
            reservation.open = False
            for account in self._accounts(reservation.role):
                account.reserved -= reservation.pico

    def _worst_case(self, call: Call, tokens: Tokens, limit: str, *, batch: bool) -> int:
        price = self._prices.of_call(self._config, call, self._today)
        if price is None:
            raise BadRequest(unpriced(call.model_name, limit))
        pico = at_most_pico(call, tokens, price, batch=batch)
        if pico is None:
            raise BadRequest(
                f"there is a budget {limit}, and nothing bounds what role {call.request.role!r} may cost: "
                f"set max_output_tokens in [roles.{call.request.role}]"
            )
        return pico

    @property
    def is_old(self) -> bool:
        """Whether there is a limit, and the next `reserve` asks the store what was spent, which may take a while."""
        return (self._of_run is not None or bool(self._of_role)) and self._is_old(self._clock())

    def _is_old(self, now: float) -> bool:
        return self._read_at is None or now - self._read_at >= REREAD_S

    def reread(self) -> None:
        """Take over what the store says was spent, by this process and by others, unless that was done just now."""
        with self._lock:
            now = self._clock()
            if not self._is_old(now):
                return
            before = dict(self._settled)
        # not under the lock: what is settled meanwhile may be counted twice until the next time, never not at all
        jobs = [job for job in self._store.jobs(open_only=True) if job.run == self._run]
        of_run = 0 if self._of_run is None else self._store.spent(self._run).cost_pico_usd
        of_run += sum(job.reserved_pico_usd for job in jobs)
        of_role = {
            role: self._store.spent(self._run, role).cost_pico_usd
            + sum(job.reserved_pico_usd for job in jobs if job.role == role)
            for role in self._of_role
        }
        with self._lock:
            self._read_at = now
            since = {role: pico - before.get(role, 0) for role, pico in self._settled.items()}
            if self._of_run is not None:
                self._of_run.spent = of_run + sum(since.values())
            for role, account in self._of_role.items():
                account.spent = of_role[role] + since.get(role, 0)


def unpriced(model_name: str, limit: str) -> str:
    """What to do about a budget on a model without a price."""
    return (
        f"there is a budget {limit}, and the price of model {model_name!r} is not known: write input_usd_per_million "
        f'and output_usd_per_million into [models."{model_name}"] of models.toml ("0" if it costs nothing), '
        "or remove the budget"
    )


def at_most_pico(call: Call, tokens: Tokens, price: Price, *, batch: bool) -> int | None:
    """Picodollars that the call cannot exceed; None if its output has no bound and a price."""
    out = call.sampling.max_output_tokens
    if out is None:
        if price.at_most_pico(0, 1, batch=batch):
            return None
        out = 0
    return price.at_most_pico(tokens.at_most, out, audio=tokens.audio_at_most, batch=batch)


class Estimate(NamedTuple):
    """What requests will cost.  in_store: of `requests`, those whose reply is there or that are the same as another.
    unpriced: of `to_send`, those whose model has no known price; they are in no sum.  pico_at_most: None if nothing
    bounds it.  tokens: expected, in and out."""

    requests: int
    in_store: int
    to_send: int
    tokens: int
    pico_expected: int
    pico_at_most: int | None
    unpriced: int
    priced_on: date

    @property
    def usd_expected(self) -> Decimal:
        """Expected cost."""
        return Decimal(self.pico_expected) / PICO

    @property
    def usd_at_most(self) -> Decimal | None:
        """What it cannot exceed."""
        return None if self.pico_at_most is None else Decimal(self.pico_at_most) / PICO

    def __str__(self) -> str:
        most = "with no upper bound" if self.usd_at_most is None else f"at most {self.usd_at_most:,.2f} USD"
        tail = f"prices of {self.priced_on}" + (f"; {self.unpriced:,} without one" if self.unpriced else "")
        return (
            f"{self.requests:,} requests: {self.in_store:,} in the store, {self.to_send:,} to send, "
            f"about {self.tokens:,} tokens, about {self.usd_expected:,.2f} USD, {most} ({tail})"
        )


def estimate(
    calls: Iterable[Call],
    known_keys: Collection[str],
    config: ModelsConfig,
    prices: Prices,
    on: date,
    store: ReplyStore | None = None,
) -> Estimate:
    """What the calls will cost of which `known_keys` have a stored reply.  store: where the mean length of a role's
    earlier replies is read.  A reply that breaks its schema is mended by a second call: the upper bound has both."""
    seen: set[str] = set()
    out_of: dict[str, int] = {}
    requests = to_send = tokens = expected = without = 0
    at_most: int | None = 0
    for call in calls:
        requests += 1
        if call.key in known_keys or call.key in seen:
            continue
        seen.add(call.key)
        to_send += 1
        role = call.request.role
        if role not in out_of:
            out_of[role] = _mean_output(store, role)
        sent, out = tokens_of(call), min(out_of[role], call.sampling.max_output_tokens or out_of[role])
        tokens += sent.expected + out
        price = prices.of_call(config, call, on)
        if price is None:
            without += 1
            continue
        batch = config.role(role).mode is Mode.BATCH
        expected += price.cost_pico(Usage(tokens_in=sent.expected, tokens_out=out), batch=batch)
        worst = _with_repair(call, sent, price, batch=batch)
        at_most = None if at_most is None or worst is None else at_most + worst
    return Estimate(
        requests,
        requests - to_send,
        to_send,
        tokens,
        expected,
        at_most if not without else None,
        without,
        prices.checked_on,
    )


def _with_repair(call: Call, sent: Tokens, price: Price, *, batch: bool) -> int | None:
    once = at_most_pico(call, sent, price, batch=batch)
    if once is None or call.schema is None:
        return once
    out = call.sampling.max_output_tokens or 0
    mending = sent._replace(at_most=sent.at_most + out + REPAIR_AT_MOST)
    again = at_most_pico(call, mending, price, batch=False)
    return None if again is None else once + again


def _mean_output(store: ReplyStore | None, role: str) -> int:
    spent = None if store is None else store.spent(None, role)
    return spent.tokens_out // spent.calls if spent is not None and spent.calls else OUTPUT_TOKENS


def _pico(amount_usd: Decimal) -> int:
    return int(amount_usd * PICO)
