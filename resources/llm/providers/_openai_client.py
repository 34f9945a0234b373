"""A connection through OpenAI's SDK, and what its errors mean."""

from typing import Any

import httpx2
import openai
from openai._models import FinalRequestOptions
from pydantic import SecretStr

from resources.llm.calls import Call
from resources.llm.faults import ProviderFault
from resources.llm.providers import LoadMedia, ProviderSettings
from resources.llm.providers._bodies import media_of, parsed_or_none
from resources.llm.providers._http import Link, http_client, limits
from resources.llm.providers._openai_wire import error_of, request_body
from stepforge.vocabulary import ModelFailureKind

BASE_URL = "https://api.openai.com/v1"
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


class Connection(Link):
    """The SDK's client without retries, with as many connections as the caller has slots.  loopback: the server is on
    this machine, whatever proxy the environment names."""

    errors = (openai.OpenAIError,)

    def __init__(
        self,
        settings: ProviderSettings,
        key: SecretStr | None,
        load_media: LoadMedia,
        connections: int,
        *,
        key_env: str,
        loopback: bool = False,
    ) -> None:
        super().__init__(settings, key, url=BASE_URL, key_env=key_env)
        self._settings, self._load_media = settings, load_media
        self.client = openai.AsyncOpenAI(
            api_key=self.key.get_secret_value() if self.key else NO_KEY,
            admin_api_key="",  # what is None is taken from the environment
            base_url=self.url,
            max_retries=0,
            http_client=http_client(connections, loopback=loopback),
            default_headers=_left_out(settings),
        )

        self._completion = FinalRequestOptions.construct(
            method="post", url=f"{str(self.client.base_url).rstrip('/')}/chat/completions"
        )

    async def body_of(self, call: Call) -> dict[str, Any]:
        """The JSON body of a call, with its images and audio."""
        return request_body(call, self._settings, await media_of(call, self._load_media))

    async def complete(self, body: dict[str, Any], timeout_s: float) -> bytes:
        """The body of a complete reply (HTTP 200) to a request, as received.  Raises: ProviderFault.

        The SDK's typed replies are not used: the body as received is what is kept, and building the SDK's models of it
        costs more CPU than all the rest of a call."""
        # what `client.post` does, without building the options anew, which costs a tenth of the call
        options = self._completion.model_copy(update={"json_data": body, "timeout": limits(timeout_s)})
        work = self.client.request(httpx2.Response, options)
        response = await self.tried(work, timeout_s)
        if response.status_code != 200:
            raise self.peer.refused(response.status_code, response.headers, "no reply in it")
        return self.peer.body(response.content)

    def meaning(self, error: Exception) -> ProviderFault:
        """What an exception means."""
        if not isinstance(error, openai.APIStatusError):
            return self.peer.broken(error)
        response = error.response
        said = error_of(parsed_or_none(response.content))
        if said.codes & FILTERED and response.status_code < 500:
            what = f"the request was filtered: {said.text}"
            return self.peer.fault(ModelFailureKind.CONTENT_FILTERED, what, retryable=False)
        if said.codes & NO_CREDIT:
            what = f"answered {response.status_code}: {said.text}. Waiting does not help: the account needs credit"
            return self.peer.fault(ModelFailureKind.PROVIDER_ERROR, what, retryable=False)
        text = said.text or response.content[:200].decode("utf-8", "replace")
        return self.peer.refused(response.status_code, response.headers, text)


def _left_out(settings: ProviderSettings) -> dict[str, Any]:
    """OpenAI's accounts, which the SDK takes from the environment, are not told to another's server."""
    names = ("OpenAI-Organization", "OpenAI-Project") if settings.base_url else ()
    return {name: openai.Omit() for name in names}
