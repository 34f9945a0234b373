"""The batch APIs of both providers, over a real socket."""

import asyncio
import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

from resources.llm.faults import ProviderFault
from resources.llm.providers import PROVIDERS, BatchState, ProviderSettings
from resources.llm.providers._google_wire import openapi
from stepforge.asking import Sampling
from stepforge.vocabulary import Finish
from tests.resources.llm.providers.calls import IMAGE, MEDIA, SCHEMA, call
from tests.resources.llm.providers.loopback import Answer, as_json, serving

SECRET = "planted-5f1c9e7d2b-secret"  # noqa: S105
CALLS = [
    call("first ∠", schema=SCHEMA, sampling=Sampling(seed=1)),
    call("second", IMAGE),
    call("third", sample=1),
]


async def with_api(name, answer, use):
    async with serving(answer) as server:
        base = server.url + ("/v1" if name == "openai" else "")
        settings = ProviderSettings(kind=name, base_url=base, api_key_env="TEST_KEY")
        provider = PROVIDERS[name].open(settings, SecretStr(SECRET), MEDIA.__getitem__, 2)
        try:
            return await use(provider.batch), server.asked
        finally:
            await provider.close()


def used(name, answer, use):
    return asyncio.run(with_api(name, answer, use))


# OpenAI


def batch(status="completed", **fields):
    base = {"id": "batch_1", "object": "batch", "endpoint": "/v1/chat/completions", "created_at": 1}
    return {**base, "completion_window": "24h", "input_file_id": "file-1", "status": status, **fields}


def file_of(asked):
    """The uploaded file and its name, out of the form that was sent."""
    boundary = re.search(r"boundary=(.+)", asked.headers["content-type"])[1].encode()
    parts = asked.body.split(b"--" + boundary)
    part = next(part for part in parts if b"filename=" in part)
    head, _, content = part.partition(b"\r\n\r\n")
    return re.search(rb'filename="([^"]*)"', head)[1].decode(), content.removesuffix(b"\r\n"), parts


def test_openai_uploads_one_line_a_call_under_its_key():
    uploaded = {"id": "file-7", "object": "file", "bytes": 1, "created_at": 1, "filename": "f", "purpose": "batch"}
    file_id, asked = used("openai", lambda _: as_json(uploaded), lambda api: api.upload("job-1", CALLS))
    name, content, parts = file_of(asked[0])
    assert (file_id, name, asked[0].path) == ("file-7", "job-1.jsonl", "/v1/files")
    assert any(b'name="purpose"' in part and b"batch" in part for part in parts)
    lines = [json.loads(line) for line in content.splitlines()]
    assert [line["custom_id"] for line in lines] == [one.key for one in CALLS]
    assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
    assert lines[0]["body"]["response_format"]["json_schema"]["schema"] == SCHEMA.body
    assert lines[1]["body"]["messages"][1]["content"][1]["type"] == "image_url"
    assert lines[2]["body"]["model"] == "model-x"


def test_openai_starts_a_batch_that_is_found_again_by_its_job():
    listed = [batch(id=f"batch_{n}", metadata={"stepforge_job": f"job-{n}"} if n != 2 else None) for n in range(5)]

    def answer(asked):
        after = parse_qs(urlsplit(asked.path).query).get("after", [None])[0]
        if asked.method == "POST":
            return as_json(batch("validating", id="batch_9"))
        start = 0 if after is None else 1 + [b["id"] for b in listed].index(after)
        return as_json({"object": "list", "data": listed[start : start + 2], "has_more": start + 2 < len(listed)})

    async def use(api):
        return await api.create("job-4", "file-1", "model-x"), await api.find("job-4"), await api.find("job-77")

    found, asked = used("openai", answer, use)
    assert found == ("batch_9", "batch_4", None)
    assert asked[0].json == {
        "input_file_id": "file-1",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "metadata": {"stepforge_job": "job-4"},
    }


@pytest.mark.parametrize("name", ["openai", "google"])
def test_a_server_whose_list_never_ends_does_not_hold_up_the_search(name):
    one = batch(metadata=None) if name == "openai" else {"name": "batches/1", "metadata": {"displayName": "x"}}
    page = {"object": "list", "data": [one], "has_more": True, "operations": [one], "nextPageToken": "again"}
    found, asked = used(name, lambda _: as_json(page), lambda api: api.find("job-1"))
    assert (found, len(asked)) == (None, 2)


@pytest.mark.parametrize(
    ("fields", "state", "done", "words"),
    [
        ({"status": "validating"}, BatchState.RUNNING, 0, "validating"),
        ({"status": "finalizing"}, BatchState.RUNNING, 3, "finalizing"),
        ({"status": "cancelling"}, BatchState.RUNNING, 3, ""),
        ({"status": "completed"}, BatchState.ENDED, 3, ""),
        ({"status": "expired"}, BatchState.ENDED, 3, "expired"),
        ({"status": "cancelled"}, BatchState.ENDED, 3, ""),
        ({"status": "failed", "errors": {"data": [{"message": "bad line 2"}]}}, BatchState.FAILED, 3, "bad line 2"),
    ],
)
def test_openai_says_what_has_become_of_a_batch(fields, state, done, words):
    counts = {"total": 5, "completed": 2, "failed": 1} if done else None
    answer = as_json(batch(**fields, request_counts=counts))
    status, _ = used("openai", lambda _: answer, lambda api: api.status("batch_1"))
    assert (status.state, status.done, status.total) == (state, done, 5 if done else 0)
    assert words in status.detail


