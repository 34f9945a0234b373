"""The report page: one self-contained HTML file that a person reads, from the rows of a release.

`render` is pure: the same input gives the same bytes on the same machine. The page needs no script, no network and no
other file. Every text that came from a source or a system is data on it, never markup.
"""

from stepforge.report.model import ReportInput, StageCount, VersionRow
from stepforge.report.page import render

__all__ = ["ReportInput", "StageCount", "VersionRow", "render"]
