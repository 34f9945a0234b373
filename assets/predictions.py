"""Stage 16: the replies of a system."""

from contextlib import ExitStack
from dataclasses import replace

from assets._models import asking
from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.merging import with_merged_images
from resources.replies import load_replies
from resources.store import Stored
from stepforge.outcome import Outcome
from stepforge.records import Prediction
from stepforge.solvers import SOLVERS


@stage(record=Prediction, group="systems", partitions="system", external="system_settings", key=lambda p: p.task_id)
def predictions(work: Work, benchmark_tasks: dict[str, Stored]) -> Outcome[Prediction]:
    """The replies of one system to every task, as received."""
    tasks = all_tasks(benchmark_tasks)
    tick = work.begin(len(tasks))
    spec = work.home.systems.get(work.partition or "")
    options, unmatched = load_replies(work.home, spec, tasks)
    if unmatched:
        work.note("replies_not_used", unmatched)
    with ExitStack() as open_models:
        if spec.role is not None:
            options = replace(options, ask=open_models.enter_context(asking(work)))
        if spec.merge_images:
            tasks, apart = with_merged_images(tasks, work.home)
            if apart:
                work.note("images_not_merged", apart)
        outcome = SOLVERS[spec.solver].predict(tasks, options)
    tick(len(tasks))
    return outcome
