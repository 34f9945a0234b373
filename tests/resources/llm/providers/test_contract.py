"""What holds for every provider: a new one is tested before its author writes a line."""

import asyncio
import json
import logging
import traceback

import pytest
from pydantic import SecretStr

from resources.llm.faults import ProviderFault
from resources.llm.providers import PROVIDERS, ProviderSettings
from resources.llm.providers._http import MAX_REPLY_BYTES
from stepforge.vocabulary import ModelFailureKind, PartKind
from tests.resources.llm.providers.calls import MEDIA, call
from tests.resources.llm.providers.loopback import Answer, as_json, serving

SECRET = "planted-5f1c9e7d2b-secret"  # noqa: S105
KINDS = list(PROVIDERS)
REMOTE = [kind for kind in KINDS if kind.default_key_env is not None]
TIMED_OUT, LIMITED, BAD, ERROR = (
    ModelFailureKind.TIMED_OUT,
    ModelFailureKind.RATE_LIMITED,
    ModelFailureKind.BAD_REQUEST,
    ModelFailureKind.PROVIDER_ERROR,
)
TOO_LARGE = f"HTTP/1.1 200 OK\r\nContent-Length: {2**40}\r\n\r\n".encode() + b" " * (MAX_REPLY_BYTES + 1)


def named(kind):
    return kind.name


async def outcome_of(kind, answer, *, timeout_s=20.0, calls=1):
    """What came of each call, and what the server was asked."""
    async with serving(answer) as server:
        settings = ProviderSettings(kind=kind.name, base_url=server.url, api_key_env="TEST_KEY")
        provider = kind.open(settings, SecretStr(SECRET), MEDIA.__getitem__, 2)
        shown = repr(provider) + repr(vars(provider)) + repr(settings)
        outcomes = []
        for _ in range(calls):
            try:
                outcomes.append(await provider.send(call(), timeout_s))
            except ProviderFault as fault:
                outcomes.append(fault)
        await provider.close()
        return outcomes, server.asked, shown


def test_there_are_the_providers_that_the_configuration_names():
    assert [kind.name for kind in KINDS] == ["google", "local", "openai"]
    assert len(REMOTE) == 2


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_kind_reads_text_and_is_installed_here(kind):
    assert PartKind.TEXT in kind.reads
    assert kind.installed() is None


@pytest.mark.parametrize("kind", KINDS, ids=named)
@pytest.mark.parametrize("body", [b"", b"null", b"{}", b"[" * 10_000, b"\xff", b'{"error": {"message": "no"}}', b'"x"'])
def test_a_body_that_is_no_reply_is_a_fault_that_may_pass(kind, body):
    with pytest.raises(ProviderFault) as caught:
        kind.read(body)
    assert (caught.value.retryable, caught.value.kind) == (True, ERROR)


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_provider_opens_without_a_key_has_no_batch_where_it_is_switched_off_and_closes_twice(kind):
    async def open_and_close():
        url = None if kind not in REMOTE else "http://127.0.0.1:1"
        provider = kind.open(ProviderSettings(kind=kind.name, base_url=url, batch=False), None, MEDIA.__getitem__, 1)
        assert provider.batch is None
        await provider.close()
        await provider.close()

    asyncio.run(open_and_close())


@pytest.mark.parametrize("kind", REMOTE, ids=named)
@pytest.mark.parametrize(
    ("answer", "fault_kind", "retryable", "trips"),
    [
        (as_json({}, 429), LIMITED, True, False),
        (as_json({}, 408), TIMED_OUT, True, False),
        (as_json({}, 409), ERROR, True, False),
        (as_json({}, 400), BAD, False, False),
        (as_json({}, 401), ERROR, False, False),
        (as_json({}, 403), ERROR, False, False),
        (as_json({}, 404), ERROR, False, False),
        (as_json({}, 422), BAD, False, False),
        (as_json({}, 500), ERROR, True, True),
        (as_json({}, 503), ERROR, True, True),
        (Answer(b"<html>down</html>", 502), ERROR, True, True),
        (Answer(status=204), ERROR, True, False),
        (Answer(status=302, headers={"location": "http://127.0.0.1:1/"}), ERROR, False, False),
        (Answer(reset=True), ERROR, True, True),
        (Answer(b"{}" * 50, cut=30), ERROR, True, True),
        (Answer(raw=b"SSH-2.0-OpenSSH\r\n\r\n"), ERROR, True, True),
        (Answer(raw=TOO_LARGE), ERROR, False, True),
    ],
)
def test_a_fault_of_the_wire_has_the_same_kind_at_every_provider(kind, answer, fault_kind, retryable, trips):
    (fault,), asked, _ = asyncio.run(outcome_of(kind, lambda _: answer))
    assert (fault.kind, fault.retryable, fault.trips) == (fault_kind, retryable, trips), fault.detail
    assert f"{kind.name} at 127.0.0.1:" in fault.detail
    assert len(asked) == 1  # nothing below the gateway tries again


