"""The provider of kind `local`: a server of its own, called as any that speaks OpenAI's format."""

import asyncio
import contextlib
import json
import os
import secrets
import sys
import tempfile
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import BatchApi, LoadMedia, ProviderSettings
from resources.llm.providers._bodies import unsendable
from resources.llm.providers._openai_client import Connection
from resources.workers import worker_count
from stepforge.errors import BadInput
from stepforge.vocabulary import ModelFailureKind, PartKind

MODEL = "gemma-3-270m"
START_S = 180.0  # 3 s on an idle machine; the first start puts the model's file together
STOP_S = 5.0
MAX_SLOTS = 4
STOP = "\nQuestion:"  # a pretrained model goes on with the next question
ENVIRONMENT = ("PATH", "HOME", "XDG_CACHE_HOME", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class _Server(NamedTuple):
    process: asyncio.subprocess.Process
    connection: Connection
    log: IO[bytes]


class LocalProvider:
    """The packaged model; its server runs from the first call on."""

    def __init__(
        self,
        settings: ProviderSettings,
        key: SecretStr | None,  # noqa: ARG002 - there is none
        load_media: LoadMedia,
        connections: int,
    ) -> None:
        if settings.base_url:
            raise BadInput("a provider of kind local starts its own server; for one that runs, use kind openai")
        self._load_media, self._connections = load_media, connections
        self._starting = asyncio.Lock()
        self._server: _Server | None = None
        self._start_up: asyncio.Task[_Server] | None = None
        self._broken: ProviderFault | None = None

    async def send(self, call: Call, timeout_s: float) -> bytes:
        """The body of a complete reply (HTTP 200), as received.  Raises: ProviderFault.
        The time limit of the server's reply begins when it runs; a caller that gives up earlier does not end its start,
        and the next one finds it."""
        if call.model != MODEL:
            raise unsendable(f"the local provider has the model {MODEL} only, not {call.model}; set it in models.toml")
        if any(part.kind is not PartKind.TEXT for message in call.request.messages for part in message.parts):
            raise unsendable(f"{MODEL} reads text only; ask another model about images and audio")
        server = await self._running()
        body = await server.connection.body_of(call)
        body["stop"] = [*body.get("stop", []), STOP]
        return await server.connection.complete(body, timeout_s)

    async def _running(self) -> _Server:
        async with self._starting:
            if self._server is not None and self._server.process.returncode is not None:
                await self.close()  # it died: the next call gets a new one
            if self._broken is not None:  # it would not start the next time either
                raise self._broken
            if self._server is None:
                if self._start_up is None or self._start_up.done():
                    self._start_up = asyncio.create_task(self._start())
                self._server = await asyncio.shield(self._start_up)
            return self._server

    async def _start(self) -> _Server:
        key = SecretStr(secrets.token_hex(16))  # other users of this machine have no use of the server
        log = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # or the folder's own openai.py is found for the package
            str(Path(__file__).with_name("_local_server.py")),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},  # no keys of others
        )
        slots = max(1, min(self._connections, MAX_SLOTS))
        threads = max(1, worker_count() // 2)  # they wait for each other spinning: one that has no core stops all
        order = {"slots": slots, "threads": threads, "key": key.get_secret_value()}
        try:
            async with asyncio.timeout(START_S):
                url = await _address(process, order)
        except (TimeoutError, ValueError, ConnectionError) as error:
            await _end(process)
            fault = _not_started(log, error)
        except BaseException:
            await _end(process)
            raise
        else:
            return _Server(process, self._connect(url, key), log)
        self._broken = fault
        raise fault

    def _connect(self, url: str, key: SecretStr) -> Connection:
        settings = ProviderSettings(kind="local", base_url=f"{url}/v1", batch=False)
        return Connection(settings, key, self._load_media, self._connections, key_env="", loopback=True)

    @property
    def batch(self) -> BatchApi | None:
        """None: the server answers one call at a time."""
        return None

    async def close(self) -> None:
        """End the server, also one that is starting."""
        if self._start_up is not None and self._server is None:
            self._start_up.cancel()
            with contextlib.suppress(asyncio.CancelledError, ProviderFault):
                self._server = await self._start_up
        server, self._server, self._start_up = self._server, None, None
        if server is not None:
            await server.connection.client.close()
            await _end(server.process)
            server.log.close()


async def _address(process: asyncio.subprocess.Process, order: dict[str, object]) -> str:
    """Where the server listens; it answers when its model is loaded.  Raises: ValueError."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process has no pipes")
    process.stdin.write(json.dumps(order).encode() + b"\n")
    await process.stdin.drain()
    line = await process.stdout.readline()
    url = json.loads(line)["url"]
    if not str(url).startswith("http://127.0.0.1:"):
        raise ValueError("it listens elsewhere")
    return str(url)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()  # its sign to end
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _not_started(log: IO[bytes], error: Exception) -> ProviderFault:
    log.seek(0)
    said = log.read()[-2000:].decode("utf-8", "replace").split("\n")
    log.close()
    last = next((line.strip() for line in reversed(said) if line.strip()), "it printed nothing")
    late = isinstance(error, TimeoutError)
    why = f"not within {START_S:g} s" if late else f"its last line: {last[:300]}"
    return ProviderFault(
        ModelFailureKind.PROVIDER_ERROR,
        f"local: the server of {MODEL} did not start ({why})",
        retryable=False,
        trips=True,
    )
