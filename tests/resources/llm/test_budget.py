import hashlib
import threading
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.llm.budget import REREAD_S, Budget, OverBudget, estimate
from resources.llm.calls import Schema
from resources.llm.config import ModelsConfig
from resources.llm.prices import Prices
from resources.llm.providers import Usage
from resources.llm.store import PICO, JobState, Payment, Spent, StoredReply
from resources.llm.stores import open_store
from stepforge.asking import ModelRequest, Sampling, user
from stepforge.errors import BadRequest

TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, tzinfo=UTC)
PRICES = Prices.load()
USAGE = Usage(10, 0, 10)
CONFIG = """
[providers.openai]
kind = "openai"
[models.paid]
provider = "openai"
input_usd_per_million = "1"
output_usd_per_million = "10"
batch_factor = "0.5"
[models.gpt-5-mini]
provider = "openai"
[models.unknown]
provider = "openai"
[models.free]
provider = "openai"
input_usd_per_million = "0"
output_usd_per_million = "0"
[roles.solver]
model = "paid"
max_output_tokens = 1000
[roles.judge]
model = "gpt-5-mini"
max_output_tokens = 1000
budget_usd = "0.05"
[roles.endless]
model = "paid"
[roles.unpriced]
model = "unknown"
max_output_tokens = 1000
[roles.free]
model = "free"
"""


def config(run_usd=None, text=CONFIG):
    found = ModelsConfig.parse(text, Path("models.toml"))
    budget = found.budget.model_copy(update={"run_usd": None if run_usd is None else Decimal(run_usd)})
    return found.model_copy(update={"budget": budget})


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "replies.sqlite")
    yield opened
    opened.close()


class Empty:
    """A store in which nothing was paid."""

    def spent(self, *_of):
        return Spent(0, 0, 0, 0, 0)

    def jobs(self, **_which):
        return []


def budget(store, config, run="run-1", clock=None):
    return Budget(config, PRICES, store, run, TODAY, clock or Clock())


def call(config, role="solver", content="1 + 1?", *, sample=0, schema=None, **sampling):
    request = ModelRequest(
        request_id="r", role=role, messages=(user(content),), sample=sample, sampling=Sampling(**sampling)
    )
    return config.resolve(request, schema)


def pay(store, pico, *, run="run-1", role="solver", n=0, usage=USAGE):
    """A reply that was stored and paid, as by the gateway."""
    canonical = f"{run} {role} {n} {pico}".encode()
    key = hashlib.sha256(canonical).hexdigest()
    reply = StoredReply(key, canonical, "openai", "paid", b"{}", usage, pico, NOW, 0.1, None, None)
    store.put_many([(reply, Payment(key, run, role, "stage", pico, usage))], "owner")


def test_a_call_is_sent_while_its_worst_case_fits_and_not_after(store):
    found = config("0.025")
    counted = budget(store, found)
    held = [counted.reserve(call(found)) for _ in range(2)]  # 0.01 USD of output and some input each
    with pytest.raises(OverBudget, match=r"\[budget\] run_usd = 0.025 USD would be passed: 0 spent, 0.02\d* put aside"):
        counted.reserve(call(found))
    counted.settle(held[0], 0)
    counted.reserve(call(found))


