"""Gemini's generateContent format: a call as the JSON that is sent, and a raw reply as what it says."""

import base64
from collections.abc import Mapping
from typing import Any

from resources.llm.calls import Call
from resources.llm.providers import Read, Usage
from resources.llm.providers._bodies import no_reply, parsed, tokens, unsendable, whole
from stepforge.asking import Message, Part
from stepforge.vocabulary import Finish, PartKind, Speaker

# Budgets of thought tokens that Google's own translation of reasoning_effort uses; Gemini 3 and later know the names.
BUDGETS = {"none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576}
BUDGET_MODELS = ("gemini-2.",)
FINISHES = {
    "STOP": Finish.STOP,
    "MAX_TOKENS": Finish.LENGTH,
    "SAFETY": Finish.CONTENT_FILTER,
    "RECITATION": Finish.CONTENT_FILTER,
    "LANGUAGE": Finish.CONTENT_FILTER,
    "BLOCKLIST": Finish.CONTENT_FILTER,
    "PROHIBITED_CONTENT": Finish.CONTENT_FILTER,
    "SPII": Finish.CONTENT_FILTER,
    "IMAGE_SAFETY": Finish.CONTENT_FILTER,
    "ESCALATION": Finish.CONTENT_FILTER,
    "MODEL_ARMOR": Finish.CONTENT_FILTER,
}


def request_body(call: Call, media: Mapping[str, bytes], *, in_batch: bool = False) -> dict[str, Any]:
    """The JSON body of a call; `media`: content of its images and audio by sha256.  Raises: ProviderFault where the
    format cannot say it.

    in_batch: the batch API garbles replies held to a JSON Schema (https://github.com/crmne/ruby_llm/issues/894), and
    keeps those held to the same schema in the words of OpenAPI."""
    told = [message for message in call.request.messages if message.speaker is Speaker.SYSTEM]
    turns = [message for message in call.request.messages if message.speaker is not Speaker.SYSTEM]
    body: dict[str, Any] = {
        "contents": [
            {"role": "model" if turn.speaker is Speaker.ASSISTANT else "user", "parts": _parts(turn, media)}
            for turn in turns
        ]
    }
    if told:
        body["systemInstruction"] = {"parts": [part for message in told for part in _parts(message, media)]}
    if config := _config(call, in_batch=in_batch):
        body["generationConfig"] = config
    return body


def _config(call: Call, *, in_batch: bool) -> dict[str, Any]:
    sampling = call.sampling
    config: dict[str, Any] = {
        "temperature": sampling.temperature,
        "topP": sampling.top_p,
        "maxOutputTokens": sampling.max_output_tokens,
        "seed": call.seed,
        "stopSequences": list(sampling.stop) or None,
        "thinkingConfig": _thinking(call.model, sampling.reasoning_effort),
    }
    if call.schema is not None:
        config["responseMimeType"] = "application/json"
        if in_batch:
            config["responseSchema"] = openapi(call.schema.body)
        else:
            config["responseJsonSchema"] = call.schema.body
    return {name: value for name, value in config.items() if value is not None}


def _thinking(model: str, effort: str | None) -> dict[str, Any] | None:
    """How much a model is to think: a level, a number of tokens where the effort is a number or the model is of the
    generation that knows no levels."""
    if effort is None:
        return None
    if effort.isdecimal():
        return {"thinkingBudget": int(effort)}
    if model.removeprefix("models/").startswith(BUDGET_MODELS):
        if effort not in BUDGETS:
            raise unsendable(f"{model} takes as reasoning_effort {', '.join(BUDGETS)} or a number, not {effort!r}")
        return {"thinkingBudget": BUDGETS[effort]}
    return {"thinkingLevel": effort}


def openapi(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A strict JSON Schema in the words of Gemini's OpenAPI subset: null is a mark, the order of fields is told, only
    words are enumerated."""
    branches = [branch for branch in schema.get("anyOf", []) if branch.get("type") != "null"]
    if len(branches) == 1:
        inner = {name: value for name, value in schema.items() if name != "anyOf"}
        return {**openapi(branches[0]), **openapi(inner), "nullable": True}
    known = {name: schema[name] for name in ("type", "description", "required") if name in schema}
    if branches:
        known["anyOf"] = [openapi(branch) for branch in branches]
        if len(branches) < len(schema["anyOf"]):
            known["nullable"] = True
    if "properties" in schema:
        known["properties"] = {name: openapi(value) for name, value in schema["properties"].items()}
        known["propertyOrdering"] = list(schema["properties"])
    if "items" in schema:
        known["items"] = openapi(schema["items"])
    if "enum" in schema and all(isinstance(value, str) for value in schema["enum"]):
        known["enum"] = schema["enum"]
    elif "enum" in schema:
        allowed = "one of " + ", ".join(str(value) for value in schema["enum"])
        known["description"] = "; ".join(filter(None, [known.get("description"), allowed]))
    return known


def _parts(message: Message, media: Mapping[str, bytes]) -> list[dict[str, Any]]:
    return [_part(part, media) for part in message.parts]


def _part(part: Part, media: Mapping[str, bytes]) -> dict[str, Any]:
    if part.kind is PartKind.TEXT:
        return {"text": whole(part.text or "")}
    if part.sha256 is None:
        raise unsendable(f"a part of kind {part.kind} names no content")
    if part.media_type is None and part.kind is PartKind.AUDIO:
        raise unsendable("a part of audio names no media type")
    data = base64.b64encode(media[part.sha256]).decode("ascii")
    return {"inlineData": {"mimeType": part.media_type or "image/png", "data": data}}


def read_reply(body: bytes) -> Read:
    """What a reply of generateContent says.  Raises: ProviderFault (retryable) if it is none."""
    reply = parsed(body)
    if not isinstance(reply, dict):
        raise no_reply("the reply is no JSON object")
    usage = _usage(reply.get("usageMetadata"))
    candidates = reply.get("candidates")
    candidate = candidates[0] if isinstance(candidates, list) and candidates else None
    if not isinstance(candidate, dict):
        return _without_candidates(reply, usage)
    text = _text(candidate.get("content"))
    stopped = candidate.get("finishReason")
    finish = FINISHES.get(stopped) if isinstance(stopped, str) else Finish.STOP
    if finish is None:
        raise no_reply(f"the model stopped without a usable reply (finishReason {str(stopped)[:40]})", usage)
    if text is None and finish is Finish.STOP:
        raise no_reply("the reply has no text", usage)
    return Read(whole(text or ""), finish, usage)


def _without_candidates(reply: dict[str, Any], usage: Usage) -> Read:
    feedback, error = reply.get("promptFeedback"), reply.get("error")
    if isinstance(feedback, dict) and feedback.get("blockReason"):
        return Read("", Finish.CONTENT_FILTER, usage)
    said = error.get("message") if isinstance(error, dict) else None
    raise no_reply(f"an error in place of a reply: {str(said)[:200]}" if said else "the reply has no candidates", usage)


def _text(content: Any) -> str | None:
    """The text of the reply, thoughts left out; None if there is none."""
    parts = content.get("parts") if isinstance(content, dict) else None
    texts = [
        part["text"]
        for part in (parts if isinstance(parts, list) else [])
        if isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("thought") is not True
    ]
    return "".join(texts) if texts else None


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    thoughts = tokens(usage.get("thoughtsTokenCount"))
    heard = _audio(usage.get("promptTokensDetails")) - _audio(usage.get("cacheTokensDetails"))
    return Usage(
        tokens_in=tokens(usage.get("promptTokenCount")) + tokens(usage.get("toolUsePromptTokenCount")),
        cached=tokens(usage.get("cachedContentTokenCount")),
        tokens_out=tokens(usage.get("candidatesTokenCount")) + thoughts,
        reasoning=thoughts,
        audio=max(0, heard),
    )


def _audio(details: Any) -> int:
    found = details if isinstance(details, list) else []
    return sum(tokens(d.get("tokenCount")) for d in found if isinstance(d, dict) and d.get("modality") == "AUDIO")
