"""Stage 3: problems after OCR cleanup."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import cleaning
from stepforge.outcome import Outcome
from stepforge.records import Problem


@stage(record=Problem, group="problems", per_problem=True, reads_provenance=True)
def clean_problems(work: Work, problems: Stored) -> Outcome[Problem]:
    """Problems after OCR cleanup: named rules, each change kept in the provenance."""
    rows = problems.rows(Problem)
    return cleaning.clean_problems(rows, work.begin(len(rows)))
