"""The pages of items of a built home: every problem has one, and a rebuild writes only what changed."""

import re
from pathlib import Path

import pytest

from dagster_project.plan import plan
from resources.labels import keep_labels
from stepforge.records import HumanLabel, Task
from stepforge.report.evidence import page_name
from tests.pipeline import CommandLine, chain, write_set


def items(line: CommandLine) -> Path:
    return line.root / "report" / "items"


def stamps(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}


@pytest.fixture
def small(tmp_path, capsys):
    """A home of its own with three problems, built."""
    line = CommandLine(tmp_path / "home", capsys)
    write_set(tmp_path / "contest", [chain(i) for i in range(3)])
    assert line("ingest", tmp_path / "contest", "--batch", "small").code == 0
    assert line("build").code == 0
    return line


def test_every_problem_with_a_task_has_a_page_that_the_report_leads_to(built):
    tasks = built.home.store.stored("benchmark_tasks", "small").rows(Task)
    problems = {task.problem_id for task in tasks}
    report = (built.root / "report" / "index.html").read_text("utf-8")
    assert 'href="items/index.html"' in report
    table = (items(built) / "index.html").read_text("utf-8")
    assert set(re.findall(r'<a href="([0-9a-f]{24}\.html)">', table)) == {page_name(p) for p in problems}
    for task in tasks:
        page = (items(built) / page_name(task.problem_id)).read_text("utf-8")
        assert f"--record {task.task_id}" in page or f"--record &#39;{task.task_id}&#39;" in page
        assert 'data-system="oracle" data-right="True"' in page
        assert 'data-system="null" data-right="False"' in page


def test_a_forced_rerun_writes_no_page_anew(small):
    before = stamps(items(small))
    assert small("build", "--stage", "report").code == 0
    after = stamps(items(small))
    changed = {name for name in before if before[name][0] != after[name][0]}
    assert after.keys() == before.keys()
    assert changed == {"manifest.json"}
    assert after["manifest.json"][1] == before["manifest.json"][1]


def test_a_page_that_was_lost_makes_the_report_stale_and_comes_back_the_same(small):
    before = stamps(items(small))
    name = min(before.keys() - {"index.html", "manifest.json"})
    (items(small) / name).unlink()
    assert small("build").code == 0
    after = stamps(items(small))
    assert {n: data for n, (_, data) in after.items()} == {n: data for n, (_, data) in before.items()}
    untouched = before.keys() - {name, "manifest.json"}
    assert {n: after[n][0] for n in untouched} == {n: before[n][0] for n in untouched}


def test_one_changed_problem_rewrites_its_page_and_a_gone_one_takes_its_page_along(small, tmp_path):
    before = stamps(items(small))
    first, second = chain(0), chain(1)
    longer = {**second, "question": second["question"] + " Say so."}
    write_set(tmp_path / "contest", [first, longer])
    assert small("ingest", tmp_path / "contest", "--batch", "small", "--replace").code == 0
    assert small("build").code == 0
    after = stamps(items(small))
    ids = {k: page_name(f"native/p{k:04d}") for k in range(3)}
    assert ids[2] not in after
    assert "Say so." in after[ids[1]][1].decode()
    assert "Say so." not in before[ids[1]][1].decode()


def test_a_new_system_stands_on_every_page(small, tmp_path):
    task = small.home.store.stored("benchmark_tasks", "small").rows(Task)[0]
    replies = tmp_path / "replies.jsonl"
    replies.write_text(f'{{"task_id": "{task.task_id}", "reply": "<script>alert(1)</script>"}}\n', encoding="utf-8")
    assert small("system", "add", "mine", "--replies", replies, "--partial").code == 0
    assert small("build").code == 0
    page = (items(small) / page_name(task.problem_id)).read_text("utf-8")
    assert 'data-system="mine"' in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_new_label_of_a_person_makes_the_report_stale_and_nothing_else(small):
    assert [stale.stage for stale in plan(small.home)] == []
    label = HumanLabel(item="i", rubric="steps", annotator="ann", right=True)
    keep_labels(small.home, "ann", [label])
    assert [(stale.stage, stale.why) for stale in plan(small.home)] == [("report", "human_labels changed")]
    assert small("build").code == 0
    assert plan(small.home) == []
