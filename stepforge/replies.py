"""Replies read, and the instructions that ask for them: what a system is told to write is what is parsed here.

Limit of the `rules` method: of a detection task only the JSON object asked for is read, never the prose around it.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from stepforge.answers.extract import tail_of
from stepforge.answers.json_reply import json_objects
from stepforge.prompting import PROMPTS
from stepforge.vocabulary import DefectKind, ProblemType, TaskKind

REFUSAL_CHARS = 600
MAX_NUMBERS = 400  # steps named in one detection

_REFUSAL = re.compile(
    r"\bI(?:'m| am)? (?:cannot|can't|can not|unable to|not able to|won't|sorry)|\bI'm sorry\b|\bas an AI\b|"
    r"无法(?:回答|解答|提供)|抱歉",
    re.IGNORECASE,
)


def is_refusal(reply: str) -> bool:
    """Whether a short reply declines to answer."""
    return len(reply) <= REFUSAL_CHARS and _REFUSAL.search(reply) is not None


class Detection(NamedTuple):
    """The defect that a reply points at: 0-based location, a missing step's text; `error` where nothing is read; the
    kind of defect where the reply names one."""

    location: tuple[int, ...] | None
    missing_step: str | None
    error: str | None
    named_kind: DefectKind | None = None


_KEYS = {
    DefectKind.WRONG: "step",
    DefectKind.REDUNDANT: "steps",
    DefectKind.REPEATED: "step",
    DefectKind.MISSING: "position",
    DefectKind.SWAPPED: "steps",
}
_OTHER_KEYS = {"step": "steps", "steps": "step"}


def detection_json(kind: DefectKind, location: Sequence[int], missing_step: str | None) -> str:
    """The JSON object that a system is asked to end with, for a defect at the 0-based `location`."""
    numbers = [index + 1 for index in location]
    key = _KEYS[kind]
    value: dict[str, object] = {key: numbers if key == "steps" else numbers[0]}
    if kind is DefectKind.MISSING:
        value["missing_step"] = missing_step or ""
    return json.dumps(value, ensure_ascii=False)


def parse_detection(reply: str, kind: DefectKind) -> Detection:
    """The location in the reply's last JSON object that has the kind's key; numbers are those displayed (from 1).
    Where no object has it, `step` may stand for `steps` and the other way round."""
    key = _KEYS[kind]
    objects = json_objects(tail_of(reply))
    names = (key, _OTHER_KEYS[key]) if key in _OTHER_KEYS else (key,)
    found = next(
        (
            [(value, value[name]) for value in objects if name in value]
            for name in names
            if any(name in value for value in objects)
        ),
        [],
    )
    if not found:
        return Detection(None, None, f"no JSON object with the key {key!r}")
    last, written = found[-1]
    numbers = _numbers(written)
    if not numbers:
        return Detection(None, None, f"{key!r} holds no step numbers")
    if key != "steps" and len(numbers) != 1:
        return Detection(None, None, f"{key!r} holds several step numbers")
    missing = last.get("missing_step")
    location = tuple(sorted({number - 1 for number in numbers}))
    return Detection(location, missing if isinstance(missing, str) else None, None, _named_kind(last))


_KIND_KEYS = ("kind", "defect", "defect_kind", "error_type", "type")


def _named_kind(value: dict[str, object]) -> DefectKind | None:
    """The kind of defect that the object names, as `wrong`, `Missing step`, …; None if it names none, or several."""
    named = next((value[key] for key in _KIND_KEYS if isinstance(value.get(key), str)), None)
    words = re.findall(r"[a-z]+", str(named or "")[:100].lower())
    found = {DefectKind(word) for word in words if word in set(DefectKind)}
    return found.pop() if len(found) == 1 else None


_NUMBER_LIST = re.compile(r"(?:(?:steps?|第)\s{0,2})?\d{1,4}(?:\s{0,2}步)?", re.IGNORECASE)
_BETWEEN_NUMBERS = re.compile(r"\s{0,4}(?:[,;&，、；]|and\b|和|与)\s{0,4}(?:and\b\s{0,4})?", re.IGNORECASE)


def _numbers(value: object) -> list[int] | None:
    """Step numbers of a JSON value: 3, 3.0, "3", "Step 3", "2 and 4", or a list of such; else None."""
    numbers: list[int] = []
    for entry in (value if isinstance(value, list) else [value])[:MAX_NUMBERS]:
        if isinstance(entry, str):
            pieces = [piece.strip() for piece in _BETWEEN_NUMBERS.split(entry[:400])]
            if not all(_NUMBER_LIST.fullmatch(piece) for piece in pieces):
                return None
            numbers += [int(re.sub(r"\D", "", piece)) for piece in pieces]
        elif isinstance(entry, int | float) and not isinstance(entry, bool) and entry == entry // 1:
            numbers.append(int(entry))
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


def instruction(kind: TaskKind, problem_type: ProblemType, language: str) -> str:
    """What a system is told beside the question: `stepforge/prompts/NAME_LANGUAGE/v1.md`.
    English for any language but zh."""
    name = _SOLVE[problem_type] if kind is TaskKind.SOLVE else kind.value
    return _instruction(f"{name}_{'zh' if language.startswith('zh') else 'en'}/{PROMPT_VERSION}")


def formalize_instruction(header: str, language: str) -> str:
    """What a system is told that puts a statement into Lean: with the header of the reference, if there is one."""
    suffix = "zh" if language.startswith("zh") else "en"
    if not header.strip():
        return _instruction(f"formalize_{suffix}/{PROMPT_VERSION}")
    return PROMPTS[f"formalize_under_header_{suffix}/{PROMPT_VERSION}"].render(header=header).text


@lru_cache
def _instruction(prompt_id: str) -> str:
    return PROMPTS[prompt_id].render().text
