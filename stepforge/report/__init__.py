"""The report page: one self-contained HTML file that a person reads, from the rows of a release.

`render` is pure: the same input gives the same bytes on the same machine. The page needs no script, no network and no
other file. Every text that came from a source or a system is data on it, never markup.
"""

from stepforge.report.model import LabelAgreement, LeanCount, LeanGroup, ModelCost, ReportInput, StageCount, VersionRow


def render(report: ReportInput) -> str:
    """The page as HTML."""
    from stepforge.report.page import draw  # noqa: PLC0415 - the plot library takes 0.4 s to import, and only this draws

    return draw(report)


__all__ = [
    "LabelAgreement",
    "LeanCount",
    "LeanGroup",
    "ModelCost",
    "ReportInput",
    "StageCount",
    "VersionRow",
    "render",
]
