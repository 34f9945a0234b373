"""A record as the strict JSON Schema that a model is held to, and a model's reply as that record.

The schema says what both OpenAI's strict mode and Gemini take: every field required, nothing besides, definitions in
place. Limits (at least 1 character, a pattern, …) are not in strict mode's language: they are told in the description,
and checked here.
"""

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from resources.llm.calls import Schema
from stepforge.answers.json_reply import doubled
from stepforge.records import Record

MAX_CHARS = 1_000_000
MAX_NESTING = 64
MAX_SCHEMA_DEPTH = 10  # objects inside objects that strict mode takes
MAX_ERRORS = 5
MAX_ERROR_CHARS = 160

_KEPT = ("type", "enum", "description", "properties", "required", "items", "anyOf", "additionalProperties")
_DROPPED = ("title", "default", "examples", "deprecated", "discriminator", "$defs", "readOnly", "writeOnly")
_LIMITS = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "pattern": "matches the regular expression {}",
    "format": "in the format {}",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
}
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[{]|[\]}]', re.DOTALL)
_FORM_FEED = re.compile(r"(?<!\\)(?:\\\\)*+\\[bf][a-zA-Z]")  # \frac, \beta: JSON has them, no reply means them


class _Twins(ValueError):
    """A field that is there twice."""


class _Constant(ValueError):
    """NaN or Infinity."""


class Validated(NamedTuple):
    """A reply as canonical JSON of its record, or what is wrong with it, in words for the model."""

    structured: str | None
    error: str | None


@lru_cache(maxsize=256)
def strict_schema(record: type[Record]) -> Schema:
    """The schema that a reply with this record has to follow.
    Raises: TypeError naming the field where strict mode has no words for it: a dict, a value of any type, a tuple of
    fixed length, a set, a record inside itself."""
    whole = record.model_json_schema()
    body = _strict(whole, whole.get("$defs", {}), record.__name__, ())
    return Schema(re.sub(r"[^a-zA-Z0-9_-]", "_", record.__name__)[:64], body)


def _strict(node: Any, definitions: dict[str, Any], where: str, inside: tuple[str, ...]) -> dict[str, Any]:
    """One node of the schema.  where: its field.  inside: the records that it lies in."""
    if not isinstance(node, dict) or not set(node) - {"title", "description", "default"}:
        raise _no_words(where, "takes any value")
    node, inside = _in_place(node, definitions, where, inside)
    _refuse(node, where)
    strict = {name: node[name] for name in ("type", "enum") if name in node}
    if told := _told(node):
        strict["description"] = told
    if "anyOf" in node:
        strict["anyOf"] = [_strict(branch, definitions, where, inside) for branch in node["anyOf"]]
    if "items" in node:
        strict["items"] = _strict(node["items"], definitions, f"{where}[]", inside)
    if node.get("type") == "object":
        strict |= _object(node, definitions, where, inside)
    return strict


