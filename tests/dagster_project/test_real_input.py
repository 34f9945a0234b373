"""Real data sets through the whole chain, and the published models' own correctness flags against our scorer."""

import json
from collections import Counter

import pytest

from stepforge.records import ReportRow
from tests.pipeline import CommandLine
from tests.shared_data import shared

pytestmark = pytest.mark.slow


def counts(line, batch):
    store = line.home.store
    stages = [s.name for s in store.root.iterdir() if (s / batch).exists()]
    return {stage: store.pointer(stage, batch) for stage in stages}


def overall(line):
    rows = line.home.store.stored("report", None).rows(ReportRow)
    return {(r.system, r.metric): r for r in rows if r.breakdown == "all"}


def build(tmp_path, *ingest):
    line = CommandLine(tmp_path / "home")
    assert line("ingest", *ingest, "--batch", "real").code == 0
    assert line("build").code == 0
    for pointer in counts(line, "real").values():
        refused = sum(pointer.dropped.values()) + sum(pointer.not_applicable.values())
        assert pointer.rows_in == pointer.rows_kept + refused, pointer
    rows = overall(line)
    assert rows["oracle", "FAA"].value == 1.0
    assert rows["null", "FAA"].value == 0.0
    return line


def test_gsm8k_and_the_published_flags_of_its_four_models(tmp_path):
    solutions = shared("gsm8k/example_model_solutions.jsonl")
    golden = json.loads(shared("golden/gsm8k/expected.json").read_text("utf-8"))["models"]
    line = CommandLine(tmp_path / "home")
    for model in golden:
        said = line("system", "add", model, "--replies", solutions, "--reply-field", f"{model}.solution", "--partial")
        assert said.code == 0
    assert line("ingest", shared("gsm8k/test.jsonl"), "--batch", "real").code == 0
    assert line("build").code == 0
    found = counts(line, "real")
    assert found["problems"].rows_out == 1319
    assert found["solution_steps"].rows_kept == found["labelled_problems"].rows_out
    rows = overall(line)
    for model, flags in golden.items():
        faa = rows[model, "FAA"]
        assert abs(faa.value - flags["faa"]) <= 0.005, model
        assert faa.n >= 890, model
    assert rows["oracle", "FAA"].value == rows["oracle", "MA"].value == rows["oracle", "detection"].value == 1.0
    assert rows["null", "FAA"].value == rows["null", "MA"].value == rows["null", "detection"].value == 0.0


def test_geolaux_mini(tmp_path):
    line = build(tmp_path, shared("geolaux"))
    found = counts(line, "real")
    assert found["problems"].rows_out == 234
    assert found["documents"].not_applicable["figure_of_a_problem"] >= 320
    assert found["auxiliary_lines"].rows_kept >= 90
    assert found["proof_plans"].rows_kept > 20


def test_mv_math_with_its_figures_withheld_and_without(tmp_path):
    file, folder = shared("mvmath/MV-MATH.json"), shared("mvmath/images")
    line = build(tmp_path / "text", file, folder, "--allow-missing-images")
    found = counts(line, "real")
    assert found["problems"].rows_out == 1402
    assert overall(line)["oracle", "QCR"].value == 1.0
    strict = CommandLine(tmp_path / "strict")
    assert strict("ingest", file, folder, "--batch", "real").code == 0
    for stage in ("documents", "problems", "clean_problems", "selected_problems"):
        assert strict("build", "--stage", stage).code == 0
    dropped = strict.home.store.pointer("selected_problems", "real").dropped
    assert dropped["missing_image"] > 1300


def test_we_math_composite_groups(tmp_path):
    line = build(tmp_path, shared("wemath"))
    found = counts(line, "real")
    assert found["problems"].rows_out == 1217
    tasks = line.home.store.stored("benchmark_tasks", "real").table().to_pylist()
    groups = Counter(t["group_id"] for t in tasks if t["kind"] == "solve")
    assert len(groups) > 80
    assert set(groups.values()) == {3, 4}
    rows = overall(line)
    assert rows["oracle", "CM_strict"].value == 1.0
    assert rows["null", "IK"].value == 1.0