def test_what_a_reply_did_cost_takes_the_place_of_what_was_put_aside(store):
    found = config("0.025")
    counted = budget(store, found)
    for n in range(15):
        reserved = counted.reserve(call(found))
        pay(store, PICO // 1000, n=n)
        counted.settle(reserved, PICO // 1000)
    assert counted.spent_pico() == 15 * PICO // 1000
    with pytest.raises(OverBudget, match=r"0.015 spent, 0 put aside"):
        counted.reserve(call(found))


def test_a_call_without_a_reply_gives_back_what_was_put_aside(store):
    found = config("0.0125")
    counted = budget(store, found)
    for _ in range(20):
        reserved = counted.reserve(call(found))
        counted.cancel(reserved)
        counted.cancel(reserved)  # nothing is given back twice
    held = counted.reserve(call(found))
    with pytest.raises(OverBudget):
        counted.reserve(call(found))
    counted.settle(held, 5)
    assert counted.spent_pico() == 5


def test_a_limit_of_a_role_holds_for_that_role_alone(store):
    found = config()
    counted = budget(store, found)
    asked = call(found, "judge")
    for _ in range(5 * PICO // 100 // budget(store, config("1")).reserve(asked).pico):
        counted.reserve(asked)
    with pytest.raises(OverBudget, match=r"\[roles.judge\] budget_usd = 0.05"):
        counted.reserve(asked)
    assert counted.reserve(call(found, "solver")).pico == 0


def test_both_limits_count_every_call_of_the_role(store):
    found = config("0.011")
    counted = budget(store, found)
    counted.reserve(call(found, "solver"))
    with pytest.raises(OverBudget, match="run_usd"):
        counted.reserve(call(found, "judge"))


def test_a_run_that_is_started_again_goes_on_with_what_it_has_spent(store):
    found = config("0.025")
    first = budget(store, found)
    for n in range(14):
        reserved = first.reserve(call(found))
        pay(store, PICO // 1000, n=n)
        first.settle(reserved, PICO // 1000)
    again = budget(store, found)
    assert again.spent_pico() == 14 * PICO // 1000
    again.reserve(call(found))
    with pytest.raises(OverBudget, match=r"0.014 spent"):
        again.reserve(call(found))
    assert budget(store, found, run="run-2").spent_pico() == 0


def test_what_another_process_of_the_run_pays_is_seen_after_some_seconds(store):
    found, clock = config("0.025"), Clock()
    counted = budget(store, found, clock=clock)
    counted.cancel(counted.reserve(call(found)))
    pay(store, 20 * PICO // 1000)
    counted.cancel(counted.reserve(call(found)))
    clock.now += REREAD_S
    with pytest.raises(OverBudget, match=r"0.02 spent"):
        counted.reserve(call(found))


def test_reading_the_store_again_counts_nothing_twice(store):
    found, clock = config("1"), Clock()
    counted = budget(store, found, clock=clock)
    for n in range(10):
        reserved = counted.reserve(call(found))
        pay(store, 7, n=n)
        counted.settle(reserved, 7)
        clock.now += REREAD_S / 3
        assert counted.spent_pico() == 7 * (n + 1)


def test_a_budget_on_a_model_without_a_price_is_an_error_that_says_what_to_write(store):
    found = config("5")
    with pytest.raises(BadRequest, match=r"price of model 'unknown' is not known: write input_usd_per_million"):
        budget(store, found).reserve(call(found, "unpriced"))
    assert budget(store, config()).reserve(call(found, "unpriced")).pico == 0


def test_a_budget_on_replies_without_a_bound_is_an_error_that_says_what_to_write(store):
    found = config("5")
    with pytest.raises(BadRequest, match=r"set max_output_tokens in \[roles.endless\]"):
        budget(store, found).reserve(call(found, "endless"))
    assert budget(store, found).reserve(call(found, "endless", max_output_tokens=10)).pico > 0


def test_what_costs_nothing_needs_no_bound_and_passes_no_limit(store):
    found = config("0")
    assert budget(store, found).reserve(call(found, "free")).pico == 0
    with pytest.raises(OverBudget):
        budget(store, found).reserve(call(found, "solver"))


def test_a_batch_puts_half_aside(store):
    found = config("5")
    counted = budget(store, found)
    online, batch = counted.reserve(call(found)), counted.reserve(call(found), batch=True)
    assert 2 * batch.pico == online.pico > 0


def job(found, reserved, state="running", n=0):
    asked = call(found)
    return JobState(
        f"job-{n}", "openai", asked.model_name, "solver", "run-1", "stage", None, state, None, None, 1, NOW, NOW,
        reserved_pico_usd=reserved,
    )  # fmt: skip


def test_a_batch_that_is_not_collected_counts_with_its_worst_case_in_every_process(store):
    found, clock = config("0.025"), Clock()
    counted = budget(store, found, clock=clock)
    reserved = [counted.reserve(call(found, sample=n), batch=True) for n in range(4)]
    posted = job(found, sum(r.pico for r in reserved))
    store.save_job(posted, [("0" * 64, b"{}")])
    for one in reserved:
        counted.hand_over(one)
    for counting in (counted, budget(store, found)):
        assert counting.spent_pico() == posted.reserved_pico_usd
        with pytest.raises(OverBudget):
            counting.reserve(call(found))
    clock.now += REREAD_S
    assert counted.spent_pico() == posted.reserved_pico_usd
    pay(store, 5)
    store.save_job(posted._replace(state="collected"))
    clock.now += REREAD_S
    assert counted.spent_pico() == 5
    assert budget(store, found, run="run-2").spent_pico() == 0


def test_a_call_counts_its_input_and_its_output_for_the_rate_of_tokens(store):
    found = config()
    assert budget(store, found).reserve(call(found, content="abcd" * 100)).tokens == 100 + 4 + 1000


def test_threads_together_never_pass_the_limit(store):
    found = config("0.5")
    counted = budget(store, found)
    most, lock, flying, refused = [0], threading.Lock(), [0], [0]

    def work(seed):
        random = Random(seed)
        for _ in range(40):
            try:
                reserved = counted.reserve(call(found))
            except OverBudget:
                refused[0] += 1
                continue
            with lock:
                flying[0] += reserved.pico
                most[0] = max(most[0], flying[0])
            if random.random() < 0.2:
                with lock:
                    flying[0] -= reserved.pico
                counted.cancel(reserved)
            else:
                actual = random.randrange(reserved.pico)
                with lock:
                    flying[0] += actual - reserved.pico
                counted.settle(reserved, actual)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0 < most[0] <= PICO // 2
    assert refused[0] > 0
    assert counted.spent_pico() == flying[0]


@given(st.lists(st.tuples(st.sampled_from(["reserve", "settle", "cancel"]), st.integers(0, 9)), max_size=40))
def test_spent_and_put_aside_never_pass_the_limit_whatever_the_order(steps):
    found, limit = config("0.05"), 5 * PICO // 100

    counted, open_ones, spent = budget(Empty(), found), [], 0
    for what, pick in steps:
        if what == "reserve":
            try:
                open_ones.append(counted.reserve(call(found)))
            except OverBudget:
                assert spent + sum(r.pico for r in open_ones) + counted_worst(found) > limit
        elif open_ones:
            reserved = open_ones.pop(pick % len(open_ones))
            if what == "settle":
                spent += reserved.pico * pick // 9
                counted.settle(reserved, reserved.pico * pick // 9)
            else:
                counted.cancel(reserved)
        assert spent + sum(r.pico for r in open_ones) <= limit
        assert counted.spent_pico() == spent


def counted_worst(found):
    return budget(Empty(), config("1")).reserve(call(found)).pico


# ---- the estimate


def test_an_estimate_counts_what_is_stored_what_is_the_same_and_what_is_sent():
    found = config()
    calls = [call(found, sample=n) for n in (0, 1, 2, 2)]
    told = estimate(calls, {calls[0].key}, found, PRICES, TODAY)
    assert (told.requests, told.in_store, told.to_send, told.unpriced) == (4, 2, 2, 0)
    assert told.usd_expected > 0
    assert told.usd_at_most is not None
    assert told.usd_at_most >= told.usd_expected
    assert str(told) == (
        "4 requests: 2 in the store, 2 to send, about 2,012 tokens, about 0.02 USD, at most 0.02 USD "
        f"(prices of {PRICES.checked_on})"
    )


def test_an_estimate_says_what_it_does_not_know():
    found = config()
    told = estimate([call(found, "unpriced"), call(found)], (), found, PRICES, TODAY)
    assert told.unpriced == 1
    assert "with no upper bound" in str(told)
    assert "; 1 without one" in str(told)
    assert estimate([call(found, "endless")], (), found, PRICES, TODAY).usd_at_most is None


def test_an_estimate_learns_from_the_length_of_earlier_replies(store):
    found = config()
    for n in range(4):
        pay(store, 1, n=n, usage=Usage(10, 0, 100 + n))
    long, short = (estimate([call(found)], (), found, PRICES, TODAY, s) for s in (None, store))
    assert short.pico_expected < long.pico_expected / 5
    assert short.pico_at_most == long.pico_at_most


def test_the_bound_of_a_structured_reply_has_room_for_mending_it():
    found = config()
    schema = Schema("Answer", {"type": "object"})
    plain, structured = (estimate([call(found, schema=s)], (), found, PRICES, TODAY) for s in (None, schema))
    assert structured.pico_at_most > 2 * plain.pico_at_most


def test_a_role_that_asks_in_batches_is_estimated_at_the_batch_price():
    online, batch = config(), config(text=CONFIG.replace("[roles.solver]", '[roles.solver]\nmode = "batch"'))
    told = [estimate([call(c)], (), c, PRICES, TODAY).pico_expected for c in (online, batch)]
    assert told[0] == 2 * told[1]


def test_nothing_to_ask_costs_nothing():
    assert str(estimate([], (), config(), PRICES, TODAY)).startswith("0 requests: 0 in the store, 0 to send")


@given(st.lists(st.tuples(st.text(max_size=40), st.integers(0, 3)), max_size=12))
def test_an_estimate_is_the_sum_of_its_calls(asked):
    found = config()
    calls = {c.key: c for c in (call(found, content=content, sample=sample) for content, sample in asked)}
    whole = estimate(calls.values(), (), found, PRICES, TODAY)
    single = [estimate([c], (), found, PRICES, TODAY) for c in calls.values()]
    assert whole.pico_expected == sum(e.pico_expected for e in single)
    assert whole.pico_at_most == sum(e.pico_at_most for e in single)
    assert whole.to_send == len(calls)
