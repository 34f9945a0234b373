r"""Answers and solutions as word-problem and olympiad sets write them: numbers of JSON, boxes, lists, other forms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from stepforge.answers.boxed import boxes
from stepforge.records import Answer
from stepforge.sources._base import BadRecord
from stepforge.sources._values import field, guess_answer
from stepforge.vocabulary import AnswerKind, Difficulty

MAX_PLAIN_EXPONENT = 40  # a number beyond 10^40 stays as the source writes it: 1e999999999 has no plain form
_JOIN = re.compile(r"[\s$,;]{0,8}(?:and|or)?[\s$]{0,4}")


def plain_number(value: int | Decimal) -> str:
    """A number of JSON as people write it: `51.0` is 51, `2.50` is 2.5, `1E+2` is 100."""
    if isinstance(value, int):
        return str(value)
    if not value:
        return "0"
    if abs(value.adjusted()) > MAX_PLAIN_EXPONENT:
        return str(value)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def value_text(name: str, value: Any) -> str:
    """The text of one value, a number in plain form.   Raises: BadRecord."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return plain_number(value)
    raise BadRecord(f"{name}: expected a text or a number, got {type(value).__name__}; write it in double quotes")


def value_field(row: Mapping[str, Any], name: str) -> str:
    """The text of a field that holds a text or a number.   Raises: BadRecord."""
    return value_text(name, field(row, name))


def value_list(row: Mapping[str, Any], name: str) -> list[str]:
    """The texts of a field that holds a list of texts and numbers, or one of them; [] if absent or null; null and empty
    members are left out.   Raises: BadRecord."""
    found = row.get(name)
    if found is None:
        return []
    members = found if isinstance(found, list) else [found]
    return [text for text in (value_text(name, one) for one in members if one is not None) if text]


def boxed_values(solution: str, *, every: bool = False) -> list[str]:
    r"""What the last `\boxed{}` of a solution holds, braces matched, with the boxes that stand before it side by side,
    joined by a comma, `and` or `or`: `\boxed{1}, \boxed{2}`; [] if there is none.  `every`: all boxes."""
    found = [box for box in boxes(solution) if box[2].strip()]
    run = found if every else found[-1:]
    for box in reversed(found[: len(found) - len(run)]):
        if not _JOIN.fullmatch(solution, box[1], run[0][0]):
            break
        run.insert(0, box)
    return list(dict.fromkeys(content.strip() for _, _, content in run))


def set_of(values: Sequence[str], **given: Any) -> Answer | None:
    """One value with its kind; several as a set, whose order is not asked for; None for none."""
    if len(values) < 2:
        return guess_answer("".join(values))
    return Answer(kind=AnswerKind.SET, text=", ".join(values), parts=tuple(values), **given)


def with_alternatives(answer: Answer | None, others: Iterable[str]) -> Answer | None:
    """The answer with other texts that are equally right, each once."""
    if answer is None:
        return None
    new = [text.strip() for text in others if text.strip() and text.strip() != answer.text]
    return answer.model_copy(update={"alternatives": tuple(dict.fromkeys([*answer.alternatives, *new]))})


def difficulty_of(level: Decimal | int | None, *, easy: Decimal | int, medium: Decimal | int) -> Difficulty | None:
    """The difficulty of a source's numeric level: easy up to `easy`, medium up to `medium`, else hard."""
    if level is None:
        return None
    if level <= easy:
        return Difficulty.EASY
    return Difficulty.MEDIUM if level <= medium else Difficulty.HARD


def number_or_none(row: Mapping[str, Any], name: str) -> int | Decimal | None:
    """The number in a field, None if absent or null; a text that is a number counts.   Raises: BadRecord."""
    found = row.get(name)
    if found is None:
        return None
    if isinstance(found, str) and re.fullmatch(r"\s{0,9}-?\d{1,9}(?:\.\d{1,20})?\s{0,9}", found):
        found = Decimal(found.strip())
    if isinstance(found, bool) or not isinstance(found, int | Decimal):
        raise BadRecord(f"{name}: expected a number, got {str(found)[:60]!r}")
    return found
