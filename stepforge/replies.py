"""Replies read, and the instructions that ask for them: what a system is told to write is what is parsed here.

Limits of the `rules` method: a reasoning unit is a numbered step where the reply numbers its steps, else a line, else a
sentence; it knows no paragraph that spreads one step over several lines.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from stepforge.answers.extract import TAIL_CHARS, boxes, json_objects
from stepforge.vocabulary import DefectKind, ProblemType, TaskKind

MAX_UNITS = 400  # the longest reference solution of the five benchmarks' data has 24 steps
MAX_UNIT_CHARS = 2000
MAX_REPLY_CHARS = 200_000
LONG_LINE_CHARS = 300  # a longer line is a paragraph and is read by sentences
REFUSAL_CHARS = 600

_STEP_WORD = re.compile(
    r"^[\s*#>_]{0,8}(?:step|第)\s{0,2}\d{1,3}\s{0,2}步?[*_]{0,3}\s?[:：.、)）-]?[*_]{0,3}\s?", re.IGNORECASE
)
_NUMBER = re.compile(r"^[\s*#>_]{0,8}[(（]?\d{1,3}[)）.、:：](?!\d)[*_]{0,3}\s?")
_BULLET = re.compile(r"^\s{0,8}(?:[-*•+]\s|#{1,6}\s|>\s)")
_FINAL = re.compile(
    r"^[\s*_>#]{0,8}(?:####|A\s?[:：]|"
    r"(?:(?:therefore|so|thus|hence),?\s)?(?:the\s)?(?:final\s|correct\s)?answer[*_]{0,3}\s?(?:[:：]|is\b)|"
    r"(?:最终)?答案?\s?[:：是为]|故选)",
    re.IGNORECASE,
)
_ONLY_BOX = re.compile(r"^[\s$*\\\[\]().]{0,8}\\(?:boxed|fbox)\b")
_HEADING = re.compile(
    r"^[\s*#_]{0,8}(?:solution|proof|reasoning|answer|解|证明|解答)?[*_\s]{0,4}[:：]?[*_\s]{0,4}$", re.IGNORECASE
)
_CALCULATOR = re.compile(r"<<[^<>\n]{0,200}>>")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z$\\(])|(?<=[。！？；])")
_CHAIN = re.compile(r"(?<=[^\s,，∵∴])(?=∵)|(?=∴)")
_REFUSAL = re.compile(
    r"\bI(?:'m| am)? (?:cannot|can't|can not|unable to|not able to|won't|sorry)|\bI'm sorry\b|\bas an AI\b|"
    r"无法(?:回答|解答|提供)|抱歉",
    re.IGNORECASE,
)


def reasoning_units(reply: str) -> tuple[str, ...]:
    """The reasoning units of a reply, in order, without the lines that only state the final answer (MAMath-Bench, MA
    and SRR: "predicted reasoning unit").  At most `MAX_UNITS`, each cut to `MAX_UNIT_CHARS` characters; linear time.
    A numbered step stays whole, whatever it says."""
    after = reply.rfind("</think>")
    text = reply[after + len("</think>") if after >= 0 else 0 :][:MAX_REPLY_CHARS]
    lines = [line for line in _CALCULATOR.sub("", text).splitlines() if line.strip()]
    lines = [line for line in lines if not _is_final(line) and not _HEADING.match(line)]
    for mark in (_STEP_WORD, _NUMBER):
        if sum(mark.match(line) is not None for line in lines) >= (1 if mark is _STEP_WORD else 2):
            return _capped(_numbered(lines, mark))
    units: list[str] = []
    for line in lines:
        units += _line_units(_BULLET.sub("", line), alone=len(lines) == 1)
        if len(units) > MAX_UNITS:
            break
    return _capped(units)


def _is_final(line: str) -> bool:
    return _FINAL.match(line[:200]) is not None or (_ONLY_BOX.match(line[:40]) is not None and _ends_with_box(line))


def _ends_with_box(line: str) -> bool:
    found = boxes(line[: 2 * MAX_UNIT_CHARS])
    return bool(found) and found[-1][1] >= len(line.rstrip(" .。$*\\])"))


def _numbered(lines: Sequence[str], mark: re.Pattern[str]) -> list[str]:
    """Blocks that begin with the mark; lines before the first mark are units of their own."""
    blocks: list[list[str]] = []
    begun = False
    for line in lines:
        match = mark.match(line)
        if match:
            blocks.append([line[match.end() :]])
            begun = True
        elif begun:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [" ".join(block) for block in blocks]


def _line_units(line: str, *, alone: bool) -> list[str]:
    pieces = _CHAIN.split(line) if "∴" in line or "∵" in line else [line]
    if len(pieces) == 1 and (alone or len(line) > LONG_LINE_CHARS):
        pieces = _SENTENCE.split(line)
    return _joined_premises([piece for piece in pieces if piece.strip()])


def _joined_premises(pieces: Sequence[str]) -> list[str]:
    """A premise (∵ …) belongs to the conclusion (∴ …) that follows it."""
    units: list[str] = []
    for piece in pieces:
        if units and units[-1].lstrip().startswith("∵") and "∴" not in units[-1]:
            units[-1] += piece
        else:
            units.append(piece)
    return units


def _capped(units: Sequence[str]) -> tuple[str, ...]:
    cleaned = (" ".join(unit[:MAX_UNIT_CHARS].split()) for unit in units[:MAX_UNITS])
    return tuple(unit for unit in cleaned if unit)


def is_refusal(reply: str) -> bool:
    """Whether a short reply declines to answer."""
    return len(reply) <= REFUSAL_CHARS and _REFUSAL.search(reply) is not None


class Detection(NamedTuple):
    """The defect that a reply points at: 0-based location, a missing step's text; `error` where nothing is read."""

    location: tuple[int, ...] | None
    missing_step: str | None
    error: str | None


