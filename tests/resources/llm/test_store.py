"""What every reply store does, on SQLite and on PostgreSQL."""

import random
import threading
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resources.llm.providers import Usage
from resources.llm.store import PICO, Claims, Payment, ReplyFilter, Spent, StoredReply
from resources.llm.stores import new_owner, open_store
from tests.resources.llm.stored import NOW, job, key_of, paid, payment, read_back, reply

ALL = ReplyFilter()


def elsewhere(name="far"):
    return f"{name}-0123456789ab|4711|1700000000.00|00ff00ff00ff"


def test_a_reply_comes_back_as_it_was_put_also_from_a_store_opened_anew(place, store, owner):
    put = reply(1, body=b'\x00\xff {"text": "\xe4\xb8\xad"}', batch_id="batch_9")
    store.put_many(paid(put), owner)
    again = open_store(place)
    assert again.get_many([put.key, "0" * 64]) == {put.key: read_back(put)}
    assert list(again.replies(ALL)) == [put]
    again.close()


def test_every_field_that_may_be_missing_comes_back_missing(store, owner):
    put = reply(1, cost_pico_usd=None, latency_s=None, prompt_id=None, prompt_sha256=None, batch_id=None, body=b"")
    store.put_many([(put, payment(put, stage=None))], owner)
    assert store.get_many([put.key]) == {put.key: read_back(put)}
    assert store.payments("run-1") == {("", "segmenter"): Spent(1, 101, 50, 0, 1)}


def test_times_come_back_in_utc_to_the_microsecond_wherever_they_were_taken(store, owner):
    east = datetime(2026, 1, 1, 0, 0, 0, 999_999, tzinfo=timezone(timedelta(hours=9)))
    put = reply(1, created_at=east)
    store.put_many(paid(put), owner)
    (found,) = store.replies(ALL)
    assert found.created_at == east
    assert found.created_at.tzinfo is UTC
    with pytest.raises(TypeError):
        store.put_many(paid(reply(2, created_at=datetime(2026, 1, 1))), owner)


