"""How much the lengths of questions differ.  Source: MV-MATH, section 3.3, equation (1), there as a percentage."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from stepforge._bootstrap import Sums
from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.metrics._text import words


class QuestionRow(Row):
    """A question."""

    EXAMPLE: ClassVar = {"id": "p1", "question": "How many of the 12 marbles are red?"}

    question: str = Field(description="its text")


def _moments(row: QuestionRow) -> tuple[float, ...]:
    length = words(row.question)
    return length, length * length, 1


def _variation(sums: Sums) -> Sums:
    """σ / μ of the population."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mu, square = sums[..., 0] / sums[..., 2], sums[..., 1] / sums[..., 2]
        return np.where(mu > 0, np.sqrt(np.maximum(square - mu * mu, 0)) / mu, np.nan)


register(
    Metric(
        name="length-variation",
        title="Variation of question lengths",
        source="MV-MATH, section 3.3, equation (1)",
        row=QuestionRow,
        measures=lambda _: [
            Measure("CV", "coefficient of variation of the lengths in words", "σ / μ", _moments, _variation, better=""),
            Measure(
                "mean_length", "mean length in words", "μ", mean(lambda row: float(words(row.question))), better=""
            ),
        ],
    )
)
