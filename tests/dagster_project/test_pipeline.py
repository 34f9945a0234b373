"""The whole chain on small batches, through the command line."""

import json
import socket

import pytest

from assets._stage import STAGES
from dagster_project.plan import order, plan
from stepforge.records import Judgement, Problem, ReportRow, Score, Task
from stepforge.vocabulary import DefectKind
from tests.pipeline import CommandLine, chain, write_set


def pointers(line):
    store = line.home.store
    return {(s, p): store.pointer(s, p) for s in order() for p in store.partitions(s)}


def test_every_stage_accounts_for_every_record(built):
    found = pointers(built)
    assert {stage for stage, _ in found} == set(STAGES)
    for pointer in found.values():
        refused = sum(pointer.dropped.values()) + sum(pointer.not_applicable.values())
        assert pointer.rows_in == pointer.rows_kept + refused, pointer
    assert found["problems", "small"].dropped == {"malformed_record": 1}
    assert found["selected_problems", "small"].dropped == {"missing_answer": 1}


def test_each_stage_reads_all_that_the_stage_above_wrote(built):
    store = built.home.store
    for stage in ("clean_problems", "selected_problems", "labelled_problems", "solution_steps", "variants"):
        above = STAGES[stage].inputs[0]
        came = {p.problem_id for p in store.stored(above, "small").rows(Problem)}
        stored = store.stored(stage, "small")
        kept = {STAGES[stage].key(row) for row in stored.rows(STAGES[stage].record)}
        refused = {r.record_id for r in stored.rejections()}
        assert came == kept | refused
        assert not kept & refused


def test_the_oracle_is_always_right_and_the_null_system_never(built):
    rows = {
        (r.system, r.metric): r for r in built.home.store.stored("report", None).rows(ReportRow) if r.breakdown == "all"
    }
    for metric in ("FAA", "MA", "detection"):
        assert rows["oracle", metric].value == 1.0
        assert rows["null", metric].value == 0.0
        assert rows["oracle", metric].n == rows["null", metric].n > 0
    assert rows["oracle", "SMR"].value == 0.0
    assert rows["oracle", "SRR"].value == 0.0
    assert rows["null", "SMR"].value == 1.0


def test_the_oracle_scores_one_and_the_null_system_zero_on_every_single_task(built):
    for system, right in (("oracle", 1.0), ("null", 0.0)):
        scores = built.home.store.stored("scores", system).rows(Score)
        wrong = [s for s in scores if s.metric in ("FAA", "MA", "detection") and s.value / max(s.weight, 1) != right]
        assert not [s for s in wrong if s.metric != "MA"]
        judged = built.home.store.stored("judgements", system).rows(Judgement)
        assert judged
        for judgement in judged:
            if judgement.milestones_total:
                assert (judgement.milestones_matched or 0) / judgement.milestones_total == right


def test_all_five_kinds_of_defect_become_tasks(built):
    tasks = built.home.store.stored("benchmark_tasks", "small").rows(Task)
    assert {t.target.defect for t in tasks} == {None, *DefectKind}
    assert all(t.licence == "CC0-1.0" for t in tasks)


def test_nothing_is_built_twice(built, read):
    before = pointers(built)
    said = read("build")
    assert (said.code, "nothing to do" in said.out) == (0, True)
    assert pointers(built) == before
    assert "up to date" in read("status").out


def test_rows_are_printed_as_json_lines_and_as_a_table(read):
    lines = read("rows", "solution_steps", "--batch", "small", "--format", "jsonl", "--limit", "0").out.splitlines()
    assert len(lines) == read.home.store.pointer("solution_steps", "small").rows_out
    assert json.loads(lines[0])["problem_id"] == "native/p0000"
    assert "problem_id" in read("rows", "solution_steps", "--batch", "small", "--limit", "3").out


def test_the_funnel_is_one_command(read):
    out = read("rejections").out
    assert "malformed_record" in out
    assert "missing_answer" in out
    full = read("rejections", "--reason", "missing_answer").out
    assert "'answer' is empty" in full


def test_the_way_back_of_a_task_leads_to_its_document_and_row(read):
    out = read("lineage", "benchmark_tasks", "--batch", "small", "--record", "native/p0003:solve").out
    assert "from problems.json" in out
    manifest = read.home.batches.get("small")
    assert manifest.files[0].sha256[:16] in out
    for stage in ("benchmark_tasks", "filtered_items", "solution_steps", "problems"):
        assert f"{stage}[small]" in out