def test_bodies_of_any_size_come_back_whole(store, owner):
    sizes = [0, 1, 8191, 8192, 8193, 100_000, 3_000_000]
    put = [reply(i, body=(b"abcdefgh%d" % i * (n // 8 + 1))[:n]) for i, n in enumerate(sizes)]
    put.append(reply(99, body=bytes(range(256)) * 64, canonical=b"x" * 1_000_000, key=key_of(b"x" * 1_000_000)))
    store.put_many(paid(*put), owner)
    assert store.get_many([r.key for r in put]) == {r.key: read_back(r) for r in put}
    assert {r.key: r.canonical for r in store.replies(ALL)} == {r.key: r.canonical for r in put}


def test_the_first_reply_of_a_key_stays_and_every_payment_is_booked(store, owner):
    first, second = reply(1), reply(1, body=b"another", cost_pico_usd=5)
    store.put_many(paid(first), owner)
    store.put_many(paid(second, run="run-2"), owner)
    store.put_many(paid(first, first), owner)
    assert store.get_many([first.key]) == {first.key: read_back(first)}
    assert store.spent("run-1") == Spent(3, 303, 150, 3 * first.cost_pico_usd, 0)
    assert store.spent("run-2").cost_pico_usd == 5
    assert store.spent().calls == 4


def test_a_put_that_fails_leaves_nothing_behind(store, owner):
    with pytest.raises(TypeError):
        store.put_many([*paid(reply(1)), (reply(2), payment(reply(2))._replace(role=None))], owner)
    assert store.get_many([reply(1).key]) == {}
    assert store.spent() == Spent(0, 0, 0, 0, 0)
    store.put_many(paid(reply(1)), owner)
    assert store.count(ALL).calls == 1


def test_money_is_exact_and_summed_by_run_role_and_stage(store, owner):
    a, b, c = reply(1, cost_pico_usd=1), reply(2, cost_pico_usd=2 * PICO), reply(3, cost_pico_usd=None)
    store.put_many(paid(a, role="judge", stage="scores") + paid(b), owner)
    store.put_many(paid(c), owner)
    store.put_many(paid(reply(4), run="other"), owner)
    assert store.spent("run-1") == Spent(3, 306, 150, 2 * PICO + 1, 1)
    assert store.spent("run-1", "judge") == Spent(1, 101, 50, 1, 0)
    assert store.spent(role="segmenter").calls == 3
    assert store.spent("no such run") == Spent(0, 0, 0, 0, 0)
    assert list(store.payments("run-1").items()) == [
        (("scores", "judge"), Spent(1, 101, 50, 1, 0)),
        (("solution_steps", "segmenter"), Spent(2, 205, 100, 2 * PICO, 1)),
    ]


def test_absurd_counts_of_a_server_lose_no_reply_and_spoil_no_sum(store, owner):
    absurd = [reply(i, usage=Usage(10**30, -5, 10**30, 0), cost_pico_usd=10**30) for i in range(50)]
    store.put_many(paid(*absurd), owner)
    assert store.count(ALL).calls == store.spent().calls == 50
    assert store.get_many([absurd[0].key])[absurd[0].key].usage == Usage(10**12, 0, 10**12, 0)


def test_text_that_no_database_holds_is_stored_with_a_mark_in_its_place(store, owner):
    store.put_many(paid(reply(1, prompt_id="a\0b", model="m\ud800"), run="r\0"), owner)
    (found,) = store.replies(ALL)
    assert (found.prompt_id, found.model) == ("a\ufffdb", "m\ufffd")
    store.save_job(job(state="failed", detail="said \0 \udfff \U0001f600"))
    assert store.jobs(open_only=False)[0].detail == "said \ufffd \ufffd \U0001f600"


def test_replies_are_streamed_in_the_order_of_their_keys_and_other_work_goes_on_meanwhile(store, owner):
    put = [reply(i) for i in range(250)]
    store.put_many(paid(*put), owner)
    seen = []
    for found in store.replies(ALL):
        seen.append(found)
        store.release([found.key], owner)
    assert seen == sorted(put)


def test_get_many_takes_more_keys_than_one_statement_does(store, owner):
    put = [reply(i) for i in range(2_500)]
    assert store.add(put) == (2_500, 0)
    wanted = [r.key for r in put] + [key_of(b"%d" % i) for i in range(2_500)]
    assert store.get_many(wanted) == {r.key: read_back(r) for r in put}
    assert store.get_many([]) == {}


# -- filters and pruning

MODELS, PROMPTS = ("a", "b", "%"), (None, "p/v1", "p_v1")
filters = st.builds(
    ReplyFilter,
    model=st.sampled_from((None, *MODELS)),
    provider=st.sampled_from((None, "openai", "google")),
    prompt_id=st.sampled_from(PROMPTS),
    before=st.none() | st.integers(-2, 30).map(lambda s: NOW + timedelta(seconds=s)),
    since=st.none() | st.integers(-2, 30).map(lambda s: NOW + timedelta(seconds=s)),
    key_prefix=st.none() | st.text("0123456789abcdef", max_size=2),
)


def mixed(n=28):
    return [
        reply(
            i,
            model=MODELS[i % 3],
            provider=("openai", "google")[i % 2],
            prompt_id=PROMPTS[i % 4 % 3],
            cost_pico_usd=None if i % 5 == 0 else i,
        )
        for i in range(n)
    ]


def fits(r, which):
    return (
        which.model in (None, r.model)
        and which.provider in (None, r.provider)
        and which.prompt_id in (None, r.prompt_id)
        and (which.before is None or r.created_at < which.before)
        and (which.since is None or r.created_at >= which.since)
        and r.key.startswith(which.key_prefix or "")
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(which=filters)
def test_a_filter_means_the_same_when_it_lists_counts_and_prunes(store, which):
    everything = mixed()
    store.add(everything)
    expected = sorted(r for r in everything if fits(r, which))
    assert list(store.replies(which)) == expected
    counted = store.count(which)
    assert counted.calls == len(expected)
    assert counted.cost_pico_usd == sum(r.cost_pico_usd or 0 for r in expected)
    assert counted.unpriced == sum(r.cost_pico_usd is None for r in expected)
    assert store.prune(which) == len(expected)
    assert list(store.replies(ALL)) == sorted(r for r in everything if not fits(r, which))


def test_what_is_paid_for_answers_that_are_not_kept_is_summed_however_absurd_it_is(store):
    absurd = Payment("k", "run-1", "judge", None, 10**18, Usage(10**15, 0, 10**15, 0))
    store.pay([absurd] * 1000)
    store.pay([absurd._replace(cost_pico_usd=1_234_567, usage=Usage(1, 0, 2, 0))])
    store.pay([])
    assert store.spent("run-1", "judge") == Spent(1001, 10**15 + 1, 10**15 + 2, 1000 * 10**16 + 1_234_567, 0)
    assert store.count(ALL).calls == 0


def test_pruning_removes_many_replies_and_keeps_what_was_paid(store, owner):
    old, new = (
        [reply(i) for i in range(1_200)],
        [reply(i, created_at=NOW + timedelta(days=9)) for i in range(2000, 2003)],
    )
    store.put_many(paid(*old, *new), owner)
    assert store.prune(ReplyFilter(before=NOW + timedelta(days=1))) == 1_200
    assert list(store.replies(ALL)) == sorted(new)
    assert store.spent("run-1").calls == 1_203


def test_models_are_counted_apart(store):
    store.add(mixed())
    counted = store.by_model()
    assert list(counted) == sorted(MODELS)
    assert counted == {m: store.count(ReplyFilter(model=m)) for m in MODELS}


def test_adding_says_what_was_new_and_books_no_payment(store, owner):
    kept = reply(1, body=b"the first")
    store.put_many(paid(kept), owner)
    assert store.add(iter([reply(1, body=b"later"), reply(2), reply(2, body=b"twice"), reply(3)])) == (2, 2)
    assert store.get_many([kept.key])[kept.key].body == b"the first"
    assert store.spent().calls == 1
    assert store.add([]) == (0, 0)


# -- claims


def test_a_key_is_claimed_once_and_its_own_owner_may_claim_it_again(store, owner):
    other = new_owner()
    store.register(other, NOW)
    assert store.claim(["a", "b"], owner) == Claims(frozenset("ab"), frozenset(), frozenset())
    assert store.claim(["b", "c"], other) == Claims(frozenset("c"), frozenset("b"), frozenset())
    assert store.claim(["a", "b", "c"], owner) == Claims(frozenset("ab"), frozenset("c"), frozenset())
    assert store.claimed(NOW) == (3, 0)


def test_a_released_key_is_free_and_another_owner_releases_nothing(store, owner):
    other = new_owner()
    store.register(other, NOW)
    store.claim(["a", "b"], owner)
    store.release(["a", "b"], other)
    assert store.claim(["a"], other).others == {"a"}
    store.release(["a"], owner)
    assert store.claim(["a", "b"], other) == Claims(frozenset("a"), frozenset("b"), frozenset())


def test_a_key_with_a_reply_is_neither_mine_nor_anothers(store, owner):
    there, missing = reply(1), reply(2)
    store.claim([there.key], owner)
    store.put_many(paid(there), owner)
    assert store.claim([there.key, missing.key], owner) == Claims(frozenset({missing.key}), frozenset(), frozenset())
    assert store.claimed(NOW) == (1, 0)
    store.prune(ALL)
    assert store.claim([there.key], owner).mine == {there.key}


def test_whoever_did_not_register_claims_nothing(store):
    with pytest.raises(ValueError, match="register"):
        store.claim(["a"], new_owner())


def test_an_owner_on_another_machine_keeps_its_claims_until_it_is_silent_for_ninety_seconds(store, owner):
    far = elsewhere()
    store.register(far, NOW)
    store.claim(["a"], far)
    store.register(owner, NOW + timedelta(seconds=90))
    assert store.claim(["a"], owner).others == {"a"}
    store.register(owner, NOW + timedelta(seconds=91))
    assert store.claimed(NOW + timedelta(seconds=91)) == (0, 1)
    assert store.claim(["a", "b"], owner) == Claims(frozenset("ab"), frozenset(), frozenset("a"))
    store.register(far, NOW + timedelta(seconds=92))  # it only slept: what it lost is another's now
    assert store.claim(["a"], far) == Claims(frozenset(), frozenset("a"), frozenset())


def test_a_heartbeat_keeps_a_claim(store, owner):
    far = elsewhere()
    store.register(far, NOW)
    store.claim(["a"], far)
    store.register(far, NOW + timedelta(seconds=80))
    store.register(owner, NOW + timedelta(seconds=160))
    assert store.claim(["a"], owner).others == {"a"}


def test_a_process_id_that_another_process_has_by_now_holds_no_claim(store, owner):
    host, pid, _, random = owner.split("|")
    earlier = f"{host}|{pid}|1000000000.00|{random}"
    store.register(earlier, NOW)
    store.claim(["a"], earlier)
    assert store.claim(["a"], owner) == Claims(frozenset("a"), frozenset(), frozenset("a"))


@pytest.mark.parametrize("name", ["", "nonsense", "|||", "host|x|y|z"])
def test_an_owner_with_a_strange_name_is_dead_when_it_is_silent(store, owner, name):
    store.register(name, NOW)
    store.claim(["a"], name)
    store.register(owner, NOW + timedelta(seconds=91))
    assert store.claim(["a"], owner).taken_over == {"a"}


def test_threads_share_a_store_and_no_key_goes_to_two(store):
    keys = [f"{i:03}" for i in range(300)]
    owners = [new_owner() for _ in range(6)]
    won, failures = {}, []

    def work(name):
        try:
            store.register(name, NOW)
            won[name] = store.claim(keys, name).mine
            put = [reply(int(key)) for key in won[name]]
            for one in put:
                store.put_many(paid(one), name)
                assert store.get_many([one.key])
        except BaseException as error:  # noqa: BLE001 - raised by the test below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in owners]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(key for mine in won.values() for key in mine) == keys
    assert store.count(ALL).calls == store.spent().calls == 300


# -- batch jobs


def test_a_job_is_written_down_with_its_calls_and_found_again(place, store):
    calls = [(key_of(b"%d" % i), b'{"call":%d}' % i) for i in range(3)]
    saved = job(batch_id="batch_1", detail="first", again=2)
    store.save_job(saved, calls)
    again = open_store(place)
    assert again.jobs() == [saved]
    assert again.job_calls("job-1") == sorted(calls)
    again.close()


def test_saving_a_job_again_changes_its_state_and_keeps_its_calls(store):
    calls = [("a", b"1"), ("b", b"2")]
    store.save_job(job(state="preparing"), calls)
    later = job(state="running", file_id="file_1", updated_at=NOW + timedelta(minutes=5))
    store.save_job(later)
    assert store.jobs() == [later]
    assert store.job_calls("job-1") == calls


def test_open_jobs_are_those_that_still_get_replies(store):
    states = ["preparing", "uploaded", "running", "ended", "failed", "collected"]
    for i, state in enumerate(states):
        store.save_job(job(f"job-{9 - i}", state=state, created_at=NOW + timedelta(seconds=i)))
    assert [j.state for j in store.jobs()] == states[:4]
    assert [j.state for j in store.jobs(open_only=False)] == states


def test_a_call_that_has_a_reply_is_waited_for_no_longer(store, owner):
    got, waiting = reply(1), reply(2)
    store.save_job(job(), [(got.key, b"1"), (waiting.key, b"2")])
    assert store.jobs_of([got.key, waiting.key, "else"]) == {got.key: "job-1", waiting.key: "job-1"}
    store.put_many(paid(got), owner)
    assert store.job_calls("job-1") == [(waiting.key, b"2")]
    assert store.jobs_of([got.key, waiting.key]) == {waiting.key: "job-1"}
    store.save_job(job(state="collected"))
    assert store.jobs_of([waiting.key]) == {}


def test_a_key_in_two_open_jobs_belongs_to_the_older(store):
    store.save_job(job("job-1", created_at=NOW + timedelta(seconds=1)), [("a", b"")])
    store.save_job(job("job-2", created_at=NOW), [("a", b"")])
    assert store.jobs_of(["a"]) == {"a": "job-2"}


def test_what_a_batch_refused_is_told_with_the_newest_error_until_there_is_a_reply(store, owner):
    one, two = reply(1), reply(2)
    for name, later in (("job-1", 0), ("job-2", 60)):
        at = NOW + timedelta(seconds=later)
        store.save_job(job(name, created_at=at), [(one.key, b"1"), (two.key, b"2")])
    store.refuse("job-2", {one.key: "newer\0"})
    store.refuse("job-1", {one.key: "older", two.key: "too long"})
    store.refuse("job-1", {})
    assert store.refused([one.key, two.key, "else"]) == {one.key: "newer\ufffd", two.key: "too long"}
    assert store.jobs_of([one.key, two.key]) == {two.key: "job-2"}
    store.put_many(paid(one), owner)
    assert store.refused([one.key, two.key]) == {two.key: "too long"}


def test_bulk_reading_leaves_the_request_out_and_streaming_brings_it(store):
    store.add([reply(1)])
    (found,) = store.get_many([reply(1).key]).values()
    assert isinstance(found, StoredReply)
    assert found.canonical == b""
    assert next(store.replies(ALL)).canonical == reply(1).canonical


def test_memory_does_not_grow_with_the_store(store):
    n, size = 3_000, 20_000
    tracemalloc.start()
    assert store.add(reply(i, body=random.Random(i).randbytes(size)) for i in range(n)) == (n, 0)
    assert sum(len(r.body) for r in store.replies(ALL)) == n * size
    assert store.prune(ALL) == n
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < n * size / 2
