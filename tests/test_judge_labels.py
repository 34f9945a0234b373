"""Items for people to label, and how far judges and people agree."""

import pytest

from stepforge.judge_labels import agreement_rows, sample
from stepforge.judges import RUBRICS, item_of
from stepforge.records import HumanLabel
from tests.judges.cases import UNITS, solved, unclear
from tests.scoring_records import task
from tests.test_scoring_judged import verdict


def population(sources=("a", "a", "a", "a", "a", "a", "b", "b"), systems=("s", "t")):
    """Cases and verdicts: as many solutions as there are sources, by two systems."""
    cases, verdicts = {}, []
    for k, source in enumerate(sources):
        for system in systems:
            of = task(f"t{k}", source=source)
            case = solved(of=of, units=(*UNITS, f"written by {system}, number {k}"))
            item = item_of(RUBRICS["steps"], case)
            cases[system, f"t{k}|0"] = case
            verdicts.append(verdict(case, "steps", True, (1, 1, 1), system=system, item=item))
    return verdicts, cases


def test_a_sample_is_drawn_in_turn_from_each_source_and_is_blind():
    verdicts, cases = population()
    items = sample(verdicts, cases, "steps", 6, seed=1)
    assert sorted(i.source for i in items) == ["a"] * 3 + ["b"] * 3
    assert [i.item for i in items] == sorted(i.item for i in items)
    for item in items:
        row = item.as_row()
        assert set(row) == {"item", "rubric", "source", "shown", "images", "label"}
        assert row["label"] is None
        assert set(row["shown"]) == {"question", "choices", "answer", "reference", "steps"}


def test_a_greater_sample_adds_items_and_another_seed_draws_others():
    verdicts, cases = population()

    def drawn(n, seed=1):
        return {i.item for i in sample(verdicts, cases, "steps", n, seed=seed)}

    assert drawn(4) < drawn(9) < drawn(100)
    assert len(drawn(100)) == 16
    assert drawn(4) == drawn(4)
    assert drawn(4) != drawn(4, seed=2)
    shuffled = verdicts[::-1]
    assert {i.item for i in sample(shuffled, cases, "steps", 4, seed=1)} == drawn(4)


def test_only_what_a_judge_model_decided_is_sampled_and_each_item_once():
    case = solved()
    item = item_of(RUBRICS["steps"], case)
    same = {("s", "t1|0"): case, ("t", "t1|0"): case}
    both = [verdict(case, "steps", True, (1, 1), system=system, item=item) for system in ("s", "t")]
    assert len(sample(both, same, "steps", 10, seed=1)) == 1
    for other in (
        verdict(case, "steps", None, item=item),
        verdict(case, "steps", False, judge="rules", model=None, item=item),
        verdict(case, "steps", judge="second_judge", item=item),
        verdict(case, "steps", False, model=None, item=item),
        verdict(case, "answer", item=item),
    ):
        assert sample([other], same, "steps", 10, seed=1) == []


def label(item, *scores, annotator="ann", rubric="steps"):
    return HumanLabel(item=item, rubric=rubric, annotator=annotator, right=all(scores), step_scores=scores)


def steps(item, *scores, judge="judge"):
    return verdict(solved(), "steps", all(scores), scores, judge=judge, item=item)


def found(verdicts, labels):
    rows = agreement_rows(verdicts, labels, resamples=20)
    return {(r.level, r.judge, r.against): r for r in rows}


def test_a_judge_is_held_against_people_by_reply_and_by_step():
    verdicts = [steps("i1", 1, 1), steps("i2", 1, 0), steps("i3", 1, 1), steps("i4", 0, 0)]
    rows = found(verdicts, [label("i1", 1, 1), label("i2", 1, 0), label("i3", 0, 1), label("unknown", 1)])
    reply, step = rows["reply", "judge", "human"], rows["step", "judge", "human"]
    assert (reply.n, step.n) == (3, 6)
    # by reply: right/right, wrong/wrong, right/wrong
    assert reply.accuracy.value == pytest.approx(2 / 3)
    assert (reply.precision.value, reply.recall.value, reply.f1.value) == (0.5, 1.0, pytest.approx(2 / 3))
    assert reply.kappa.value == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert step.accuracy.value == pytest.approx(5 / 6)


def test_two_judges_are_held_against_each_other():
    verdicts = [steps("i1", 1, 1), steps("i2", 1, 0), steps("i1", 1, 1, judge="second_judge")]
    rows = found(verdicts, [])
    assert set(rows) == {("reply", "judge", "second_judge"), ("step", "judge", "second_judge")}
    assert rows["reply", "judge", "second_judge"].n == 1
    assert rows["reply", "judge", "second_judge"].accuracy.value == 1.0


def test_people_are_held_against_each_other_and_together_against_each_judge():
    labels = [label("i1", 1, 1), label("i1", 1, 0, annotator="bob")]
    rows = found([steps("i1", 1, 1), steps("i1", 0, 0, judge="second_judge")], labels)
    assert rows["reply", "human:ann", "human:bob"].accuracy.value == 0.0
    assert rows["reply", "judge", "human"].n == 2
    assert rows["reply", "judge", "human"].accuracy.value == 0.5
    assert rows["step", "second_judge", "human"].accuracy.value == 0.25


def test_an_item_whose_steps_are_counted_otherwise_is_compared_as_a_whole_alone():
    rows = found([steps("i1", 1, 1)], [label("i1", 1, 1, 1)])
    assert ("step", "judge", "human") not in rows
    assert rows["reply", "judge", "human"].n == 1


def test_undecided_verdicts_rules_and_settled_replies_are_compared_with_nobody():
    verdicts = [
        verdict(solved(), "steps", None, item="i1"),
        verdict(solved(), "steps", False, (1, 0), judge="rules", model=None, item="i1"),
        verdict(unclear(), "steps", False, model=None, item="i1"),
    ]
    assert agreement_rows(verdicts, [label("i1", 1, 0)]) == []
