"""Multi-step scores.  Source: MV-MATH, section 4.1 and its official scorer."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field, field_validator

from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Row, mean, register


class PartCount(NamedTuple):
    """Right sub-answers of one question; `total` None or 0: no verdict could be read."""

    right: int | None
    total: int | None


def sar(questions: Sequence[PartCount]) -> float | None:
    """Step accuracy rate: right sub-answers / sub-answers, over the whole set; questions without a verdict left out."""
    counted = [(q.right or 0, q.total) for q in questions if q.total]
    total = sum(t for _, t in counted)
    return sum(r for r, _ in counted) / total if total else None


def complete(question: PartCount) -> bool:
    """Whether every sub-answer is right."""
    return bool(question.total) and question.right == question.total


def qcr(questions: Sequence[PartCount]) -> float | None:
    """Question completeness rate: questions with every sub-answer right / all questions."""
    return sum(complete(q) for q in questions) / len(questions) if questions else None


def overall(single: Sequence[bool], multi_step: Sequence[PartCount]) -> float | None:
    """Overall accuracy: right one-step answers and complete multi-step questions / all questions."""
    n = len(single) + len(multi_step)
    return (sum(single) + sum(complete(q) for q in multi_step)) / n if n else None


_COUNT = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)


class MvMathRow(Row):
    """A question and the verdict on its answer."""

    REPLY: ClassVar = ("judge",)
    LABELS: ClassVar = ("kind", "image_relevance", "image_count", "input_method", "prompt", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": 1918, "kind": "multistep", "judge": "2/3", "image_relevance": "independent"}

    kind: Literal["choice", "freeform", "multistep"] = Field(description="kind of the question; a breakdown")
    judge: bool | str | None = Field(
        default=None,
        description='true or false; of a multistep question right/all sub-answers, as "2/3"; other text: no verdict',
    )
    image_relevance: str | None = Field(default=None, description="mutually_dependent or independent; breakdown")
    image_count: int | None = Field(default=None, description="images of the question; breakdown")
    input_method: str | None = Field(default=None, description="sequence or merge; breakdown")
    prompt: str | None = Field(default=None, description="original, cot or cot_2_shot; breakdown")

    @field_validator("judge")
    @classmethod
    def _no_more_right_than_there_are(cls, value: bool | str | None) -> bool | str | None:
        match = _COUNT.fullmatch(value) if isinstance(value, str) else None
        if match and int(match[1]) > int(match[2]):
            raise ValueError("more sub-answers right than there are")
        return value

    @property
    def parts(self) -> PartCount:
        """Sub-answers of a multistep question; none where no verdict can be read."""
        match = _COUNT.fullmatch(self.judge) if isinstance(self.judge, str) else None
        return PartCount(int(match[1]), int(match[2])) if match else PartCount(None, None)

    @property
    def right(self) -> bool:
        """Whether the question counts as right: every sub-answer of a multistep question."""
        if self.failed:
            return False
        return complete(self.parts) if self.kind == "multistep" else self.judge is True

    @property
    def undecided(self) -> bool:
        """Whether the verdict says neither: it counts as wrong, and its sub-answers are left out of SAR."""
        if self.failed:
            return False
        return self.parts.total is None if self.kind == "multistep" else not isinstance(self.judge, bool)


def _of_kind(kind: str) -> Callable[[MvMathRow], tuple[float, float] | None]:
    return mean(lambda row: row.right if row.kind == kind else None)


def _parts(row: MvMathRow) -> tuple[float, float] | None:
    """A question without a verdict is left out, as in the official scorer; "0/3" counts, even if the reply failed."""
    count = row.parts
    right = 0 if row.failed else count.right or 0
    return (right, count.total) if row.kind == "multistep" and count.total else None


def _summary(rows: Sequence[MvMathRow]) -> dict[str, object]:
    return {
        "total_questions": len(rows),
        "correct_answers": sum(row.right for row in rows),
        "accuracy": sum(row.right for row in rows) / len(rows) if rows else None,
    }


def _official(rows: Sequence[MvMathRow]) -> Mapping[str, object]:
    """The official scorers' summaries and their weighted score, unrounded as they print them."""
    by_kind = {kind: [row for row in rows if row.kind == kind] for kind in ("choice", "freeform", "multistep")}
    counts = [row.parts for row in by_kind["multistep"]]
    multi_step = {
        "total_questions": len(counts),
        "complete_correct_questions": sum(complete(count) for count in counts),
        "total_correct_steps": sum(count.right or 0 for count in counts),
        "total_steps": sum(count.total or 0 for count in counts),
        "Step_Accuracy_Rate": sar(counts),
        "Question_Completeness_Rate": qcr(counts),
    }
    right = sum(row.right for row in rows)
    return {
        "summaries": {
            "multi_step": multi_step,
            "free_form": _summary(by_kind["freeform"]),
            "multiple_choice": _summary(by_kind["choice"]),
        },
        "weighted": {
            "total_questions_all": len(rows),
            "total_correct_all": right,
            "weighted_score": right / len(rows) if rows else None,
        },
    }


register(
    Metric(
        name="mv-math",
        title="Accuracy of choice, free-form and multi-step questions",
        source="MV-MATH, section 4.2, tables 2-13",
        row=MvMathRow,
        measures=lambda _: [
            Measure("choice", "share of right choices", "N_right / N_choice", _of_kind("choice")),
            Measure("freeform", "share of right one-step free-form answers", "N_right / N_freeform",
                    _of_kind("freeform")),
            Measure("SAR", "share of right sub-answers, over the whole set", "Σ right / Σ sub-answers", _parts),
            Measure("QCR", "share of multi-step questions with every sub-answer right", "N_complete / N_multistep",
                    _of_kind("multistep")),
            Measure("overall", "share of right questions; a multi-step one is right if every sub-answer is",
                    "(N_right choice + N_right freeform + N_complete) / N", mean(lambda row: row.right)),
        ],
        official=_official,
    )
)  # fmt: skip
