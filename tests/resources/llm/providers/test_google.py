"""Gemini's wire format over a real socket: what is sent, what is read, and what its own errors are called."""

import asyncio
import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from resources.llm.faults import ProviderFault
from resources.llm.providers import PROVIDERS, ProviderSettings, Read, Usage
from resources.llm.providers._google_wire import openapi
from resources.llm.schemas import strict_schema
from stepforge import records
from stepforge.asking import Part, Sampling, assistant, user
from stepforge.vocabulary import Finish, ModelFailureKind, PartKind
from tests.resources.llm.providers.calls import AUDIO, IMAGE, MEDIA, PNG, SCHEMA, WAV, call
from tests.resources.llm.providers.loopback import Answer, as_json, serving

KEY = "AIza-planted-77aa31"
KIND = PROVIDERS["google"]
REPLY = {
    "candidates": [
        {
            "content": {
                "role": "model",
                "parts": [{"text": "hmm", "thought": True}, {"text": "Yes, "}, {"text": "4."}],
            },
            "finishReason": "STOP",
        }
    ],
    "usageMetadata": {
        "promptTokenCount": 300,
        "cachedContentTokenCount": 200,
        "candidatesTokenCount": 12,
        "thoughtsTokenCount": 40,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 250}, {"modality": "AUDIO", "tokenCount": 50}],
        "cacheTokensDetails": [{"modality": "AUDIO", "tokenCount": 20}],
    },
}


def said(finish="STOP", parts=({"text": "x"},), **reply):
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return json.dumps({"candidates": [candidate], **reply}).encode()


def error(code, message="no", status="INVALID_ARGUMENT", *details):
    return as_json({"error": {"code": code, "message": message, "status": status, "details": list(details)}}, code)


async def conversation(answer, one):
    async with serving(answer) as server:
        settings = ProviderSettings(kind="google", base_url=server.url, api_key_env="TEST_KEY")
        provider = KIND.open(settings, SecretStr(KEY), MEDIA.__getitem__, 2)
        try:
            return await provider.send(one, 20.0), server.asked
        except ProviderFault as fault:
            return fault, server.asked
        finally:
            await provider.close()


def sent(one):
    outcome, asked = asyncio.run(conversation(lambda _: as_json(REPLY), one))
    assert isinstance(outcome, bytes), outcome
    assert len(asked) == 1
    return asked[0]


def fault_of(answer):
    outcome, asked = asyncio.run(conversation(lambda _: answer, call()))
    assert isinstance(outcome, ProviderFault), outcome
    assert len(asked) == 1  # nothing below the gateway tries again
    return outcome


def test_the_body_of_a_reply_comes_back_byte_for_byte():
    odd = '{ "candidates" : [\n], "x": 1e2, "x": 2, "t": "∠\\u00e9" }'.encode()
    outcome, asked = asyncio.run(conversation(lambda _: Answer(odd), call()))
    assert outcome == odd
    assert asked[0].headers["x-goog-api-key"] == KEY
    assert asked[0].path.endswith("/models/model-x:generateContent")
    assert KEY not in asked[0].path


