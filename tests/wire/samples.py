"""An instance of a JSON Schema, the same one for the same seed."""

import random
from typing import Any


class NoSample(ValueError):
    """The schema uses a keyword that no instance is built for here."""


_UNKNOWN = frozenset({"pattern", "not", "if", "patternProperties", "multipleOf", "uniqueItems", "prefixItems"})
_FORMATS = {"date": "2026-04-18", "date-time": "2026-04-18T12:00:00Z", "time": "12:00:00Z"}


def instance(schema: dict[str, Any], seed: str) -> Any:
    """A valid instance of the schema (JSON Schema, or the OpenAPI form that Gemini takes).  Raises: NoSample."""
    return _Maker(schema, random.Random(seed)).make(schema, 0)


class _Maker:
    def __init__(self, root: dict[str, Any], rng: random.Random) -> None:
        self._root, self._rng = root, rng

    def make(self, schema: dict[str, Any], depth: int) -> Any:
        if depth > 40:
            raise NoSample("schema nests deeper than 40 levels")
        if "$ref" in schema:
            return self.make(self._resolve(schema["$ref"]), depth + 1)
        if unknown := _UNKNOWN & schema.keys():
            raise NoSample(f"no sample is built for {', '.join(sorted(unknown))}")
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._rng.choice(schema["enum"])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return self.make(self._shallow(schema[union], depth), depth + 1)
        if "allOf" in schema:
            return self.make({k: v for part in schema["allOf"] for k, v in part.items()}, depth + 1)
        return self._of_type(schema, depth)

    def _shallow(self, options: list[dict[str, Any]], depth: int) -> dict[str, Any]:
        # a record that may hold itself ends here
        plain = [o for o in options if _type_of(o) in ("null", "string", "integer", "number", "boolean")]
        return self._rng.choice(plain if plain and depth > 6 else options)

    def _resolve(self, reference: str) -> dict[str, Any]:
        node: Any = self._root
        for name in reference.removeprefix("#/").split("/"):
            node = node[name]
        return dict(node)

    def _of_type(self, schema: dict[str, Any], depth: int) -> Any:  # noqa: PLR0911 - a table of types
        match _type_of(schema):
            case "object":
                names = schema.get("properties", {})
                return {name: self.make(part, depth + 1) for name, part in names.items()}
            case "array":
                low = schema.get("minItems", 0)
                high = min(schema.get("maxItems", low + 3), low + 3)
                count = low if depth > 6 else self._rng.randint(low, high)
                return [self.make(schema.get("items", {"type": "string"}), depth + 1) for _ in range(count)]
            case "string":
                return self._text(schema)
            case "integer":
                return self._integer(schema)
            case "number":
                return self._number(schema)
            case "boolean":
                return self._rng.random() < 0.5
            case "null":
                return None
            case other:
                raise NoSample(f"no sample is built for type {other!r}")

    def _text(self, schema: dict[str, Any]) -> str:
        if "format" in schema:
            if schema["format"] not in _FORMATS:
                raise NoSample(f"no sample is built for format {schema['format']!r}")
            return _FORMATS[schema["format"]]
        text = f"text {self._rng.getrandbits(32):08x}"
        return text.ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength", 100_000)]

    def _integer(self, schema: dict[str, Any]) -> int:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        high = schema.get("maximum", schema.get("exclusiveMaximum", max(low, 0) + 101) - 1)
        return self._rng.randint(int(low), int(high))

    def _number(self, schema: dict[str, Any]) -> float:
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        high = schema.get("maximum", schema.get("exclusiveMaximum", low + 1))
        # the middle half keeps clear of exclusive ends
        return float(low + (high - low) * (0.25 + self._rng.random() / 2))


def _type_of(schema: dict[str, Any]) -> str:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next((k for k in kind if k != "null"), "null")
    return str(kind).lower()
