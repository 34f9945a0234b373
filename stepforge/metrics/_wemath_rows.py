"""Questions of We-Math as rows, and the composite problems that they make up."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Self

from pydantic import Field, field_validator, model_validator

from stepforge.answers.extract import extract_answer
from stepforge.answers.options import letters
from stepforge.metrics._base import Item, Label, Row, also, labels_of
from stepforge.metrics.wemath import Group
from stepforge.vocabulary import NOT_COUNTED, AnswerKind, Failure

_ROLE = re.compile(r"(?:([1-9]\d?)steps_)?(?:(multi|composite)|(?:sub_)?([1-9]\d?))", re.ASCII)
_OFFICIAL_LETTER = frozenset("ABCDEFGH")


class WeMathRow(Row):
    """One question of a composite problem, and whether it was answered right: `right`, or the option that `response`
    chooses against the letter `answer`."""

    NEEDED: ClassVar = ()
    EXAMPLE: ClassVar = {"group": "2steps_7", "role": "sub_1", "concept": "Rotation", "right": True}

    group: str = Field(validation_alias=also("group", "ID"), description="the composite problem")
    role: str = Field(
        validation_alias=also("role", "key"),
        description="sub_1, sub_2, … or composite; as the official files write it: 2steps_1, 2steps_multi",
    )
    concept: tuple[str, ...] = Field(
        default=(),
        validation_alias=also("concept", "knowledge_concept", "knowledge concept"),
        description="knowledge concept of a sub-problem (one text, or an array)",
    )
    domain: str | None = Field(default=None, description="domain of the concepts")
    right: bool | None = Field(default=None, description="whether the answer is right; null: not answered")
    answer: str | None = Field(default=None, description="letter of the reference, where `right` is left out")
    response: str | None = Field(default=None, description="the reply, read for its option; null: not answered")
    augmented: bool = Field(default=False, description="whether the descriptions of the concepts were given with it")

    @field_validator("role")
    @classmethod
    def _is_a_role(cls, value: str) -> str:
        if not _ROLE.fullmatch(value):
            raise ValueError("a role is sub_1, sub_2, … or composite, or 2steps_1, 2steps_multi")
        return value

    @field_validator("concept", mode="before")
    @classmethod
    def _one_concept_may_stand_alone(cls, value: object) -> object:
        return () if value is None else (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _can_be_judged(self) -> Self:
        if self.failure is None and "right" not in self.model_fields_set:
            absent = {"answer", "response"} - self.model_fields_set
            if absent or self.answer is None:
                raise ValueError("right is missing, or answer and response in its place")
        return self

    def place(self) -> tuple[int | None, int | None]:
        """Number of sub-problems where the role says it, and number of this one; None for the composite."""
        match = _ROLE.fullmatch(self.role)
        steps, _, number = match.groups() if match else (None, None, None)
        return int(steps) if steps else None, int(number) if number else None

    def correct(self) -> bool | None:
        """Whether it was answered right; None if it was not answered.  A reply that is empty, refused or unparsable is
        an answer, a wrong one."""
        if self.failure is not None:
            return None if self.failure in NOT_COUNTED or self.failure is Failure.MISSING else False
        if "right" in self.model_fields_set:
            return self.right
        if self.response is None:
            return None
        chosen = extract_answer(self.response, AnswerKind.CHOICE)
        return chosen is not None and letters(chosen, ()) == ((self.answer or "").strip().upper(),)

    @property
    def why_failed(self) -> Failure | None:
        """`failure`; missing where it was not answered."""
        return Failure.MISSING if self.failure is None and self.correct() is None else self.failure


def official_letter(response: str) -> str | None:
    """The option as the official scorer reads it: of what follows the last `Answer`, without `>`, `<`, `:` and `.`, the
    first character, if it is one of A-H."""
    text = re.sub(r"[><:.]", "", response.rpartition("Answer")[2].strip()).strip()
    return text[0] if text and text[0] in _OFFICIAL_LETTER else None


class Part(NamedTuple):
    """One question: right, wrong, or not answered (None); its concepts and their domains."""

    right: bool | None
    concepts: tuple[tuple[str, str | None], ...]


class Composite(NamedTuple):
    """A composite problem with its sub-problems; None for a question of which there is no row."""

    subs: tuple[Part | None, ...]
    whole: Part | None

    def group(self) -> Group:
        """What its state depends on."""
        return Group(tuple(sub.right if sub else None for sub in self.subs), self.whole.right if self.whole else None)


class Settings(NamedTuple):
    """A composite problem as answered without and with the descriptions of its concepts; None: not asked so."""

    plain: Composite | None
    augmented: Composite | None


def composite(questions: Sequence[tuple[tuple[int | None, int | None], Part]]) -> Composite:
    """The composite problem of some questions with their places."""
    subs = {number: part for (_, number), part in questions if number is not None}
    last = max([*subs, *(steps for (steps, _), _ in questions if steps is not None)], default=0)
    whole = next((part for (_, number), part in questions if number is None), None)
    return Composite(tuple(subs.get(k) for k in range(1, last + 1)), whole)


def settings(rows: Sequence[WeMathRow], by: Sequence[str]) -> list[Item]:
    """The composite problems, each in its two settings, in order of their names; labels are those of the composite
    question, else of the first.  A question that a system could not read or was not asked is left out."""
    of_group: dict[tuple[str, str], list[WeMathRow]] = defaultdict(list)
    for row in rows:
        of_group[row.source or "", row.group].append(row)
    found = []
    for (source, name), members in sorted(of_group.items()):
        speaker = next((row for row in members if row.place()[1] is None), members[0])
        labels: dict[str, Label] = labels_of(speaker, [*speaker.LABELS, *by])
        two = Settings(*(_setting([r for r in members if r.augmented is given]) for given in (False, True)))
        found.append(Item(f"{source}|{name}", two, labels, failure=None, undecided=False))
    return found


def _setting(rows: Sequence[WeMathRow]) -> Composite | None:
    asked = [row for row in rows if row.failure not in NOT_COUNTED]
    return composite([(row.place(), part(row)) for row in asked]) if asked else None


def part(row: WeMathRow) -> Part:
    """The row as a part of its composite problem, by our reading of its response."""
    return Part(row.correct(), tuple((name, row.domain) for name in row.concept))