def test_a_plain_call_sends_its_messages_and_nothing_that_was_not_set():
    assert sent(call(messages=(*call().request.messages, assistant("Yes."), user("Sure?")))).json == {
        "systemInstruction": {"parts": [{"text": "You check."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Is 2 + 2 = 4?"}]},
            {"role": "model", "parts": [{"text": "Yes."}]},
            {"role": "user", "parts": [{"text": "Sure?"}]},
        ],
    }


def test_images_and_audio_are_sent_in_order_inside_the_message():
    assert sent(call("Look: ", IMAGE, "hear ", AUDIO)).json["contents"][0]["parts"] == [
        {"text": "Look: "},
        {"inlineData": {"mimeType": "image/png", "data": base64.b64encode(PNG).decode()}},
        {"text": "hear "},
        {"inlineData": {"mimeType": "audio/wav", "data": base64.b64encode(WAV).decode()}},
    ]


def test_parameters_and_schema_stand_in_the_generation_config():
    sampling = Sampling(temperature=0.0, top_p=0.9, max_output_tokens=50, seed=7, stop=("END",))
    assert sent(call(sampling=sampling, sample=2, schema=SCHEMA)).json["generationConfig"] == {
        "temperature": 0.0,
        "topP": 0.9,
        "maxOutputTokens": 50,
        "seed": 9,
        "stopSequences": ["END"],
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA.body,
    }


@pytest.mark.parametrize(
    ("model", "effort", "thinking"),
    [
        ("gemini-2.5-flash", "low", {"thinkingBudget": 1024}),
        ("gemini-2.5-pro", "high", {"thinkingBudget": 24576}),
        ("models/gemini-2.5-flash", "none", {"thinkingBudget": 0}),
        ("gemini-3-pro-preview", "low", {"thinkingLevel": "low"}),
        ("gemini-3-pro-preview", "500", {"thinkingBudget": 500}),
    ],
)
def test_reasoning_effort_is_said_in_the_words_of_the_models_generation(model, effort, thinking):
    one = call(sampling=Sampling(reasoning_effort=effort), model=model)
    assert sent(one).json["generationConfig"] == {"thinkingConfig": thinking}


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (call("x", Part(kind=PartKind.AUDIO, sha256="2" * 64)), "media type"),
        (call("x", Part(kind=PartKind.IMAGE)), "names no content"),
        (call(model="../files/secret"), "no name of a model"),
        (call(model="a b"), "no name of a model"),
        (call(model="gemini-2.5-pro", sampling=Sampling(reasoning_effort="extreme")), "extreme"),
    ],
)
def test_what_the_format_cannot_say_is_a_bad_request_and_is_not_sent(one, words):
    outcome, asked = asyncio.run(conversation(lambda _: as_json(REPLY), one))
    assert (outcome.kind, outcome.retryable, asked) == (ModelFailureKind.BAD_REQUEST, False, [])
    assert words in outcome.detail


def test_a_reply_is_read_without_its_thoughts_which_are_counted_as_written():
    read = KIND.read(json.dumps(REPLY).encode())
    assert read == ("Yes, 4.", Finish.STOP, Usage(tokens_in=300, cached=200, tokens_out=52, reasoning=40, audio=30))


@pytest.mark.parametrize(
    ("body", "text", "finish"),
    [
        (said("MAX_TOKENS"), "x", Finish.LENGTH),
        (said("MAX_TOKENS", ()), "", Finish.LENGTH),
        (said("SAFETY", ()), "", Finish.CONTENT_FILTER),
        (said("RECITATION"), "x", Finish.CONTENT_FILTER),
        (said("PROHIBITED_CONTENT", ()), "", Finish.CONTENT_FILTER),
        (b'{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}', "", Finish.CONTENT_FILTER),
        (b'{"candidates": [{"finishReason": "SAFETY", "index": 0}]}', "", Finish.CONTENT_FILTER),
        (said(parts=[{"text": ""}]), "", Finish.STOP),
        (said(None), "x", Finish.STOP),
    ],
)
def test_why_a_model_stopped_is_read(body, text, finish):
    assert KIND.read(body)[:2] == (text, finish)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"", "not JSON"),
        (json.dumps(REPLY).encode()[:-9], "not JSON"),
        (b"[]", "no JSON object"),
        (b"{}", "no candidates"),
        (b'{"candidates": []}', "no candidates"),
        (b'{"error": {"code": 500, "message": "backend"}}', "backend"),
        (said(parts=()), "no text"),
        (said(parts=[{"text": "only thought", "thought": True}]), "no text"),
        (said("OTHER"), "OTHER"),
        (said("MALFORMED_RESPONSE"), "MALFORMED_RESPONSE"),
    ],
)
def test_what_is_no_reply_is_a_fault_that_may_pass(body, word):
    with pytest.raises(ProviderFault, match=word) as caught:
        KIND.read(body)
    assert (caught.value.kind, caught.value.retryable) == (ModelFailureKind.PROVIDER_ERROR, True)


