"""A connection through Google's SDK, and what its errors mean."""

import asyncio
import re
from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from google import genai
from google.genai import errors, types
from pydantic import SecretStr
from pydantic_core import from_json

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import LoadMedia, ProviderSettings
from resources.llm.providers._google_wire import request_body
from resources.llm.providers._http import (
    TRANSPORT_ERRORS,
    Peer,
    ReplyTooLarge,
    checked_key,
    checked_url,
    http_client,
)
from resources.llm.providers._openai_wire import media_of, unsendable
from stepforge.vocabulary import ModelFailureKind

BASE_URL = "https://generativelanguage.googleapis.com"
KEY_ENV = "GEMINI_API_KEY"
NO_KEY = "none"  # the SDK insists on one; a server without keys takes any
# KeyError, ValueError: what the SDK raises itself where an upload or a body is not as it expects
SDK_ERRORS = (errors.APIError, ReplyTooLarge, KeyError, ValueError, RecursionError, *TRANSPORT_ERRORS)

T = TypeVar("T")


class Connection:
    """The SDK's client without retries, with as many connections as the caller has slots."""

    def __init__(
        self, settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int
    ) -> None:
        url = checked_url(settings.base_url or BASE_URL)
        key_env = settings.api_key_env or (None if settings.base_url else KEY_ENV)
        key = checked_key(key, key_env)
        self.peer = Peer(f"{settings.kind} at {urlsplit(url).netloc}", key_env, key)
        self._load_media = load_media
        self._http = http_client(connections)
        # with a client of ours the SDK leaves its own aiohttp alone, which sends a call again after a broken connection
        options = types.HttpOptions(base_url=url, httpx_async_client=self._http)
        self.client = genai.Client(
            api_key=key.get_secret_value() if key else NO_KEY, vertexai=False, http_options=options
        )

    async def body_of(self, call: Call, *, in_batch: bool = False) -> dict[str, Any]:
        """The JSON body of a call, with its images and audio."""
        wanted = sorted(media_of(call))
        media = {sha256: await asyncio.to_thread(self._load_media, sha256) for sha256 in wanted}
        return request_body(call, media, in_batch=in_batch)

    async def asked(self, method: str, path: str, body: dict[str, Any], timeout_s: float) -> bytes:
        """The body of an answer as received, through the SDK's HTTP layer.  Raises: ProviderFault."""
        api = self.client._api_client
        answer = await self.tried(api.async_request(method, path, body), timeout_s)
        return self.peer.body((answer.body or "").encode("utf-8", "replace"))

    async def tried(self, work: Awaitable[T], timeout_s: float) -> T:
        """What a call through the SDK brings.  Raises: ProviderFault, chained to nothing: the exceptions of SDK and
        HTTP libraries carry the request with its key."""
        try:
            async with asyncio.timeout(timeout_s):
                return await work
        except TimeoutError:
            fault = self.peer.late(timeout_s)
        except SDK_ERRORS as error:
            fault = self._fault(error)
        raise fault

    def _fault(self, error: Exception) -> ProviderFault:
        if not isinstance(error, errors.APIError):
            return self.peer.broken(error)
        content, headers = _answer(error)
        said = Said(content)
        if error.code in (400, 401, 403) and said.reason == "API_KEY_INVALID":
            return self.peer.refused(401, headers, said.message)
        if error.code == 400 and said.status == "FAILED_PRECONDITION":
            return self.peer.fault(ModelFailureKind.PROVIDER_ERROR, f"answered 400: {said.message}", retryable=False)
        if error.code == 429 and said.of_day:
            what = f"answered 429: {said.message}. It is the quota of a day: waiting a moment does not help"
            return self.peer.fault(ModelFailureKind.RATE_LIMITED, what, retryable=False)
        fault = self.peer.refused(error.code, headers, said.message)
        if fault.retryable and fault.retry_after_s is None:
            fault.retry_after_s = said.retry_after_s
        return fault

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aio.aclose()
        self.client.close()
        await self._http.aclose()


def model_path(model: str) -> str:
    """The model in a URL.  Raises: ProviderFault if it is no name of a model."""
    if not re.fullmatch(r"[\w.@-]+(/[\w.@-]+)*", model) or ".." in model:
        raise unsendable(f"{model!r} is no name of a model; set it in models.toml")
    return model if "/" in model else f"models/{model}"


def _answer(error: errors.APIError) -> tuple[bytes, Mapping[str, str]]:
    response = error.response
    content, headers = getattr(response, "content", b""), getattr(response, "headers", {})
    return content if isinstance(content, bytes) else b"", headers


class Said:
    """What an error of the API says: message, status, why, and how long to wait."""

    def __init__(self, content: bytes) -> None:
        found = _json(content)
        found = found[0] if isinstance(found, list) and found else found
        error = found.get("error") if isinstance(found, dict) else None
        error = error if isinstance(error, dict) else {}
        message = error.get("message")
        self.message = message if isinstance(message, str) else content[:200].decode("utf-8", "replace")
        self.status = str(error.get("status", ""))
        details = error.get("details")
        known = [d for d in (details if isinstance(details, list) else []) if isinstance(d, dict)]
        self.reason = next((str(d["reason"]) for d in known if "reason" in d), "")
        self.of_day = any("PerDay" in str(d.get("violations")) for d in known)
        delays = [re.fullmatch(r"(\d{1,9}(?:\.\d{1,12})?)s", str(d.get("retryDelay"))) for d in known]
        self.retry_after_s = next((float(delay[1]) for delay in delays if delay), None)


def _json(content: bytes) -> Any:
    try:
        return from_json(content)
    except ValueError:
        return None
