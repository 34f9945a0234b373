"""OpenAI's chat completions, and every server that speaks them: vLLM, DeepSeek, llama.cpp, …

The SDK sends. Its typed replies are not used: the body as received is what is kept, and building the SDK's models of it
costs more CPU than all the rest of a call.
"""

from typing import Any

import httpx2
from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.providers import PROVIDERS, BatchApi, LoadMedia, ProviderKind, ProviderSettings
from resources.llm.providers._http import limits
from resources.llm.providers._openai_batch import OpenAIBatch
from resources.llm.providers._openai_client import KEY_ENV, Connection
from resources.llm.providers._openai_wire import read_reply
from stepforge.vocabulary import PartKind


class OpenAIProvider:
    """OpenAI, or a server that speaks its format."""

    def __init__(
        self, settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int
    ) -> None:
        self._connection = Connection(settings, key, load_media, connections)
        self._batch = OpenAIBatch(self._connection) if settings.batch else None

    async def send(self, call: Call, timeout_s: float) -> bytes:
        """The body of a complete reply (HTTP 200), as received.  Raises: ProviderFault."""
        return await complete(self._connection, await self._connection.body_of(call), timeout_s)

    @property
    def batch(self) -> BatchApi | None:
        """Its batch API, if the server has one."""
        return self._batch

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.client.close()


async def complete(connection: Connection, body: dict[str, Any], timeout_s: float) -> bytes:
    """The body of a complete reply to a chat completions request.  Raises: ProviderFault."""
    work = connection.client.post(
        "/chat/completions", body=body, cast_to=httpx2.Response, options={"timeout": limits(timeout_s)}
    )
    response = await connection.tried(work, timeout_s)
    if response.status_code != 200:
        raise connection.peer.refused(response.status_code, response.headers, "no reply in it")
    return connection.peer.body(response.content)


PROVIDERS.register(
    ProviderKind(
        name="openai",
        open=OpenAIProvider,
        read=read_reply,
        reads=frozenset(PartKind),
        default_key_env=KEY_ENV,
    )
)