REPLY = {"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}], "x": 1e2}


def line(key, status=200, body=REPLY, error=None):
    response = {"status_code": status, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": key, "response": None if error else response, "error": error}


def files(**content):
    """A server of files by id; each is a list of lines, or bytes."""

    def answer(asked):
        for name, lines in content.items():
            if asked.path.startswith(f"/v1/files/{name}/content"):
                raw = lines if isinstance(lines, bytes) else b"".join(json.dumps(one).encode() + b"\n" for one in lines)
                return Answer(raw)
        return as_json(batch("completed", **{f"{name}_file_id": name for name in content}))

    return answer


def test_openai_reads_the_output_and_the_error_file_and_matches_by_key():
    answer = files(
        output=[line("k2"), line("k1"), {"custom_id": 5}, ["no object"]],
        error=[
            line("k3", error={"code": "batch_expired", "message": "not run in time"}),
            line("k4", 400, {"error": {"message": f"bad {SECRET}", "code": "invalid_value"}}),
            line("k5", 500, None),
        ],
    )
    results, _ = used("openai", answer, lambda api: api.results("batch_1"))
    found = {result.key: result for result in results}
    assert sorted(found) == ["k1", "k2", "k3", "k4", "k5"]
    assert json.loads(found["k1"].body) == REPLY
    assert PROVIDERS["openai"].read(found["k2"].body).text == "4"
    assert (found["k3"].expired, found["k3"].body) == (True, None)
    assert found["k4"].error == "bad [key] (invalid_value)"
    assert (found["k5"].error, found["k5"].expired) == ("answered 500", False)


@pytest.mark.parametrize("content", [{}, {"error": [line("k1", 400, {"error": {"message": "bad"}})]}])
def test_openai_may_complete_without_an_output_file(content):
    results, _ = used("openai", files(**content), lambda api: api.results("batch_1"))
    assert [result.key for result in results] == (["k1"] if content else [])


def test_a_damaged_line_costs_itself_and_a_cut_file_is_fetched_again():
    good = json.dumps(line("k1")).encode()
    results, _ = used("openai", files(output=good + b"\n{broken\n" + good + b"\n"), lambda api: api.results("batch_1"))
    assert [result.key for result in results] == ["k1", "k1"]
    with pytest.raises(ProviderFault, match="not received whole") as caught:
        used("openai", files(output=good + b"\n" + good[:40]), lambda api: api.results("batch_1"))
    assert caught.value.retryable


def test_openai_cancels():
    _, asked = used("openai", lambda _: as_json(batch("cancelling")), lambda api: api.cancel("batch_1"))
    assert (asked[0].method, asked[0].path) == ("POST", "/v1/batches/batch_1/cancel")


@pytest.mark.parametrize("name", ["openai", "google"])
def test_a_fault_of_the_batch_api_is_typed_and_holds_no_key(name):
    answer = as_json({"error": {"message": f"slow {SECRET}"}}, 429, retry_after="4")
    for use in (
        lambda api: api.upload("job-1", CALLS),
        lambda api: api.create("job-1", "files/1", "model-x"),
        lambda api: api.find("job-1"),
        lambda api: api.status("batches/1"),
        lambda api: api.results("batches/1"),
        lambda api: api.cancel("batches/1"),
    ):
        with pytest.raises(ProviderFault) as caught:
            used(name, lambda _: answer, use)
        assert (caught.value.retryable, caught.value.retry_after_s) == (True, 4.0)
        assert SECRET not in caught.value.detail


# Gemini


def operation(state="SUCCEEDED", **fields):
    metadata = {"state": f"BATCH_STATE_{state}", "displayName": "job-1", **fields.pop("metadata", {})}
    return {"name": "batches/b1", "metadata": metadata, **fields}


def test_gemini_uploads_one_line_a_call_with_its_schema_inside():
    sent = []

    def answer(asked):
        if "start" in asked.headers.get("x-goog-upload-command", ""):
            url = f"http://{asked.headers['host']}/upload/1"
            return Answer(b"{}", headers={"x-goog-upload-url": url, "x-goog-upload-status": "active"})
        sent.append(asked.body)
        return as_json({"file": {"name": "files/f1"}}, x_goog_upload_status="final")

    file_id, asked = used("google", answer, lambda api: api.upload("job-1", CALLS))
    assert file_id == "files/f1"
    assert "job-1" in asked[0].json["file"].values()
    lines = [json.loads(one) for one in b"".join(sent).splitlines()]
    assert [one["key"] for one in lines] == [one.key for one in CALLS]
    config = lines[0]["request"]["generationConfig"]
    assert config == {"seed": 1, "responseMimeType": "application/json", "responseSchema": openapi(SCHEMA.body)}
    assert "inlineData" in lines[1]["request"]["contents"][0]["parts"][1]


def test_gemini_starts_a_batch_that_is_found_again_by_its_job():
    listed = [operation(metadata={"displayName": f"job-{n}"}) | {"name": f"batches/b{n}"} for n in range(5)]

    def answer(asked):
        if asked.method == "POST":
            return as_json(operation("PENDING"))
        start = int(parse_qs(urlsplit(asked.path).query).get("pageToken", ["0"])[0])
        more = {"nextPageToken": str(start + 2)} if start + 2 < len(listed) else {}
        return as_json({"operations": listed[start : start + 2], **more})

    async def use(api):
        return await api.create("job-1", "files/f1", "gemini-x"), await api.find("job-4"), await api.find("job-77")

    found, asked = used("google", answer, use)
    assert found == ("batches/b1", "batches/b4", None)
    assert asked[0].path.endswith("/models/gemini-x:batchGenerateContent")
    assert asked[0].json == {"batch": {"displayName": "job-1", "inputConfig": {"fileName": "files/f1"}}}


STATS = {"requestCount": "5", "pendingRequestCount": "2", "successfulRequestCount": "3"}


@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        (operation("PENDING"), BatchState.RUNNING, "pending"),
        (operation("RUNNING"), BatchState.RUNNING, "running"),
        (operation("SUCCEEDED", done=True), BatchState.ENDED, "succeeded"),
        (operation("PARTIALLY_SUCCEEDED", done=True), BatchState.ENDED, "partially"),
        (operation(metadata={"state": "JOB_STATE_EXPIRED"}), BatchState.ENDED, "expired"),
        (operation("EXPIRED"), BatchState.ENDED, "expired"),
        (operation("CANCELLED", error={"code": 1, "message": "cancelled"}), BatchState.ENDED, "cancelled"),
        (operation("FAILED", error={"code": 3, "message": "line 2 is bad"}), BatchState.FAILED, "line 2 is bad"),
        (
            {"name": "batches/b1", "done": True, "error": {"code": 3, "message": "refused"}},
            BatchState.FAILED,
            "refused",
        ),
    ],
)
def test_gemini_says_what_has_become_of_a_batch(answer, state, words):
    answer.setdefault("metadata", {})["batchStats"] = STATS
    status, asked = used("google", lambda _: as_json(answer), lambda api: api.status("batches/b1"))
    assert (status.state, status.done, status.total) == (state, 3, 5)
    assert words in status.detail
    assert asked[0].path.endswith("/batches/b1")


