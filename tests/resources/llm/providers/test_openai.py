"""OpenAI's wire format over a real socket: what is sent, what is read, and what every fault is called."""

import asyncio
import base64
import email.utils
import json
import logging
import time
import traceback
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from resources.llm.faults import ProviderFault
from resources.llm.providers import PROVIDERS, ProviderSettings, Read, Usage
from resources.llm.providers._http import MAX_REPLY_BYTES, retry_after_s
from stepforge.asking import Part, Sampling, assistant, user
from stepforge.errors import BadInput
from stepforge.vocabulary import Finish, ModelFailureKind, PartKind
from tests.resources.llm.providers.calls import AUDIO, IMAGE, MEDIA, PNG, SCHEMA, WAV, call
from tests.resources.llm.providers.loopback import Answer, as_json, serving

SECRET = "sk-planted-5f1c9e7d2b"  # noqa: S105
KIND = PROVIDERS["openai"]
REPLY = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes, 4."}, "finish_reason": "stop"}],
    "usage": {
        "prompt_tokens": 20,
        "completion_tokens": 7,
        "prompt_tokens_details": {"cached_tokens": 16, "audio_tokens": 2},
        "completion_tokens_details": {"reasoning_tokens": 3},
    },
}


def said(message, finish="stop", **usage):
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def error(message, code=None, kind=None):
    return {"error": {"message": message, "type": kind, "code": code}}


async def conversation(answer, calls, *, timeout_s=20.0, key=SECRET, **settings):
    """What came of each call (body or fault), and what the server was asked."""
    async with serving(answer) as server:
        given = ProviderSettings(kind="openai", base_url=server.url + "/v1", api_key_env="TEST_KEY", **settings)
        provider = KIND.open(given, SecretStr(key) if key else None, MEDIA.__getitem__, 2)
        outcomes = []
        try:
            for one in calls:
                try:
                    outcomes.append(await provider.send(one, timeout_s))
                except ProviderFault as fault:
                    outcomes.append(fault)
        finally:
            await provider.close()
        return outcomes, server.asked


def sent(one, **settings):
    outcomes, asked = asyncio.run(conversation(lambda _: as_json(REPLY), [one], **settings))
    assert not isinstance(outcomes[0], ProviderFault), outcomes[0]
    assert (asked[0].method, asked[0].path) == ("POST", "/v1/chat/completions")
    return asked[0].json


def fault_of(answer, **options):
    outcomes, _ = asyncio.run(conversation(lambda _: answer, [call()], **options))
    assert isinstance(outcomes[0], ProviderFault), outcomes[0]
    return outcomes[0]


def test_the_body_of_a_reply_comes_back_byte_for_byte():
    odd = b'{ "choices" : [\n], "x": 1e2, "x": 2 }'
    outcomes, asked = asyncio.run(conversation(lambda _: Answer(odd), [call()]))
    assert outcomes == [odd]
    assert asked[0].headers["authorization"] == f"Bearer {SECRET}"


def test_a_plain_call_sends_model_and_messages_and_nothing_that_was_not_set():
    assert sent(call(messages=(*call().request.messages, assistant("Yes."), user("Sure?")))) == {
        "model": "model-x",
        "messages": [
            {"role": "system", "content": "You check."},
            {"role": "user", "content": "Is 2 + 2 = 4?"},
            {"role": "assistant", "content": "Yes."},
            {"role": "user", "content": "Sure?"},
        ],
    }


def test_images_and_audio_are_sent_in_order_inside_the_message():
    content = sent(call("Look: ", IMAGE, " and hear ", AUDIO))["messages"][1]["content"]
    assert content == [
        {"type": "text", "text": "Look: "},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}},
        {"type": "text", "text": " and hear "},
        {"type": "input_audio", "input_audio": {"data": base64.b64encode(WAV).decode(), "format": "wav"}},
    ]


def test_parameters_are_sent_under_the_servers_names_and_the_seed_moves_with_the_sample():
    sampling = Sampling(
        temperature=0.0, top_p=0.9, max_output_tokens=50, seed=7, reasoning_effort="low", stop=("END", "\n\n")
    )
    body = sent(call(sampling=sampling, sample=3))
    del body["messages"], body["model"]
    assert body == {
        "temperature": 0.0,
        "top_p": 0.9,
        "max_tokens": 50,
        "seed": 10,
        "reasoning_effort": "low",
        "stop": ["END", "\n\n"],
    }
    body = sent(call(sampling=sampling), **{"token_limit_name": "max_completion_tokens"})
    assert body["max_completion_tokens"] == 50
    assert "max_tokens" not in body


