from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge.aggregate import BREAKDOWNS, aggregate
from stepforge.candidates import by_reply
from stepforge.judging import judge
from stepforge.records import Answer, MilestoneMatch, Score, Target
from stepforge.scoring import score
from stepforge.solvers import SOLVERS, SolveOptions
from stepforge.vocabulary import AnswerKind, Capability, DefectKind, EquivalenceVerdict, Failure, MatchedBy
from tests.scoring_records import (
    STEPS,
    detection_task,
    formal_task,
    judgement,
    lean_verdict,
    multi_part_task,
    prediction,
    task,
)

EQUAL, DIFFERENT = EquivalenceVerdict.EQUAL, EquivalenceVerdict.DIFFERENT


def report(tasks, judgements, **given):
    rows = aggregate(tasks, judgements, score(tasks, judgements).kept, **{"seed": 1, "resamples": 200, **given})
    assert len({(r.system, r.metric, r.breakdown, r.group) for r in rows}) == len(rows)
    return {(r.metric, r.breakdown, r.group): r for r in rows}


def graded(rights, **given):
    tasks = [task(f"t{k:03}", **given) for k in range(len(rights))]
    return tasks, [judgement(t, EQUAL if right else DIFFERENT) for t, right in zip(tasks, rights, strict=True)]


def test_accuracy_is_a_share_with_an_interval_and_counts_beside_it():
    tasks, judgements = graded([True] * 30 + [False] * 10)
    judgements[0] = judgement(tasks[0], failure=Failure.NOT_ACCESSIBLE)
    judgements[1] = judgement(tasks[1], failure=Failure.EMPTY)
    judgements[2] = judgement(tasks[2], EquivalenceVerdict.UNDECIDED)
    row = report(tasks, judgements)["FAA", "all", "all"]
    assert (row.n, row.failures, row.not_accessible, row.undecided) == (39, 1, 1, 1)
    assert row.value == 27 / 39
    assert row.low < row.value < row.high


def test_micro_weighs_milestones_and_macro_weighs_items():
    tasks = [task("a"), task("b")]
    judgements = [
        judgement(tasks[0], EQUAL, milestones_total=9, milestones_matched=9, units=("u",) * 9, units_matched=9),
        judgement(tasks[1], EQUAL, milestones_total=1, milestones_matched=0, units=("u",) * 3, units_matched=0),
    ]
    rows = report(tasks, judgements)
    found = {metric: rows[metric, "all", "all"].value for metric in ("MA", "MA_macro", "SMR", "SRR", "SRR_macro")}
    assert found == {"MA": 0.9, "MA_macro": 0.5, "SMR": 0.1, "SRR": 2 / 12, "SRR_macro": (0 + 2 / 3) / 2}


def test_formalizations_are_reported_as_pass_at_one_and_at_the_number_of_samples():
    tasks = [formal_task(name) for name in ("a", "b", "c")]
    judgements = [judgement(t, sample=k) for t in tasks for k in range(4)]
    outcomes = {"a": ("accepted",) + ("rejected",) * 3, "b": ("rejected",) * 4, "c": ("accepted",) * 3}  # one unjudged
    verdicts = [
        lean_verdict(t, outcome, k, equivalent=k == 0 or None, equivalence=("definitional",))
        for t in tasks
        for k, outcome in enumerate(outcomes[t.task_id])
    ]
    rows = aggregate(tasks, judgements, score(tasks, judgements, by_reply(verdicts)).kept, seed=1, resamples=50)
    found = {r.metric: (r.value, r.n, r.undecided) for r in rows if r.breakdown == "all"}
    assert found == {
        "lean_compile@1": (0.125, 2, 0),
        "lean_compile@4": (0.5, 2, 0),
        "lean_align@1": (0.125, 2, 2),
        "lean_align@4": (0.5, 2, 2),
    }
    assert {r.group for r in rows if r.breakdown == "kind"} == {"formalize"}