def test_the_way_back_of_a_partition_names_every_version_it_was_made_from(read):
    out = read("lineage", "scores", "--system", "oracle").out
    store = read.home.store
    for stage, partition in (
        ("scores", "oracle"),
        ("judgements", "oracle"),
        ("benchmark_tasks", "small"),
        ("documents", "small"),
    ):
        assert f"{stage}[{partition}] version {store.pointer(stage, partition).data_version}" in out
    assert f"batch_files[small] version {read.home.batches.get('small').version()}" in out


def test_a_record_that_was_rejected_can_be_followed_too(read):
    out = read("lineage", "selected_problems", "--batch", "small", "--record", "native/unanswered").out
    assert "dropped: missing_answer" in out
    assert "from problems.json" in out


def test_the_report_command_shows_the_leaderboard_and_the_page(read):
    said = read("report")
    assert said.code == 0
    assert "oracle" in said.out
    assert (read.root / "report" / "index.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_one_more_problem_changes_only_what_depends_on_it(tmp_path, capsys):
    line = CommandLine(tmp_path / "home", capsys)
    line("ingest", write_set(tmp_path / "b", [chain(i) for i in range(20, 23)]), "--batch", "b")
    line("ingest", write_set(tmp_path / "a", [chain(i) for i in range(3)]), "--batch", "a")  # after b: no part of it
    assert line("build").code == 0
    before = pointers(line)
    write_set(tmp_path / "a", [chain(i) for i in range(4)])
    line("ingest", tmp_path / "a", "--batch", "a", "--replace")
    stale = plan(line.home)
    assert ("documents", "a") in {(s.stage, s.partition) for s in stale}
    assert not [s for s in stale if s.partition == "b"]
    assert line("build").code == 0
    after = pointers(line)
    assert {k for k in before if before[k] != after[k] and k[1] == "b"} == set()
    assert after["benchmark_tasks", "a"].rows_out > before["benchmark_tasks", "a"].rows_out


def test_a_change_that_gives_the_same_rows_leaves_what_lies_below_it_alone(tmp_path, capsys):
    line = CommandLine(tmp_path / "home", capsys)
    folder = write_set(tmp_path / "a", [chain(0), chain(1)])
    line("ingest", folder, "--batch", "a")
    assert line("build").code == 0
    before = pointers(line)
    said = line("build", "--from", "clean_problems")
    assert said.code == 0
    after = pointers(line)
    assert after["clean_problems", "a"].run_id != before["clean_problems", "a"].run_id
    assert {k for k in before if k[0] != "clean_problems" and before[k] != after[k]} == set()


def test_a_build_up_to_a_stage_runs_nothing_below_it(tmp_path, capsys):
    line = CommandLine(tmp_path / "home", capsys)
    line("ingest", write_set(tmp_path / "a", [chain(0)]), "--batch", "a")
    assert line("build", "--to", "selected_problems").code == 0
    assert {stage for stage, _ in pointers(line)} == {"documents", "problems", "clean_problems", "selected_problems"}
    assert line("build", "--from", "problems", "--to", "clean_problems").code == 0
    assert "labelled_problems" not in {stage for stage, _ in pointers(line)}


def test_a_build_on_what_changed_gives_the_bytes_of_a_build_on_everything(tmp_path, capsys):
    """A problem more, one less, one altered, and other row numbers."""
    line = CommandLine(tmp_path / "home", capsys)
    folder = write_set(tmp_path / "a", [chain(i) for i in range(8)])
    line("ingest", folder, "--batch", "a")
    assert line("build").code == 0
    altered = {**chain(4), "question": chain(4)["question"] + " Say why.", "solution": chain(5)["solution"]}
    write_set(folder, [chain(9), *(chain(i) for i in (0, 1, 2)), altered, *(chain(i) for i in (5, 6, 7))])
    line("ingest", folder, "--batch", "a", "--replace")
    said = line("build")
    assert said.code == 0
    assert "6 unchanged since the last build" in said.out
    fresh = CommandLine(tmp_path / "fresh", capsys)
    fresh("ingest", folder, "--batch", "a")
    assert fresh("build").code == 0
    ours, theirs = pointers(line), pointers(fresh)
    for key in theirs:
        assert (ours[key].data_version, ours[key].rejections_version) == (
            theirs[key].data_version,
            theirs[key].rejections_version,
        ), key


def test_two_homes_hold_the_same_bytes_for_the_same_input(built, tmp_path):
    folder = built.root.parent / "contest"
    other = CommandLine(tmp_path / "home")
    other("ingest", folder, "--batch", "small")
    assert other("build").code == 0
    ours, theirs = pointers(built), pointers(other)
    assert {k: p.data_version for k, p in ours.items()} == {k: p.data_version for k, p in theirs.items()}


def test_replies_from_a_file_are_scored_and_their_scope_is_honoured(tmp_path, capsys):
    line = CommandLine(tmp_path / "home", capsys)
    line("ingest", write_set(tmp_path / "a", [chain(i) for i in range(4)]), "--batch", "a")
    right, wrong = chain(0), chain(1)
    rows = [
        {"question": right["question"], "text": {"reply": f"So the answer is \\boxed{{{right['answer']}}}."}},
        {"question": wrong["question"], "text": {"reply": "The answer is 0."}},
        {"question": "Not in the benchmark", "text": {"reply": "1"}},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in rows))
    for name, option in (("part", ["--partial"]), ("whole", [])):
        assert line("system", "add", name, "--replies", path, "--reply-field", "text.reply", *option).code == 0
    said = line("build")
    assert said.code == 0
    assert "replies not used: 1 (first: row 3" in said.out
    rows = {
        (r.system, r.metric): r for r in line.home.store.stored("report", None).rows(ReportRow) if r.breakdown == "all"
    }
    assert (rows["part", "FAA"].value, rows["part", "FAA"].n) == (0.5, 2)
    assert (rows["whole", "FAA"].value, rows["whole", "FAA"].n) == (0.25, 4)


