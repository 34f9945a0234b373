"""The gateway against a real server on a socket."""

import json
import threading
from datetime import UTC, datetime

import pytest
from pydantic import Field

from resources.llm.config import ModelsConfig
from resources.llm.gateway import Gateway, NotInStore
from resources.llm.providers import ProviderSettings
from resources.llm.stores import open_store
from stepforge.asking import ModelFailure, ModelReply, ModelRequest, Sampling, rejection_of, user
from stepforge.errors import BadRequest
from stepforge.records import Record
from stepforge.vocabulary import Disposition, Finish, ModelFailureKind, Reason
from tests.wire import Fault, Script

NOW = datetime(2026, 5, 4, tzinfo=UTC)


class Verdict(Record):
    """A record to be filled in by the model."""

    verdict: str = Field(description="right or wrong")
    first_wrong_step: int | None


@pytest.fixture(params=["openai", "google"])
def kind(request):
    return request.param


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path / "replies.sqlite")
    yield opened
    opened.close()


def config(wire, kind="openai", **given):
    url = wire.google_url if kind == "google" else wire.openai_url
    limits = {
        "concurrency": 8,
        "timeout_s": 2,
        "attempts": 4,
        "input_usd_per_million": "1",
        "output_usd_per_million": "2",
    }
    return ModelsConfig.single(
        ProviderSettings(kind=kind, base_url=url, api_key_env="WIRE_KEY"),
        "wire",
        roles=("solver", "judge"),
        limits={**limits, **given.pop("limits", {})},
        parameters={"max_output_tokens": 500, **given.pop("parameters", {})},
        **given,
    )


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("WIRE_KEY", "wire-key")


def no_media(sha256):
    raise AssertionError(sha256)


def gateway(settings, store, **given):
    return Gateway(settings, store, no_media, **{"run": "run-1", "now": lambda: NOW, **given})


def ask(text="What is 2 + 2?", request_id="r1", **given):
    return ModelRequest(request_id=request_id, role=given.pop("role", "solver"), messages=(user(text),), **given)


def one(settings, store, request, reply_type=None, **given):
    with gateway(settings, store, **given) as open_gateway:
        return open_gateway.ask_all([request], reply_type)[request.request_id]


def test_a_reply_comes_with_its_tokens_and_its_exact_cost_and_is_sent_once(wire, store, kind):
    settings = config(wire, kind)
    first = one(settings, store, ask())
    assert isinstance(first, ModelReply)
    assert first.finish is Finish.STOP
    assert float(first.cost_usd) == pytest.approx((first.tokens_in + 2 * first.tokens_out) / 1e6, abs=1e-15)
    again = one(settings, store, ask(request_id="other-id", role="judge"))
    assert (again.text, again.cost_usd, again.from_store, first.from_store) == (first.text, first.cost_usd, True, False)
    assert wire.totals().arrived == 1


def test_what_may_change_a_reply_is_another_request(wire, store):
    settings = config(wire)
    variants = [ask("a"), ask("b"), ask("a", sample=1), ask("a", sampling=Sampling(temperature=0.5))]
    with gateway(settings, store) as open_gateway:
        open_gateway.ask_all([v.model_copy(update={"request_id": str(i)}) for i, v in enumerate(variants)])
        open_gateway.ask_all([ask("a")], Verdict)
    assert wire.totals().arrived == 5


def test_the_same_request_asked_twice_in_one_round_is_sent_once_and_answered_twice(wire, store):
    with gateway(config(wire), store) as open_gateway:
        answers = open_gateway.ask_all([ask(request_id="a"), ask(request_id="b"), ask(request_id="c")])
        assert {a.text for a in answers.values()} == {answers["a"].text}
        assert open_gateway.totals.sent == 1
        assert open_gateway.totals.from_store == 2
    assert wire.totals().arrived == 1


