"""Exact match of calculated results.  Source: AgenticMathBench, appendix F.2, equation (9); the judge of the paper is
here the answer-equivalence engine."""

from stepforge.metrics import faa
from stepforge.metrics._base import Measure, Metric, mean, register

register(
    Metric(
        name="calculation",
        title="Calculation",
        source="AgenticMathBench, equation (9)",
        row=faa.AnswerRow,
        measures=lambda _: [
            Measure("exact_match", "share of results found equal to the reference", "N(equal) / N",
                    mean(lambda row: not row.failed and faa.right(row.verdict))),
        ],
    )
)  # fmt: skip