@pytest.mark.parametrize("kind", REMOTE, ids=named)
def test_a_server_that_stalls_is_given_up_at_the_deadline(kind):
    (fault,), _, _ = asyncio.run(outcome_of(kind, lambda _: Answer(stall=True), timeout_s=0.3))
    assert (fault.kind, fault.retryable, fault.trips) == (TIMED_OUT, True, False)


@pytest.mark.parametrize("kind", REMOTE, ids=named)
@pytest.mark.parametrize("headers", [{"retry-after": "3"}, {"retry-after-ms": "3000", "retry-after": "9"}])
def test_how_long_to_wait_is_told(kind, headers):
    answer = Answer(b"{}", 429, headers)
    (fault,), _, _ = asyncio.run(outcome_of(kind, lambda _: answer))
    assert fault.retry_after_s == 3.0


@pytest.mark.parametrize("kind", REMOTE, ids=named)
def test_who_may_not_is_told_where_the_key_comes_from(kind):
    (fault,), _, _ = asyncio.run(outcome_of(kind, lambda _: as_json({}, 401)))
    assert "TEST_KEY" in fault.detail


@pytest.mark.parametrize("kind", REMOTE, ids=named)
def test_as_many_calls_are_on_their_way_as_there_are_connections(kind):
    connections = set()

    async def at_once():
        arrived, go = asyncio.Semaphore(0), asyncio.Event()

        async def serve(reader, writer):
            connections.add(writer)
            await reader.readuntil(b"\r\n\r\n")
            arrived.release()
            await go.wait()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        provider = kind.open(ProviderSettings(kind=kind.name, base_url=url), None, MEDIA.__getitem__, 24)
        calls = [asyncio.ensure_future(provider.send(call(), 30.0)) for _ in range(24)]
        for _ in calls:
            await arrived.acquire()
        go.set()
        assert await asyncio.gather(*calls) == [b"{}"] * 24
        await provider.close()
        server.close()

    asyncio.run(at_once())
    assert len(connections) == 24


ECHOES = [
    as_json({"error": {"message": f"Incorrect API key provided: {SECRET}", "code": SECRET, "status": SECRET}}, 401),
    as_json({"error": {"message": f"bad header {SECRET}"}}, 400),
    Answer(f"<html>{SECRET}</html>".encode(), 500),
    Answer(reset=True),
    Answer(b"{}" * 50, cut=30),
    Answer(raw=b"SSH-2.0\r\n\r\n"),
    Answer(stall=True),
    Answer(json.dumps({"choices": [], "echo": SECRET}).encode()),
]


@pytest.mark.parametrize("kind", REMOTE, ids=named)
def test_the_key_is_in_no_fault_reply_repr_or_log_record(kind, caplog):
    caplog.set_level(logging.DEBUG)
    answers = iter(ECHOES)
    outcomes, asked, shown = asyncio.run(outcome_of(kind, lambda _: next(answers), timeout_s=1.0, calls=len(ECHOES)))
    assert all(SECRET in str(one.headers) for one in asked)
    assert len(asked) == len(outcomes) == len(ECHOES)
    for outcome in outcomes:
        if isinstance(outcome, ProviderFault):
            assert outcome.__context__ is None
            shown += "".join(traceback.format_exception(outcome)) + repr(outcome) + repr(vars(outcome))
        else:
            assert b"[key]" in outcome
            shown += outcome.decode()
    assert SECRET not in shown
    assert any("HTTP Request" in record.getMessage() for record in caplog.records)
    assert not any(SECRET in record.getMessage() + repr(vars(record)) for record in caplog.records)
