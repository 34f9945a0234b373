"""Formulas read from text or image.  Source: AgenticMathBench, appendix F.2, equations (6)-(8).

Differs from the paper, where a judge decides both: ExpRate is equality of the canonical symbols, SymRate 1 − edit
distance of the symbols / the longer number of them.  A judge's verdicts stand beside, where they are given.
"""

from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Row, judged, mean, register
from stepforge.metrics._latex_symbols import symbols


class SymbolRow(Row):
    """A formula and what the reply read."""

    REPLY: ClassVar = ("predicted",)
    JUDGED: ClassVar = ("judge_exp", "judge_sym")
    NEEDED: ClassVar = ("predicted",)
    EXAMPLE: ClassVar = {"id": "p1", "gold": "\\frac{1}{2}x^2", "predicted": "\\dfrac12 x^{2}"}

    gold: str = Field(description="LaTeX of the reference")
    predicted: str | None = Field(default=None, description="LaTeX of the reply; null: no reply")
    judge_exp: bool | None = Field(
        default=None, description="a judge's verdict on the whole formula; left out: not asked"
    )
    judge_sym: float | None = Field(
        default=None, ge=0, le=1, description="a judge's score of the symbols; left out: not asked"
    )


def exp_right(gold: str, predicted: str | None) -> bool:
    """Whether the formulas have the same canonical symbols; nothing read is not right."""
    return predicted is not None and symbols(gold) == symbols(predicted)


def sym_rate(gold: str, predicted: str | None) -> float | None:
    """1 − edit distance / the longer number of symbols, in [0, 1]; None if the reference has no symbol."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - only where it is needed

    truth = symbols(gold)
    return Levenshtein.normalized_similarity(truth, symbols(predicted or "")) if truth else None


def _asked(name: str) -> Measure:
    words, of = {
        "judge_exp": ("share of formulas that a judge finds transcribed", "N(judge says right) / N"),
        "judge_sym": ("a judge's score of the symbols", "mean of the scores"),
    }[name]
    return Measure({"judge_exp": "ExpRate_judge", "judge_sym": "SymRate_judge"}[name], words, of, judged(name))


register(
    Metric(
        name="symbol-recognition",
        title="Symbol recognition",
        source="AgenticMathBench, equations (6)-(8)",
        row=SymbolRow,
        measures=lambda _: [
            Measure("ExpRate", "share of formulas read without a fault, harmless formatting apart",
                    "N(symbols equal) / N", mean(lambda row: not row.failed and exp_right(row.gold, row.predicted))),
            Measure("SymRate", "similarity of the symbols read to those of the reference",
                    "mean of 1 − edit distance / max(symbols)",
                    mean(lambda row: sym_rate(row.gold, None if row.failed else row.predicted))),
            _asked("judge_exp"),
            _asked("judge_sym"),
        ],
    )
)  # fmt: skip
