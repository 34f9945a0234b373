"""Accuracy by steps, knowledge concept and domain in the report."""

import pytest

from stepforge._groups import group_rows
from stepforge.records import Score
from stepforge.vocabulary import EquivalenceVerdict, Failure
from tests.scoring_records import judgement, task

EQUAL, DIFFERENT = EquivalenceVerdict.EQUAL, EquivalenceVerdict.DIFFERENT


SUBJECTS = {"Rotation": "Motion", "Translation": "Motion", "Left-Right Position": "Place"}


def composite(group, parts, concepts=("Rotation",) * 3, source="wemath"):
    """Tasks and judgements of one composite problem: role → right, a failure, or None for a task that was not asked."""
    tasks, judgements = [], []
    for role, right in parts.items():
        known = (concepts[int(role[4:]) - 1],) if role.startswith("sub_") else concepts
        of = task(f"{source}-{group}-{role}", group_id=group, group_role=role, source=source, knowledge_concepts=known)
        of = of.model_copy(update={"subject": SUBJECTS.get(known[0])})
        tasks.append(of)
        if isinstance(right, Failure):
            judgements.append(judgement(of, failure=right))
        elif right is not None:
            judgements.append(judgement(of, EQUAL if right else DIFFERENT))
    return tasks, judgements


def faa_scores(judgements):
    return [
        Score(task_id=j.task_id, system=j.system, sample=j.sample, metric="FAA", value=float(j.verdict is EQUAL),
              weight=1.0, method="number")
        for j in judgements
    ]  # fmt: skip


def rows(*groups):
    tasks = {t.task_id: t for group in groups for t in group[0]}
    judgements = [j for group in groups for j in group[1]]
    found = group_rows(tasks, judgements, faa_scores(judgements), seed=1, resamples=50)
    assert len({(r.system, r.metric, r.breakdown, r.group) for r in found}) == len(found)
    return {(r.metric, r.breakdown, r.group): r for r in found}


GROUPS = [
    composite("a", {"sub_1": True, "sub_2": True, "composite": True}),
    composite("b", {"sub_1": False, "sub_2": True, "composite": False}, ("Translation", "Left-Right Position")),
    composite("c", {"sub_1": True, "sub_2": Failure.MISSING, "sub_3": Failure.REFUSED, "composite": True}),
    composite("d", {"sub_1": True, "sub_2": None, "composite": Failure.NOT_ACCESSIBLE}, ("own concept", "own concept")),
]


def test_accuracy_by_steps_counts_every_question_that_was_asked():
    found = rows(*GROUPS)
    values = {
        metric: (found[metric, "all", "all"].value, found[metric, "all", "all"].n) for metric in ("S1", "S2", "S3")
    }
    assert values == {"S1": (pytest.approx(5 / 8), 8), "S2": (0.5, 2), "S3": (1.0, 1)}
    assert found["S1", "source", "wemath"].value == found["S1", "all", "all"].value
    row = found["S1", "all", "all"]
    assert row.low <= row.value <= row.high


def test_concepts_are_shares_of_questions_and_domains_means_of_concepts():
    found = rows(*GROUPS)
    concepts = {group: (r.value, r.n) for (m, b, group), r in found.items() if b == "knowledge_concept"}
    assert concepts == {
        "Rotation": (pytest.approx(3 / 5), 5),
        "Translation": (0.0, 1),
        "Left-Right Position": (1.0, 1),
        "own concept": (1.0, 1),
    }
    domains = {group: (r.value, r.n) for (m, b, group), r in found.items() if b == "domain"}
    assert domains == {"Motion": (pytest.approx(0.3), 6), "Place": (1.0, 1)}


def test_what_was_not_asked_leaves_its_group_without_a_state_and_counts_nowhere():
    found = rows(GROUPS[3])
    assert (found["groups_incomplete", "all", "all"].value, found["S1", "all", "all"].n) == (1.0, 1)
    assert ("S2", "all", "all") not in found


def test_tasks_without_groups_have_no_rows():
    alone = task("alone")
    assert group_rows({"alone": alone}, [judgement(alone, EQUAL)], [], seed=1, resamples=5) == []


def test_an_answer_that_a_judge_settled_counts_in_states_and_accuracies():
    tasks, judgements = composite("a", {"sub_1": True, "sub_2": True, "composite": True})
    undecided = [j.model_copy(update={"verdict": EquivalenceVerdict.UNDECIDED}) for j in judgements]
    by_id = {t.task_id: t for t in tasks}
    settled = group_rows(by_id, undecided, faa_scores(judgements), seed=1, resamples=5)
    open_ = group_rows(by_id, undecided, faa_scores(undecided), seed=1, resamples=5)
    value = [{(r.metric, r.breakdown): r.value for r in rows} for rows in (settled, open_)]
    assert [v["CM_strict", "all"] for v in value] == [1.0, 0.0]
    assert [v["S1", "all"] for v in value] == [1.0, 0.0]