def test_a_ratio_over_nothing_is_null():
    tasks, _ = graded([True])
    rows = report(tasks, [judgement(tasks[0], failure=Failure.NOT_ACCESSIBLE)])
    row = rows["FAA", "all", "all"]
    assert (row.n, row.value, row.low, row.high, row.not_accessible) == (0, None, None, None, 1)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.booleans(), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_rows_do_not_depend_on_the_order_of_their_input_and_groups_add_up(rights, rng):
    tasks, judgements = graded(rights)
    tasks = [t.model_copy(update={"step_length": rng.choice([None, 3, 30])}) for t in tasks]
    shuffled = judgements.copy()
    rng.shuffle(shuffled)
    rows = report(tasks, judgements)
    assert rows == report(tasks[::-1], shuffled)
    for breakdown in BREAKDOWNS:
        groups = [row for (metric, b, _), row in rows.items() if metric == "FAA" and b == breakdown]
        assert sum(row.n for row in groups) == len(rights)
        assert sum(row.n * row.value for row in groups) == round(sum(rights), 6)
        assert all(row.low <= row.value + 1e-12 and row.value <= row.high + 1e-12 for row in groups if row.n > 20)


def test_another_seed_gives_other_intervals_and_the_same_seed_the_same():
    tasks, judgements = graded([k % 3 == 0 for k in range(50)])
    rows = [report(tasks, judgements, seed=seed)["FAA", "all", "all"] for seed in (1, 1, 2)]
    assert rows[0] == rows[1]
    assert (rows[0].low, rows[0].high) != (rows[2].low, rows[2].high)
    assert rows[0].value == rows[2].value


def composite(group, parts, source="own"):
    """Tasks and judgements of one composite problem: role → right, or None for a reply that is missing."""
    tasks, judgements = [], []
    for role, right in parts.items():
        of = task(f"{group}-{role}", group_id=group, group_role=role, source=source, metrics=("FAA",))
        tasks.append(of)
        verdict = None if right is None else EQUAL if right else DIFFERENT
        judgements.append(judgement(of, verdict, failure=Failure.MISSING if right is None else None))
    return tasks, judgements


def test_composite_problems_are_reported_by_their_states_and_incomplete_ones_apart():
    groups = [
        composite("g1", {"sub_1": True, "sub_2": True, "composite": True}),
        composite("g2", {"sub_1": True, "sub_2": False, "composite": True}),
        composite("g3", {"sub_1": True, "sub_2": True, "composite": False}),
        composite("g4", {"sub_1": False, "sub_2": True, "composite": False}),
        composite("g5", {"sub_1": None, "sub_2": True, "composite": True}),
        composite("g6", {"sub_1": True, "sub_2": True}),
        composite("g7", {"sub_2": True, "composite": True}),
    ]
    rows = report([t for g in groups for t in g[0]], [j for g in groups for j in g[1]])
    found = {metric: row.value for (metric, breakdown, _), row in rows.items() if breakdown == "all"}
    states = {metric: found[metric] for metric in ("IK", "IG", "CM_strict", "RM_strict", "CM_loose", "RM_loose")}
    assert states == {"IK": 0.25, "IG": 0.25, "CM_strict": 0.25, "RM_strict": 0.5, "CM_loose": 0.5, "RM_loose": 0.0}
    assert (found["wemath_score_strict"], found["wemath_score_loose"]) == (0.375, 0.625)
    assert found["groups_incomplete"] == 3
    assert (rows["IK", "all", "all"].n, rows["groups_incomplete", "all", "all"].n) == (4, 7)


def test_one_group_id_of_two_sources_is_two_groups():
    groups = [
        composite("g", {"sub_1": True, "composite": right}, source) for source, right in (("p", True), ("q", False))
    ]
    tasks = [t.model_copy(update={"task_id": f"{t.source}{t.task_id}"}) for g in groups for t in g[0]]
    judgements = [
        j.model_copy(update={"task_id": t.task_id})
        for t, j in zip(tasks, [j for g in groups for j in g[1]], strict=True)
    ]
    rows = report(tasks, judgements)
    assert [rows["CM_strict", "source", s].value for s in "pq"] == [1.0, 0.0]


