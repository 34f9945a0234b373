import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from stepforge.report import StageCount, tables
from stepforge.report.glossary import detection_kind, is_we_math
from tests.report import samples


def test_stages_are_summed_over_partitions_in_pipeline_order():
    summed = tables.sum_stages(samples.stages())
    assert [s.stage for s in summed][:3] == ["documents", "problems", "clean_problems"]
    selected = summed[3]
    assert (selected.n_in, selected.n_out, selected.rejected, selected.passed) == (248, 196, 52, 196)
    assert selected.by_reason[0] == ("missing_answer", 24)


def test_a_stage_whose_reasons_do_not_add_up_is_refused():
    with pytest.raises(ValidationError, match="variants/b1: the reasons count 2 records, but 3 were rejected"):
        StageCount(
            stage="variants", batch="b1", n_in=9, n_out=6, rejected=3, by_reason={"no_solution": 2}, not_applicable=0
        )


@pytest.mark.parametrize(
    ("steps", "bucket"),
    [
        (None, "not stated"),
        (0, "not stated"),
        (1, "1-4"),
        (4, "1-4"),
        (5, "5-8"),
        (12, "9-12"),
        (24, "13-24"),
        (25, "25+"),
    ],
)
def test_step_lengths_fall_into_the_buckets_of_geolaux(steps: int | None, bucket: str):
    assert tables.length_bucket(steps) == bucket


def test_a_problem_with_three_tasks_is_one_problem_in_the_composition():
    made = [samples.task(n, problem_id="own/1") for n in range(3)] + [samples.task(9, subject=None)]
    assert tables.composition(made, "Subject") == [("algebra", 1, 3), ("not stated", 1, 1)]


@given(st.integers(0, 60), st.sampled_from(sorted(tables.ATTRIBUTES)))
def test_every_task_is_counted_once_in_each_composition(n: int, attribute: str):
    made = samples.tasks(n)
    shares = tables.composition(made, attribute)
    assert sum(s.tasks for s in shares) == n
    if attribute != "Task kind":
        assert sum(s.problems for s in shares) == tables.problem_count(made)


def test_systems_come_by_accuracy_and_controls_last():
    order = [row.name for row in tables.Scores(samples.rows()).leaderboard().rows]
    assert order[:4] == ["borealis-large-2", "数学助手-14b", "atlas-7b", "cygnus-vision-mini"]
    assert order[4:] == ["oracle", "null"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "oracle"]),
            st.sampled_from(
                ["FAA", "faa", "ma_micro", "ma", "ma_macro", "srr", "detect_wrong", "we_math_ik", "rm", "pqs"]
            )
            | st.text(max_size=6),
        ),
        unique=True,
        max_size=12,
    )
)
def test_every_overall_score_stands_in_exactly_one_table(pairs: list[tuple[str, str]]):
    scores = tables.Scores([samples.row(system, metric, 0.5) for system, metric in pairs])
    matrices = (scores.leaderboard(), scores.detection(), scores.we_math(), scores.others())
    shown = [(c.system, c.metric) for m in matrices for row in m.rows for c in row.cells if c is not None]
    assert sorted(shown) == sorted(pairs)


def test_detection_by_kind_is_found_in_a_breakdown_and_in_named_metrics():
    named = tables.Scores(
        [samples.row("a", "detect_swapped", 0.2), samples.row("a", "Detection wrong", 0.4)]
    ).detection()
    assert [c.key for c in named.columns] == ["wrong", "swapped"]
    broken_down = tables.Scores([samples.row("a", "detection", 0.2, "kind", "detect_missing")]).detection()
    assert [c.key for c in broken_down.columns] == ["missing"]
    assert detection_kind("detection_accuracy") is None


def test_length_buckets_are_ordered_by_number_and_not_by_letter():
    made = [samples.row("a", "faa", 0.5, "step_length", b) for b in ("13-24", "25+", "5-8", "unknown", "1-4")]
    assert [c.key for c in tables.Scores(made).by_length().columns] == ["1-4", "5-8", "13-24", "25+", "unknown"]


def test_we_math_states_are_told_from_other_metrics():
    assert all(is_we_math(name) for name in ("we_math_ik", "WeMath score", "RM (strict)", "cm_loose", "we-math/s1"))
    assert not any(is_we_math(name) for name in ("faa", "ma", "rmse", "icm", "sar"))


def test_kinds_of_lean_errors_are_ranked_by_their_number_over_all_groups():
    items, labelled, replies = tables.lean_tables(samples.lean()[::-1])
    assert [row.name for row in items.rows] == ["minif2f", "proofnet"]
    assert [row.name for row in labelled.rows] == ["critic: misaligned", "critic: right"]  # as given
    assert items.kinds == (("lean3_source", (0, 371)), ("unknown_name", (7, 0)), ("type_mismatch", (2, 0)))
    assert [row.equivalent for row in replies.rows] == [201, 488]
    assert (items.unjudged, replies.unjudged) == ((), (("missing_library", (8, 0)),))
    assert tables.lean_tables([]) == []


def test_a_control_that_is_off_at_lean_is_named():
    made = [samples.row("oracle", "lean_align@1", 0.5), samples.row("null", "lean_compile@4", 0.25)]
    made += [samples.row("null", "lean_align@1", 0.0), samples.row("oracle", "lean_compile@1", 1.0)]
    assert tables.Scores(made).control_faults() == [
        "null scores 25.0 % lean_compile@4; it must score 0 %",
        "oracle scores 50.0 % lean_align@1; it must score 100 %",
    ]


def test_a_control_that_is_off_is_named():
    made = [samples.row("oracle", "faa", 0.98), samples.row("null", "ma", 0.0), samples.row("null", "smr", 1.0)]
    assert tables.Scores(made).control_faults() == ["oracle scores 98.0 % FAA; it must score 100 %"]
