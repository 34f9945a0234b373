"""Stages 3 to 5: cleaned, selected and labelled problems."""

from assets._stage import Work, stage
from resources.store import Stored
from stepforge import cleaning, labels, selection
from stepforge.outcome import Outcome
from stepforge.records import Problem


@stage(record=Problem, group="problems")
def clean_problems(work: Work, problems: Stored) -> Outcome[Problem]:
    """Problems after OCR cleanup: named rules, each change kept in the provenance."""
    rows = problems.rows(Problem)
    return cleaning.clean_problems(rows, work.begin(len(rows)))


@stage(record=Problem, group="problems")
def selected_problems(work: Work, clean_problems: Stored) -> Outcome[Problem]:
    """Problems that can be trusted: complete, with sound figures, no duplicates; every rule is a rejection reason."""
    rows = clean_problems.rows(Problem)
    return selection.selected_problems(rows, work.begin(len(rows)))


@stage(record=Problem, group="problems")
def labelled_problems(work: Work, selected_problems: Stored) -> Outcome[Problem]:
    """Problems with a subject, by the source's label or by rules."""
    rows = selected_problems.rows(Problem)
    return labels.labelled_problems(rows, work.begin(len(rows)))
