"""A request with its role resolved to a model and parameters, its canonical form, and the key of its reply."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stepforge.asking import Message, ModelRequest, Part, Sampling
from stepforge.vocabulary import PartKind


@dataclass(frozen=True)
class Schema:
    """A strict JSON Schema that the reply has to follow, with the name by which providers know it."""

    name: str
    body: dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One call of one model.  `provider` and `model_name` are names of the configuration; `model` is the name by which
    the provider knows it."""

    request: ModelRequest
    provider: str
    model_name: str
    model: str
    sampling: Sampling
    schema: Schema | None = None

    @cached_property
    def canonical(self) -> bytes:
        """The canonical request: model, messages (images and audio by hash), schema, parameters, sample index.

        All that may change the reply, and nothing else: neither the role, the prompt's name, the provider, the time
        limit, nor whether it travels alone or in a batch."""
        return json.dumps(
            {
                "model": self.model,
                "messages": [_message(m) for m in self.request.messages],
                "schema": self.schema.body if self.schema else None,
                "sampling": {k: v for k, v in self.sampling.__dict__.items() if v is not None and v != ()},
                "sample": self.request.sample,
            },
            ensure_ascii=False,
            sort_keys=True,
            separators=(",", ":"),
        ).encode("utf-8", "surrogatepass")

    @cached_property
    def key(self) -> str:
        """sha256 of the canonical request: the key of its reply."""
        return hashlib.sha256(self.canonical).hexdigest()

    def dump(self) -> bytes:
        """The call as JSON, for a job that another process goes on with."""
        return json.dumps(
            {
                "request": self.request.model_dump(mode="json"),
                "provider": self.provider,
                "model_name": self.model_name,
                "model": self.model,
                "sampling": self.sampling.model_dump(mode="json"),
                "schema": [self.schema.name, self.schema.body] if self.schema else None,
            },
            ensure_ascii=False,
        ).encode("utf-8", "surrogatepass")

    @classmethod
    def load(cls, dumped: bytes) -> "Call":
        """The call that was dumped."""
        found = json.loads(dumped.decode("utf-8", "surrogatepass"))
        return cls(
            ModelRequest.model_validate(found["request"]),
            found["provider"],
            found["model_name"],
            found["model"],
            Sampling.model_validate(found["sampling"]),
            Schema(*found["schema"]) if found["schema"] else None,
        )

    @property
    def seed(self) -> int | None:
        """The seed that is sent: another one for each sample, or all samples would be the same."""
        return None if self.sampling.seed is None else self.sampling.seed + self.request.sample


def _message(message: Message) -> list[Any]:
    return [message.speaker, [_part(part) for part in message.parts]]


def _part(part: Part) -> list[str | None]:
    return [part.kind, part.text if part.kind is PartKind.TEXT else part.sha256]
