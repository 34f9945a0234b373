"""A connection through OpenAI's SDK, and what its errors mean."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar
from urllib.parse import urlsplit

import openai
from pydantic import SecretStr
from pydantic_core import from_json

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import LoadMedia, ProviderSettings
from resources.llm.providers._http import (
    TRANSPORT_ERRORS,
    Peer,
    ReplyTooLarge,
    checked_key,
    checked_url,
    http_client,
)
from resources.llm.providers._openai_wire import error_of, media_of, request_body
from stepforge.vocabulary import ModelFailureKind

BASE_URL = "https://api.openai.com/v1"
KEY_ENV = "OPENAI_API_KEY"
NO_KEY = "none"  # the SDK insists on one; a server without keys takes any
FILTERED = frozenset(
    {
        "content_policy_violation",
        "content_filter",
        "ResponsibleAIPolicyViolation",
        "moderation_blocked",
        "invalid_prompt",
    }
)
NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
SDK_ERRORS = (openai.OpenAIError, ReplyTooLarge, *TRANSPORT_ERRORS)

T = TypeVar("T")


class Connection:
    """The SDK's client without retries, with as many connections as the caller has slots.  loopback: the server is on
    this machine, whatever proxy the environment names."""

    def __init__(
        self,
        settings: ProviderSettings,
        key: SecretStr | None,
        load_media: LoadMedia,
        connections: int,
        *,
        loopback: bool = False,
    ) -> None:
        url = checked_url(settings.base_url or BASE_URL)
        key_env = settings.api_key_env or (None if settings.base_url else KEY_ENV)
        key = checked_key(key, key_env)
        self.peer = Peer(f"{settings.kind} at {urlsplit(url).netloc}", key_env, key)
        self._settings, self._load_media = settings, load_media
        self.client = openai.AsyncOpenAI(
            api_key=key.get_secret_value() if key else NO_KEY,
            admin_api_key="",  # what is None is taken from the environment
            base_url=url,
            max_retries=0,
            http_client=http_client(connections, loopback=loopback),
            default_headers=_left_out(settings),
        )

    async def body_of(self, call: Call) -> dict[str, Any]:
        """The JSON body of a call, with its images and audio."""
        wanted = sorted(media_of(call))
        media = {sha256: await asyncio.to_thread(self._load_media, sha256) for sha256 in wanted}
        return request_body(call, self._settings, media)

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
        if not isinstance(error, openai.APIStatusError):
            return self.peer.broken(error)
        response = error.response
        said = error_of(_json(response.content))
        if said.codes & FILTERED and response.status_code < 500:
            return self.peer.fault(
                ModelFailureKind.CONTENT_FILTERED, f"the request was filtered: {said.text}", retryable=False
            )
        if said.codes & NO_CREDIT:
            what = f"answered {response.status_code}: {said.text}. Waiting does not help: the account needs credit"
            return self.peer.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
        text = said.text or response.content[:200].decode("utf-8", "replace")
        return self.peer.refused(response.status_code, response.headers, text)


def _left_out(settings: ProviderSettings) -> dict[str, Any]:
    """OpenAI's accounts, which the SDK takes from the environment, are not told to another's server."""
    names = ("OpenAI-Organization", "OpenAI-Project") if settings.base_url else ()
    return {name: openai.Omit() for name in names}


def _json(content: bytes) -> Any:
    try:
        return from_json(content)
    except ValueError:
        return None
