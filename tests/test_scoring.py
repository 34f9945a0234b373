from stepforge.outcome import unaccounted
from stepforge.scoring import METRICS, score
from stepforge.vocabulary import DefectKind, Disposition, EquivalenceVerdict, Failure, Reason
from tests.scoring_records import detection_task, judgement, multi_part_task, task

EQUAL = EquivalenceVerdict.EQUAL
SOLVED = {"milestones_total": 4, "milestones_matched": 3, "units_matched": 2, "units": ("u",) * 6}


def scored(of, *args, **given):
    outcome = score([of], [judgement(of, *args, **given)])
    return {s.metric: (s.value, s.weight, s.method) for s in outcome.kept}, outcome.rejections


def test_a_solved_task_has_its_metrics_with_the_weights_of_micro_averages():
    found, rejections = scored(task(), EQUAL, method="number", **SOLVED)
    assert found == {
        "FAA": (1.0, 1.0, "number"),
        "MA": (0.75, 4.0, "tf-idf matcher"),
        "SMR": (0.25, 4.0, "tf-idf matcher"),
        "SRR": (2 / 6, 6.0, "tf-idf matcher"),
    }
    assert rejections == []


def test_undecided_and_failed_answers_count_as_wrong_and_say_why():
    found, _ = scored(task(), EquivalenceVerdict.UNDECIDED, **SOLVED)
    assert found["FAA"] == (0.0, 1.0, "undecided")
    found, _ = scored(task(), failure=Failure.EMPTY, milestones_total=4, milestones_matched=0, units_matched=0)
    assert (found["FAA"], found["MA"][:2], found["SRR"][:2]) == ((0.0, 1.0, "empty"), (0.0, 4.0), (0.0, 0.0))


def test_sub_answers_and_complete_questions_are_scored():
    found, _ = scored(multi_part_task(), EquivalenceVerdict.DIFFERENT, parts_right=1, parts_total=2)
    assert (found["SAR"][:2], found["QCR"][:2], found["FAA"][:2]) == ((0.5, 2.0), (0.0, 1.0), (0.0, 1.0))
    found, _ = scored(multi_part_task(), EQUAL, parts_right=2, parts_total=2)
    assert (found["SAR"][0], found["QCR"][0]) == (1.0, 1.0)


def test_a_detection_is_scored_by_its_verdict():
    of = detection_task(DefectKind.WRONG, (1,))
    assert scored(of, detection_right=True)[0] == {"detection": (1.0, 1.0, "location")}
    assert scored(of, failure=Failure.UNPARSABLE, detection_right=False)[0]["detection"][0] == 0


def test_what_could_not_be_read_or_was_not_asked_is_in_no_denominator():
    for failure in (Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED):
        found, (rejection,) = scored(task(), failure=failure)
        assert found == {}
        assert (rejection.reason, rejection.disposition) == (Reason.SYSTEM_FAILED, Disposition.NOT_APPLICABLE)
    found, (rejection,) = scored(task(metrics=()))
    assert (found, rejection.reason) == ({}, Reason.NO_METRIC_APPLIES)


def test_every_judgement_is_scored_or_rejected():
    tasks = [task("a"), task("b", metrics=()), detection_task(DefectKind.WRONG, (0,))]
    outcome = score(tasks, [judgement(t, EQUAL, **SOLVED) for t in tasks])
    kept = [f"{s.task_id}|{s.sample}" for s in outcome.kept]
    assert not unaccounted(outcome.input_ids, kept, [r.record_id for r in outcome.rejections])
    assert {s.metric for s in outcome.kept} <= set(METRICS)
