"""Stage 20: one value a task, system and metric."""

from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.store import Stored
from stepforge import judging, scoring
from stepforge.candidates import by_reply
from stepforge.outcome import Outcome
from stepforge.records import Judgement, JudgeVerdict, LeanVerdict, Score


@stage(record=Score, group="systems", partitions="system", key=lambda s: judging.judgement_id(s.task_id, s.sample))
def scores(
    work: Work,
    judgements: Stored,
    candidate_verdicts: Stored,
    judge_verdicts: Stored,
    benchmark_tasks: dict[str, Stored],
) -> Outcome[Score]:
    """One value a task, system and metric (FAA, MA, SMR, SRR, SAR, QCR, detection, correctness, lean_compile,
    lean_align; with a judge ACS, PCS, PQS, lean_align_judged and more)."""
    rows = judgements.rows(Judgement)
    tick = work.begin(len(rows))
    lean = by_reply(candidate_verdicts.rows(LeanVerdict))
    outcome = scoring.score(all_tasks(benchmark_tasks), rows, lean, judge_verdicts.rows(JudgeVerdict))
    tick(len(rows))
    return outcome
