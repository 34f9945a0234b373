"""Stage 5: problems with labels."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import labels
from stepforge.outcome import Outcome
from stepforge.records import Problem


@stage(record=Problem, group="problems")
def labelled_problems(work: Work, selected_problems: Stored) -> Outcome[Problem]:
    """Problems with a subject, by the source's label or by rules."""
    rows = selected_problems.rows(Problem)
    return labels.labelled_problems(rows, work.begin(len(rows)))