def test_a_schema_is_sent_strict_or_told_where_the_server_knows_none():
    asked = sent(call(schema=SCHEMA))
    schema = {"name": "Verdict", "strict": True, "schema": SCHEMA.body}
    assert asked["response_format"] == {"type": "json_schema", "json_schema": schema}
    told = sent(call(schema=SCHEMA), structured="json_object")
    assert told["response_format"] == {"type": "json_object"}
    assert json.dumps(SCHEMA.body) in told["messages"][0]["content"]
    assert told["messages"][1:] == asked["messages"]


def test_halves_of_surrogate_pairs_in_a_text_do_not_stop_the_call():
    assert sent(call("x\ud800y", IMAGE))["messages"][1]["content"][0]["text"] == "x?y"
    assert sent(call("x\ud800y"))["messages"][1]["content"] == "x?y"


@pytest.mark.parametrize(
    ("part", "word"),
    [
        (Part(kind=PartKind.AUDIO, sha256="2" * 64, media_type="audio/ogg"), "audio/ogg"),
        (Part(kind=PartKind.IMAGE), "names no content"),
    ],
)
def test_what_the_format_cannot_say_is_a_bad_request_and_is_not_sent(part, word):
    outcomes, asked = asyncio.run(conversation(lambda _: as_json(REPLY), [call("a", part)]))
    assert (outcomes[0].kind, outcomes[0].retryable, asked) == (ModelFailureKind.BAD_REQUEST, False, [])
    assert word in outcomes[0].detail


def test_without_a_key_none_of_the_environment_is_sent_and_no_account_of_openai_to_others(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-itself")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-admin")
    _, asked = asyncio.run(conversation(lambda _: as_json(REPLY), [call()], key=None))
    assert asked[0].headers["authorization"] == "Bearer none"
    assert not {"openai-organization", "openai-project"} & set(asked[0].headers)
    assert not {"sk-of-openai-itself", "sk-admin", "org-1", "proj-1"} & set(asked[0].headers.values())


