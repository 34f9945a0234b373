"""Slots, rates, retries and the circuit breaker, on a clock that jumps."""

import asyncio
from bisect import bisect_left
from itertools import pairwise
from types import SimpleNamespace

import pytest

from resources.llm.faults import ProviderFault
from resources.llm.flow import (
    HOPELESS_IN_A_ROW,
    OPEN_FIRST_S,
    OPEN_MOST_S,
    THROTTLED_IN_A_ROW,
    TRIPS_IN_A_ROW,
    Breaker,
    Lane,
)
from stepforge.vocabulary import ModelFailureKind
from tests.virtual_time import now, run

DOWN = ProviderFault(ModelFailureKind.PROVIDER_ERROR, "answered 503", retryable=True, trips=True)
THROTTLED = ProviderFault(ModelFailureKind.RATE_LIMITED, "answered 429", retryable=True, retry_after_s=20)
BAD = ProviderFault(ModelFailureKind.BAD_REQUEST, "answered 400", retryable=False)
NO_CREDIT = ProviderFault(ModelFailureKind.PROVIDER_ERROR, "the account needs credit", retryable=False)


def limits(**given):
    defaults = {
        "concurrency": 4,
        "requests_per_minute": None,
        "tokens_per_minute": None,
        "timeout_s": 60.0,
        "deadline_s": 900.0,
        "attempts": 6,
    }
    return SimpleNamespace(**{**defaults, **given})


async def kept(_result):
    """Durable at once."""


class Script:
    """A provider that does what is written: a fault, or seconds until its reply.  Notes when each try began."""

    def __init__(self, *acts):
        self.acts, self.began = list(acts), []

    async def __call__(self):
        self.began.append(now())
        act = self.acts.pop(0) if self.acts else 0
        if isinstance(act, ProviderFault):
            raise act
        await asyncio.sleep(act)
        return "reply"


def test_a_call_is_tried_again_until_it_succeeds_with_waits_that_grow():
    script = Script(DOWN, DOWN, DOWN)

    async def work():
        lane = Lane(limits())
        assert await lane.run(script, kept, 10) == "reply"
        return lane.retries

    assert run(work()) == 3
    waits = [b - a for a, b in pairwise(script.began)]
    assert len(waits) == 3
    assert 0.1 <= waits[0] <= 0.5
    assert 0.4 <= waits[2] <= 0.8


def test_no_more_tries_than_allowed_and_none_of_what_cannot_succeed():
    for fault, expected in ((DOWN, 3), (BAD, 1)):
        script = Script(*[fault] * 9)

        async def work(script=script):
            await Lane(limits(attempts=3)).run(script, kept, 10)

        with pytest.raises(ProviderFault):
            run(work())
        assert len(script.began) == expected


def test_retry_after_is_kept_to_the_second():
    script = Script(THROTTLED)
    run(_once(script))
    assert script.began == [0, 20]


def test_a_429_that_does_not_say_how_long_is_given_ever_more_time():
    silent = ProviderFault(ModelFailureKind.RATE_LIMITED, "answered 429", retryable=True)
    script = Script(silent, silent, silent)
    run(_once(script))
    waits = [b - a for a, b in pairwise(script.began)]
    for wait, least in zip(waits, (0.5, 1, 2), strict=True):
        assert least <= wait <= least + 0.5


async def _once(script, **given):
    return await Lane(limits(**given)).run(script, kept, 10)


def test_a_call_that_waits_to_be_tried_again_holds_no_slot():
    async def work():
        lane = Lane(limits(concurrency=1))
        first = asyncio.create_task(lane.run(Script(THROTTLED), kept, 10))
        await asyncio.sleep(0)
        await lane.run(Script(1), kept, 10)
        second_done = now()
        await first
        return second_done, now()

    assert run(work()) == (1, 20)


def test_a_slot_is_held_until_the_reply_is_durable():
    async def work():
        lane, written = Lane(limits(concurrency=1)), asyncio.Event()
        second = Script()

        async def keep(_result):
            await written.wait()

        tasks = [asyncio.create_task(lane.run(Script(), keep, 10)), asyncio.create_task(lane.run(second, kept, 10))]
        await asyncio.sleep(50)
        assert second.began == []
        written.set()
        await asyncio.gather(*tasks)
        return second.began

    assert run(work()) == [50]


def test_a_stalled_call_ends_at_its_time_limit_and_is_tried_again():
    script = Script(10_000)
    run(_once(script, timeout_s=30))
    assert len(script.began) == 2
    assert 30 <= script.began[1] <= 31


def test_a_call_that_never_answers_is_timed_out():
    with pytest.raises(ProviderFault) as caught:
        run(_once(Script(10_000, 10_000), timeout_s=30, attempts=2))
    assert caught.value.kind is ModelFailureKind.TIMED_OUT


