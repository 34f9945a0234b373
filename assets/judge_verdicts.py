"""Stage 19: what judges say of the replies."""

from contextlib import ExitStack

from assets._models import asking
from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.judges import panel_of
from resources.store import Stored
from stepforge import panel
from stepforge.outcome import Outcome
from stepforge.records import Judgement, JudgeVerdict, Prediction


@stage(record=JudgeVerdict, group="systems", partitions="system", external="judge_roles", key=panel.verdict_id)
def judge_verdicts(
    work: Work, predictions: Stored, judgements: Stored, benchmark_tasks: dict[str, Stored]
) -> Outcome[JudgeVerdict]:
    """Verdicts of the judge models of models.toml, by rubric: each step, an answer that was left undecided, a
    formalization. Without a judge only what can be recomputed is judged, by rules."""
    judges = panel_of(work.home)
    judged = judgements.rows(Judgement)
    tick = work.begin(len(judged))
    with ExitStack() as open_models:
        ask = open_models.enter_context(asking(work)) if judges.seats else None
        return panel.judge_replies(all_tasks(benchmark_tasks), judged, predictions.rows(Prediction), judges, ask, tick)
