"""Stage 5: problems with labels."""

from contextlib import ExitStack

from assets._collect import Collected
from assets._models import asking
from assets._stage import Work, stage
from resources.labellers import labellers_of
from resources.store import Stored
from stepforge import labels
from stepforge.labels.difficulty import Length, lengths_of, levels
from stepforge.records import Problem


@stage(record=Problem, group="problems", external="labeller_roles")
def labelled_problems(work: Work, selected_problems: Stored) -> Collected:
    """Problems with subject, difficulty, image relevance, question type, knowledge concepts and atomic capabilities: by
    the source, by the majority of the three labelling models of models.toml where there are some, else by rules. A tie
    is left open for people."""
    voters = labellers_of(work.home)
    lengths: list[Length] = []
    for part in selected_problems.batches(Problem):
        lengths += lengths_of(part)
    known = levels(lengths)
    made = Collected(Problem, lambda problem: str(problem.problem_id))
    with ExitStack() as open_models:
        ask = open_models.enter_context(asking(work)) if voters else None
        tick = work.begin(selected_problems.table().num_rows)
        for part in selected_problems.batches(Problem):
            made.add(labels.labelled_problems(part, tick, labellers=voters, ask=ask, known=known))
    return made
