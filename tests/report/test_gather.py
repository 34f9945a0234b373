from decimal import Decimal

from stepforge.judge_labels import agreement_rows
from stepforge.records import HumanLabel, Score
from stepforge.report import gather
from stepforge.vocabulary import EquivalenceVerdict, StepError
from tests.report.items import judge_verdict
from tests.scoring_records import judgement, prediction, task


def scores(rights: list[bool], metric: str = "FAA") -> list[Score]:
    return [
        Score(task_id=f"t{k:03}", system="s", sample=0, metric=metric, value=float(right), weight=1.0, method="number")
        for k, right in enumerate(rights)
    ]


def test_systems_that_differ_get_other_letters_and_equal_ones_the_same():
    items = {
        "good": gather.items_of(scores([True] * 80 + [False] * 20)),
        "same": gather.items_of(scores([True] * 79 + [False] * 21)),
        "bad": gather.items_of(scores([True] * 20 + [False] * 80)),
    }
    (told,) = gather.significance(items, seed=1)
    assert told.metric == "FAA"
    assert told.letters == {"good": "a", "same": "a", "bad": "b"}
    pairs = {(a, b): (comparison, adjusted) for a, b, comparison, adjusted in told.pairs}
    comparison, adjusted = pairs["bad", "good"]
    assert comparison.difference is not None
    assert round(comparison.difference, 9) == -0.6
    assert adjusted is not None
    assert adjusted < 0.001


def test_nothing_is_compared_with_itself_or_by_a_metric_that_one_system_has():
    alone = {"a": gather.items_of(scores([True])), "b": gather.items_of(scores([True], "SAR"))}
    assert gather.significance(alone, seed=1) == []


def test_samples_of_one_task_are_one_item():
    twice = [*scores([True]), scores([False])[0].model_copy(update={"sample": 1})]
    assert gather.items_of(twice) == {"FAA": {"t000": (1.0, 2.0)}}


def test_a_point_is_reckoned_over_the_replies_that_were_to_give_an_answer():
    tasks = [task(f"t{k:03}") for k in range(3)]
    told = [prediction(t, "x", cost_usd="0.10", tokens_out=5, tokens_in=1) for t in tasks]
    told.append(prediction(task("detect"), "x", cost_usd="5", tokens_out=7))
    told.append(prediction(task("free"), "x", cost_usd=None, tokens_out=7))
    cost = gather.cost_of("s", told, scores([True, False, True]))
    assert cost == gather.Cost("s", 5, 29, Decimal("5.30"), Decimal("0.30"), 1, 3, 2)


def test_replies_from_a_file_cost_nothing_and_are_left_out():
    assert gather.cost_of("s", [prediction(task(), "x")], scores([True])) is None


def test_judges_are_held_against_people_and_against_each_other():
    verdicts = []
    for k, (one, other) in enumerate([(True, True), (True, False), (False, False), (False, None)]):
        eta = (1, 1) if one else (1, 0)
        verdicts.append(judge_verdict(f"t{k}", item=f"i{k}", right=one, step_scores=eta, error_types=(None, None)))
        verdicts.append(
            judge_verdict(f"t{k}", item=f"i{k}", judge="second_judge", right=other, step_scores=(), error_types=())
        )
    verdicts.append(judge_verdict("t9", item="i9", judge="rules", model=None, right=False))
    for judge in ("judge", "second_judge"):  # a reply without a step is wrong unasked: no agreement of theirs
        verdicts.append(judge_verdict("t8", item="i8", judge=judge, model=None, right=False))
    labels = [
        HumanLabel(item=f"i{k}", rubric="steps", annotator="ann", right=right, step_scores=(1, int(right)))
        for k, right in enumerate([True, False, False])
    ]
    told = {(a.rubric, a.rater, a.truth): a.estimates for a in gather.agreements(verdicts, labels, seed=1)}
    assert set(told) == {
        ("steps", "judge", "people"),
        ("steps, each step", "judge", "people"),
        ("steps", "second_judge", "people"),
        ("steps", "judge", "second_judge"),
    }
    people = told["steps", "judge", "people"]
    assert people["accuracy"].value == 2 / 3
    assert people["precision"].value == 0.5
    assert people["recall"].value == 1.0
    assert told["steps, each step", "judge", "people"]["accuracy"].value == 5 / 6
    assert told["steps", "second_judge", "people"]["accuracy"].value == 1.0
    between = told["steps", "judge", "second_judge"]
    assert between["accuracy"].n == 3
    assert (between["recall"].value, between["precision"].value) == (1.0, 0.5)  # the one named second is the truth


def test_the_report_and_the_command_line_tell_the_same_agreement():
    verdicts, labels = [], []
    for k in range(24):
        eta = (1, k % 2)
        verdicts.append(judge_verdict(f"t{k}", item=f"i{k}", right=all(eta), step_scores=eta, error_types=(None,) * 2))
        verdicts.append(verdicts[-1].model_copy(update={"judge": "second_judge", "right": k % 3 > 0}))
        for who in ("ann", "bo"):
            said = (int(k % 5 > 0), int(who == "bo"))
            labels.append(HumanLabel(item=f"i{k}", rubric="steps", annotator=who, right=all(said), step_scores=said))
    rows = agreement_rows(verdicts, labels, seed=7)
    told = gather.agreements(verdicts, labels, seed=7)
    assert len(told) == len(rows) == 8
    assert [a.estimates["precision"] for a in told] == [row.precision for row in rows]
    assert ("human:ann", "human:bo") in {(a.rater, a.truth) for a in told}


def test_what_a_judge_leaves_open_is_counted_and_the_rules_are_no_judge():
    verdicts = [judge_verdict("a"), judge_verdict("b", right=None), judge_verdict("c", judge="rules", right=None)]
    assert gather.judge_use(verdicts) == [gather.JudgeUse("steps", "judge", "m-1", 2, 1)]


def test_failed_steps_are_counted_by_judge_and_type():
    other = judge_verdict("b", judge="rules", step_scores=(0,), error_types=(StepError.CALCULATION,))
    answer = judge_verdict("c", rubric="answer", step_scores=(), error_types=())
    assert gather.error_counts("s", [judge_verdict("a"), judge_verdict("d"), other, answer]) == [
        gather.ErrorCount("s", "judge", 6, {"calculation": 2}),
        gather.ErrorCount("s", "rules", 1, {"calculation": 1}),
    ]


def test_every_failed_step_is_in_a_column_also_without_a_type():
    untyped = judge_verdict("a", step_scores=(0, 0, 1), error_types=(None, StepError.CALCULATION, None))
    assert gather.error_counts("s", [untyped]) == [
        gather.ErrorCount("s", "judge", 3, {"calculation": 1, gather.UNTYPED: 1})
    ]


def test_undecided_answers_and_answers_are_both_counted_by_reply():
    made = [
        Score(task_id="t", system="s", sample=k, metric="FAA", value=0.0, weight=1.0, method="undecided")
        for k in range(4)
    ]
    made += [made[0].model_copy(update={"metric": "MA"}), made[0].model_copy(update={"method": "number"})]
    assert gather.undecided_of("s", made) == gather.Undecided("s", 5, 4)
    assert gather.undecided_of("s", made[4:5]) is None


def test_a_judgement_is_kept_for_sensitivity_without_its_texts():
    of = task()
    kept = gather.light(judgement(of, EquivalenceVerdict.EQUAL, milestones_total=2, units=("a", "b"), answer="17"))
    assert kept is not None
    assert (kept.units, kept.answer, kept.milestones_total) == ((), None, 2)
    assert gather.light(judgement(of)) is None