_KEYS = {
    DefectKind.WRONG: "step",
    DefectKind.REDUNDANT: "steps",
    DefectKind.REPEATED: "step",
    DefectKind.MISSING: "position",
    DefectKind.SWAPPED: "steps",
}


def detection_json(kind: DefectKind, location: Sequence[int], missing_step: str | None) -> str:
    """The JSON object that a system is asked to end with, for a defect at the 0-based `location`."""
    numbers = [index + 1 for index in location]
    key = _KEYS[kind]
    value: dict[str, object] = {key: numbers if key == "steps" else numbers[0]}
    if kind is DefectKind.MISSING:
        value["missing_step"] = missing_step or ""
    return json.dumps(value, ensure_ascii=False)


def parse_detection(reply: str, kind: DefectKind) -> Detection:
    """The location in the reply's last JSON object that has the kind's key; numbers are those displayed (from 1)."""
    key = _KEYS[kind]
    found = [value for value in json_objects(reply[-TAIL_CHARS:]) if key in value]
    if not found:
        return Detection(None, None, f"no JSON object with the key {key!r}")
    numbers = _numbers(found[-1][key])
    if not numbers:
        return Detection(None, None, f"{key!r} holds no step numbers")
    if key != "steps" and len(numbers) != 1:
        return Detection(None, None, f"{key!r} holds several step numbers")
    missing = found[-1].get("missing_step")
    location = tuple(sorted({number - 1 for number in numbers}))
    return Detection(location, missing if isinstance(missing, str) else None, None)


def _numbers(value: object) -> list[int] | None:
    values = value if isinstance(value, list) else [value]
    numbers = []
    for entry in values[:MAX_UNITS]:
        if isinstance(entry, str) and re.fullmatch(r"\s{0,4}\d{1,4}\s{0,4}", entry):
            numbers.append(int(entry))
        elif isinstance(entry, int) and not isinstance(entry, bool):
            numbers.append(entry)
        else:
            return None
    return numbers if all(0 < number < 10_000 for number in numbers) else None


_SOLVE = {
    ProblemType.CHOICE: "solve_choice",
    ProblemType.MULTI_STEP: "solve_multi_step",
    ProblemType.PROOF: "solve_proof",
    ProblemType.STATEMENT: "solve_proof",
    ProblemType.FREE_FORM: "solve",
}
PROMPT_VERSION = "v1"


@lru_cache
def _prompt(name: str) -> str:
    path = files("stepforge").joinpath("prompts", name, f"{PROMPT_VERSION}.md")
    return path.read_text(encoding="utf-8").strip()


def instruction(kind: TaskKind, problem_type: ProblemType, language: str) -> str:
    """What a system is told beside the question: `stepforge/prompts/NAME_LANGUAGE/v1.md`.
    English for any language but zh."""
    name = _SOLVE[problem_type] if kind is TaskKind.SOLVE else kind.value
    return _prompt(f"{name}_{'zh' if language.startswith('zh') else 'en'}")