def test_gemini_reads_the_result_file_and_matches_by_key():
    reply = {"candidates": [{"content": {"parts": [{"text": "4"}]}, "finishReason": "STOP"}]}
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    lines = [
        {"key": "k2", "response": reply},
        {"key": "k1", "response": blocked},
        {"key": "k3", "error": {"code": 13, "message": f"internal {SECRET}"}},
        {"key": "k4", "error": {"code": 1, "message": "cancelled"}},
        {"response": reply},
    ]

    def answer(asked):
        if "download" in asked.path:
            return Answer(b"".join(json.dumps(one).encode() + b"\n" for one in lines))
        return as_json(operation(metadata={"output": {"responsesFile": "files/out-1"}}))

    results, asked = used("google", answer, lambda api: api.results("batches/b1"))
    assert asked[1].path.endswith("/files/out-1:download?alt=media")
    found = {result.key: result for result in results}
    assert sorted(found) == ["k1", "k2", "k3", "k4"]
    assert PROVIDERS["google"].read(found["k2"].body).text == "4"
    assert PROVIDERS["google"].read(found["k1"].body).finish is Finish.CONTENT_FILTER
    assert (found["k3"].error, found["k3"].expired) == ("internal [key]", False)
    assert found["k4"].expired


def test_gemini_has_no_results_of_a_batch_that_expired():
    results, asked = used("google", lambda _: as_json(operation("EXPIRED")), lambda api: api.results("batches/b1"))
    assert (results, len(asked)) == ([], 1)


def test_gemini_cancels():
    _, asked = used("google", lambda _: as_json({}), lambda api: api.cancel("batches/b1"))
    assert asked[0].path.endswith("/batches/b1:cancel")


@pytest.mark.parametrize("name", ["openai", "google"])
def test_a_batch_larger_than_the_provider_takes_is_refused_before_it_is_sent(name, monkeypatch):
    monkeypatch.setattr(f"resources.llm.providers._{name}_batch.MAX_BYTES", 500)
    seen = []

    def answer(asked):
        seen.append(asked)
        return as_json({})

    with pytest.raises(ProviderFault, match="make several") as caught:
        used(name, answer, lambda api: api.upload("job-1", CALLS))
    assert (caught.value.retryable, seen) == (False, [])
