"""Metrics against what the origins' own code returned."""

import json
from collections import defaultdict

import pytest

from stepforge.metrics import geolaux, mvmath, wemath
from tests.shared_data import shared


def rows(name):
    return [json.loads(line) for line in shared(name).read_text(encoding="utf-8").splitlines()]


def expected(name):
    return json.loads(shared(f"golden/{name}/expected.json").read_text(encoding="utf-8"))


def wemath_groups(name):
    parts = defaultdict(dict)
    for row in rows(f"golden/wemath/{name}.jsonl"):
        parts[row["ID"]][row["key"].rsplit("_", 1)[-1]] = row["expected_correct"]
    return {
        group: wemath.Group(tuple(by.get(str(k)) for k in range(1, 1 + int(group[0]))), by.get("multi"))
        for group, by in parts.items()
    }


@pytest.mark.parametrize("name", ["full_clean", "full_noisy", "weak_noisy", "missing_noisy"])
def test_wemath_states_are_those_of_the_official_scorer(name):
    groups = wemath_groups(name)
    official = json.loads(shared(f"golden/wemath/{name}.groups.json").read_text(encoding="utf-8"))
    for group_id, group in groups.items():
        states = {"strict": wemath.state(group, strict=True), "loose": wemath.state(group, strict=False)}
        assert {k: v.value for k, v in states.items() if v} == official.get(group_id, {}), group_id
    printed = expected("wemath")[name]["four_dimensional_metrics"]
    for strict, label in ((True, "Strict"), (False, "Loose")):
        found = wemath.rates(list(groups.values()), strict=strict, official=True)
        assert f"{found.score:.2%}" == printed[f"Score ({label})"]
        assert printed[f"InsufficientKnowledge ({label})"].startswith(f"{found.ik:.2%}")
        assert printed[f"RoteMemorization ({label})"].startswith(f"{found.rm:.2%}")


def test_wemath_leaves_incomplete_groups_out_unless_it_imitates_the_official_scorer():
    found = wemath.rates(list(wemath_groups("missing_noisy").values()), strict=True)
    assert found.n + found.incomplete == 525
    assert found.incomplete > 0
    assert found.ik + found.ig + found.cm <= 1


@pytest.mark.parametrize("name", ["strong", "mid", "weak", "edge"])
def test_geolaux_scores_are_those_of_the_official_scorer(name):
    official = expected("geolaux")[name]["official"]
    pqs, pcs = [], []
    for row in rows(f"golden/geolaux/{name}.jsonl"):
        steps = None if row["step_scores"] == "null" else row["step_scores"]
        pqs.append(geolaux.pqs(steps))
        assert pqs[-1] == pytest.approx(row["expected_pqs"], abs=1e-12)
        pcs.append(geolaux.pcs(bool(row["final_judgment"]), steps))
    assert round(sum(pqs) / len(pqs), 3) == official["average_pqs"]
    assert round(sum(pcs) / len(pcs), 3) == official["average_pcs"]


@pytest.mark.parametrize("name", ["strong", "weak"])
def test_mvmath_aggregates_are_those_of_the_official_scorer(name):
    official = expected("mvmath")[name]
    single, multi = [], []
    for row in rows(f"golden/mvmath/{name}.jsonl"):
        if row["kind"] == "multistep":
            right, slash, total = str(row["judge"]).partition("/")
            multi.append(mvmath.PartCount(int(right), int(total)) if slash else mvmath.PartCount(None, None))
        else:
            single.append(bool(row["judge"]))
    summary = official["summaries"]["multi_step"]
    assert mvmath.sar(multi) == pytest.approx(summary["Step_Accuracy_Rate"])
    assert mvmath.qcr(multi) == pytest.approx(summary["Question_Completeness_Rate"])
    assert mvmath.overall(single, multi) == pytest.approx(official["weighted"]["weighted_score"])
