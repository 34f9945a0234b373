"""Google's Gemini API.

The SDK sends; the body as received is what is kept, so its HTTP layer is used and not its models of replies.
"""

from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.providers import PROVIDERS, BatchApi, LoadMedia, ProviderKind, ProviderSettings
from resources.llm.providers._google_batch import GoogleBatch
from resources.llm.providers._google_client import KEY_ENV, Connection, model_path
from resources.llm.providers._google_wire import read_reply
from stepforge.vocabulary import PartKind


class GoogleProvider:
    """The Gemini API, or a server that speaks its format."""

    def __init__(
        self, settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int
    ) -> None:
        self._connection = Connection(settings, key, load_media, connections)
        self._batch = GoogleBatch(self._connection) if settings.batch else None

    async def send(self, call: Call, timeout_s: float) -> bytes:
        """The body of a complete reply (HTTP 200), as received.  Raises: ProviderFault."""
        body = await self._connection.body_of(call)
        return await self._connection.asked("post", f"{model_path(call.model)}:generateContent", body, timeout_s)

    @property
    def batch(self) -> BatchApi | None:
        """Its batch API, if the server has one."""
        return self._batch

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()


PROVIDERS.register(
    ProviderKind(
        name="google",
        open=GoogleProvider,
        read=read_reply,
        reads=frozenset(PartKind),
        default_key_env=KEY_ENV,
    )
)
