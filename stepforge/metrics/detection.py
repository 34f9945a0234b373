"""Detection accuracy.  Source: MAMath-Bench, negative samples: kind and exact location must both be right."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Row, mean, register
from stepforge.vocabulary import DefectKind


def right(
    kind: DefectKind, expected: Sequence[int], detected: Sequence[int] | None, *, missing_step_matches: bool = False
) -> bool:
    """Whether a reply names the exact location (0-based): wrong and repeated, one index; redundant, the set of indices;
    swapped, the unordered pair; missing, the position, and its step by the milestone matcher (`missing_step_matches`).
    The kind is what the task asks for, so it needs no comparison."""
    if detected is None or set(detected) != set(expected):
        return False
    return missing_step_matches if kind is DefectKind.MISSING else True


def location_f1(expected: Sequence[int], detected: Sequence[int] | None) -> float:
    """F1 of the detected against the expected indices, in [0, 1]: partial credit that stands beside `right`, never in
    its place.  With one index expected and one detected it is 1 or 0; a missing step's text plays no part; nothing
    detected is 0.  Source: this project's own; the paper knows the exact location only."""
    truth, found = set(expected), set(detected or ())
    return 2 * len(truth & found) / (len(truth) + len(found)) if found else 0.0


class DetectionRow(Row):
    """A defect that was injected and the one that the reply names."""

    REPLY: ClassVar = ("detected",)
    LABELS: ClassVar = ("kind", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": "v17", "kind": "swapped", "expected": [1, 3], "detected": [3, 1]}

    kind: DefectKind = Field(description="the injected defect; a breakdown")
    expected: tuple[int, ...] = Field(description="its location, indices from 0 (missing: where the step would stand)")
    detected: tuple[int, ...] | None = Field(
        default=None, description="the location that the reply names; null: it names none"
    )
    detected_kind: DefectKind | None = Field(
        default=None, description="the kind that the reply names; left out where the task gives the kind away"
    )
    missing_step_matches: bool = Field(
        default=False,
        description="of kind missing: whether the milestone matcher finds the step that the reply supplies",
    )

    @property
    def kind_right(self) -> bool | None:
        """Whether the kind named is the kind injected; None where none is asked for."""
        if "detected_kind" not in self.model_fields_set:
            return None
        return self.detected_kind is self.kind


def _exact(row: DetectionRow) -> bool:
    found = right(row.kind, row.expected, row.detected, missing_step_matches=row.missing_step_matches)
    return not row.failed and found and row.kind_right is not False


register(
    Metric(
        name="detection",
        title="Detection accuracy",
        source="MAMath-Bench, negative samples",
        row=DetectionRow,
        measures=lambda _: [
            Measure("detection", "share of defects named with their exact location (and kind, where it is asked)",
                    "N_exact / N", mean(_exact)),
            Measure("detection_location", "partial credit, beside it and never in its place: F1 of the indices named",
                    "mean of 2·|E ∩ D| / (|E| + |D|)",
                    mean(lambda row: 0.0 if row.failed else location_f1(row.expected, row.detected))),
            Measure("detection_kind", "share of replies that name the right kind, where the kind is asked",
                    "N_kind / N_asked", mean(lambda row: row.kind_right and not row.failed)),
        ],
    )
)  # fmt: skip