def test_a_reply_is_read_with_its_usage():
    read = KIND.read(json.dumps(REPLY).encode())
    assert read == ("Yes, 4.", Finish.STOP, Usage(tokens_in=20, cached=16, tokens_out=7, reasoning=3, audio=2))


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (said({"content": "cut"}, "length"), "cut", Finish.LENGTH),
        (said({"content": None}, "length"), "", Finish.LENGTH),
        (said({"content": None}, "content_filter"), "", Finish.CONTENT_FILTER),
        (said({"content": None, "refusal": "I cannot."}), "I cannot.", Finish.REFUSAL),
        (said({"content": "", "refusal": None}), "", Finish.STOP),
        (said({"content": None, "tool_calls": [{"id": "1"}]}, "tool_calls"), "", Finish.STOP),
        (said({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}), "ab", Finish.STOP),
        (said({"content": "x"}, None), "x", Finish.STOP),
        (said({"content": "half \ud83d"}), "half ?", Finish.STOP),
    ],
)
def test_why_a_model_stopped_is_read(body, text, finish):
    read = KIND.read(body)
    assert (read.text, read.finish) == (text, finish)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 5, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}, Usage(5, 4, 2)),
        ({"prompt_tokens": -5, "completion_tokens": 10**30}, Usage()),
        ({"prompt_tokens": "5", "completion_tokens": None, "prompt_tokens_details": []}, Usage()),
    ],
)
def test_usage_of_other_servers_and_nonsense_is_read(usage, expected):
    assert KIND.read(said({"content": "x"}, **usage)).usage == expected


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"", "not JSON"),
        (b"<html>Bad gateway</html>", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (json.dumps(REPLY).encode()[:-20], "not JSON"),
        (b"null", "no choices"),
        (b"[]", "no choices"),
        (b'{"choices": []}', "no choices"),
        (b'{"choices": null}', "no choices"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "no choices"),
        (b'{"error": {"message": "upstream went away", "code": 502}}', "upstream went away"),
        (said({"content": None}), "neither text nor a refusal"),
        (said({}), "neither text nor a refusal"),
        (said({"content": "par"}, "insufficient_system_resource"), "gave up"),
    ],
)
def test_what_is_no_reply_is_a_fault_that_may_pass(body, word):
    with pytest.raises(ProviderFault) as caught:
        KIND.read(body)
    assert (caught.value.kind, caught.value.retryable) == (ModelFailureKind.PROVIDER_ERROR, True)
    assert word in caught.value.detail


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["choices", "message", "content", "finish_reason", "usage", "refusal", "error", "code"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_read_or_is_a_fault(value):
    try:
        read = KIND.read(json.dumps(value).encode())
    except ProviderFault as fault:
        read = fault if fault.retryable else None
    assert isinstance(read, ProviderFault | Read)


LIMITED, TIMED_OUT, BAD = ModelFailureKind.RATE_LIMITED, ModelFailureKind.TIMED_OUT, ModelFailureKind.BAD_REQUEST
ERROR, FILTERED = ModelFailureKind.PROVIDER_ERROR, ModelFailureKind.CONTENT_FILTERED


@pytest.mark.parametrize(
    ("answer", "kind", "retryable", "trips", "words"),
    [
        (as_json(error("slow down"), 429), LIMITED, True, False, ["429", "slow down"]),
        (as_json(error("no quota", "insufficient_quota"), 429), ERROR, False, False, ["credit", "no quota"]),
        (as_json(error("no balance"), 402), ERROR, False, False, ["credit", "TEST_KEY"]),
        (as_json(error("request timeout"), 408), TIMED_OUT, True, False, ["408"]),
        (as_json(error("conflict"), 409), ERROR, True, False, ["409"]),
        (as_json(error("bad field"), 400), BAD, False, False, ["bad field"]),
        (as_json({"detail": "field missing"}, 422), BAD, False, False, ["field missing"]),
        (as_json({"object": "error", "message": "too long"}, 413), BAD, False, False, ["too long"]),
        (as_json(error("wrong key"), 401), ERROR, False, False, ["TEST_KEY", "wrong key"]),
        (as_json(error("not yours"), 403), ERROR, False, False, ["TEST_KEY"]),
        (as_json(error("no such model", "model_not_found"), 404), ERROR, False, False, ["models.toml"]),
        (Answer(status=302, headers={"location": "/elsewhere"}), ERROR, False, False, ["base_url"]),
        (Answer(status=204), ERROR, True, False, ["204"]),
        (as_json(error("flagged", "content_policy_violation"), 400), FILTERED, False, False, ["flagged"]),
        (
            as_json({"error": {"message": "f", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, 400),
            FILTERED,
            False,
            False,
            ["filtered"],
        ),
        (as_json(error("oops"), 500), ERROR, True, True, ["500", "oops"]),
        (Answer(b"<html>\n<b>down</b></html>", 503), ERROR, True, True, ["503", "<html> <b>down</b></html>"]),
        (as_json(error("slow upstream"), 504), ERROR, True, True, ["504"]),
        (Answer(reset=True), ERROR, True, True, ["closed before a reply"]),
        (Answer(json.dumps(REPLY).encode(), cut=30), ERROR, True, True, ["closed inside the reply"]),
        (Answer(raw=b"SSH-2.0-OpenSSH\r\n\r\n"), ERROR, True, True, ["no HTTP"]),
        (Answer(b"not gzip", headers={"content-encoding": "gzip"}), ERROR, True, True, ["compression is damaged"]),
    ],
)
def test_every_fault_has_its_kind(answer, kind, retryable, trips, words):
    fault = fault_of(answer)
    assert (fault.kind, fault.retryable, fault.trips) == (kind, retryable, trips), fault.detail
    assert all(word in fault.detail for word in ["openai at 127.0.0.1:", *words]), fault.detail


def test_a_server_that_stalls_is_given_up_at_the_deadline():
    fault = fault_of(Answer(stall=True), timeout_s=0.3)
    assert (fault.kind, fault.retryable, fault.trips) == (TIMED_OUT, True, False)
    assert "0.3 s" in fault.detail


def test_a_server_that_is_not_there_is_a_fault_of_the_provider():
    async def to_nobody():
        async with serving(lambda _: Answer()) as server:
            url = server.url
        provider = KIND.open(ProviderSettings(kind="openai", base_url=url), None, MEDIA.__getitem__, 1)
        try:
            await provider.send(call(), 5.0)
        finally:
            await provider.close()

    with pytest.raises(ProviderFault, match="cannot connect") as caught:
        asyncio.run(to_nobody())
    assert (caught.value.retryable, caught.value.trips) == (True, True)


def test_a_reply_larger_than_any_is_not_read_to_its_end():
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {2 * MAX_REPLY_BYTES}\r\n\r\n".encode()
    fault = fault_of(Answer(raw=head + b" " * (MAX_REPLY_BYTES + 1)))
    assert "larger than 64 MiB" in fault.detail
    assert not fault.retryable


def test_of_a_compressed_reply_less_is_read():
    bomb = zlib.compress(bytes(1024**2), 0)  # what is allowed is counted before it is unfolded
    assert len(bomb) > MAX_REPLY_BYTES // 128
    assert "larger" in fault_of(Answer(bomb, headers={"content-encoding": "deflate"})).detail


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "7", "retry-after-ms": "120"}, 0.12),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT", "date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT", "date": "Wed, 21 Oct 2015 07:28:30 GMT"}, 0.0),
        ({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}, None),
    ],
)
def test_how_long_to_wait_is_read_in_every_form(headers, expected):
    assert retry_after_s(headers) == expected
    answer = as_json(error("slow down"), 429, **{name.replace("-", "_"): value for name, value in headers.items()})
    assert fault_of(answer).retry_after_s == expected


