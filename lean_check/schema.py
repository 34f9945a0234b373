"""The JSON form of a verdict: its schema, derived from the dataclasses, and the way back from a line of JSON."""

import dataclasses
import json
import types
import typing
from typing import Any, Literal, Union

from lean_check.verdict import Verdict

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


def verdict_schema() -> dict[str, Any]:
    """JSON Schema of one line of `lean-check --json`."""
    return {"$schema": DIALECT, "title": "lean-check verdict", **_object(Verdict)}


def _object(record: type) -> dict[str, Any]:
    hints = typing.get_type_hints(record)
    fields = dataclasses.fields(record)
    return {
        "type": "object",
        "description": " ".join((record.__doc__ or "").split()),
        "properties": {field.name: _type(hints[field.name]) for field in fields},
        "required": [field.name for field in fields],
        "additionalProperties": False,
    }


def _type(hint: Any) -> dict[str, Any]:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_type(part) for part in parts]}
    if origin is tuple:
        return {"type": "array", "items": _type(parts[0])}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object(hint)
    return {"type": _PLAIN[hint]}


def from_json(line: str) -> Verdict:
    """The verdict that `Verdict.to_json` wrote.  Raises: ValueError where the line is no verdict."""
    try:
        verdict = _value(Verdict, json.loads(line))
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no verdict: {error}") from None
    return typing.cast(Verdict, verdict)


def _value(hint: Any, value: Any) -> Any:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return None if value is None else _value(next(part for part in parts if part is not type(None)), value)
    if origin is tuple:
        return tuple(_value(parts[0], part) for part in value)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = typing.get_type_hints(hint)
        return hint(**{name: _value(hints[name], part) for name, part in value.items()})
    return value
