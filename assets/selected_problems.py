"""Stage 4: problems that can be trusted."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import selection
from stepforge.outcome import Outcome
from stepforge.records import Problem


@stage(record=Problem, group="problems")
def selected_problems(work: Work, clean_problems: Stored) -> Outcome[Problem]:
    """Problems that can be trusted: complete, with sound figures, no duplicates; every rule is a rejection reason."""
    rows = clean_problems.rows(Problem)
    return selection.selected_problems(rows, work.begin(len(rows)))