def test_a_structured_reply_is_the_record_as_canonical_json(wire, store, kind):
    reply = one(config(wire, kind), store, ask(), Verdict)
    assert isinstance(reply, ModelReply), reply
    assert Verdict.model_validate_json(reply.structured)
    assert not reply.repaired


def test_a_reply_that_still_breaks_its_schema_when_mended_is_rejected_with_the_reply(wire, store, kind):
    failed = one(config(wire, kind), store, ask("[[fault:schema]] judge this"), Verdict)
    assert isinstance(failed, ModelFailure)
    assert failed.kind is ModelFailureKind.SCHEMA_VIOLATED
    assert failed.reply
    assert failed.tokens_out > 0
    assert wire.totals().arrived == 2


def test_a_mended_reply_says_so_and_costs_both_calls(wire, store):
    settings = config(wire)
    found = None
    for i in range(40):  # half of all replies break their schema: soon one is mended by its follow-up
        wire.script(Script(seed=i, shares={Fault.SCHEMA: 0.5}))
        reply = one(settings, store, ask(f"question {i}", request_id=f"q{i}"), Verdict)
        if isinstance(reply, ModelReply) and reply.repaired:
            found = reply, f"question {i}", f"q{i}"
            break
    assert found is not None
    reply, text, request_id = found
    single = one(settings, store, ask("a good one"), Verdict)
    assert reply.tokens_in > single.tokens_in
    before = wire.totals().arrived
    again = one(settings, store, ask(text, request_id=request_id), Verdict)
    assert wire.totals().arrived == before
    assert (again.structured, again.cost_usd, again.from_store) == (reply.structured, reply.cost_usd, True)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault.REFUSAL, ModelFailureKind.REFUSED),
        (Fault.FILTERED, ModelFailureKind.CONTENT_FILTERED),
        (Fault.LENGTH, ModelFailureKind.TRUNCATED),
        (Fault.BAD_REQUEST, ModelFailureKind.BAD_REQUEST),
        (Fault.SERVER_ERROR, ModelFailureKind.PROVIDER_ERROR),
        (Fault.RATE_LIMITED_SILENT, ModelFailureKind.RATE_LIMITED),
        (Fault.QUOTA, ModelFailureKind.PROVIDER_ERROR),
        (Fault.STALL, ModelFailureKind.TIMED_OUT),
        (Fault.WRONG_JSON, ModelFailureKind.PROVIDER_ERROR),
        (Fault.EMPTY, ModelFailureKind.PROVIDER_ERROR),
        (Fault.TRUNCATED, ModelFailureKind.PROVIDER_ERROR),
        (Fault.RESET, ModelFailureKind.PROVIDER_ERROR),
    ],
)
def test_each_fault_that_stays_is_a_typed_failure_and_a_rejection_of_its_record(wire, store, kind, fault, expected):
    settings = config(wire, kind, limits={"attempts": 2, "timeout_s": 0.5})
    failed = one(settings, store, ask(f"[[fault:{fault}]]"))
    assert isinstance(failed, ModelFailure), failed
    if (kind, fault) == ("google", Fault.REFUSAL):  # Gemini knows no refusal: it blocks the prompt
        expected = ModelFailureKind.CONTENT_FILTERED
    assert failed.kind is expected
    assert "solver" in failed.detail
    assert "r1" in failed.detail
    rejection = rejection_of(failed, "solution_steps", "p1")
    assert (rejection.reason, rejection.disposition) == (Reason(f"model_{expected}"), Disposition.QUARANTINED)


@pytest.mark.parametrize("fault", sorted({"429-silent", "500", "503", "reset", "truncated", "wrong-json", "empty"}))
def test_a_fault_that_passes_is_tried_again_and_leaves_a_reply(wire, store, kind, fault):
    reply = one(config(wire, kind), store, ask(f"[[fault:{fault}@2]]"))
    assert isinstance(reply, ModelReply), reply
    assert wire.totals().arrived == 3


