"""Milestone accuracy, missing and redundancy rates of matched milestones.  Source: MAMath-Bench, equations (3)-(5); the
matching itself, equation (2), is `milestones.py`."""

from typing import ClassVar

from pydantic import Field, model_validator

from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.metrics.milestones import ma, smr, srr


class MilestoneRow(Row):
    """What the milestone matcher found in one reply, on the reference path that counts."""

    REPLY: ClassVar = ("matched", "predicted", "matched_predicted")
    EXAMPLE: ClassVar = {"id": "p3", "gold": 4, "matched": 3, "predicted": 6, "matched_predicted": 3}

    gold: int = Field(ge=0, description="reference milestones")
    matched: int | None = Field(
        default=None, ge=0, description="reference milestones that were matched; null: there was no reply"
    )
    predicted: int | None = Field(default=None, ge=0, description="reasoning units of the reply")
    matched_predicted: int | None = Field(
        default=None, ge=0, description="distinct units that are the best match of a matched milestone"
    )

    @model_validator(mode="after")
    def _counts_fit(self) -> "MilestoneRow":
        if (self.matched or 0) > self.gold or (self.matched_predicted or 0) > (self.predicted or 0):
            raise ValueError("more matched than there are; matched ≤ gold and matched_predicted ≤ predicted")
        if self.matched is not None and (self.matched_predicted or 0) > self.matched:
            raise ValueError("matched_predicted ≤ matched: a matched milestone has one best unit")
        return self


def _matched(row: MilestoneRow) -> int:
    return 0 if row.failed else row.matched or 0


def _predicted(row: MilestoneRow) -> int:
    return 0 if row.failed else row.predicted or 0


def _redundancy(row: MilestoneRow) -> float:
    return srr(_predicted(row), row.matched_predicted or 0, row.gold)


def _measures(_: object) -> list[Measure]:
    return [
        Measure("MA", "share of reference milestones that the replies reach", "Σ matched / Σ reference milestones",
                lambda row: (_matched(row), row.gold)),
        Measure("SMR", "share of reference milestones that the replies leave out", "1 − MA",
                lambda row: (row.gold - _matched(row), row.gold), better="lower"),
        Measure("SRR", "share of reasoning units beyond both the matched and the needed",
                "Σ max(0, N_pred − max(N_matched_pred, N_gold)) / Σ N_pred",
                lambda row: (_redundancy(row) * _predicted(row), _predicted(row)), better="lower"),
        Measure("MA_macro", "mean over items of the milestone accuracy", "mean of matched / reference milestones",
                mean(lambda row: ma(_matched(row), row.gold))),
        Measure("SMR_macro", "mean over items of the missing rate", "mean of 1 − MA",
                mean(lambda row: smr(_matched(row), row.gold)), better="lower"),
        Measure("SRR_macro", "mean over items of the redundancy rate; 0 for a reply without units", "mean of SRR",
                mean(_redundancy), better="lower"),
    ]  # fmt: skip


register(
    Metric(
        name="milestones",
        title="Milestone accuracy, step missing and step redundancy rate",
        source="MAMath-Bench, equations (3)-(5)",
        row=MilestoneRow,
        measures=_measures,
    )
)