def _in_place(
    node: dict[str, Any], definitions: dict[str, Any], where: str, inside: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The node with the definition that it refers to in its place, in the words of strict mode."""
    node = dict(node)
    if (ref := node.pop("$ref", None)) is not None:
        name = ref.removeprefix("#/$defs/")
        if name in inside:
            raise _no_words(where, f"holds a {name} inside a {name}")
        node, inside = {**definitions[name], **node}, (*inside, name)
    if "oneOf" in node:  # branches that a discriminator tells apart
        node["anyOf"] = node.pop("oneOf")
    if "const" in node:
        node["enum"] = [node.pop("const")]
    return node, inside


def _object(node: dict[str, Any], definitions: dict[str, Any], where: str, inside: tuple[str, ...]) -> dict[str, Any]:
    properties = node.get("properties", {})
    if len(inside) >= MAX_SCHEMA_DEPTH:
        raise _no_words(where, f"lies deeper than {MAX_SCHEMA_DEPTH} records")
    return {
        "properties": {
            name: _strict(value, definitions, f"{where}.{name}", inside) for name, value in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def _refuse(node: dict[str, Any], where: str) -> None:
    if node.get("additionalProperties") or "patternProperties" in node:
        raise _no_words(where, "is a dict or takes fields that it does not name; use a tuple of records")
    if node.get("type") == "array" and "items" not in node:
        raise _no_words(where, "is a tuple of fixed length, or of values of any type; use a record")
    if node.get("uniqueItems"):
        raise _no_words(where, "is a set, which keeps no order; use a tuple")
    unknown = set(node) - set(_KEPT) - set(_DROPPED) - set(_LIMITS)
    if unknown:
        raise _no_words(where, f"needs {', '.join(sorted(unknown))}")


def _no_words(where: str, why: str) -> TypeError:
    return TypeError(f"a model cannot be asked for {where}: it {why}; strict schemas have no words for that")


def _told(node: dict[str, Any]) -> str:
    limits = [words.format(node[name]) for name, words in _LIMITS.items() if name in node]
    said = " ".join(str(node.get("description", "")).split())
    return "; ".join([said] * bool(said) + limits)


def validated(record: type[Record], text: str) -> Validated:
    """The reply read as that record: strict JSON, alone or as the one fenced block of the reply.

    Backslashes of LaTeX that the model did not double are doubled where the text is no JSON otherwise, or where it
    would hold a form feed or a backspace. What is stored is canonical (keys sorted, no spaces)."""
    if len(text) > MAX_CHARS:
        return Validated(None, f"the reply has {len(text)} characters; at most {MAX_CHARS} are read")
    found = _block(text)
    if found is None:
        return Validated(None, "the reply is not JSON: it has no object, or more than one fenced block")
    if _nesting(found) > MAX_NESTING:
        return Validated(None, f"the reply is nested deeper than {MAX_NESTING} levels")
    value, error = _read(record, doubled(found) if _FORM_FEED.search(found) else found)
    if value is None and isinstance(error, json.JSONDecodeError):
        value, error = _read(record, doubled(found)) if doubled(found) != found else (None, error)
    if value is None:
        return Validated(None, _words(error))
    try:
        return Validated(_canonical(value), None)
    except ValueError as unwritable:  # an infinite number, half of a surrogate pair
        return Validated(None, f"the reply holds a value that JSON cannot: {type(unwritable).__name__}")


def _block(text: str) -> str | None:
    """The JSON text of a reply: all of it, or its only fenced block."""
    text = text.strip().removeprefix("\ufeff")
    if not text.startswith("```") and text.count("```") == 2:
        text = text[text.index("```") : text.rindex("```") + 3]
    if text.startswith("```"):
        first, _, rest = text.partition("\n")
        if first[3:].strip().lower() not in ("", "json") or not rest.endswith("```"):
            return None
        text = rest[:-3].strip()
    return text if text.startswith("{") else None


def _nesting(text: str) -> int:
    if text.count("{") + text.count("[") <= MAX_NESTING:
        return 0
    depth = deepest = 0
    for token in _TOKEN.finditer(text):
        depth += 1 if token[0] in "[{" else -1 if token[0] in "]}" else 0
        deepest = max(deepest, depth)
    return deepest


def _read(record: type[Record], text: str) -> tuple[Record | None, Exception | None]:
    try:
        json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant)
        return record.model_validate_json(text, strict=True), None
    except (ValueError, RecursionError) as error:
        return None, error


def _no_twins(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise _Twins


def _no_constant(_: str) -> None:
    raise _Constant


def _canonical(value: Record) -> str:
    plain = value.model_dump(mode="json")
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    text.encode()
    return text


def _words(error: Exception | None) -> str:
    """What is wrong, for the model that is to mend it: where and what, nothing of the reply."""
    if isinstance(error, ValidationError):
        found = error.errors(include_input=False, include_url=False, include_context=False)
        told = [f"{_path(one['loc'])}: {one['msg'][:MAX_ERROR_CHARS]}" for one in found[:MAX_ERRORS]]
        more = len(found) - MAX_ERRORS
        return "; ".join(told) + (f"; and {more} more" if more > 0 else "")
    if isinstance(error, json.JSONDecodeError):
        return f"the reply is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
    if isinstance(error, _Twins):
        return "the reply is not valid: a field is there twice"
    if isinstance(error, _Constant):
        return "the reply is not JSON: NaN and Infinity are no numbers of JSON"
    return "the reply is not JSON that can be read"


def _path(where: tuple[int | str, ...]) -> str:
    names = [name if isinstance(name, int) or re.fullmatch(r"\w{1,60}", name) else "(unknown name)" for name in where]
    return ".".join(map(str, names)) or "the reply"