def test_the_oracle_scores_one_and_null_scores_zero_in_every_metric():
    wrong = detection_task(DefectKind.WRONG, (1,))
    missing = detection_task(DefectKind.MISSING, (1,), STEPS[1])
    choice = task("c", target=Target(answer=Answer(kind=AnswerKind.CHOICE, text="B")), metrics=("FAA",))
    tasks = [task(), multi_part_task(), wrong, missing, choice]
    best = {
        "FAA": 1,
        "MA": 1,
        "MA_macro": 1,
        "SMR": 0,
        "SMR_macro": 0,
        "SRR": 0,
        "SRR_macro": 0,
        "SAR": 1,
        "SAR_macro": 1,
    }
    best |= {"QCR": 1, "detection": 1}
    worst = {name: 1 if name.startswith("SMR") else 0 for name in best} | {"SRR": None}
    for solver, expected in (("oracle", best), ("null", worst)):
        judgements = judge(tasks, SOLVERS[solver].predict(tasks, SolveOptions(system=solver)).kept).kept
        rows = report(tasks, judgements)
        assert {metric: row.value for (metric, b, _), row in rows.items() if b == "all"} == expected


def test_samples_of_one_task_are_one_item():
    of = task(metrics=("FAA",))
    judgements = judge([of], [prediction(of, "\\boxed{17}"), prediction(of, "\\boxed{18}", sample=1)]).kept
    row = report([of], judgements)["FAA", "all", "all"]
    assert (row.n, row.value) == (1, 0.5)


def match(*, matched):
    by = MatchedBy.THRESHOLD if matched else MatchedBy.NONE
    parts = dict.fromkeys(("similarity", "semantic", "equation", "numeric", "keyword"), 0.5)
    return MilestoneMatch(unit=0, matched=matched, by=by, **parts)


def reached(of, marks, **given):
    matches = tuple(match(matched=mark) for mark in marks)
    counts = {"milestones_total": len(marks), "milestones_matched": sum(marks), "units_matched": sum(marks)}
    return judgement(of, EQUAL, reference_path=0, milestone_matches=matches, units=("u",), **counts, **given)


def test_milestones_are_counted_under_the_capability_that_they_rest_on():
    tasks = [task("a"), task("b"), task("c")]
    calculation, modeling = Capability.CALCULATION, Capability.MODELING
    known = {"own/a": [[modeling, calculation]], "own/b": [[calculation, calculation]], "own/c": [[calculation]]}
    judgements = [
        reached(tasks[0], (True, False)),
        reached(tasks[1], (True, True)),
        reached(tasks[2], (True, True)),  # two milestones and one capability: left out
    ]
    rows = report(tasks, judgements, capabilities=known)
    found = {group: (row.value, row.n) for (metric, by, group), row in rows.items() if by == "capability"}
    assert found == {"calculation": (2 / 3, 2), "modeling": (1.0, 1)}


def test_a_reply_that_failed_reaches_no_capability_and_one_that_was_not_asked_for_is_not_counted():
    tasks = [task("a"), task("b")]
    known = {f"own/{name}": [[Capability.CALCULATION] * 2] for name in ("a", "b")}
    failed = {"milestones_total": 2, "milestones_matched": 0, "units_matched": 0, "reference_path": 0}
    judgements = [
        judgement(tasks[0], failure=Failure.EMPTY, **failed),
        judgement(tasks[1], failure=Failure.NOT_ATTEMPTED),
    ]
    row = report(tasks, judgements, capabilities=known)["MA", "capability", "calculation"]
    assert (row.value, row.n, row.low, row.high) == (0.0, 1, 0.0, 0.0)


def test_the_fall_of_right_processes_needs_short_and_long_problems():
    tasks = [task(f"s{k}", step_length=3) for k in range(10)] + [task(f"l{k}", step_length=20) for k in range(10)]
    scores = [
        Score(
            task_id=t.task_id,
            system="s",
            sample=0,
            metric="PCS",
            value=float(k % 10 < rights),
            weight=1.0,
            method="judge",
        )
        for k, (t, rights) in enumerate(zip(tasks, [8] * 10 + [2] * 10, strict=True))
    ]
    (row,) = [r for r in aggregate(tasks, [], scores, seed=1, resamples=200) if r.metric == "delta_PCS"]
    assert (round(row.value, 9), row.n) == (0.75, 20)
    assert row.low < 0.75 < row.high
    assert not [r for r in aggregate(tasks, [], scores[:10], seed=1, resamples=200) if r.metric == "delta_PCS"]
