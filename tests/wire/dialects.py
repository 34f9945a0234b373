"""The two wire formats: what a reply, a faulty reply and an error look like."""

import hashlib
import json
from typing import Any, NamedTuple, Protocol

from tests.wire.samples import instance
from tests.wire.script import Fault, Script

CREATED = 1_700_000_000  # a fixed time: the same request gets the same bytes


class Error(NamedTuple):
    """An HTTP answer that is no reply."""

    status: int
    headers: dict[str, str]
    body: dict[str, Any]


class Dialect(Protocol):
    """One wire format."""

    def content(self, model: str, body: dict[str, Any]) -> str:
        """sha256 of the canonical request, however its JSON was written and by whichever way it came."""
        ...

    def schema_of(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """The schema that the reply has to follow."""
        ...

    def reply(self, model: str, body: dict[str, Any], content: str, fault: Fault | None) -> dict[str, Any]:
        """The body of a 200: a good reply, one of `PAID_FAULTS`, or EMPTY."""
        ...

    def error(self, fault: Fault, script: Script) -> Error:
        """The answer for a fault that is an HTTP error."""
        ...

    def key_of(self, headers: dict[str, str]) -> str:
        """The API key that the request carries, "" if none."""
        ...


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _hash(name: str, value: object) -> str:
    return hashlib.sha256(name.encode() + canonical(value)).hexdigest()


def plain_text(content: str) -> str:
    """The reply to a question without a schema: names the request, and has an answer to extract."""
    working = " ".join(f"Step {i}: {content[4 * i : 4 * i + 4]} follows." for i in range(1, 12))
    return f"Reply {content}. {working} The answer is \\boxed{{{int(content[:4], 16)}}}."


def _says(schema: dict[str, Any] | None, content: str, fault: Fault | None) -> str:
    """What the model writes."""
    if schema is None:
        text = plain_text(content)
    elif fault is Fault.SCHEMA:
        # half of them JSON of another shape, half no JSON
        broken = {"nothing_that_was_asked_for": content}
        text = json.dumps(broken) if int(content[0], 16) % 2 else f"Here is the JSON: {{'id': {content}"
    else:
        text = json.dumps(instance(schema, content))
    return text[: len(text) // 2] if fault is Fault.LENGTH else text


class _Counts(NamedTuple):
    tokens_in: int
    cached: int
    visible: int
    reasoning: int


def _count(body: dict[str, Any], text: str, content: str) -> _Counts:
    tokens_in = len(str(body)) // 4 + 1
    return _Counts(
        tokens_in, tokens_in // 2 if content[1] in "01234567" else 0, len(text) // 4 + 1, int(content[2], 16)
    )


class OpenAi:
    """Chat completions."""

    def content(self, model: str, body: dict[str, Any]) -> str:
        return _hash(f"openai:{model}", body)

    def schema_of(self, body: dict[str, Any]) -> dict[str, Any] | None:
        form = body.get("response_format") or {}
        return (form.get("json_schema") or {}).get("schema")

    def reply(self, model: str, body: dict[str, Any], content: str, fault: Fault | None) -> dict[str, Any]:
        refused = fault is Fault.REFUSAL
        text = "" if refused or fault is Fault.FILTERED else _says(self.schema_of(body), content, fault)
        finish = {Fault.LENGTH: "length", Fault.FILTERED: "content_filter"}.get(fault, "stop") if fault else "stop"
        message = {
            "role": "assistant",
            "content": None if refused else text,
            "refusal": "I cannot help with that." if refused else None,
        }
        counts = _count(body, text, content)
        out = counts.visible + counts.reasoning
        return {
            "id": f"chatcmpl-{content[:24]}",
            "object": "chat.completion",
            "created": CREATED,
            "model": model,
            "choices": []
            if fault is Fault.EMPTY
            else [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": {
                "prompt_tokens": counts.tokens_in,
                "completion_tokens": out,
                "total_tokens": counts.tokens_in + out,
                "prompt_tokens_details": {"cached_tokens": counts.cached},
                "completion_tokens_details": {"reasoning_tokens": counts.reasoning},
            },
        }

    def error(self, fault: Fault, script: Script) -> Error:
        status, kind, code, message = {
            Fault.RATE_LIMITED: (429, "requests", "rate_limit_exceeded", "Rate limit reached for requests"),
            Fault.RATE_LIMITED_SILENT: (429, "tokens", "rate_limit_exceeded", "Rate limit reached for tokens"),
            Fault.QUOTA: (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
            Fault.SERVER_ERROR: (500, "server_error", None, "The server had an error processing your request"),
            Fault.UNAVAILABLE: (503, "server_error", None, "The engine is currently overloaded"),
            Fault.BAD_REQUEST: (400, "invalid_request_error", "context_length_exceeded", "The messages are too long"),
            Fault.UNAUTHORIZED: (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided"),
        }[fault]
        headers = {"retry-after": f"{script.retry_after_s:g}"} if fault is Fault.RATE_LIMITED else {}
        return Error(status, headers, {"error": {"message": message, "type": kind, "param": None, "code": code}})

    def key_of(self, headers: dict[str, str]) -> str:
        return headers.get("authorization", "").removeprefix("Bearer ")


class Google:
    """Gemini generateContent."""

    def content(self, model: str, body: dict[str, Any]) -> str:
        return _hash(f"google:{model}", body)

    def schema_of(self, body: dict[str, Any]) -> dict[str, Any] | None:
        config = body.get("generationConfig") or {}
        return config.get("responseJsonSchema") or config.get("responseSchema")

    def reply(self, model: str, body: dict[str, Any], content: str, fault: Fault | None) -> dict[str, Any]:
        silent = fault in (Fault.REFUSAL, Fault.FILTERED, Fault.EMPTY)
        text = "" if silent else _says(self.schema_of(body), content, fault)
        counts = _count(body, text, content)
        finish = "MAX_TOKENS" if fault is Fault.LENGTH else "STOP"
        candidate: dict[str, Any] = {
            "content": {"role": "model", "parts": [{"text": text}]},
            "finishReason": finish,
            "index": 0,
        }
        reply: dict[str, Any] = {
            "candidates": [candidate],
            "usageMetadata": {
                "promptTokenCount": counts.tokens_in,
                "cachedContentTokenCount": counts.cached,
                # thoughts are counted apart from the candidates, unlike in the other format
                "candidatesTokenCount": counts.visible,
                "thoughtsTokenCount": counts.reasoning,
                "totalTokenCount": counts.tokens_in + counts.visible + counts.reasoning,
            },
            "modelVersion": model,
            "responseId": content[:22],
        }
        if fault is Fault.FILTERED:
            reply["candidates"] = [{"finishReason": "SAFETY", "index": 0}]
        elif silent:
            del reply["candidates"]
            if fault is Fault.REFUSAL:
                reply["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}
        return reply

    def error(self, fault: Fault, script: Script) -> Error:
        status, name, message = {
            Fault.RATE_LIMITED: (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"),
            Fault.RATE_LIMITED_SILENT: (429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"),
            Fault.QUOTA: (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota: requests per day"),
            Fault.SERVER_ERROR: (500, "INTERNAL", "An internal error has occurred"),
            Fault.UNAVAILABLE: (503, "UNAVAILABLE", "The model is overloaded"),
            Fault.BAD_REQUEST: (400, "INVALID_ARGUMENT", "The input token count exceeds the maximum"),
            Fault.UNAUTHORIZED: (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        }[fault]
        error: dict[str, Any] = {"code": status, "message": message, "status": name}
        # Gemini says how long to wait, and which quota is spent, in the body and in no header
        kind = "type.googleapis.com/google.rpc."
        if fault is Fault.RATE_LIMITED:
            error["details"] = [{"@type": f"{kind}RetryInfo", "retryDelay": f"{script.retry_after_s:g}s"}]
        if fault is Fault.QUOTA:
            violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
            error["details"] = [{"@type": f"{kind}QuotaFailure", "violations": [violation]}]
        if fault is Fault.UNAUTHORIZED:
            error["details"] = [{"@type": f"{kind}ErrorInfo", "reason": "API_KEY_INVALID"}]
        return Error(status, {}, {"error": error})

    def key_of(self, headers: dict[str, str]) -> str:
        return headers.get("x-goog-api-key", "")
