"""A problem from a row whose fields have been found: what the general sources have in common."""

import json
import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from stepforge.records import Answer, Choice
from stepforge.sources._base import BadRecord
from stepforge.sources._values import guess_answer, language_of, list_field, parts_of, split_options, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LETTERS = 26
_LANGUAGE = re.compile(r"[a-z]{2}")
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:$|[T ])")


def choices_of(found: object, *, split: bool = True) -> tuple[Choice, ...]:
    """Options: a text `A. … B. …` or a JSON list, an object by label, a list of labelled texts or one to be labelled
    from A, or the lists `label` and `text` of an object.  Raises: BadRecord."""
    if isinstance(found, str):
        if found.lstrip()[:1] == "[":
            return _listed(_json_list(found))
        return split_options(found, whole=True)[1] if split else ()
    if isinstance(found, dict):
        if set(found) == {"label", "text"} and all(isinstance(part, list) for part in found.values()):
            labels, texts = list_field(found, "label"), list_field(found, "text")
            if len(labels) != len(texts):
                raise BadRecord(f"choices: {len(labels)} labels for {len(texts)} texts")
            return tuple(Choice(label=label, text=text) for label, text in zip(labels, texts, strict=True))
        given = [label for label in sorted(found) if found[label] is not None]  # Parquet fills up with nulls
        return tuple(Choice(label=label, text=text_field(found, label)) for label in given)
    return _listed(
        [_text(part) for part in found] if isinstance(found, list) else list_field({"choices": found}, "choices")
    )


def _json_list(text: str) -> list[str]:
    try:
        found = json.loads(text[:100_000])
    except (ValueError, RecursionError):
        raise BadRecord("choices: a text that begins with '[' must be a JSON list") from None
    return [_text(part) for part in found] if isinstance(found, list) else []


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return str(value)
    raise BadRecord("choices: an option is no text; write it in double quotes")


def _listed(texts: list[str]) -> tuple[Choice, ...]:
    if len(texts) > LETTERS:
        raise BadRecord(f"choices: {len(texts)} options, but there are {LETTERS} letters")
    labelled = split_options("\n".join(texts), whole=True)[1]
    if len(labelled) == len(texts):
        return labelled
    return tuple(Choice(label=chr(ord("A") + i), text=text) for i, text in enumerate(texts))


def answer_of(found: object, choices: tuple[Choice, ...], unit: str | None = None) -> Answer | None:
    """The typed answer: a list is sub-answers, a text `(1) … (2) …` too.  Raises: BadRecord."""
    if isinstance(found, list):
        parts = tuple(list_field({"answer": found}, "answer"))
        if len(parts) > 1:
            joined = "; ".join(f"({i}) {part}" for i, part in enumerate(parts, 1))
            return Answer(kind=AnswerKind.MULTI_PART, text=joined, parts=parts, unit=unit)
        return guess_answer("".join(parts), choices, unit)
    text = None if found is None else text_field({"answer": found}, "answer")
    parts = parts_of(text) if text and not choices else ()
    if text and parts and all(parts):
        return Answer(kind=AnswerKind.MULTI_PART, text=text, parts=parts, unit=unit)
    return guess_answer(text, choices, unit)


def no_option_number(found: object, choices: tuple[Choice, ...], *, is_label: bool = False) -> None:
    """Refuse an answer that may be an option's number: from 0 to how many there are, and no option says it.
    `is_label`: numbers of the file (a class label of Parquet) are refused in any case.   Raises: BadRecord."""
    if not choices or isinstance(found, bool) or not isinstance(found, int | str):
        return
    text = str(found).strip()
    if not text.isdecimal() or len(text) > 2 or int(text) > len(choices):
        return
    said = re.compile(rf"(?<![\d.]){text}(?![\d.])")
    if (is_label and isinstance(found, int)) or not any(said.search(c.text) or c.label == text for c in choices):
        raise BadRecord(
            f"answer: {text} beside {len(choices)} options: if it is an option's number, say so in a mapping.toml, "
            '[answer] is = "index0" or "index1"; else write the option'
        )


def type_of(answer: Answer | None, choices: tuple[Choice, ...]) -> ProblemType:
    """Kind of a problem by its options and answer."""
    if choices:
        return ProblemType.CHOICE
    is_multi = answer is not None and answer.kind is AnswerKind.MULTI_PART
    return ProblemType.MULTI_STEP if is_multi else ProblemType.FREE_FORM


def language(stated: str | None, text: str) -> str:
    """ISO 639-1 code: the first two letters of what is stated (`zh-Hans`), else told by the text."""
    code = (stated or "").strip().lower()[:2]
    return code if _LANGUAGE.fullmatch(code) else language_of(text)


def date_of(field: str, value: object) -> date | None:
    """A date `YYYY-MM-DD`, with a time or without; None if nothing is stated.  Raises: BadRecord."""
    if value is None or not str(value).strip():
        return None
    match = _DATE.match(str(value).strip())
    try:
        if match:
            return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        pass
    raise BadRecord(f"{field}: {str(value)[:60]!r} is no date; write YYYY-MM-DD")


def concepts_of(field: str, found: object) -> tuple[str, ...]:
    """A list of texts, or a text with `;` between them."""
    if isinstance(found, str):
        return tuple(part.strip() for part in found.split(";") if part.strip())
    return tuple(list_field({field: found}, field))


def shown_fields(row: Mapping[str, Any]) -> str:
    """Names of a row's fields, for a message."""
    return ", ".join(list(row)[:30]) or "none"
