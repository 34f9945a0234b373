"""How fast a model is asked, and how often again: slots, rates, circuit breaker and the one retry layer.

One lane a model. A slot is held from the sending of a call until its reply is durable, never while a call waits to be
tried again, so that faults of some calls do not stop the others.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import stamina

from resources.llm.faults import ProviderFault
from stepforge.vocabulary import ModelFailureKind

R = TypeVar("R")

WAIT_FIRST_S, WAIT_MOST_S, JITTER_S = 0.1, 30.0, 0.4
THROTTLED_FIRST_S = 0.5  # after a 429 that does not say how long; doubled with each more that the call meets
BURST_S = 1.0  # of the rate that an idle lane may use at once; every minute stays within a second of its limit
THROTTLED_IN_A_ROW = 4  # 429s with no success between them: the whole model is throttled, not this one call
TRIPS_IN_A_ROW = 8
HOPELESS_IN_A_ROW = 8  # a wrong key or an account without credit: the next request will fare no better
OPEN_FIRST_S, OPEN_MOST_S = 1.0, 30.0


class Limits(Protocol):
    """What a lane needs to know of its model."""

    @property
    def concurrency(self) -> int: ...  # noqa: D102
    @property
    def requests_per_minute(self) -> int | None: ...  # noqa: D102
    @property
    def tokens_per_minute(self) -> int | None: ...  # noqa: D102
    @property
    def timeout_s(self) -> float: ...  # noqa: D102
    @property
    def deadline_s(self) -> float: ...  # noqa: D102
    @property
    def attempts(self) -> int: ...  # noqa: D102


class Breaker:
    """Keeps calls from a provider that is down: after faults in a row it opens, lets one probe through after a wait
    that doubles, and closes with the first success.  One that stays open longer than `give_up_s` ends calls at once."""

    def __init__(self, give_up_s: float, clock: Callable[[], float]) -> None:
        self._give_up_s, self._clock = give_up_s, clock
        self._faults = 0
        self._down_since: float | None = None
        self._next_probe = 0.0
        self._wait_s = OPEN_FIRST_S
        self.last_fault = ""

    @property
    def is_open(self) -> bool:
        """Whether calls are kept back."""
        return self._down_since is not None

    def wait_s(self) -> float:
        """How long a call has to wait before it asks again; 0 means that it may go (as the probe, if open).
        Raises: ProviderFault if the provider has been down for too long."""
        if self._down_since is None:
            return 0.0
        now = self._clock()
        if now < self._next_probe:
            if now - self._down_since > self._give_up_s:
                raise ProviderFault(
                    ModelFailureKind.PROVIDER_ERROR,
                    f"the provider has been failing for {now - self._down_since:.0f} s ({self.last_fault}); "
                    "build again when it works",
                    retryable=False,
                )
            return min(self._next_probe - now, 1.0)
        self._wait_s = min(2 * self._wait_s, OPEN_MOST_S)
        self._next_probe = now + self._wait_s
        return 0.0

    def succeeded(self) -> None:
        """The provider answered."""
        self._faults, self._down_since, self._wait_s = 0, None, OPEN_FIRST_S

    def failed(self, fault: ProviderFault) -> None:
        """The provider failed in a way that speaks against it."""
        self._faults += 1
        self.last_fault = fault.detail
        if self._faults >= TRIPS_IN_A_ROW and self._down_since is None:
            self._down_since = self._clock()
            self._next_probe = self._down_since + self._wait_s


class Pace:
    """Spreads amounts evenly over time (the generic cell rate algorithm): whoever takes some is told when to go.
    None: without limit."""

    def __init__(self, per_minute: int | None) -> None:
        self._seconds_each = None if per_minute is None else 60 / per_minute
        self._next = float("-inf")

    def take(self, amount: int, now: float) -> float:
        """Seconds to wait before going.  An amount beyond a minute's rate goes, too, and holds up those behind it."""
        if self._seconds_each is None:
            return 0.0
        start = max(self._next, now - BURST_S)
        self._next = start + amount * self._seconds_each
        return max(start - now, 0.0)


@dataclass
class _Tries:
    """What one call has met.  began: its first try; the deadline counts from it, and waiting for a turn costs none of
    it.  throttled: answers that said it is too much, and not for how long."""

    began: float | None = None
    throttled: int = 0


