"""The provider of kind `google`, over its SDK."""

from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.providers import BatchApi, LoadMedia, ProviderSettings
from resources.llm.providers._google_batch import GoogleBatch
from resources.llm.providers._google_client import Connection, model_path


class GoogleProvider:
    """The Gemini API, or a server that speaks its format.  key_env: the variable of the key where the settings name
    none."""

    def __init__(
        self, settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int, key_env: str
    ) -> None:
        self._connection = Connection(settings, key, load_media, connections, key_env=key_env)
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
