"""Stages 16 to 18: replies of a system, judgements of them, and scores."""

from assets._stage import Work, stage
from resources.comparing import symbolic_comparer
from resources.replies import load_replies
from resources.store import Stored
from stepforge import judging
from stepforge import scoring as domain
from stepforge.outcome import Outcome
from stepforge.records import Judgement, Prediction, Score, Task
from stepforge.solvers import SOLVERS


def all_tasks(batches: dict[str, Stored]) -> list[Task]:
    """Tasks of all batches by id; where two batches hold the same task, the first batch's."""
    found: dict[str, Task] = {}
    for _, stored in sorted(batches.items()):
        for task in stored.rows(Task):
            found.setdefault(task.task_id, task)
    return [found[task_id] for task_id in sorted(found)]


@stage(record=Prediction, group="systems", partitions="system", external="system_settings", key=lambda p: p.task_id)
def predictions(work: Work, benchmark_tasks: dict[str, Stored]) -> Outcome[Prediction]:
    """The replies of one system to every task, as received."""
    tasks = all_tasks(benchmark_tasks)
    tick = work.begin(len(tasks))
    spec = work.home.systems.get(work.partition or "")
    options, unmatched = load_replies(work.home, spec, tasks)
    if unmatched:
        work.note("replies_without_a_task", unmatched)
    outcome = SOLVERS[spec.solver].predict(tasks, options)
    tick(len(tasks))
    return outcome


def _sample_id(row: Judgement | Score) -> str:
    return f"{row.task_id}|{row.sample}"


@stage(record=Judgement, group="systems", partitions="system", key=_sample_id)
def judgements(work: Work, predictions: Stored, benchmark_tasks: dict[str, Stored]) -> Outcome[Judgement]:
    """Replies parsed and compared with the reference: final answer, milestones, detected defect."""
    replies = predictions.rows(Prediction)
    with symbolic_comparer(work.home.memo) as symbolic:
        return judging.judge(all_tasks(benchmark_tasks), replies, symbolic, work.begin(len(replies)))


@stage(record=Score, group="systems", partitions="system", key=_sample_id)
def scores(work: Work, judgements: Stored, benchmark_tasks: dict[str, Stored]) -> Outcome[Score]:
    """One value a task, system and metric (FAA, MA, SMR, SRR, detection, SAR, QCR)."""
    rows = judgements.rows(Judgement)
    tick = work.begin(len(rows))
    outcome = domain.score(all_tasks(benchmark_tasks), rows)
    tick(len(rows))
    return outcome
