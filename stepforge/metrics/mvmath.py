"""Multi-step scores.  Source: MV-MATH, section 4.1 and its official scorer."""

from collections.abc import Sequence
from typing import NamedTuple


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
