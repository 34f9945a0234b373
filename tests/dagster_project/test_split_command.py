"""`stepforge split`: what is held out by time, in questions, rows and the report."""

import json

import pytest

from dagster_project.plan import plan
from stepforge.records import ReportRow
from tests.pipeline import CommandLine, chain, write_set

# each a problem of its own: renumbered problems are variants, which are no newer than the first of them
STORIES = (
    "Three boxes hold four pens each, and two are given away. One less than what remains is how many?",
    "A gardener plants rows of tulips beside an old wall until the frost takes some. Count what is left but one.",
    "At the harbour each ferry carries the same number of cars; after a storm some turn back. Who arrives, less one?",
    "Mila reads pages every evening and forgets a few overnight. How many does she know, not counting the title?",
    "The choir stands in equal ranks, a couple of singers fall ill, and the soloist steps forward. How many are left?",
    "Bakers fill trays with rolls, the burnt ones are thrown out and the baker eats one. How many are sold?",
    "Each shelf of the museum shows coins from Rome; thieves take some and the guard hides one. What is on show?",
    "Buses leave the depot full of pupils, several get off at the zoo, and one falls asleep. How many reach school?",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("dated")
    line = CommandLine(root / "home")
    days = {"old": "2025-03-01", "edge": "2026-01-01", "new": "2026-04-18", "undated": None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPFORGE_MODELS", str(root / "none.toml"))
        for k, (name, day) in enumerate(days.items()):
            rows = [{**chain(i), "id": f"{name}{i}", "question": STORIES[2 * k + i]} for i in range(2)]
            dated = [] if day is None else ["--published-on", day]
            assert line("ingest", write_set(root / name, rows), "--batch", name, *dated).code == 0
        replies = [json.dumps({"task_id": f"native/{name}{i}:solve", "reply": "\\boxed{0}"}) for name in days
                   for i in range(2)]  # fmt: skip
        (root / "r.jsonl").write_text("\n".join(replies))
        assert line("system", "add", "zero", "--replies", root / "r.jsonl", "--partial").code == 0
        assert line("build").code == 0
    return line


@pytest.fixture
def home(made, capsys):
    return CommandLine(made.root, capsys)


def asked(said):
    return {json.loads(line)["task_id"].split("/")[1].split(":")[0] for line in said.out.splitlines()}


def test_a_split_is_kept_and_makes_the_report_alone_stale(home):
    assert "no splits" in home("split").out
    said = home("split", "--newer-than", "2026-01-01")
    assert said.code == 0
    lines = [line.split() for line in said.out.splitlines()]
    assert ["refresh", "2026-01-01", "2", "4", "2"] in lines
    assert "undated problems are in no split" in said.out
    assert {one.stage for one in plan(home.home)} == {"report"}
    assert [one.why for one in plan(home.home)] == ["splits changed"]
    assert home("build").code == 0
    assert plan(home.home) == []
    page = (home.root / "report/index.html").read_text("utf-8")
    assert 'data-table="splits"' in page
    assert 'data-breakdown="split"' in page
    assert 'data-column="time_split_refresh_difference"' in page
    rows = home.home.store.stored("report", None).rows(ReportRow)
    of = {(r.system, r.group): r.n for r in rows if r.breakdown == "split" and r.metric == "FAA"}
    assert of["oracle", "refresh"] == 2
    assert of["oracle", "before refresh"] == 4
    assert of["oracle", "undated"] == 2
    after = next(r for r in rows if r.metric == "time_split_refresh_after" and r.system == "oracle")
    assert (after.value, after.low, after.high, after.n) == (1.0, 1.0, 1.0, 2)


def test_questions_and_rows_hold_one_side_and_never_what_is_undated(home):
    assert home("split", "--newer-than", "2026-01-01").code == 0
    assert asked(home("questions", "--split", "refresh")) == {"new0", "new1"}
    assert asked(home("questions", "--split", "before-refresh")) == {"old0", "old1", "edge0", "edge1"}
    assert asked(home("questions", "--split", "undated")) == {"undated0", "undated1"}
    rows = home("rows", "benchmark_tasks", "--batch", "edge", "--split", "refresh")
    assert "no rows" in rows.out
    for stage, batch in (("solution_steps", "new"), ("problems", "new"), ("filtered_items", "new")):
        said = home("rows", stage, "--batch", batch, "--split", "refresh", "--format", "jsonl", "--limit", "0")
        assert {json.loads(line)["problem_id"] for line in said.out.splitlines()} == {"native/new0", "native/new1"}
    said = home("rows", "scores", "--system", "zero", "--split", "refresh", "--format", "jsonl", "--limit", "0")
    assert {json.loads(line)["task_id"].split(":")[0] for line in said.out.splitlines()} == {
        "native/new0",
        "native/new1",
    }


def test_a_split_can_be_moved_and_removed(home):
    assert home("split", "--newer-than", "2025-01-01", "--name", "late").code == 0
    assert asked(home("questions", "--split", "late")) == {f"{n}{i}" for n in ("old", "edge", "new") for i in range(2)}
    assert home("split", "--newer-than", "2026-04-17", "--name", "late").code == 0
    assert asked(home("questions", "--split", "late")) == {"new0", "new1"}
    assert home("split", "--remove", "--name", "late").code == 0
    assert home("questions", "--split", "late").code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["split", "--newer-than", "soon"], "write YYYY-MM-DD"),
        (["split", "--newer-than", "2026-01-01", "--name", "undated"], "cannot name a split"),
        (["split", "--newer-than", "2026-01-01", "--name", "../x"], "cannot name a split"),
        (["split", "--remove", "--name", "none"], "there is no split"),
        (["questions", "--split", "none"], "there is no split 'none'"),
        (["rows", "documents", "--batch", "new", "--split", "undated"], "belong to no problem or task"),
    ],
)
def test_what_means_nothing_is_told_so(home, words, told):
    said = home(*words)
    assert said.code == 2
    assert told in said.err
