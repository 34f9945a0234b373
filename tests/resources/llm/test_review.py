"""What must hold at the seams of the gateway: two who go on with one batch job, servers that answer nonsense, stores
that fail, and whoever asks going away at the wrong moment."""

import asyncio
import itertools
import queue
import threading
from contextlib import closing, suppress
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

from resources.llm import desk
from resources.llm import engine as engine_module
from resources.llm.batch import Jobs
from resources.llm.budget import Budget
from resources.llm.calls import Call
from resources.llm.config import Mode, ModelsConfig
from resources.llm.engine import Booking, Engine, open_provider
from resources.llm.faults import ProviderFault
from resources.llm.prices import Prices
from resources.llm.providers import ProviderSettings, Usage
from resources.llm.providers._local_provider import LocalProvider
from resources.llm.providers._openai_batch import OpenAIBatch
from resources.llm.providers._openai_provider import OpenAIProvider
from resources.llm.store import StoredReply
from resources.llm.stores import new_owner, open_store
from stepforge.asking import ModelFailure, ModelReply
from stepforge.errors import PipelineError
from stepforge.vocabulary import ModelFailureKind
from tests.resources.llm.test_gateway import NOW, ask, config, gateway, key, no_media, store  # noqa: F401
from tests.wire import BatchScript, Script


def batched(settings):
    roles = {name: role.model_copy(update={"mode": Mode.BATCH}) for name, role in settings.roles.items()}
    return settings.model_copy(update={"roles": roles})


def jobs_of(settings, place):
    return Jobs(settings, place, Prices.load(), lambda: NOW)


def post(settings, place, requests, **given):
    """Ask in a batch; every request then waits for it."""
    with gateway(settings, place, **given) as open_gateway:
        answers = open_gateway.ask_all(requests)
    assert {a.kind for a in answers.values()} == {ModelFailureKind.AWAITING_BATCH}


def questions(count, **given):
    return [ask(f"What is {i} + {i}?", f"r{i}", **given) for i in range(count)]


def write_a_job(settings, place, count, monkeypatch):
    def stop(*_):
        raise PipelineError("stopped before it is sent")

    with monkeypatch.context() as patch, gateway(settings, place) as open_gateway:
        patch.setattr(Engine, "run", stop)
        with pytest.raises(PipelineError):
            open_gateway.ask_all(questions(count))
    (job,) = place.jobs()
    assert job.state == "preparing"