@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "[red]x[/red]", "\x1b[31mred\x1b[0m", "{{ 7*7 }}", "$(id)"]
)
def test_hostile_text_stays_text(tmp_path, capsys, hostile):
    line = CommandLine(tmp_path / "home", capsys)
    bad = {**chain(0), "question": f"{hostile} What is 1 + 1?", "subject": hostile, "answer": None}
    line("ingest", write_set(tmp_path / "a", [bad, {**bad, "id": "x", "answer": "2"}]), "--batch", "a")
    assert line("build").code == 0
    page = (line.root / "report" / "index.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "49 What" not in page
    out = line("rows", "problems", "--batch", "a").out + line("rejections", "--reason", "missing_answer").out
    assert "\x1b[31m" not in out


def test_questions_are_all_tasks_without_their_targets(read):
    rows = [json.loads(line) for line in read("questions").out.splitlines()]
    tasks = {t.task_id: t for t in read.home.store.stored("benchmark_tasks", "small").rows(Task)}
    assert [r["task_id"] for r in rows] == sorted(tasks)
    assert {key for r in rows for key in r}.isdisjoint({"target", "answer", "reference_paths", "location"})
    solve = next(r for r in rows if r["task_id"] == "native/p0000:solve")
    assert solve["question"] == chain(0)["question"]
    missing = next(r for r in rows if r["kind"] == "detect_missing")
    assert tasks[missing["task_id"]].target.missing_step not in "".join(missing["steps"])


def test_no_instruction_shows_an_answer_that_could_be_copied(read):
    for line in read("questions").out.splitlines():
        row = json.loads(line)
        if row["kind"] != "solve":
            assert not set("0123456789") & set(row["instruction"]), line


def test_a_refused_record_is_followed_from_where_it_never_arrived(read):
    for stage, record in (("benchmark_tasks", "native/unanswered:solve"), ("filtered_items", "native/unanswered")):
        out = read("lineage", stage, "--batch", "small", "--record", record).out
        assert "dropped: missing_answer" in out
    said = read("lineage", "benchmark_tasks", "--batch", "small", "--record", "native/never:solve")
    assert said.code == 2
    assert "--batch small" in said.err


def test_the_ui_on_a_port_in_use_is_one_line(read):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = read("ui", "--port", str(other.getsockname()[1]))
    assert said.code == 2
    assert "choose another with --port" in said.err
