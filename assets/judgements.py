"""Stage 17: replies judged against the references."""

from importlib.metadata import version

from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.comparing import symbolic_comparer
from resources.store import Stored
from stepforge import judging
from stepforge.outcome import Outcome
from stepforge.records import Judgement, Prediction


@stage(
    record=Judgement,
    group="systems",
    partitions="system",
    parameters=f"sympy={version('sympy')}",
    key=lambda j: judging.judgement_id(j.task_id, j.sample),
)
def judgements(work: Work, predictions: Stored, benchmark_tasks: dict[str, Stored]) -> Outcome[Judgement]:
    """Replies parsed and compared with the reference: final answer, milestones, detected defect, correctness."""
    replies = predictions.rows(Prediction)
    with symbolic_comparer(work.home.memo) as symbolic:
        return judging.judge(all_tasks(benchmark_tasks), replies, symbolic, work.begin(len(replies)))
