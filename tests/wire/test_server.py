"""The test server itself: what it answers and what it books."""

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire import Fault, Script, WireServer, even
from tests.wire.samples import NoSample, instance
from tests.wire.script import fault_for

SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["right", "wrong"]},
        "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1, "maxItems": 4},
        "note": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]},
    },
    "required": ["verdict", "steps", "note"],
    "additionalProperties": False,
    "$defs": {
        "step": {
            "type": "object",
            "properties": {
                "index": {"type": "integer", "minimum": 0, "exclusiveMaximum": 9},
                "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                "inner": {"anyOf": [{"$ref": "#/$defs/step"}, {"type": "null"}]},
                "sure": {"type": "boolean"},
                "kind": {"const": "step"},
            },
            "required": ["index", "share", "inner", "sure", "kind"],
            "additionalProperties": False,
        }
    },
}


@pytest.fixture(scope="module")
def running() -> Iterator[WireServer]:
    with WireServer() as wire:
        yield wire


@pytest.fixture
def wire(running: WireServer) -> WireServer:
    running.reset(Script())
    return running


class Got:
    """One answer, or the error that came instead."""

    def __init__(self, wire: WireServer, path: str, body: object, timeout_s: float = 30) -> None:
        self.status, self.headers, self.body, self.error = 0, {}, b"", ""
        connection = http.client.HTTPConnection("127.0.0.1", wire.port, timeout=timeout_s)
        try:
            connection.request("POST", path, json.dumps(body), {"Authorization": "Bearer k"})
            answer = connection.getresponse()
            self.status, self.headers = answer.status, {k.lower(): v for k, v in answer.getheaders()}
            self.body = answer.read()
        except (OSError, http.client.HTTPException) as err:
            self.error = type(err).__name__
        finally:
            connection.close()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def openai(wire: WireServer, text: str, timeout_s: float = 30, **more: object) -> Got:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **more}
    return Got(wire, "/v1/chat/completions", body, timeout_s)


def google(wire: WireServer, text: str, timeout_s: float = 30, **more: object) -> Got:
    body = {"contents": [{"role": "user", "parts": [{"text": text}]}], **more}
    return Got(wire, "/google/v1beta/models/m:generateContent", body, timeout_s)


BOTH = pytest.mark.parametrize("ask", [openai, google])


@BOTH
def test_the_same_request_gets_the_same_bytes_and_another_gets_others(wire: WireServer, ask: Any) -> None:
    first, again, other = ask(wire, "a"), ask(wire, "a"), ask(wire, "b")
    assert first.status == 200
    assert first.body == again.body != other.body
    totals = wire.totals()
    assert (totals.arrived, totals.distinct, totals.paid, totals.paid_twice) == (3, 2, 3, 1)


def test_the_hash_is_of_the_request_and_not_of_how_its_json_is_written(wire: WireServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", wire.port)
    for text in ('{"model": "m", "messages": [], "n": 1}', '{"n":1,"messages":[],"model":"m"}'):
        connection.request("POST", "/v1/chat/completions", text)
        connection.getresponse().read()
    connection.close()
    assert wire.totals().distinct == 1


def test_usage_is_filled_in_and_adds_up(wire: WireServer) -> None:
    usage = openai(wire, "a").json["usage"]
    assert usage["prompt_tokens"] > 0 < usage["completion_tokens"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    usage = google(wire, "a").json["usageMetadata"]
    parts = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount")
    assert usage["totalTokenCount"] == sum(usage[part] for part in parts)


@given(st.text(max_size=20))
def test_a_sample_is_a_valid_instance_of_its_schema(seed: str) -> None:
    jsonschema.validate(instance(SCHEMA, seed), SCHEMA)
    assert instance(SCHEMA, seed) == instance(SCHEMA, seed)


def test_a_schema_that_no_sample_is_built_for_is_refused_and_not_answered_wrongly(wire: WireServer) -> None:
    with pytest.raises(NoSample):
        instance({"type": "string", "pattern": "^a+$"}, "s")
    schema = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "string", "pattern": "^a+$"}}}
    assert openai(wire, "a", response_format=schema).status == 400
    assert wire.totals().paid == 0


def test_a_request_with_a_schema_gets_an_instance_of_it(wire: WireServer) -> None:
    form: dict[str, Any] = {"type": "json_schema", "json_schema": {"name": "n", "strict": True, "schema": SCHEMA}}
    said = openai(wire, "a", response_format=form).json["choices"][0]["message"]["content"]
    jsonschema.validate(json.loads(said), SCHEMA)
    config = {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}
    said = google(wire, "a", generationConfig=config).json["candidates"][0]["content"]["parts"][0]["text"]
    jsonschema.validate(json.loads(said), SCHEMA)
    said = openai(wire, "a [[fault:schema]]", response_format=form).json["choices"][0]["message"]["content"]
    with pytest.raises((jsonschema.ValidationError, json.JSONDecodeError)):
        jsonschema.validate(json.loads(said), SCHEMA)


