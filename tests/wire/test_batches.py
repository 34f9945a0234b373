"""The test server's batch APIs, asked through the providers' own SDKs."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest
from google import genai
from google.genai import types

from tests.wire import BatchScript, Fault, Script, WireServer, even


@pytest.fixture(scope="module")
def running() -> Iterator[WireServer]:
    with WireServer() as wire:
        yield wire


@pytest.fixture
def wire(running: WireServer) -> WireServer:
    running.reset(Script())
    return running


def body(i: int, more: str = "") -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": f"question {i} {more}"}]}


def gemini_body(i: int, more: str = "") -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"text": f"question {i} {more}"}]}]}


def lines(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


class OpenAiBatch:
    """A batch through the OpenAI SDK."""

    def __init__(self, wire: WireServer, count: int, more: Callable[[int], str] = lambda _: "") -> None:
        self.client = openai.OpenAI(base_url=wire.openai_url, api_key="k", max_retries=0)
        self.content = lines(
            [
                {"custom_id": f"key-{i}", "method": "POST", "url": "/v1/chat/completions", "body": body(i, more(i))}
                for i in range(count)
            ]
        )
        self.file = self.client.files.create(file=("job.jsonl", self.content), purpose="batch")

    def create(self) -> Any:
        return self.client.batches.create(
            input_file_id=self.file.id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={"job": "job-1"},
        )

    def finished(self, batch_id: str) -> Any:
        batch = self.client.batches.retrieve(batch_id)
        while batch.status in ("validating", "in_progress", "finalizing"):
            batch = self.client.batches.retrieve(batch_id)
        return batch

    def rows(self, file_id: str | None) -> list[dict[str, Any]]:
        if file_id is None:
            return []
        return [json.loads(line) for line in self.client.files.content(file_id).content.splitlines()]


def test_openai_batch_gives_the_replies_of_single_requests_in_another_order(wire: WireServer) -> None:
    job = OpenAiBatch(wire, 30)
    assert job.rows(job.file.id) == [json.loads(line) for line in job.content.splitlines()]
    created = job.create()
    assert created.status == "validating"
    batch = job.finished(created.id)
    assert (batch.status, batch.request_counts.completed, batch.error_file_id) == ("completed", 30, None)
    rows = job.rows(batch.output_file_id)
    keys = [row["custom_id"] for row in rows]
    assert sorted(keys) == sorted(f"key-{i}" for i in range(30))
    assert keys != [f"key-{i}" for i in range(30)]
    assert (wire.totals().paid, wire.totals().max_in_flight) == (30, 0)
    single = job.client.chat.completions.create(**body(int(keys[0].removeprefix("key-"))))
    assert rows[0]["response"]["body"]["choices"][0]["message"]["content"] == single.choices[0].message.content
    # one ledger for both ways
    assert wire.totals().paid_twice == 1


def test_openai_batch_puts_failed_and_expired_lines_into_the_error_file(wire: WireServer) -> None:
    wire.script(Script(batches=(BatchScript(expired_share=0.3),), shares=even(0.3, Fault.SERVER_ERROR)))
    job = OpenAiBatch(wire, 60)
    batch = job.finished(job.create().id)
    good, bad = job.rows(batch.output_file_id), job.rows(batch.error_file_id)
    assert batch.status == "expired"
    assert len(good) + len(bad) == 60
    expired = [row for row in bad if row["error"] and row["error"]["code"] == "batch_expired"]
    failed = [row for row in bad if row["response"] and row["response"]["status_code"] == 500]
    assert len(expired) + len(failed) == len(bad)
    assert all((expired, failed, good))
    assert wire.totals().paid == len(good)


def test_lines_can_be_missing_from_both_files_and_are_charged_all_the_same(wire: WireServer) -> None:
    wire.script(Script(batches=(BatchScript(missing_share=0.5),)))
    job = OpenAiBatch(wire, 40)
    batch = job.finished(job.create().id)
    assert 0 < len(job.rows(batch.output_file_id)) < 40
    assert wire.totals().paid == 40


def test_a_batch_fails_as_a_whole_or_ends_without_a_file_as_its_script_says(wire: WireServer) -> None:
    wire.script(Script(batches=(BatchScript(fails=True), BatchScript(no_output=True), BatchScript(polls=0))))
    job = OpenAiBatch(wire, 5)
    failed = job.finished(job.create().id)
    assert (failed.status, failed.errors.data[0].message) == ("failed", "The batch could not be processed")
    silent = job.finished(job.create().id)
    assert (silent.status, silent.output_file_id, silent.error_file_id) == ("completed", None, None)
    assert wire.totals().paid == 0
    assert job.client.batches.retrieve(job.create().id).status == "completed"
    assert wire.totals().paid == 5


def test_a_file_that_uses_an_id_twice_is_refused(wire: WireServer) -> None:
    job = OpenAiBatch(wire, 2)
    twice = job.content.replace(b"key-1", b"key-0")
    job.file = job.client.files.create(file=("job.jsonl", twice), purpose="batch")
    batch = job.finished(job.create().id)
    assert (batch.status, batch.errors.data[0].message) == ("failed", "The custom_id of a line is used twice")


def test_a_batch_whose_creation_was_not_answered_is_found_by_its_metadata(wire: WireServer) -> None:
    wire.script(Script(batches=(BatchScript(lose_create_reply=True), BatchScript())))
    job = OpenAiBatch(wire, 3)
    with pytest.raises(openai.APIConnectionError):
        job.create()
    for _ in range(25):  # more than a page of others
        job.create()
    found = [batch for batch in job.client.batches.list() if batch.metadata == {"job": "job-1"}]
    assert len(found) == 26
    assert len({batch.id for batch in found}) == 26


def test_a_cancelled_openai_batch_keeps_what_was_done(wire: WireServer) -> None:
    wire.script(Script(batches=(BatchScript(polls=9),)))
    job = OpenAiBatch(wire, 20)
    created = job.create()
    for _ in range(5):
        job.client.batches.retrieve(created.id)
    batch = job.client.batches.cancel(created.id)
    assert batch.status == "cancelled"
    assert len(job.rows(batch.output_file_id)) == 10 == wire.totals().paid


class GeminiBatch:
    """A batch through the google-genai SDK."""

    def __init__(self, wire: WireServer) -> None:
        self.client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=wire.google_url))

    async def upload(self, content: bytes) -> Any:
        config = types.UploadFileConfig(display_name="job-1", mime_type="jsonl")
        return await self.client.aio.files.upload(file=io.BytesIO(content), config=config)

    async def create(self, count: int) -> Any:
        content = lines([{"key": f"key-{i}", "request": gemini_body(i)} for i in range(count)])
        file = await self.upload(content)
        config = types.CreateBatchJobConfig(display_name="job-1")
        return await self.client.aio.batches.create(model="m", src=file.name, config=config)

    async def finished(self, name: str) -> Any:
        job: Any = await self.client.aio.batches.get(name=name)
        while job.state.name in ("JOB_STATE_PENDING", "JOB_STATE_RUNNING"):
            job = await self.client.aio.batches.get(name=name)
        return job

    async def rows(self, job: Any) -> list[dict[str, Any]]:
        content = await self.client.aio.files.download(file=job.dest.file_name)
        return [json.loads(line) for line in content.splitlines()]


def test_gemini_batch_gives_the_replies_of_single_requests_in_another_order(wire: WireServer) -> None:
    async def run() -> tuple[Any, list[dict[str, Any]], Any, list[Any]]:
        batch = GeminiBatch(wire)
        created = await batch.create(30)
        job = await batch.finished(created.name)
        rows = await batch.rows(job)
        number = int(rows[0]["key"].removeprefix("key-"))
        content = types.Content(role="user", parts=[types.Part(text=f"question {number} ")])
        single = await batch.client.aio.models.generate_content(model="m", contents=content)
        listed = [job async for job in await batch.client.aio.batches.list()]
        await batch.client.aio.aclose()
        return job, rows, single, listed

    job, rows, single, listed = asyncio.run(run())
    assert job.state.name == "JOB_STATE_SUCCEEDED"
    keys = [row["key"] for row in rows]
    assert sorted(keys) == sorted(f"key-{i}" for i in range(30))
    assert keys != [f"key-{i}" for i in range(30)]
    assert rows[0]["response"]["candidates"][0]["content"]["parts"][0]["text"] == single.text
    assert [found.display_name for found in listed] == ["job-1"]
    assert (wire.totals().paid, wire.totals().paid_twice) == (31, 1)


def test_a_large_file_is_taken_in_several_steps(wire: WireServer) -> None:
    async def run() -> Any:
        batch = GeminiBatch(wire)
        file = await batch.upload(b"x" * 20_000_000)  # the SDK sends 8 MB at a time
        await batch.client.aio.aclose()
        return file

    assert asyncio.run(run()).size_bytes == 20_000_000


def test_gemini_batch_fails_expires_and_has_errors_as_its_script_says(wire: WireServer) -> None:
    async def run() -> tuple[Any, Any, list[dict[str, Any]]]:
        batch = GeminiBatch(wire)
        failed = await batch.finished((await batch.create(3)).name)
        expired = await batch.finished((await batch.create(40)).name)
        assert wire.totals().paid == 0
        mixed = await batch.rows(await batch.finished((await batch.create(40)).name))
        await batch.client.aio.aclose()
        return failed, expired, mixed

    plans = (BatchScript(fails=True), BatchScript(expired_share=0.2), BatchScript())
    wire.script(Script(batches=plans, shares=even(0.4, Fault.UNAVAILABLE, Fault.REFUSAL)))
    failed, expired, mixed = asyncio.run(run())
    assert failed.state.name == "JOB_STATE_FAILED"
    assert (expired.state.name, expired.dest) == ("JOB_STATE_EXPIRED", None)
    errors = [row for row in mixed if "error" in row]
    refused = [row for row in mixed if "promptFeedback" in row.get("response", {})]
    assert len(mixed) == 40
    assert all((errors, refused))
    assert wire.totals().paid == 40 - len(errors)