class Lane:
    """The calls of one model.  Belongs to one event loop."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._breaker = Breaker(limits.deadline_s, _now)
        self._requests = Pace(limits.requests_per_minute)
        self._tokens = Pace(limits.tokens_per_minute)
        self._throttled = self._hopeless = 0
        self._paused_until = 0.0
        self.retries = 0

    async def run(self, attempt: Callable[[], Awaitable[R]], keep: Callable[[R], Awaitable[None]], tokens: int) -> R:
        """The result of the first attempt that succeeds, after `keep` has made it durable.

        attempt: one try, which raises ProviderFault.  tokens: what the call counts for the token rate.
        Raises: the last ProviderFault."""
        tries = _Tries()
        made: list[ProviderFault] = []
        try:
            return await self._try(attempt, keep, tokens, tries)
        except ProviderFault as fault:  # most calls need no more, and go without the machinery of a second try
            made.append(fault)
        async for trial in stamina.retry_context(
            on=lambda error: self._backoff(error, tries),
            attempts=self._limits.attempts,
            timeout=None,
            wait_initial=WAIT_FIRST_S,
            wait_max=WAIT_MOST_S,
            wait_jitter=JITTER_S,
        ):
            with trial:
                if made:
                    raise made.pop()
                return await self._try(attempt, keep, tokens, tries)
        raise AssertionError("stamina re-raises the last fault")

    async def _try(
        self,
        attempt: Callable[[], Awaitable[R]],
        keep: Callable[[R], Awaitable[None]],
        tokens: int,
        tries: _Tries,
    ) -> R:
        async with self._slots:
            await self._permission(tokens)
            tries.began = tries.began if tries.began is not None else _now()
            result = await self._once(attempt)
            await keep(result)
            return result

    async def _permission(self, tokens: int) -> None:
        if self._hopeless >= HOPELESS_IN_A_ROW:
            told = f"not sent, because the {self._hopeless} requests before met the same: {self._breaker.last_fault}"
            raise ProviderFault(ModelFailureKind.PROVIDER_ERROR, told, retryable=False)
        while (wait_s := self._paused_until - _now()) > 0 or (wait_s := self._breaker.wait_s()) > 0:
            await asyncio.sleep(wait_s)
        if (wait_s := max(self._requests.take(1, _now()), self._tokens.take(tokens, _now()))) > 0:
            await asyncio.sleep(wait_s)

    async def _once(self, attempt: Callable[[], Awaitable[R]]) -> R:
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                result = await attempt()
        except TimeoutError:
            fault = ProviderFault(
                ModelFailureKind.TIMED_OUT, f"no reply within {self._limits.timeout_s:g} s", retryable=True
            )
            raise fault from None
        except ProviderFault as fault:
            self._learn(fault)
            raise
        self._breaker.succeeded()
        self._throttled = self._hopeless = 0
        return result

    def _learn(self, fault: ProviderFault) -> None:
        if fault.trips:
            self._breaker.failed(fault)
        elif fault.kind is ModelFailureKind.PROVIDER_ERROR and not fault.retryable:
            self._hopeless += 1
            self._breaker.last_fault = fault.detail
        if fault.kind is ModelFailureKind.RATE_LIMITED:
            self._throttled += 1
            if self._throttled >= THROTTLED_IN_A_ROW:
                self._paused_until = _now() + min(fault.retry_after_s or THROTTLED_FIRST_S, WAIT_MOST_S)

    def _backoff(self, error: Exception, tries: _Tries) -> bool | float:
        """Whether the call is tried again, and after how long where the provider says so or is busy."""
        if not isinstance(error, ProviderFault) or not error.retryable:
            return False
        wait_s = error.retry_after_s
        if wait_s is None and error.kind is ModelFailureKind.RATE_LIMITED:
            wait_s = min(THROTTLED_FIRST_S * 2.0**tries.throttled, WAIT_MOST_S) + random.uniform(0, JITTER_S)  # noqa: S311
            tries.throttled += 1
        if tries.began is not None and _now() + (wait_s or 0) - tries.began > self._limits.deadline_s:
            return False
        self.retries += 1
        return True if wait_s is None else wait_s


def _now() -> float:
    """Seconds of the running loop's clock, on which everything here waits."""
    return asyncio.get_running_loop().time()
