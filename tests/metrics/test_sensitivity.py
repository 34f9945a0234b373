import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from stepforge.aggregate import aggregate
from stepforge.judging import judge
from stepforge.metrics.milestones import Components, best_path
from stepforge.metrics.sensitivity import BASELINE, SETTINGS, counts_by_setting, kendall_tau, sensitivity
from stepforge.scoring import score
from tests.scoring_records import STEPS, judgement, prediction, task

TASKS = tuple(task(f"t{k}") for k in range(3))
REPLIES = {
    "best": ("\n".join(STEPS), "3*4=12 and 12+5=17", "\n".join(reversed(STEPS))),
    "half": (STEPS[0], "There are marbles and bags of blue.", "12 red marbles\n17"),
    "none": ("It rained.", None, "Nobody came. \\boxed{17}"),
}


def judged():
    predictions = [
        prediction(of, reply, system=system)
        for system, replies in REPLIES.items()
        for of, reply in zip(TASKS, replies, strict=True)
    ]
    return [j for name in REPLIES for j in judge(TASKS, [p for p in predictions if p.system == name]).kept]


def test_the_baseline_is_the_headline_milestone_accuracy():
    judgements = judged()
    rows = aggregate(TASKS, judgements, score(TASKS, judgements).kept, seed=0, resamples=10)
    headline = {row.system: row.value for row in rows if (row.metric, row.breakdown) == ("MA", "all")}
    found = {row.system: row.ma for row in sensitivity(judgements).rows if row.setting == BASELINE}
    assert found == pytest.approx(headline, abs=1e-12)
    assert found["best"] == 1.0
    assert 0 < found["half"] < 1


def test_every_system_has_every_setting_and_its_change():
    rows = sensitivity(judged()).rows
    assert [(r.system, r.setting) for r in rows] == [(s, name) for s in sorted(REPLIES) for name in SETTINGS]
    assert any(row.change for row in rows)
    assert all(row.change == 0 for row in rows if row.setting == BASELINE)


def test_a_lower_threshold_matches_no_fewer_and_a_rule_less_no_more():
    ma = {(row.system, row.setting): row.ma for row in sensitivity(judged()).rows}
    for system in REPLIES:
        thresholds = [ma[system, f"threshold {t}"] for t in (0.2, 0.3)] + [ma[system, BASELINE]]
        thresholds += [ma[system, f"threshold {t}"] for t in (0.5, 0.6)]
        assert thresholds == sorted(thresholds, reverse=True)
        assert ma[system, "without the equation rule"] <= ma[system, BASELINE]
        assert ma[system, "without the semantic rule"] <= ma[system, BASELINE]


def test_the_weights_of_every_setting_sum_to_one_and_no_two_settings_are_the_same():
    assert all(sum(constants.weights) == pytest.approx(1) for constants in SETTINGS.values())
    assert len(set(SETTINGS.values())) == len(SETTINGS) == 15


def test_the_order_of_systems_is_compared_with_the_baseline():
    stability = sensitivity(judged()).stability
    assert [s.setting for s in stability] == list(SETTINGS)
    assert (stability[0].tau, stability[0].systems) == (1.0, 3)
    assert sensitivity([j for j in judged() if j.system == "half"]).stability[0].tau is None


def test_a_judgement_of_an_older_version_is_an_error_and_not_a_zero():
    with pytest.raises(ValueError, match="judge it again"):
        sensitivity([judgement(TASKS[0], milestones_total=2, milestones_matched=1)])
    assert sensitivity([judgement(TASKS[0])]).rows == []


SHARES = st.sampled_from([0.0, 0.1, 0.2, 0.39, 0.4, 0.41, 0.5, 0.7, 1.0])


@st.composite
def components(draw):
    units, milestones = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    size = units * milestones

    def matrix(values):
        return np.array(draw(st.lists(values, min_size=size, max_size=size)), dtype=float).reshape(units, milestones)

    return Components(matrix(SHARES), matrix(st.sampled_from([0.0, 1.0])), matrix(SHARES), matrix(SHARES))


@given(st.lists(components(), min_size=1, max_size=3))
def test_all_settings_at_once_are_each_setting_one_by_one(paths):
    expected = []
    for constants in SETTINGS.values():
        _, alignment = best_path([path.align(constants) for path in paths])
        expected += [] if alignment is None else [(alignment.n_matched, alignment.milestones)]
    assert [(c.matched, c.total) for c in counts_by_setting(paths)] == expected
    for path in paths:
        assert [c.matched for c in counts_by_setting([path])] in (
            [],
            [path.align(constants).n_matched for constants in SETTINGS.values()],
        )


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_kendalls_tau_is_that_of_scipy(pairs):
    a, b = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    found = kendall_tau(a, b)
    if len(set(a)) < 2 or len(set(b)) < 2:
        assert found is None
    else:
        assert found == pytest.approx(kendalltau(a, b).statistic)
