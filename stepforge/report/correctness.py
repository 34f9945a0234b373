"""Correctness judgment of formalizations on the page."""

from collections.abc import Sequence

from stepforge.records import ReportRow
from stepforge.report.glossary import CONTROLS
from stepforge.report.tables import Column, Matrix, MatrixRow
from stepforge.vocabulary import FormalLabel

_COLUMNS = (
    ("correctness", "all", "all", "Accuracy", ""),
    ("correctness_precision", "all", "all", "Precision", "of saying “wrong”"),
    ("correctness_recall", "all", "all", "Recall", "of saying “wrong”"),
    ("correctness_f1", "all", "all", "F1", "of saying “wrong”"),
    *(("correctness", "label", str(label), label.replace("_", " ").capitalize(), "accuracy") for label in FormalLabel),
)


def correctness_matrix(rows: Sequence[ReportRow], systems: Sequence[str]) -> Matrix:
    """System × accuracy, precision, recall, F1, and accuracy by what people said; only systems that have any."""
    cells = {(row.system, row.metric, row.breakdown, row.group): row for row in rows}
    columns = tuple(
        Column(metric if breakdown == "all" else group, label, name, True)
        for metric, breakdown, group, label, name in _COLUMNS
    )
    found = [MatrixRow(s, CONTROLS.get(s), tuple(cells.get((s, *column[:3])) for column in _COLUMNS)) for s in systems]
    return Matrix("System", columns, tuple(row for row in found if any(row.cells)))
