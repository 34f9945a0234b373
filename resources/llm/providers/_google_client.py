"""A connection through Google's SDK, and what its errors mean."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from google import genai
from google.genai import errors, types
from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import LoadMedia, ProviderSettings
from resources.llm.providers._bodies import as_dict, media_of, parsed_or_none, unsendable
from resources.llm.providers._google_wire import request_body
from resources.llm.providers._http import Link, http_client
from stepforge.vocabulary import ModelFailureKind

BASE_URL = "https://generativelanguage.googleapis.com"
NO_KEY = "none"  # the SDK insists on one; a server without keys takes any


class Connection(Link):
    """The SDK's client without retries, with as many connections as the caller has slots."""

    # KeyError, ValueError: what the SDK raises itself where an upload or a body is not as it expects
    errors = (errors.APIError, KeyError, ValueError, RecursionError)

    def __init__(
        self,
        settings: ProviderSettings,
        key: SecretStr | None,
        load_media: LoadMedia,
        connections: int,
        *,
        key_env: str,
    ) -> None:
        super().__init__(settings, key, url=BASE_URL, key_env=key_env)
        self._load_media = load_media
        self._http = http_client(connections)
        # with a client of ours the SDK leaves its own aiohttp alone, which sends a call again after a broken connection
        options = types.HttpOptions(base_url=self.url, httpx_async_client=self._http)
        self.client = genai.Client(
            api_key=self.key.get_secret_value() if self.key else NO_KEY, vertexai=False, http_options=options
        )

    async def body_of(self, call: Call, *, in_batch: bool = False) -> dict[str, Any]:
        """The JSON body of a call, with its images and audio."""
        return request_body(call, await media_of(call, self._load_media), in_batch=in_batch)

    async def asked(self, method: str, path: str, body: dict[str, Any], timeout_s: float) -> bytes:
        """The body of an answer as received, through the SDK's HTTP layer: its models of replies leave things out.
        Raises: ProviderFault."""
        api = self.client._api_client
        answer = await self.tried(api.async_request(method, path, body), timeout_s)
        return self.peer.body((answer.body or "").encode("utf-8", "replace"))

    def meaning(self, error: Exception) -> ProviderFault:
        """What an exception means."""
        if not isinstance(error, errors.APIError):
            return self.peer.broken(error)
        content, headers = _answer(error)
        said = said_by(content)
        if error.code in (400, 401, 403) and said.reason == "API_KEY_INVALID":
            return self.peer.refused(401, headers, said.message)
        if error.code == 400 and said.status == "FAILED_PRECONDITION":
            return self.peer.fault(ModelFailureKind.PROVIDER_ERROR, f"answered 400: {said.message}", retryable=False)
        if error.code == 429 and said.of_day:
            what = f"answered 429: {said.message}. It is the quota of a day: waiting a moment does not help"
            return self.peer.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
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


class Said(NamedTuple):
    """What an error of the API says.  of_day: a quota of the day is used up."""

    message: str
    status: str
    reason: str
    of_day: bool
    retry_after_s: float | None


def said_by(content: bytes) -> Said:
    """What an error's body says; the beginning of the body where it has another form."""
    found = parsed_or_none(content)
    error = as_dict(as_dict(found[0] if isinstance(found, list) and found else found).get("error"))
    message, details = error.get("message"), error.get("details")
    known = [detail for detail in (details if isinstance(details, list) else []) if isinstance(detail, dict)]
    delays = (re.fullmatch(r"(\d{1,9}(?:\.\d{1,12})?)s", str(detail.get("retryDelay"))) for detail in known)
    return Said(
        message=message if isinstance(message, str) else content[:200].decode("utf-8", "replace"),
        status=str(error.get("status", "")),
        reason=next((str(detail["reason"]) for detail in known if "reason" in detail), ""),
        of_day=any("PerDay" in str(detail.get("violations")) for detail in known),
        retry_after_s=next((float(delay[1]) for delay in delays if delay), None),
    )
