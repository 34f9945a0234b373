"""Stage 18: what Lean says of the formalizations in a system's replies."""

from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.lean import LeanChecker
from resources.store import Stored
from stepforge import candidates
from stepforge.outcome import Outcome
from stepforge.records import LeanVerdict, Prediction


@stage(
    record=LeanVerdict,
    group="systems",
    partitions="system",
    external="lean_toolchain",
    kinds=("python", "parquet", "lean"),
    key=lambda v: v.item_id,
)
def candidate_verdicts(work: Work, predictions: Stored, benchmark_tasks: dict[str, Stored]) -> Outcome[LeanVerdict]:
    """Verdicts of a real Lean on the Lean code of replies: whether it compiles, and whether it says what the reference
    says. Without a Lean the reply is quarantined, never guessed at."""
    replies = candidates.sort_replies(all_tasks(benchmark_tasks), predictions.rows(Prediction))
    tick = work.begin(len(replies.candidates))
    return candidates.outcome_of(replies, LeanChecker(work.home.memo).compare(replies.candidates, tick))