NAMES = [
    "candidates",
    "content",
    "parts",
    "text",
    "finishReason",
    "usageMetadata",
    "promptFeedback",
    "error",
    "thought",
]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
        max_leaves=20,
    )
)
def test_any_json_is_read_or_is_a_fault(value):
    try:
        read = KIND.read(json.dumps(value).encode())
    except ProviderFault as fault:
        read = fault if fault.retryable else None
    assert isinstance(read, ProviderFault | Read)


LIMITED, BAD, ERROR = ModelFailureKind.RATE_LIMITED, ModelFailureKind.BAD_REQUEST, ModelFailureKind.PROVIDER_ERROR
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.074824224s"}
DAY = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerDayPerModel"}]}
WRONG_KEY = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}


@pytest.mark.parametrize(
    ("answer", "kind", "retryable", "wait_s", "word"),
    [
        (error(429, "slow", "RESOURCE_EXHAUSTED", RETRY), LIMITED, True, 34.074824224, "slow"),
        (error(429, "slow", "RESOURCE_EXHAUSTED"), LIMITED, True, None, "slow"),
        (error(429, "out", "RESOURCE_EXHAUSTED", DAY, RETRY), ERROR, False, None, "quota of a day"),
        (error(503, "overloaded", "UNAVAILABLE"), ERROR, True, None, "overloaded"),
        (error(400, "API key not valid.", "INVALID_ARGUMENT", WRONG_KEY), ERROR, False, None, "TEST_KEY"),
        (error(400, "User location", "FAILED_PRECONDITION"), ERROR, False, None, "User location"),
        (error(400, "too many tokens"), BAD, False, None, "too many tokens"),
        (error(404, "models/x is not found", "NOT_FOUND"), ERROR, False, None, "models.toml"),
        (Answer(b"<html>bad</html>", 502), ERROR, True, None, "<html>bad</html>"),
        (Answer(b"\xff\xfe", 500), ERROR, True, None, "answered 500"),
        (as_json([{"error": {"code": 500, "message": "in a list"}}], 500), ERROR, True, None, "in a list"),
    ],
)
def test_an_error_of_the_api_has_its_kind_and_says_how_long_to_wait(answer, kind, retryable, wait_s, word):
    fault = fault_of(answer)
    assert (fault.kind, fault.retryable, fault.retry_after_s) == (kind, retryable, wait_s), fault.detail
    assert word in fault.detail


def test_a_schema_is_said_in_the_words_of_openapi():
    assert openapi(SCHEMA.body) == {
        "type": "object",
        "properties": {"right": {"type": "boolean"}},
        "required": ["right"],
        "propertyOrdering": ["right"],
    }
    number, word, null = {"type": "integer"}, {"type": "string"}, {"type": "null"}
    assert openapi({"anyOf": [number, null], "description": "n"}) == {**number, "nullable": True, "description": "n"}
    assert openapi({"anyOf": [number, word, null]}) == {"anyOf": [number, word], "nullable": True}
    assert openapi({"type": "integer", "enum": [1, 2]}) == {"type": "integer", "description": "one of 1, 2"}
    assert openapi({"type": "string", "enum": ["a"]}) == {"type": "string", "enum": ["a"]}


@pytest.mark.parametrize("record", [records.Problem, records.Trajectory], ids=lambda r: r.__name__)
def test_a_schema_in_the_words_of_openapi_has_no_others(record):
    def check(node):
        assert set(node) <= {
            *("type", "description", "required", "properties", "propertyOrdering", "items", "enum", "anyOf", "nullable")
        }
        assert node.get("type") != "null"
        assert "type" in node or "anyOf" in node
        below = [*node.get("properties", {}).values(), *node.get("anyOf", [])]
        return 1 + sum(map(check, below + ([node["items"]] if "items" in node else [])))

    assert check(openapi(strict_schema(record).body)) > 10
