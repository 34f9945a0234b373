"""The model on this machine."""

import asyncio
import contextlib
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum

import psutil
import pytest

from resources.llm.faults import ProviderFault
from resources.llm.providers import PROVIDERS, ProviderSettings, _local_provider, local
from resources.llm.schemas import strict_schema, validated
from stepforge.asking import Sampling, user
from stepforge.errors import BadInput
from stepforge.records import Record
from stepforge.vocabulary import Finish, ModelFailureKind
from tests.resources.llm.providers.calls import IMAGE, call

KIND = PROVIDERS["local"]
SETTINGS = ProviderSettings(kind="local", batch=False)
GREEDY = Sampling(temperature=0.0, max_output_tokens=96, seed=1)


class Operation(StrEnum):
    PLUS = "plus"
    TIMES = "times"


class Sum(Record):
    """The result of an addition."""

    result: int
    certain: bool
    operation: Operation


def question(text, **options):
    return call(messages=(user(text),), model=_local_provider.MODEL, sampling=GREEDY, **options)


def opened(connections=2):
    return KIND.open(SETTINGS, None, lambda _: b"", connections)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_local_model_answers_a_plain_and_a_structured_request():
    async def ask():
        provider = opened(connections=1)
        try:
            plain = question("What is 2+2?")
            structured = question("Tom has 3 apples and buys 4 more. How many?", schema=strict_schema(Sum))
            return await asyncio.gather(*(provider.send(one, 400.0) for one in (plain, structured, plain)))
        finally:
            await provider.close()

    with ThreadPoolExecutor(1) as thread:  # the gateway's loop runs on a thread of its own, too
        plain, structured, again = (KIND.read(body) for body in thread.submit(asyncio.run, ask()).result())
    assert plain.finish is structured.finish is Finish.STOP
    assert "4" in plain.text
    assert (plain.text, plain.usage.tokens_out > 0, plain.usage.tokens_in > 5) == (again.text, True, True)
    assert validated(Sum, structured.text).error is None


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_server_that_died_is_started_anew_and_close_leaves_no_process():
    async def ask():
        provider = opened()
        try:
            await provider.send(question("What is 1+1?"), 400.0)
            (first,) = children()
            first.send_signal(signal.SIGKILL)
            while True:
                try:
                    await provider.send(question("What is 1+1?"), 400.0)
                    break
                except ProviderFault as fault:  # until its end is noticed
                    if not fault.retryable:
                        raise
            (second,) = children()
            assert second.pid != first.pid
        finally:
            await provider.close()
        assert children() == []

    asyncio.run(ask())


def children():
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):  # a child of another test that has ended, and was not waited for
            if "_local_server.py" in " ".join(child.cmdline()):
                found.append(child)
    return found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_server_ends_with_a_parent_that_is_killed(tmp_path):
    program = textwrap.dedent("""
        import asyncio, psutil
        from tests.resources.llm.providers.test_local import opened, question
        async def main():
            provider = opened()
            await provider.send(question("What is 1+1?"), 400.0)
            print(*[child.pid for child in psutil.Process().children()], flush=True)
            await asyncio.Event().wait()
        asyncio.run(main())
    """)
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 1
        server = psutil.Process(pids[0])
        environment = server.environ()
        parent.send_signal(signal.SIGKILL)
        server.wait(20)  # raises if it goes on
    finally:
        parent.kill()
        parent.communicate()
    assert set(environment) <= set(_local_provider.ENVIRONMENT)


def test_a_server_that_does_not_start_says_its_last_line(monkeypatch, tmp_path):
    blocked = tmp_path / "cache"
    blocked.write_text("a file where the cache folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))

    async def ask():
        provider = opened()
        try:
            with pytest.raises(ProviderFault, match=r"did not start \(its last line: \w*Error"):
                await provider.send(question("What is 1+1?"), 5.0)
            monkeypatch.undo()
            await provider.send(question("What is 1+1?"), 5.0)  # is not tried again for each of many calls
        finally:
            await provider.close()

    with pytest.raises(ProviderFault, match="did not start") as caught:
        asyncio.run(ask())
    assert (caught.value.retryable, caught.value.kind) == (False, ModelFailureKind.PROVIDER_ERROR)
    assert children() == []


@pytest.mark.parametrize(
    ("one", "words"),
    [(call(model="gpt-9"), "gpt-9"), (call("x", IMAGE, model=_local_provider.MODEL), "text only")],
)
def test_what_the_local_model_cannot_do_starts_no_server(one, words):
    async def ask():
        await opened().send(one, 5.0)

    with pytest.raises(ProviderFault, match=words) as caught:
        asyncio.run(ask())
    assert caught.value.kind is ModelFailureKind.BAD_REQUEST
    assert children() == []


def test_a_base_url_belongs_to_the_openai_kind():
    with pytest.raises(BadInput, match="use kind openai"):
        KIND.open(ProviderSettings(kind="local", base_url="http://127.0.0.1:1/v1"), None, lambda _: b"", 1)


def test_missing_packages_are_named_with_how_to_install_them(monkeypatch):
    assert KIND.installed() is None
    monkeypatch.setattr(local, "find_spec", lambda name: None if name == "xllamacpp" else name)
    said = KIND.installed()
    assert "xllamacpp" in said
    assert "stepforge[local]" in said
    assert "gguf" not in said