def test_a_refusal_is_stored_and_not_paid_a_second_time(wire, store):
    for _ in range(2):
        assert one(config(wire), store, ask("[[fault:refusal]]")).kind is ModelFailureKind.REFUSED
    assert wire.totals().arrived == 1


def test_one_bad_request_costs_itself_and_not_the_others(wire, store):
    requests = [ask(f"[[fault:400]] {i}" if i % 5 == 0 else f"good {i}", request_id=str(i)) for i in range(50)]
    with gateway(config(wire), store) as open_gateway:
        answers = open_gateway.ask_all(requests)
    assert {i for i, a in answers.items() if isinstance(a, ModelFailure)} == {str(i) for i in range(0, 50, 5)}
    assert len(answers) == 50


def test_an_account_without_credit_is_asked_a_few_times_and_not_for_every_request(wire, store):
    requests = [ask(f"[[fault:quota]] {i}", request_id=str(i)) for i in range(300)]
    with gateway(config(wire), store) as open_gateway:
        answers = open_gateway.ask_all(requests)
    assert {a.kind for a in answers.values()} == {ModelFailureKind.PROVIDER_ERROR}
    assert len(answers) == 300
    assert wire.totals().arrived < 30


def test_a_replay_sends_nothing_and_a_miss_names_the_request(wire, store):
    settings = config(wire)
    one(settings, store, ask())
    assert one(settings, store, ask(), replay_only=True).from_store
    with pytest.raises(NotInStore, match="request new-one"):
        one(settings, store, ask("never asked", request_id="new-one"), replay_only=True)
    assert wire.totals().arrived == 1


def test_no_more_calls_are_in_flight_than_there_are_slots(wire, store):
    wire.script(Script(latency_ms=30))
    with gateway(config(wire, limits={"concurrency": 3}), store) as open_gateway:
        open_gateway.ask_all([ask(f"q{i}", request_id=str(i)) for i in range(60)])
    assert wire.totals().max_in_flight == 3


def test_a_budget_stops_before_it_is_passed_and_a_second_build_of_the_run_goes_on_from_there(wire, store):
    requests = [ask(f"q{i}", request_id=f"{i:03d}") for i in range(40)]
    settings = config(wire, parameters={"budget_usd": "0.02"})
    with gateway(settings, store) as open_gateway:
        answers = open_gateway.ask_all(requests)
        paid = open_gateway.totals.paid_pico_usd
    stopped = [a for a in answers.values() if isinstance(a, ModelFailure)]
    assert stopped
    assert len(stopped) < 40
    assert {a.kind for a in stopped} == {ModelFailureKind.OVER_BUDGET}
    assert paid <= 2 * 10**10
    with gateway(settings, store) as second:
        second.ask_all(requests)
        assert paid + second.totals.paid_pico_usd <= 2 * 10**10
    with gateway(settings, store, run="another run") as third:
        assert third.totals.sent == 0
        third.ask_all(requests)
        assert third.totals.sent > 0


def test_a_budget_on_a_model_without_a_price_is_an_error_before_anything_is_sent(wire, store):
    provider = ProviderSettings(kind="openai", base_url=wire.openai_url)
    settings = ModelsConfig.single(provider, "nobody-knows-it", parameters={"max_output_tokens": 10, "budget_usd": "1"})
    with pytest.raises(BadRequest, match="price"):
        one(settings, store, ask())
    assert wire.totals().arrived == 0


def test_an_unknown_role_is_an_error_that_names_the_roles(wire, store):
    with pytest.raises(BadRequest, match="judge, solver"):
        one(config(wire), store, ask(role="nobody"))


def test_a_missing_key_is_an_error_that_names_its_variable(wire, store, monkeypatch):
    monkeypatch.delenv("WIRE_KEY")
    with pytest.raises(BadRequest, match="WIRE_KEY"):
        one(config(wire), store, ask())


