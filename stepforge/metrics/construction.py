"""Auxiliary lines: how often a system builds one, and how well it then reasons.  Source: GeoLaux, section 4.3, table 5
and figure 9."""

from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from stepforge._bootstrap import Sums, ratio
from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Row, register

AUTONOMOUS, PROMPTED = "autonomous", "prompted"


class ConstructionRow(Row):
    """A solution of a problem that needs an auxiliary line, in one of the two settings."""

    JUDGED: ClassVar = ("constructed", "pcs")
    LABELS: ClassVar = ("complexity", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": "1_2_1", "setting": "prompted", "constructed": True, "pcs": 1}

    setting: Literal["autonomous", "prompted"] = Field(
        description="autonomous: the problem alone; prompted: with the construction in words and its figure"
    )
    constructed: bool | None = Field(
        default=None, description="whether the solution builds an auxiliary line; null: undecided"
    )
    pcs: Literal[0, 1] | None = Field(default=None, description="process correctness of the solution; null: undecided")
    complexity: str | None = Field(default=None, description="of the auxiliary line: simple or complex; breakdown")


def _rate(setting: str) -> Callable[[ConstructionRow], tuple[float, float] | None]:
    def sums(row: ConstructionRow) -> tuple[float, float] | None:
        built = False if row.failed else row.constructed
        return None if row.setting != setting or built is None else (float(built), 1.0)

    return sums


def _pcs(setting: str) -> Callable[[ConstructionRow], tuple[float, float] | None]:
    def sums(row: ConstructionRow) -> tuple[float, float] | None:
        if row.setting != setting or row.failed or not row.constructed or row.pcs is None:
            return None
        return float(row.pcs), 1.0

    return sums


def _gain(row: ConstructionRow) -> tuple[float, ...] | None:
    pcs = 0 if row.failed else row.pcs
    if pcs is None:
        return None
    prompted = row.setting == PROMPTED
    return pcs * prompted, prompted, pcs * (not prompted), not prompted


def _difference(sums: Sums) -> Sums:
    return ratio(sums[..., :2]) - ratio(sums[..., 2:])


def _measures(_: object) -> list[Measure]:
    found: list[Measure] = []
    for setting in (AUTONOMOUS, PROMPTED):
        found += [
            Measure(f"construction_rate_{setting}", f"share of {setting} solutions that build an auxiliary line",
                    "N_constructed / N", _rate(setting)),
            Measure(f"construction_PCS_{setting}", f"process correctness of the {setting} solutions that build one",
                    "Σ PCS / N_constructed", _pcs(setting)),
        ]  # fmt: skip
    words = "process correctness of all prompted solutions less that of the autonomous ones, whether they build or not"
    found.append(Measure("PCS_gain", words, "PCS prompted − PCS autonomous", _gain, _difference))
    return found


register(
    Metric(
        name="construction",
        title="Auxiliary-line construction",
        source="GeoLaux, section 4.3, table 5, figure 9",
        row=ConstructionRow,
        measures=_measures,
    )
)
