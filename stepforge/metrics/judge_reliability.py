"""How far a judge agrees with people and with a second judge.  Source: AgenticMathBench, appendix F.1.2 and F.1.3,
tables 13 and 14; κ as in `agreement.py`."""

from collections.abc import Callable
from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Row, register
from stepforge.metrics.agreement import STATISTICS, kappa_statistic


class ReliabilityRow(Row):
    """One judged item: what a person and the judges say of it."""

    JUDGED: ClassVar = ("human", "judge", "second_judge")
    NEEDED: ClassVar = ("human", "judge")
    LABELS: ClassVar = ("rubric", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": "p1", "rubric": "fix", "human": True, "judge": True, "second_judge": False}

    human: bool | None = Field(default=None, description="a person's verdict; null: none")
    judge: bool | None = Field(default=None, description="the judge's verdict; null: undecided")
    second_judge: bool | None = Field(default=None, description="another judge's verdict; left out: not asked")
    rubric: str | None = Field(default=None, description="what was judged; breakdown")


Cells = Callable[[ReliabilityRow], tuple[float, ...] | None]


def _confusion(judge: str) -> Cells:
    """Cells tp, fp, fn, tn against the person; a judge that did not decide is not counted."""

    def cells(row: ReliabilityRow) -> tuple[float, ...] | None:
        said, truth = getattr(row, judge), row.human
        if said is None or truth is None:
            return None
        return said and truth, said and not truth, truth and not said, not (said or truth)

    return cells


def _between(row: ReliabilityRow) -> tuple[float, ...] | None:
    """Cells of the two judges' table, and how many are on its diagonal."""
    if row.judge is None or row.second_judge is None:
        return None
    one, other = row.judge, row.second_judge
    return not one and not other, other and not one, one and not other, one and other


WORDS = {
    "accuracy": ("share of the items on which they agree", "(tp + tn) / N"),
    "precision": ("of what the judge accepts, the share that people accept", "tp / (tp + fp)"),
    "recall": ("of what people accept, the share that the judge accepts", "tp / (tp + fn)"),
    "F1": ("harmonic mean of the two", "2tp / (2tp + fp + fn)"),
    "kappa": ("agreement beyond chance", "(p_o − p_e) / (1 − p_e)"),
}


def _measures(_: object) -> list[Measure]:
    found = [
        Measure(prefix + name, f"{who} against people: {words}", formula, _confusion(judge), STATISTICS[name])
        for judge, prefix, who in (("judge", "", "judge"), ("second_judge", "second_", "second judge"))
        for name, (words, formula) in WORDS.items()
    ]
    return [
        *found,
        Measure("cross_agreement", "share of the items on which the two judges agree", "N(judge = second) / N",
                _between, lambda sums: STATISTICS["accuracy"](sums[..., [3, 1, 2, 0]])),
        Measure("cross_kappa", "agreement of the two judges beyond chance", "(p_o − p_e) / (1 − p_e)",
                _between, kappa_statistic(2)),
    ]  # fmt: skip


register(
    Metric(
        name="judge-reliability",
        title="Reliability of judges",
        source="AgenticMathBench, appendix F.1.2 and F.1.3, tables 13 and 14",
        row=ReliabilityRow,
        measures=_measures,
    )
)
