"""The controls on the published data: a reference must answer itself, whatever its source writes."""

import pytest

from stepforge.aggregate import aggregate
from stepforge.judging import judge
from stepforge.scoring import score
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.vocabulary import AnswerKind
from tests.scoring_records import task
from tests.shared_data import shared
from tests.sources.reading import not_delivered, read


def solve_task(problem):
    steps = tuple(line for line in (problem.solution or "").splitlines() if line.strip())
    metrics = ("FAA",) if problem.answer else ()
    if problem.answer and problem.answer.kind is AnswerKind.MULTI_PART:
        metrics += ("SAR", "QCR")
    return task(
        problem.problem_id,
        source=problem.source,
        language=problem.language,
        problem_type=problem.problem_type,
        group_id=problem.group_id,
        group_role=problem.group_role,
        choices=problem.choices,
        target={"answer": problem.answer, "reference_paths": (steps,) if steps else ()},
        metrics=metrics + (("MA", "SMR", "SRR") if steps else ()),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["gsm8k/test.jsonl", "geolaux/GeoLaux_minidata.json", "mvmath/MV-MATH.json", "wemath/testmini.json"]
)
def test_the_oracle_scores_one_on_every_published_problem_and_null_zero(name):
    problems = read(name, shared(name).read_bytes(), figures=not_delivered, licence="unknown").kept
    tasks = [t for t in map(solve_task, problems) if t.metrics]
    for solver, best in (("oracle", 1.0), ("null", 0.0)):
        judgements = judge(tasks, SOLVERS[solver].predict(tasks, SolveOptions(system=solver)).kept).kept
        rows = aggregate(tasks, judgements, score(tasks, judgements).kept, seed=0, resamples=10)
        found = {row.metric: row.value for row in rows if row.breakdown == "all"}
        assert found["FAA"] == best
        for metric in ("MA", "SAR", "QCR"):
            assert found.get(metric, best) == pytest.approx(best, abs=0), metric
        assert (found.get("SRR") or 0.0) == 0.0