def test_a_wrong_key_is_said_and_the_key_itself_is_nowhere(wire, store, monkeypatch, caplog):
    caplog.set_level("DEBUG")
    monkeypatch.setenv("WIRE_KEY", "sk-planted-secret-1234567890")
    wire.script(Script(api_key="another"))
    failed = one(config(wire), store, ask())
    assert isinstance(failed, ModelFailure)
    assert "WIRE_KEY" in failed.detail
    assert "planted" not in failed.model_dump_json() + caplog.text


def test_an_estimate_tells_what_is_stored_and_what_the_rest_may_cost_and_sends_nothing(wire, store):
    settings = config(wire)
    with gateway(settings, store) as open_gateway:
        open_gateway.ask_all([ask(f"q{i}", request_id=str(i)) for i in range(10)])
        before = wire.totals().arrived
        told = open_gateway.estimate([ask(f"q{i}", request_id=str(i)) for i in range(15)])
    assert (told.requests, told.in_store, told.to_send) == (15, 10, 5)
    assert told.pico_at_most >= told.pico_expected > 0
    assert wire.totals().arrived == before


def test_two_gateways_at_once_send_each_request_once(wire, store, tmp_path):
    wire.script(Script(latency_ms=50))
    requests = [ask(f"q{i}", request_id=str(i)) for i in range(100)]
    answers = {}

    def work(name):
        own = open_store(tmp_path / "replies.sqlite")
        with gateway(config(wire), own) as open_gateway:
            answers[name] = open_gateway.ask_all(requests)
        own.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wire.totals().arrived == 100
    texts = [{i: a.text for i, a in of.items()} for of in answers.values()]
    assert len(texts) == 3
    assert texts[0] == texts[1] == texts[2]


def test_whoever_waits_for_another_process_that_fails_sends_the_request_itself(wire, store, tmp_path):
    other = open_store(tmp_path / "replies.sqlite")
    with gateway(config(wire), store) as open_gateway:
        request = ask()
        claimant = gateway(config(wire), other)
        owner = claimant._owner
        other.register(owner, NOW)
        key = open_gateway._config.resolve(request).key
        assert other.claim([key], owner).mine == {key}
        threading.Timer(0.5, other.release, ([key], owner)).start()
        assert isinstance(open_gateway.ask_all([request])["r1"], ModelReply)
    assert wire.totals().arrived == 1
    other.close()


def test_what_was_begun_is_kept_when_whoever_asked_goes_away(wire, store):
    wire.script(Script(latency_ms=200))
    settings = config(wire, limits={"concurrency": 4})
    with gateway(settings, store) as open_gateway:
        for _ in open_gateway.ask([ask(f"q{i}", request_id=str(i)) for i in range(40)]):
            break
    totals = wire.totals()
    assert totals.paid < 40
    assert totals.abandoned == 0
    with gateway(settings, store) as open_gateway:
        open_gateway.ask_all([ask(f"q{i}", request_id=str(i)) for i in range(40)])
    assert wire.totals().paid_twice == 0
    assert wire.totals().paid == 40


def test_an_error_of_the_store_reaches_whoever_asks(wire, store, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "put_many", full)
    with pytest.raises(OSError, match="No space left"):
        one(config(wire), store, ask())


def test_the_raw_reply_is_stored_as_it_came_with_its_request(wire, store, kind):
    from resources.llm.store import ReplyFilter

    one(config(wire, kind), store, ask())
    (stored,) = store.replies(ReplyFilter())
    assert json.loads(stored.body)
    assert json.loads(stored.canonical)["messages"] == [["user", [["text", "What is 2 + 2?"]]]]
    assert stored.provider == kind


def test_the_totals_count_a_cut_reply_as_a_reply_that_failed_sent_or_stored(wire, store):
    requests = [ask("[[fault:length]]", request_id="cut"), ask("good", request_id="good")]
    for sent, stored in ((2, 0), (0, 2)):
        with gateway(config(wire), store) as open_gateway:
            open_gateway.ask_all(requests)
            totals = open_gateway.totals
        assert (totals.sent, totals.from_store, totals.failed) == (sent, stored, 1)