def test_a_date_to_wait_for_is_taken_against_this_clock_where_the_server_states_none():
    wait = retry_after_s({"retry-after": email.utils.formatdate(time.time() + 3600, usegmt=True)})
    assert 3000 < wait < 3700


def test_a_connection_is_used_again_after_a_fault():
    answers = iter([as_json(error("oops"), 500), Answer(reset=True), as_json(REPLY)])
    outcomes, asked = asyncio.run(conversation(lambda _: next(answers), [call(), call(), call()]))
    assert [isinstance(outcome, bytes) for outcome in outcomes] == [False, False, True]
    assert len(asked) == 3  # each call was sent once: nothing below the gateway retries


@pytest.mark.parametrize("url", ["https://user:hunter22@host/v1", "host/v1", "ftp://host"])
def test_a_base_url_that_cannot_be_used_is_refused_without_its_password(url):
    with pytest.raises(BadInput) as caught:
        asyncio.run(_open(url, "k" * 20))
    assert "hunter22" not in str(caught.value)


def test_a_key_that_cannot_stand_in_a_header_is_refused_without_showing_it():
    with pytest.raises(BadInput, match="TEST_KEY") as caught:
        asyncio.run(_open("http://127.0.0.1:1/v1", SECRET + "\n é"))
    assert SECRET not in str(caught.value)


async def _open(url, key):
    settings = ProviderSettings(kind="openai", base_url=url, api_key_env="TEST_KEY")
    await KIND.open(settings, SecretStr(key), MEDIA.__getitem__, 1).close()


ECHOES = [
    as_json(error(f"Incorrect API key provided: {SECRET}", SECRET), 401),
    as_json(error(f"bad header Bearer {SECRET}"), 400),
    Answer(f"<html>{SECRET}</html>".encode(), 500),
    Answer(reset=True),
    Answer(json.dumps(REPLY).encode(), cut=30),
    Answer(raw=b"SSH-2.0\r\n\r\n"),
    Answer(stall=True),
    Answer(json.dumps({"choices": [], "echo": SECRET}).encode()),
]


def test_the_key_is_in_no_fault_reply_repr_or_log_record(caplog):
    caplog.set_level(logging.DEBUG)
    answers = iter(ECHOES)
    outcomes, asked = asyncio.run(conversation(lambda _: next(answers), [call()] * len(ECHOES), timeout_s=1.0))
    assert all(SECRET in one.headers["authorization"] for one in asked)
    assert len(asked) == len(outcomes) == len(ECHOES)
    for outcome in outcomes:
        if isinstance(outcome, ProviderFault):
            assert outcome.__context__ is None
            shown = "".join(traceback.format_exception(outcome)) + repr(outcome) + repr(vars(outcome))
        else:
            shown = outcome.decode()
            assert "[key]" in shown
        assert SECRET not in shown
    assert any("HTTP Request" in record.getMessage() for record in caplog.records)
    assert not any(SECRET in record.getMessage() + repr(vars(record)) for record in caplog.records)
