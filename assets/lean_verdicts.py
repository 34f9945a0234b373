"""Stage 13: what Lean says of the formal statements."""

from assets._stage import Work, stage
from resources.lean import LeanChecker
from resources.store import Stored
from stepforge.outcome import Outcome, not_applicable
from stepforge.records import LeanVerdict, Problem
from stepforge.vocabulary import Reason


@stage(
    record=LeanVerdict,
    group="synthesis",
    external="lean_toolchain",
    kinds=("python", "parquet", "lean"),
    per_problem=True,
)
def lean_verdicts(work: Work, labelled_problems: Stored) -> Outcome[LeanVerdict]:
    """Verdicts of a real Lean on the items' statements; without one the verdict is `infrastructure`, never a guess."""
    rows = labelled_problems.rows(Problem)
    checker = LeanChecker(work.home.memo)
    tick = work.begin(len(rows))
    outcome: Outcome[LeanVerdict] = Outcome([], [], [p.problem_id for p in rows])
    for problem in rows:
        if problem.lean_statement is None:
            detail = "the problem has no Lean statement"
            outcome.rejections.append(
                not_applicable("lean_verdicts", problem.problem_id, Reason.NO_LEAN_STATEMENT, detail)
            )
        else:
            outcome.kept.append(checker.check(problem.problem_id, problem.lean_statement))
        tick(1)
    return outcome
