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
    """Verdicts of a real Lean on the items' statements, and on the formalizations that people labelled; without one the
    verdict is `infrastructure`, never a guess."""
    rows = labelled_problems.rows(Problem)
    outcome: Outcome[LeanVerdict] = Outcome([], [], [p.problem_id for p in rows])
    statements = [(p.problem_id, p.lean_statement) for p in rows if p.lean_statement is not None]
    for problem in rows:
        if problem.lean_statement is None:
            detail = "the problem has no Lean statement"
            outcome.rejections.append(
                not_applicable("lean_verdicts", problem.problem_id, Reason.NO_LEAN_STATEMENT, detail)
            )
    outcome.kept.extend(LeanChecker(work.home.memo).check(statements, work.begin(len(statements))))
    return outcome
