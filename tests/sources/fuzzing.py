"""Records of every source's form, broken in every way that files are broken."""

import copy
import importlib
import json
import pkgutil
import random
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from stepforge.sources import recognise

TEXTS = (
    "",
    " \t\n",
    "\x00\x01\x7f",
    "\u202e\u2066evil\u2069",
    "\ufeff\u200b",
    "<script>alert(1)</script><image_999>",
    "../../etc/passwd",
    "$" * 301,
    "\\frac{" * 2000,
    "{" * 5000,
    "\\(" * 3000,
    "(((((" * 2000 + "1",
    "1" * 4000,
    "-" * 9000,
    "A. " * 3000,
    "∵∴" * 3000,
    "<<1+1=" * 2000,
    " \n" * 9000,
    "\\begin{cases}" * 500,
    "9" * 300 + "^" * 300 + "9" * 300,
    "{{7*7}}${7*7}`id`; rm -rf /",
    "数" * 4000,
    "e\u0301" * 2000,
    "NaN",
    "#### ",
    "\\boxed{" * 1000,
    "<image_1>" * 1000,
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    10**400,
    1e308,
    [],
    {},
    [[[[]]]],
    [None],
    {"a": {"b": []}},
    [{}],
    *TEXTS,
)


def samples() -> list[dict[str, Any]]:
    """The records, one at least of each form, that the tests of the sources are written on."""
    package = importlib.import_module("tests.sources")
    found = []
    for name in sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.name.startswith("test_")):
        module = importlib.import_module(f"tests.sources.{name}")
        for value in vars(module).values():
            if isinstance(value, dict) and value and all(isinstance(key, str) for key in value):
                try:
                    line = json.dumps(value).encode()
                except (TypeError, ValueError):
                    continue
                if recognise("set.jsonl", line + b"\n") is not None:
                    found.append(value)
    return found


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a record."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _other_value(record: dict[str, Any], draw: random.Random) -> None:
    place, key = draw.choice(list(_places(record)))
    place[key] = copy.deepcopy(draw.choice(VALUES))


def _lost_field(record: dict[str, Any], draw: random.Random) -> None:
    del record[draw.choice(list(record))]


def _more_of_it(record: dict[str, Any], draw: random.Random) -> None:
    place, key = draw.choice(list(_places(record)))
    place[key] = place[key] * 50 if isinstance(place[key], str | list) else [place[key]] * 50


def _nested(record: dict[str, Any], draw: random.Random) -> None:
    place, key = draw.choice(list(_places(record)))
    deep: Any = place[key]
    for _ in range(draw.choice((3, 39, 60, 300))):
        deep = [deep] if draw.random() < 0.5 else {"x": deep}
    place[key] = deep


def _altered_text(record: dict[str, Any], draw: random.Random) -> None:
    texts = [(place, key) for place, key in _places(record) if isinstance(place[key], str) and place[key]]
    if texts:
        place, key = draw.choice(texts)
        at = draw.randrange(len(place[key]))
        place[key] = place[key][:at] + draw.choice(TEXTS) + place[key][at + draw.randrange(4) :]


CHANGES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    _other_value,
    _lost_field,
    _more_of_it,
    _nested,
    _altered_text,
    _altered_text,
)


def broken_records(sample: dict[str, Any], seed: str) -> Iterator[bytes]:
    """Lines without end: the record changed in one to three places, one in ten damaged as bytes, too."""
    draw = random.Random(seed)
    for number in count(1):
        record = copy.deepcopy(sample)
        for key, value in sample.items():  # an id of its own: a repeated one is refused for that alone
            if key.lower() in ("id", "problem_id", "uniqueid", "unique_id", "question_id", "idx", "problem_name"):
                record[key] = number if isinstance(value, int) else f"{value}_{number}"
        for _ in range(draw.randint(1, 3)):
            if record:
                draw.choice(CHANGES)(record, draw)
        line = bytearray(json.dumps(record, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass"))
        if draw.random() < 0.1:
            for _ in range(draw.randint(1, 4)):
                line[draw.randrange(len(line))] = draw.randrange(256)
        yield bytes(line).replace(b"\n", b" ")