def test_the_plan_depends_on_seed_request_and_attempt_alone_and_keeps_its_shares() -> None:
    script = Script(seed=4, shares=even(0.2, Fault.RESET, Fault.EMPTY))
    drawn = [fault_for(script, f"hash-{i}", i % 3, b"") for i in range(20_000)]
    assert drawn == [fault_for(script, f"hash-{i}", i % 3, b"") for i in range(20_000)]
    assert drawn != [fault_for(script.model_copy(update={"seed": 5}), f"hash-{i}", i % 3, b"") for i in range(20_000)]
    counts = Counter(drawn)
    # four standard deviations of 20,000 draws at 0.1
    assert abs(counts[Fault.RESET] - 2000) < 170
    assert abs(counts[Fault.EMPTY] - 2000) < 170
    assert set(counts) == {None, Fault.RESET, Fault.EMPTY}


@BOTH
@pytest.mark.parametrize(
    ("fault", "status"), [("429", 429), ("429-silent", 429), ("quota", 429), ("500", 500), ("503", 503), ("400", 400)]
)
def test_a_fault_named_in_the_text_is_met_and_costs_nothing(
    wire: WireServer, ask: Any, fault: str, status: int
) -> None:
    got = ask(wire, f"a [[fault:{fault}]]")
    assert got.status == status
    assert got.json["error"]["message"]
    # OpenAI says in a header how long to wait, Gemini in the body
    assert (("retry-after" in got.headers) or b"retryDelay" in got.body) == (fault == "429")
    assert wire.totals().outcomes == {fault: 1}
    assert wire.totals().paid == 0


@BOTH
def test_broken_connections_and_bodies_are_told_apart_and_cost_nothing(wire: WireServer, ask: Any) -> None:
    assert ask(wire, "[[fault:reset]]").error == "ConnectionResetError"
    assert ask(wire, "[[fault:truncated]]").error == "IncompleteRead"
    wrong = ask(wire, "[[fault:wrong-json]]")
    assert wrong.status == 200
    with pytest.raises(json.JSONDecodeError):
        _ = wrong.json
    empty = ask(wire, "[[fault:empty]]").json
    assert not empty.get("choices", empty.get("candidates"))
    assert (wire.totals().answered, wire.totals().paid, wire.totals().in_flight) == (4, 0, 0)


@BOTH
def test_a_stalled_request_is_in_flight_until_its_client_leaves(wire: WireServer, ask: Any) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask, wire, "[[fault:stall]]", 1)
        wire.wait_until_arrived(1)
        assert wire.totals().in_flight == 1
        assert waiting.result().error == "TimeoutError"
    openai(wire, "afterwards")
    totals = wire.totals()
    assert (totals.in_flight, totals.abandoned, totals.paid, totals.billed) == (0, 1, 1, 1)


def test_a_reply_that_its_client_did_not_wait_for_is_billed_and_not_paid(wire: WireServer) -> None:
    assert openai(wire, "[[wait:20000]]", timeout_s=0.2).error == "TimeoutError"
    openai(wire, "[[wait:1]] afterwards")
    totals = wire.totals()
    assert (totals.arrived, totals.abandoned, totals.paid, totals.billed) == (2, 1, 1, 2)


@BOTH
@pytest.mark.parametrize("fault", ["refusal", "filtered", "length"])
def test_what_the_model_did_is_charged_like_a_good_reply(wire: WireServer, ask: Any, fault: str) -> None:
    good, bad = ask(wire, "a").json, ask(wire, f"a [[fault:{fault}]]").json
    assert bad.keys() - {"promptFeedback"} <= good.keys()
    assert bad.get("choices", bad.get("candidates")) != good.get("choices", good.get("candidates"))
    assert wire.totals().paid == 2


def test_a_marker_can_end_after_some_attempts(wire: WireServer) -> None:
    assert [openai(wire, "[[fault:503@2]]").status for _ in range(3)] == [503, 503, 200]
    assert [entry.attempt for entry in wire.entries()] == [0, 1, 2]


def test_another_key_is_refused(wire: WireServer) -> None:
    wire.script(Script(api_key="another"))
    assert openai(wire, "a").status == 401
    assert google(wire, "a").status == 400
    wire.script(Script(api_key="k"))
    assert openai(wire, "a").status == 200


def test_the_ledger_says_how_many_were_in_flight(wire: WireServer) -> None:
    with ThreadPoolExecutor(7) as pool:
        list(pool.map(lambda i: openai(wire, f"[[wait:500]] {i}"), range(7)))
    assert wire.totals().max_in_flight == 7
    assert sorted(entry.in_flight for entry in wire.entries()) == list(range(7))


def test_the_server_ends_with_its_parent_even_if_that_is_killed() -> None:
    program = (
        "import time; from tests.wire import WireServer; w = WireServer(); print(w.pid, flush=True); time.sleep(99)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    server = psutil.Process(int(parent.stdout.readline()))
    assert server.is_running()
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    gone, alive = psutil.wait_procs([server], timeout=30)
    assert not alive, gone


def test_the_sdks_read_its_replies(wire: WireServer) -> None:
    async def both() -> tuple[Any, Any]:
        import openai as sdk
        from google import genai

        async with sdk.AsyncOpenAI(base_url=wire.openai_url, api_key="k", max_retries=0) as client:
            first = await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "a"}])
        gemini = genai.Client(api_key="k", http_options={"base_url": wire.google_url})
        second = await gemini.aio.models.generate_content(model="m", contents="a")
        await gemini.aio.aclose()
        return first, second

    chat, gemini = asyncio.run(both())
    assert "answer is" in chat.choices[0].message.content
    assert chat.choices[0].finish_reason == "stop"
    assert "answer is" in gemini.text
    assert gemini.usage_metadata.total_token_count > 0