def test_the_deadline_counts_from_the_first_try_and_not_from_the_wait_for_a_slot():
    async def work():
        lane = Lane(limits(concurrency=1, timeout_s=1000, deadline_s=100))
        blocker = asyncio.create_task(lane.run(Script(500), kept, 10))
        await asyncio.sleep(0)
        late = Script(DOWN)
        assert await lane.run(late, kept, 10) == "reply"
        await blocker
        return late.began

    began = run(work())
    assert began[0] == 500
    assert len(began) == 2


def test_a_retry_after_beyond_the_deadline_is_not_waited_for():
    script = Script(THROTTLED, THROTTLED)
    with pytest.raises(ProviderFault):
        run(_once(script, deadline_s=30, timeout_s=5))
    assert script.began == [0, 20]


def _most_in_a_minute(began):
    ends = [bisect_left(began, start + 60) for start in began]
    return max(end - i for i, end in enumerate(ends))


@pytest.mark.parametrize("per_minute", [6, 30, 600])
def test_no_minute_has_more_requests_than_the_rate_and_one_burst(per_minute):
    script = Script()

    async def work():
        lane = Lane(limits(concurrency=64, requests_per_minute=per_minute))
        await asyncio.gather(*(lane.run(script, kept, 10) for _ in range(3 * per_minute)))

    run(work())
    assert per_minute * 0.9 <= _most_in_a_minute(script.began) <= per_minute * 61 / 60 + 1


def test_tokens_a_minute_are_kept_and_a_call_larger_than_the_rate_still_goes():
    script = Script()

    async def work():
        lane = Lane(limits(concurrency=64, tokens_per_minute=60_000))
        await asyncio.gather(*(lane.run(script, kept, 500) for _ in range(360)))
        assert now() >= 170
        await lane.run(script, kept, 10**9)
        assert now() < 190

    run(work())
    assert _most_in_a_minute(script.began[:360]) * 500 <= 61_500


def test_one_throttled_call_stops_itself_and_several_in_a_row_stop_the_lane():
    async def work(throttled):
        lane = Lane(limits(concurrency=8))
        waiting = [asyncio.create_task(lane.run(Script(THROTTLED), kept, 10)) for _ in range(throttled)]
        await asyncio.sleep(1)
        other = Script()
        await lane.run(other, kept, 10)
        await asyncio.gather(*waiting)
        return other.began

    assert run(work(THROTTLED_IN_A_ROW - 1)) == [1]
    assert run(work(THROTTLED_IN_A_ROW)) == [20]


def test_an_account_without_credit_is_found_out_once_for_all():
    async def work():
        lane, tried = Lane(limits(concurrency=1)), 0
        for _ in range(100):
            script = Script(NO_CREDIT)
            with pytest.raises(ProviderFault, match="credit"):
                await lane.run(script, kept, 10)
            tried += len(script.began)
        return tried

    assert run(work()) == HOPELESS_IN_A_ROW


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_the_breaker_opens_after_faults_in_a_row_lets_one_probe_through_and_closes_with_a_success():
    clock = Clock()
    breaker = Breaker(900, clock)
    for _ in range(TRIPS_IN_A_ROW - 1):
        breaker.failed(DOWN)
    assert breaker.wait_s() == 0
    assert not breaker.is_open
    breaker.failed(DOWN)
    assert breaker.is_open
    assert breaker.wait_s() > 0
    clock.now = OPEN_FIRST_S
    assert breaker.wait_s() == 0  # the probe
    assert breaker.wait_s() > 0  # and no other beside it
    breaker.succeeded()
    assert not breaker.is_open
    assert breaker.wait_s() == 0


def test_a_success_between_faults_keeps_the_breaker_closed():
    breaker = Breaker(900, Clock())
    for _ in range(100):
        for _ in range(TRIPS_IN_A_ROW - 1):
            breaker.failed(DOWN)
        breaker.succeeded()
    assert not breaker.is_open


def test_probes_come_ever_more_rarely_and_after_the_deadline_calls_end_at_once():
    clock, probes = Clock(), []
    breaker = Breaker(300, clock)
    for _ in range(TRIPS_IN_A_ROW):
        breaker.failed(DOWN)
    while clock.now < 300:
        if breaker.wait_s() == 0:
            probes.append(clock.now)
            breaker.failed(DOWN)
        clock.now += 0.5
    gaps = [b - a for a, b in pairwise(probes)]
    assert gaps == sorted(gaps)
    assert max(gaps) <= OPEN_MOST_S + 0.5
    assert len(probes) < 20
    clock.now += OPEN_MOST_S
    assert breaker.wait_s() == 0  # a probe is due, also now
    with pytest.raises(ProviderFault, match="failing for") as caught:
        breaker.wait_s()
    assert not caught.value.retryable


def test_an_outage_costs_a_few_tries_and_not_one_for_every_call():
    script = Script(*[DOWN] * 10_000)

    async def work():
        lane = Lane(limits(concurrency=16, deadline_s=120, attempts=50))
        results = await asyncio.gather(*(lane.run(script, kept, 10) for _ in range(400)), return_exceptions=True)
        return {type(r) for r in results}, now()

    kinds, took = run(work())
    assert kinds == {ProviderFault}
    assert len(script.began) < 60
    assert took < 1000
