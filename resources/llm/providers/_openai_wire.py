"""The chat completions format: a call as the JSON that is sent, and a raw reply as what it says."""

import base64
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from resources.llm.calls import Call
from resources.llm.providers import ProviderSettings, Read, Usage
from resources.llm.providers._bodies import as_dict, no_reply, parsed, tokens, unsendable, whole
from stepforge.asking import Message, Part
from stepforge.vocabulary import Finish, PartKind, Speaker

AUDIO_FORMATS = {
    "audio/wav": "wav",
    "audio/x-wav": "wav",
    "audio/wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}
FINISHES = {"length": Finish.LENGTH, "content_filter": Finish.CONTENT_FILTER}  # every other one: it had said all
BROKEN_OFF = ("insufficient_system_resource", "abort", "error")  # the server gave up (DeepSeek, vLLM)
FOLLOW_SCHEMA = "Reply with one JSON object that follows this JSON Schema:\n"


def request_body(call: Call, settings: ProviderSettings, media: Mapping[str, bytes]) -> dict[str, Any]:
    """The JSON body of a call; `media`: content of its images and audio by sha256.  Raises: ProviderFault where the
    format cannot say it."""
    sampling = call.sampling
    body: dict[str, Any] = {
        "model": call.model,
        "messages": [_message(message, media) for message in call.request.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        limit_name(settings): sampling.max_output_tokens,
        "seed": call.seed,
        "reasoning_effort": sampling.reasoning_effort,
        "stop": list(sampling.stop) or None,
    }
    if call.schema is not None and settings.structured == "json_schema":
        schema = {"name": call.schema.name, "strict": True, "schema": call.schema.body}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif call.schema is not None:
        body["response_format"] = {"type": "json_object"}
        told = {"role": "system", "content": FOLLOW_SCHEMA + json.dumps(call.schema.body, ensure_ascii=False)}
        body["messages"].insert(0, told)
    return {name: value for name, value in body.items() if value is not None}


def limit_name(settings: ProviderSettings) -> str:
    """By which name the server knows the limit of output tokens: OpenAI has renamed it, most compatible servers have
    not."""
    return settings.token_limit_name or ("max_tokens" if settings.base_url else "max_completion_tokens")


def _message(message: Message, media: Mapping[str, bytes]) -> dict[str, Any]:
    if all(part.kind is PartKind.TEXT for part in message.parts):  # some servers read no list where there is only text
        return {"role": message.speaker.value, "content": whole("\n\n".join(part.text or "" for part in message.parts))}
    if message.speaker is not Speaker.USER:
        raise unsendable(f"a message of the {message.speaker} holds an image or audio; only the user's can")
    return {"role": message.speaker.value, "content": [_part(part, media) for part in message.parts]}


def _part(part: Part, media: Mapping[str, bytes]) -> dict[str, Any]:
    if part.kind is PartKind.TEXT:
        return {"type": "text", "text": whole(part.text or "")}
    if part.sha256 is None:
        raise unsendable(f"a part of kind {part.kind} names no content")
    data = base64.b64encode(media[part.sha256]).decode("ascii")
    if part.kind is PartKind.IMAGE:
        url = f"data:{part.media_type or 'image/png'};base64,{data}"
        return {"type": "image_url", "image_url": {"url": url}}
    form = AUDIO_FORMATS.get(part.media_type or "")
    if form is None:
        known = ", ".join(sorted(AUDIO_FORMATS))
        raise unsendable(f"audio of type {part.media_type} cannot be sent to this API; it takes {known}")
    return {"type": "input_audio", "input_audio": {"data": data, "format": form}}


def read_reply(body: bytes) -> Read:
    """What a chat completion says.  Raises: ProviderFault (retryable) if it is none."""
    reply = parsed(body)
    choices = reply.get("choices") if isinstance(reply, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(reply, dict) or not isinstance(choice, dict) or not isinstance(message, dict):
        raise no_reply(_why_none(reply), _usage(as_dict(reply).get("usage")))
    usage = _usage(reply.get("usage"))
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        return Read(whole(refusal), Finish.REFUSAL, usage)
    stopped = choice.get("finish_reason")
    if stopped in BROKEN_OFF:
        raise no_reply(f"the server gave up inside the reply (finish_reason {stopped})", usage)
    finish = FINISHES.get(stopped, Finish.STOP) if isinstance(stopped, str) else Finish.STOP
    text = _text(message.get("content"))
    if text is None and finish is Finish.STOP and not message.get("tool_calls"):
        raise no_reply("the reply has neither text nor a refusal", usage)
    return Read(whole(text or ""), finish, usage)


def _why_none(reply: Any) -> str:
    said = error_of(reply).message
    return f"an error in place of a reply: {said}" if said else "the reply has no choices"


def _text(content: Any) -> str | None:
    if isinstance(content, list):  # some servers answer in parts
        texts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _usage(usage: Any) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    of_prompt, of_reply = as_dict(usage.get("prompt_tokens_details")), as_dict(usage.get("completion_tokens_details"))
    return Usage(
        tokens_in=tokens(usage.get("prompt_tokens")),
        cached=tokens(of_prompt.get("cached_tokens")) or tokens(usage.get("prompt_cache_hit_tokens")),  # DeepSeek's
        tokens_out=tokens(usage.get("completion_tokens")),
        reasoning=tokens(of_reply.get("reasoning_tokens")),
        cache_written=tokens(of_prompt.get("cache_write_tokens")),
        audio=tokens(of_prompt.get("audio_tokens")),
    )


class Said(NamedTuple):
    """The error that a body tells of.  `text`: for people, with the code.  codes: all that name it."""

    message: str
    text: str
    codes: frozenset[str]


def error_of(body: Any) -> Said:
    """The error that a body tells of, in OpenAI's form or that of a compatible server; empty if it tells of none."""
    error = as_dict(body).get("error", body)
    found = error if isinstance(error, dict) else {"message": error}
    said = found.get("message") or found.get("detail")
    message = said if isinstance(said, str) else ""
    named = [found.get("code"), found.get("type"), as_dict(found.get("innererror")).get("code")]
    codes = [str(code) for code in named if isinstance(code, str | int)]
    text = f"{message} ({codes[0]})" if message and codes else message or "".join(codes[:1])
    return Said(message, text, frozenset(codes))
