"""How many tokens a call sends, guessed before it is sent: what to expect, and what it cannot exceed.

No tokenizer is loaded: each provider has its own and some publish none. All of them fall back to bytes, so a text never
has more tokens than UTF-8 bytes; that is the bound of text. Media are counted by what vendors document.
"""

import json
from functools import lru_cache
from typing import NamedTuple

from resources.llm.calls import Call
from stepforge.vocabulary import PartKind

MESSAGE, MESSAGE_AT_MOST = 4, 16  # the marks of a chat template around a message
CALL_AT_MOST = 64  # the same around all of them
IMAGE = 1_100  # OpenAI: 85 + 170 a tile of 512 px; Gemini 2: 258 a tile of 768 px, Gemini 3: 1,120
IMAGE_AT_MOST = 10_000  # OpenAI's patch limit of an image kept at its size; 36 tiles of Gemini 2 (4,600 px square)
IMAGE_AT_MOST_OF = {"gpt-4o-mini": 48_200}  # counts 2,833 + 5,667 a tile, at most 8 tiles
AUDIO = 2_000  # a minute: 32 tokens a second (Gemini)
AUDIO_AT_MOST = 60_000  # half an hour


class Tokens(NamedTuple):
    """Input tokens of a call: `expected`, and `at_most` of which `audio_at_most` are sound."""

    expected: int
    at_most: int
    audio_at_most: int = 0


def text_tokens(text: str) -> int:
    """Expected tokens of a text: a quarter for a character of Latin script, one for a Chinese one, and something
    between for what UTF-8 writes in two bytes (Greek, Cyrillic)."""
    return -(-(3 * len(text.encode("utf-8", "surrogatepass")) - len(text)) // 8)


def text_tokens_at_most(text: str) -> int:
    """What the text's tokens cannot exceed: its UTF-8 bytes."""
    return len(text.encode("utf-8", "surrogatepass"))


def tokens_of(call: Call) -> Tokens:
    """Input tokens of the call with its schema and media."""
    expected = 0 if call.schema is None else _schema_tokens(json.dumps(call.schema.body))
    images = sounds = 0
    for message in call.request.messages:
        expected += MESSAGE
        for part in message.parts:
            if part.kind is PartKind.TEXT:
                expected += text_tokens(part.text or "")
            elif part.kind is PartKind.IMAGE:
                images += 1
            else:
                sounds += 1
    audio = sounds * AUDIO_AT_MOST
    # the canonical request holds every text and the schema, and is made for the key in any case
    at_most = len(call.canonical) + CALL_AT_MOST + MESSAGE_AT_MOST * len(call.request.messages)
    return Tokens(
        expected + images * IMAGE + sounds * AUDIO,
        at_most + images * _image_at_most(call.model) + audio,
        audio,
    )


@lru_cache(maxsize=64)
def _schema_tokens(body: str) -> int:
    return text_tokens(body)


@lru_cache(maxsize=256)
def _image_at_most(model: str) -> int:
    return next((most for name, most in IMAGE_AT_MOST_OF.items() if model.startswith(name)), IMAGE_AT_MOST)
