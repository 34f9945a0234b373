"""Rows out of JSON Lines, and what a metric's row looks like, both from its declaration."""

import json
from collections.abc import Iterable, Sequence
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from stepforge.errors import BadInput, BadRequest
from stepforge.metrics._base import METRICS, Metric, Parameters, Row

MAX_LINE_BYTES = 20_000_000
SHOWN_CHARS = 60


def find(name: str) -> Metric:
    """The metric of that name.  Raises: BadRequest if there is none."""
    if name not in METRICS:
        names = [metric.name for metric in METRICS]
        near = get_close_matches(name, names, 1)
        hint = f"; did you mean {near[0]}?" if near else ";"
        raise BadRequest(f"there is no metric {name!r}{hint} all of them: stepforge metric --list")
    return METRICS[name]


def parse(lines: Iterable[bytes], metric: Metric, name: str) -> list[Row]:
    """The rows of a JSON Lines file called `name`, one a line; empty lines are skipped.
    Raises: BadInput that says the file, the line, the field and what to do."""
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else line.strip()
        if not text:
            continue
        if len(text) > MAX_LINE_BYTES:
            raise BadInput(f"{name}:{number}: more than {MAX_LINE_BYTES:,} bytes in one line; write one row a line")
        try:
            rows.append(metric.row.model_validate_json(text))
        except ValidationError as error:
            raise BadInput(f"{name}:{number}: {_complaint(error, metric)}; the row it wants: "
                           f"stepforge metric {metric.name} --row") from error  # fmt: skip
    return rows


def _complaint(error: ValidationError, metric: Metric) -> str:
    """The first thing that is wrong in a row, and how many others are."""
    errors = error.errors(include_url=False, include_context=False)
    first = errors[0]
    if first["type"] == "json_invalid":
        return f"no JSON object: {first['msg'].removeprefix('Invalid JSON: ')}; write one JSON object a line"
    if first["type"] == "model_type":
        return "not a JSON object; write one JSON object a line (of an array: jq -c '.[]')"
    where = ".".join(str(part) for part in first["loc"]) or "row"
    message = first["msg"].removeprefix("Value error, ")
    given = "" if first["type"] == "missing" or not first["loc"] else f", not {_shown(first['input'])}"
    near = _misspelt(first, metric) if first["type"] == "missing" else ""
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"field {where}: {message[:1].lower() + message[1:]}{given}{near}{more}"


def _misspelt(first: Any, metric: Metric) -> str:
    """A field of the row that is not declared and reads like the one that is missing."""
    unknown = set(first["input"]) - {n for names in map(_names, metric.row.model_fields.items()) for n in names}
    near = get_close_matches(str(first["loc"][0]), sorted(unknown), 1)
    return f" (is it the field {_shown(near[0])}?)" if near else ""


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"


def parameters(metric: Metric, settings: Sequence[str]) -> Parameters:
    """The metric's parameters with settings of the form NAME=VALUE.  Raises: BadRequest for a name or value unknown."""
    given: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise BadRequest(f"--set {setting}: write NAME=VALUE")
        given[key.strip()] = value.strip()
    try:
        return metric.parameters.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        name = ".".join(map(str, first["loc"])) or "parameters"
        known = ", ".join(metric.parameters.model_fields) or "none"
        raise BadRequest(f"--set {name}: {first['msg']}; parameters of {metric.name}: {known}") from error


def _names(field: tuple[str, FieldInfo]) -> list[str]:
    name, info = field
    alias = info.validation_alias
    return list(dict.fromkeys([name, *(map(str, alias.choices) if isinstance(alias, AliasChoices) else ())]))


class FieldWords(NamedTuple):
    """A field of a row in words: its names, its type, whether it is needed, and what it means."""

    name: str
    type: str
    needed: str
    description: str


def fields(metric: Metric) -> list[FieldWords]:
    """The fields of the metric's row, its own first."""
    declared = metric.row.model_fields
    own = [name for name in declared if name not in Row.model_fields or declared[name].is_required()]
    return [
        FieldWords(
            " | ".join(_names((name, declared[name]))),
            type_in_words(declared[name].annotation),
            _needed(metric, name, declared[name]),
            " ".join((declared[name].description or "").split()),
        )
        for name in dict.fromkeys([*own, *declared])
    ]


def _needed(metric: Metric, name: str, info: FieldInfo) -> str:
    return "required" if info.is_required() else "required unless failure" if name in metric.row.needed() else ""


NAMES = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    type(None): "null",
    date: "YYYY-MM-DD",
}


def type_in_words(annotation: Any) -> str:
    """A type as JSON knows it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is not None:
        return _compound(origin, arguments)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        parts = ", ".join(f"{name}: {type_in_words(f.annotation)}" for name, f in annotation.model_fields.items())
        return f"{{{parts}}}"
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return " or ".join(f'"{member}"' for member in annotation)
    return NAMES.get(annotation, str(annotation))


def _compound(origin: Any, arguments: Sequence[Any]) -> str:
    if origin is Literal:
        return " or ".join(json.dumps(value) for value in arguments)
    inner = [type_in_words(argument) for argument in arguments if argument is not Ellipsis]
    if origin in {Union, UnionType}:
        return " or ".join(inner)
    if origin is dict:
        return f"object with values of {inner[1]}"
    if len(inner) > 1:
        return f"[{', '.join(inner)}]"
    return f"array of ({inner[0]})" if " or " in inner[0] else f"array of {inner[0]}"