def test_a_job_that_two_go_on_with_at_once_starts_one_batch(wire, store, tmp_path, monkeypatch):  # noqa: F811
    settings = batched(config(wire))
    write_a_job(settings, store, 5, monkeypatch)
    with closing(open_store(tmp_path / "replies.sqlite")) as other:
        both = threading.Barrier(2)
        load = Call.load.__func__

        def together(cls, dumped):  # both have read the job before either has written
            call = load(cls, dumped)
            if call.request.request_id == "r0":
                with suppress(threading.BrokenBarrierError):
                    both.wait(timeout=2)
            return call

        monkeypatch.setattr(Call, "load", classmethod(together))
        threads = [threading.Thread(target=jobs_of(settings, s).poll, args=(no_media,)) for s in (store, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wire.totals().arrived == 5
    assert len({entry.batch for entry in wire.entries()}) == 1


def test_a_job_that_follows_another_is_not_begun_anew_when_the_first_is_collected_again(wire, store):  # noqa: F811
    wire.script(Script(batches=(BatchScript(polls=0, missing_share=0.5), BatchScript(polls=0))))
    settings = batched(config(wire))
    post(settings, store, questions(8))
    jobs = jobs_of(settings, store)
    first = next(job for job in store.jobs(open_only=False) if job.again == 0)
    assert first.state == "collected"
    assert [job.state for job in store.jobs()] == ["preparing"]
    asyncio.run(advance_following(settings, jobs, store))
    arrived = wire.totals().arrived
    store.save_job(first._replace(state="ended"))  # killed before `collected` was written
    for _ in range(3):
        jobs.poll(no_media)
    assert wire.totals().arrived == arrived


async def advance_following(settings, jobs, store):  # noqa: F811
    (following,) = store.jobs()
    provider = open_provider(settings, following.provider, no_media)
    api = provider.batch
    calls = [Call.load(dumped) for _, dumped in store.job_calls(following.job_id)]
    file_id = await api.upload(following.job_id, calls)
    batch_id = await api.create(following.job_id, file_id, "wire")
    store.save_job(following._replace(state="running", file_id=file_id, batch_id=batch_id))
    await provider.close()


def test_the_same_question_of_two_roles_goes_into_one_batch_once(wire, store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(desk, "AT_ONCE", 1)  # else they are one from the beginning
    settings = batched(config(wire, run_usd="1"))
    post(settings, store, [ask("same", "a"), ask("same", "b", role="judge"), ask("same", "c")])
    assert wire.totals().arrived == 1
    (job,) = store.jobs(open_only=False)
    alone = Budget(settings, Prices.load(), store, "another run", NOW.date()).reserve(
        settings.resolve(ask("same", "a")), batch=True
    )
    assert job.reserved_pico_usd == alone.pico


def test_a_job_whose_model_or_provider_is_no_longer_configured_says_so_and_stops_no_other(wire, store):  # noqa: F811
    wire.script(Script(batches=(BatchScript(polls=1),)))
    settings = batched(config(wire))
    post(settings, store, questions(2))
    nothing = ModelsConfig.single(ProviderSettings(kind="google"), "another")
    (left,) = jobs_of(nothing, store).poll(no_media)
    assert left.state == "running"
    assert "openai" in left.detail
    renamed = ModelsConfig.single(settings.providers["openai"], "another")
    (job,) = jobs_of(renamed, store).poll(no_media)
    assert job.state == "collected"  # the replies are paid: they are kept, their cost is unknown
    assert store.spent().calls == 2


@pytest.fixture
def nonsense():
    """A server that answers every request with the same status and body."""

    class Handler(BaseHTTPRequestHandler):
        status, body, kind = 200, b"", "application/json"
        asked = 0

        def answer(self):
            type(self).asked += 1
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(self.status)
            self.send_header("content-type", self.kind)
            self.send_header("content-length", str(len(self.body)))
            self.end_headers()
            self.wfile.write(self.body)

        do_GET = do_POST = answer  # noqa: N815 - the base class names them so

        def log_message(self, *_):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    yield Handler, f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def strange(url, kind):
    return ModelsConfig.single(
        ProviderSettings(kind=kind, base_url=f"{url}/v1" if kind == "openai" else url),
        "wire",
        limits={"attempts": 1, "timeout_s": 5},
    )


HUGE = b"1" * 6000


@pytest.mark.parametrize("kind", ["openai", "google"])
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, b'{"error": {"code": %s, "message": "x"}}' % HUGE),
        (200, b'{"error": {"code": %s, "message": "x"}}' % HUGE),
        (200, b'{"candidates": [{"finishReason": %s}], "choices": [%s]}' % (HUGE, HUGE)),
        (200, b'{"usage": {"prompt_tokens": %s}, "choices": [{"message": {"content": 1e999}}]}' % HUGE),
        (429, b'{"error": {"details": [{"retryDelay": %s}]}}' % HUGE),
        (200, b"[" * 5000 + b"]" * 5000),
        (200, b"\xff\xfe"),
        (500, b"[" * 100_000),
        (302, b""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_no_answer_of_a_server_stops_the_stage(nonsense, store, kind, status, body):  # noqa: F811
    handler, url = nonsense
    handler.status, handler.body = status, body
    with gateway(strange(url, kind), store) as open_gateway:
        answers = open_gateway.ask_all([ask()])
    assert isinstance(answers["r1"], ModelFailure)


@pytest.mark.parametrize("kind", ["openai", "google"])
@pytest.mark.parametrize("content_type", ["application/json", "text/html"])
@pytest.mark.parametrize(
    "body",
    [b"<html>hello</html>", b"{}", b"[]", b'"x"', b'{"id": 5, "name": 5, "request_counts": {"completed": null}}'],
)
def test_no_answer_of_a_batch_api_stops_the_stage_or_the_other_jobs(nonsense, store, kind, content_type, body):  # noqa: F811
    handler, url = nonsense
    handler.body, handler.kind = body, content_type
    settings = batched(strange(url, kind))
    post(settings, store, [ask()])
    (job,) = store.jobs(open_only=False)
    store.save_job(job._replace(state="running", batch_id="batches/b1"))
    (polled,) = jobs_of(settings, store).poll(no_media)
    assert polled.state in ("running", "ended", "failed", "collected")
    store.save_job(job._replace(state="ended", batch_id="batches/b1"))
    jobs_of(settings, store).poll(no_media)


@pytest.mark.parametrize("provider", ["openai", "google", "a-kind-that-is-not-here"])
def test_a_stored_reply_that_cannot_be_read_costs_its_request_and_not_the_stage(wire, store, provider):  # noqa: F811
    call = config(wire).resolve(ask())
    store.add([StoredReply(call.key, call.canonical, provider, "wire", b"junk", Usage(), 1, NOW, None, None, None)])
    with gateway(config(wire), store) as open_gateway:
        answers = open_gateway.ask_all([ask(), ask("another", "r2")])
    assert isinstance(answers["r1"], ModelFailure)
    assert call.key[:12] in answers["r1"].detail
    assert isinstance(answers["r2"], ModelReply)


def an_engine(settings, store):  # noqa: F811
    prices = Prices.load()
    return Engine(
        settings,
        store,
        no_media,
        owner=new_owner(),
        booking=Booking("run-1", None),
        budget=Budget(settings, prices, store, "run-1", NOW.date()),
        price_of=lambda _: None,
        now=lambda: NOW,
    )


def test_nothing_more_is_sent_when_the_store_cannot_keep_replies(wire, store, monkeypatch):  # noqa: F811
    def full(*_):
        raise PipelineError("the disk is full")

    monkeypatch.setattr(store, "put_many", full)
    settings = config(wire, limits={"concurrency": 2})
    with closing(an_engine(settings, store)) as engine:
        done = queue.SimpleQueue()
        engine.submit([settings.resolve(request) for request in questions(40)], done)
        outcomes = [done.get(timeout=30)[1] for _ in range(40)]
    assert all(isinstance(outcome, PipelineError) for outcome in outcomes)
    assert wire.totals().arrived <= 4


def test_a_call_that_fails_while_the_gateway_closes_is_not_sent_again(wire, store, monkeypatch):  # noqa: F811
    settings = config(wire)
    engine = an_engine(settings, store)
    engine.submit([settings.resolve(ask("[[wait:600]] [[fault:500]]"))], queue.SimpleQueue())
    wire.wait_until_arrived(1)
    engine.close()
    assert wire.totals().arrived == 1


def test_a_call_that_ran_out_of_time_is_dropped_when_the_gateway_closes(wire, store):  # noqa: F811
    settings = config(wire, limits={"timeout_s": 0.3, "attempts": 9})
    engine = an_engine(settings, store)
    engine.submit([settings.resolve(ask("[[fault:stall]]"))], queue.SimpleQueue())
    wire.wait_until_arrived(2)
    engine.close()
    assert wire.totals().arrived <= 3


def test_claims_end_with_the_gateway_though_the_iterator_is_still_held(wire, store):  # noqa: F811
    settings = config(wire, limits={"concurrency": 1})
    with gateway(settings, store) as first:
        held = first.ask([ask("a", "a"), ask("b", "b"), ask("[[wait:300]] c", "c"), ask("d", "d")])
        next(held)
    assert store.claimed(NOW) == (0, 0)
    held.close()


def test_the_heart_goes_on_after_a_store_that_failed_for_a_moment(wire, store, monkeypatch):  # noqa: F811
    monkeypatch.setattr(engine_module, "HEARTBEAT_S", 0.01)
    beats, register, enough = itertools.count(), store.register, threading.Event()

    def flaky(owner, now):
        beat = next(beats)
        if beat == 1:
            raise PipelineError("away")
        if beat > 3:
            enough.set()
        register(owner, now)

    monkeypatch.setattr(store, "register", flaky)
    with closing(an_engine(config(wire), store)):
        assert enough.wait(10)


def test_an_interrupt_right_after_a_transaction_began_leaves_none_open(store):  # noqa: F811
    lane = store._lanes["light"]

    class Interrupted:
        def __init__(self, connection):
            self.connection = connection

        def __getattr__(self, name):
            return getattr(self.connection, name)

        def execute(self, sql, *values):
            result = self.connection.execute(sql, *values)
            if sql.startswith("BEGIN"):
                raise KeyboardInterrupt
            return result

    real, lane._connection = lane._connection, Interrupted(lane._connection)
    with pytest.raises(KeyboardInterrupt):
        store.register(new_owner(), NOW)
    lane._connection = real
    assert not real.in_transaction


def test_asking_while_the_answers_of_another_round_come_mixes_nothing_up(wire, store):  # noqa: F811
    with gateway(config(wire), store) as open_gateway:
        seen = {}
        for answered in open_gateway.ask([ask(f"outer {i}", f"o{i}") for i in range(12)]):
            seen[answered.request_id] = open_gateway.ask_all([ask(f"inner {answered.request_id}", "i")])["i"]
    assert len(seen) == 12
    assert all(isinstance(one, ModelReply) for one in seen.values())


NOTHING_USABLE = {
    "openai": b'{"choices": [{"message": {"content": null}, "finish_reason": "stop"}], '
    b'"usage": {"prompt_tokens": 100, "completion_tokens": 500}}',
    "google": b'{"candidates": [{"finishReason": "STOP", "content": {}}], '
    b'"usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 0, "thoughtsTokenCount": 500}}',
}


@pytest.mark.parametrize("kind", ["openai", "google"])
def test_answers_without_a_reply_are_billed_and_count_against_the_budget(nonsense, store, kind):  # noqa: F811
    handler, url = nonsense
    handler.body, handler.asked = NOTHING_USABLE[kind], 0
    limits = {"attempts": 2, "input_usd_per_million": "1", "output_usd_per_million": "2", "concurrency": 1}
    settings = ModelsConfig.single(
        strange(url, kind).providers[kind],
        "wire",
        limits=limits,
        parameters={"max_output_tokens": 600},
        run_usd=Decimal("0.009"),
    )
    with gateway(settings, store) as open_gateway:
        answers = open_gateway.ask_all(questions(10))
        assert open_gateway.totals.paid_pico_usd == handler.asked * 11 * 10**8
    spent = store.spent("run-1")
    assert (spent.calls, spent.cost_pico_usd) == (handler.asked, handler.asked * 11 * 10**8)  # 0.0011 USD each
    assert spent.cost_pico_usd <= 9 * 10**9
    assert {a.kind for a in answers.values()} == {ModelFailureKind.PROVIDER_ERROR, ModelFailureKind.OVER_BUDGET}


def test_what_another_process_is_about_to_put_into_a_batch_is_not_put_into_a_second(wire, store, tmp_path):  # noqa: F811
    settings = batched(config(wire))
    with closing(open_store(tmp_path / "replies.sqlite")) as other, gateway(settings, store) as first:
        begun = first.ask(questions(3))
        heard = [next(begun)]
        told = []
        second = threading.Thread(
            target=lambda: told.extend(gateway(settings, other, run="run-2").ask_all(questions(3)).values())
        )
        second.start()
        second.join(timeout=1)
        heard += list(begun)
        second.join(timeout=30)
    assert wire.totals().arrived == 3
    assert {a.kind for a in [*heard, *told]} == {ModelFailureKind.AWAITING_BATCH}
    assert len(told) == len(heard) == 3
    assert store.claimed(NOW) == (0, 0)


def test_two_that_wait_for_what_the_other_puts_into_a_batch_both_end(wire, store, tmp_path):  # noqa: F811
    settings = batched(config(wire))
    with closing(open_store(tmp_path / "replies.sqlite")) as other:
        both = threading.Barrier(2)

        def asked(texts):
            for number, text in enumerate(texts):
                if number == 1:
                    both.wait(timeout=30)  # the first of each is claimed, and the other's is asked for
                yield ask(text, text)

        told = []

        def work(place, texts, run):
            with gateway(settings, place, run=run) as open_gateway:
                told.extend(open_gateway.ask_all(asked(texts)).values())

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(desk, "AT_ONCE", 1)
            threads = [
                threading.Thread(target=work, args=(store, ["a", "b"], "run-1")),
                threading.Thread(target=work, args=(other, ["b", "a"], "run-2")),
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(timeout=60)
    assert len(told) == 4
    assert wire.totals().arrived == 2


def test_what_an_open_batch_is_getting_is_not_paid_a_second_time_by_a_role_that_asks_at_once(wire, store):  # noqa: F811
    post(batched(config(wire)), store, questions(2))
    answers = gateway(config(wire), store).ask_all(questions(2))
    assert {a.kind for a in answers.values()} == {ModelFailureKind.AWAITING_BATCH}
    assert wire.totals().arrived == 2
    assert store.claimed(NOW) == (0, 0)


def test_the_sums_of_a_budget_are_not_read_on_the_loop_that_talks_to_providers(wire, store, monkeypatch):  # noqa: F811
    readers, spent = [], store.spent

    def watched(*args):
        readers.append(threading.current_thread().name)
        return spent(*args)

    monkeypatch.setattr(store, "spent", watched)
    with gateway(config(wire, run_usd="1"), store) as open_gateway:
        open_gateway.ask_all(questions(20))
    assert readers
    assert "model-gateway" not in readers


def test_a_call_that_a_library_cancels_is_a_failure_and_no_hang(wire, store, monkeypatch):  # noqa: F811
    async def cancelled(*_):
        raise asyncio.CancelledError

    monkeypatch.setattr(OpenAIProvider, "send", cancelled)
    with gateway(config(wire), store) as open_gateway:
        assert isinstance(open_gateway.ask_all([ask()])["r1"], ModelFailure)


def test_an_error_that_nobody_has_foreseen_costs_its_request_and_tells_no_header(wire, store, monkeypatch):  # noqa: F811
    async def broken(*_):
        raise AttributeError("Authorization: Bearer wire-key")

    monkeypatch.setattr(OpenAIProvider, "send", broken)
    with gateway(config(wire), store) as open_gateway:
        answered = open_gateway.ask_all([ask()])["r1"]
    assert isinstance(answered, ModelFailure)
    assert "AttributeError" in answered.detail
    assert "wire-key" not in answered.detail


def test_a_job_that_moved_on_before_an_error_keeps_its_state(wire, store, monkeypatch):  # noqa: F811
    settings = batched(config(wire))
    write_a_job(settings, store, 2, monkeypatch)
    jobs, save, failed = jobs_of(settings, store), store.save_job, []

    def full(job, calls=None):
        if job.state == "running" and not failed:
            failed.append(job)
            raise PipelineError("the disk is full")
        save(job, calls)

    monkeypatch.setattr(store, "save_job", full)
    jobs.poll(no_media)  # its batch is started, which cannot be written down
    jobs.poll(no_media)
    assert failed
    assert wire.totals().arrived == 2
    assert len({entry.batch for entry in wire.entries()}) == 1


def test_a_batch_that_may_have_started_is_not_given_up_because_it_cannot_be_looked_for(wire, store, monkeypatch):  # noqa: F811
    wire.script(Script(batches=(BatchScript(lose_create_reply=True), BatchScript())))
    settings = batched(config(wire))
    post(settings, store, questions(2))
    (job,) = store.jobs()
    assert job.state == "uploaded"

    async def refused(*_):
        raise ProviderFault(ModelFailureKind.BAD_REQUEST, "answered 400", retryable=False)

    with monkeypatch.context() as patch:
        patch.setattr(OpenAIBatch, "find", refused)
        (job,) = jobs_of(settings, store).poll(no_media)
    assert job.state == "uploaded"
    assert "answered 400" in job.detail
    for _ in range(3):
        jobs_of(settings, store).poll(no_media)
    assert store.spent().calls == 2
    assert wire.totals().arrived == 2


def test_a_caller_that_gives_up_does_not_end_the_start_of_the_local_server(monkeypatch):
    starts = []

    class Running:
        process = SimpleNamespace(returncode=None)

    async def start(_):
        starts.append(1)
        await go_on.wait()
        return Running

    async def work():
        nonlocal go_on
        go_on = asyncio.Event()
        provider = LocalProvider(ProviderSettings(kind="local"), None, no_media, 1)
        for _ in range(3):
            with suppress(TimeoutError):
                async with asyncio.timeout(0.01):
                    await provider._running()
        go_on.set()
        return await provider._running()

    go_on = asyncio.Event()
    monkeypatch.setattr(LocalProvider, "_start", start)
    assert asyncio.run(work()) is Running
    assert len(starts) == 1
