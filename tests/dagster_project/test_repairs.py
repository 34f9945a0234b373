"""What changes or breaks outside the chain is noticed, told in one line, and mended by the next build."""

import json
import shutil

import dagster as dg
import pytest
from PIL import Image

from dagster_project.instance import instance_of
from dagster_project.plan import order
from dagster_project.runner import _failures
from stepforge.records import Problem, ReportRow
from tests.pipeline import chain, write_set


def draw(path, shade):
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.new("L", (200, 120), 255)
    for x in range(20, 180):
        picture.putpixel((x, 60), shade)
        picture.putpixel((x, 10 + x // 2), 0)
    picture.save(path)


def pointers(line):
    store = line.home.store
    return {(s, p): store.pointer(s, p) for s in order() for p in store.partitions(s)}


def test_a_figure_that_changes_or_arrives_later_reaches_the_problems(cli, tmp_path):
    figure = {**chain(0), "question": "See <image_1>. What is 1 + 1?", "images": ["figures/a.png"]}
    later = {**chain(1), "question": "See <image_1>. What is 1 + 2?", "images": ["figures/b.png"]}
    folder = write_set(tmp_path / "c", [figure, later])
    draw(folder / "figures" / "a.png", 0)
    cli("ingest", folder, "--batch", "b")
    assert cli("build").code == 0
    before = {p.source_id: p for p in cli.home.store.stored("selected_problems", "b").rows(Problem)}
    assert set(before) == {"p0000"}
    draw(folder / "figures" / "a.png", 90)
    draw(folder / "figures" / "b.png", 30)
    cli("ingest", folder, "--batch", "b", "--replace")
    assert cli("build").code == 0
    after = {p.source_id: p for p in cli.home.store.stored("selected_problems", "b").rows(Problem)}
    assert set(after) == {"p0000", "p0001"}
    assert after["p0000"].images[0].sha256 != before["p0000"].images[0].sha256


def test_a_benchmark_without_tasks_still_has_a_report(cli, tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "paper.pdf").write_bytes(b"%PDF-1.7 nothing")
    cli("ingest", tmp_path / "c", "--batch", "b")
    assert cli("build").code == 0
    assert cli("report").code == 0
    assert "nothing to do" in cli("build").out


def test_a_removed_batch_and_a_removed_system_leave_the_report(cli, tmp_path):
    for name, numbers in (("a", range(3)), ("b", range(20, 22))):
        cli("ingest", write_set(tmp_path / name, [chain(i) for i in numbers]), "--batch", name)
    replies = tmp_path / "replies.jsonl"
    replies.write_text(json.dumps({"question": chain(0)["question"], "reply": "1"}))
    cli("system", "add", "mine", "--replies", replies)
    assert cli("build").code == 0
    assert cli("remove", "--batch", "b").code == 0
    assert cli("system", "remove", "mine").code == 0
    assert cli("build").code == 0
    rows = cli.home.store.stored("report", None).rows(ReportRow)
    assert {r.system for r in rows} == {"oracle", "null"}
    assert {r.n for r in rows if (r.system, r.metric, r.breakdown) == ("oracle", "FAA", "all")} == {3}
    assert cli("remove", "--batch", "b").code == 2


@pytest.mark.parametrize("harm", ["lost", "damaged"])
def test_a_lost_or_damaged_table_is_told_and_the_advice_mends_it(cli, tmp_path, harm):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    for stage in ("documents", "problems", "clean_problems"):
        cli("build", "--stage", stage)
    path = tmp_path / "home" / "tables" / "problems" / "b"
    (table,) = [p for p in path.glob("*.parquet") if not p.name.startswith("rejections")]
    table.unlink() if harm == "lost" else table.write_bytes(b"PAR1 no longer")
    said = cli("rows", "problems", "--batch", "b")
    assert said.code == 2
    assert "stepforge build --stage problems" in said.err
    assert cli("build", "--stage", "problems").code == 0
    assert cli("rows", "problems", "--batch", "b").code == 0


def test_lost_files_are_stale_the_report_page_too(cli, tmp_path):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    assert cli("build").code == 0
    before = pointers(cli)
    (tmp_path / "home" / "report" / "index.html").unlink()
    shutil.rmtree(tmp_path / "home" / "tables" / "milestones")
    assert cli("report").code == 2
    assert cli("build").code == 0
    assert cli("report").code == 0
    assert {k: p.data_version for k, p in pointers(cli).items()} == {k: p.data_version for k, p in before.items()}


def test_dagster_learns_again_what_stands_when_its_database_is_lost(cli, tmp_path):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    assert cli("build").code == 0
    shutil.rmtree(tmp_path / "home" / "dagster")
    assert "nothing to do" in cli("build").out
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DAGSTER_HOME", str(tmp_path / "home" / "dagster"))
        environment.setenv("STEPFORGE_HOME", str(tmp_path / "home"))
        with instance_of(cli.home) as instance:
            assert instance.get_dynamic_partitions("batches") == ["b"]
            event = instance.get_latest_materialization_event(dg.AssetKey("variants"))
            tags = event.asset_materialization.tags
            assert tags["dagster/data_version"] == cli.home.store.pointer("variants", "b").data_version


def test_settings_of_one_folder_among_several_are_refused_rather_than_lost(cli, tmp_path):
    for name in ("a", "b"):
        write_set(tmp_path / name, [chain(0 if name == "a" else 1)])
    (tmp_path / "a" / "contest.toml").write_text("licence = 'CC-BY-NC-4.0'")
    said = cli("ingest", tmp_path / "a", tmp_path / "b", "--batch", "x")
    assert said.code == 2
    assert "must lie at its top" in said.err


def test_a_link_out_of_the_folder_is_refused(cli, tmp_path):
    folder = write_set(tmp_path / "a", [chain(0)])
    (tmp_path / "secret.json").write_text("{}")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    assert "a link out of the folder" in cli("ingest", folder, "--batch", "x").err


def test_a_record_that_would_break_a_stage_costs_itself(cli, tmp_path):
    long_number = {**chain(1), "solution": f"2 + 2 = {'1' * 40_000}\n3 + 3 = 6\n4 + 4 = 8"}
    blanks = {**chain(2), "solution": "a" + " " * 90_000 + "b"}
    endless = {**chain(3), "question": "q" * 100_001}
    cli("ingest", write_set(tmp_path / "c", [chain(0), long_number, blanks, endless]), "--batch", "b")
    assert cli("build").code == 0
    (refused,) = cli.home.store.stored("problems", "b").rejections()
    assert "has 100001 characters" in refused.detail
    tasks = cli.home.store.stored("benchmark_tasks", "b").table()["problem_id"].to_pylist()
    assert "native/p0000" in tasks


def test_a_problem_on_which_the_code_fails_is_quarantined_and_the_rest_goes_on():
    from assets._incremental import Part, run_one_by_one
    from stepforge.arrow import to_table
    from stepforge.outcome import Outcome
    from tests import make

    problems = [make.problem(f"s/{i}") for i in range(9)]

    def fails_on_five(given):
        rows = given.rows(Problem)
        if any(p.problem_id == "s/5" for p in rows):
            raise ZeroDivisionError("five")
        return Outcome(rows, [], [p.problem_id for p in rows])

    outcome = run_one_by_one("clean_problems", fails_on_five, {"given": Part(None, to_table(Problem, problems))})
    assert [p.problem_id for p in outcome.kept] == [f"s/{i}" for i in range(9) if i != 5]
    assert [(r.record_id, str(r.reason)) for r in outcome.rejections] == [("s/5", "stage_failed")]
    assert "ZeroDivisionError: five" in outcome.rejections[0].detail
    assert outcome.input_ids == [p.problem_id for p in problems]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", "--stage", "scores", "--batch", "b"), "choose with --system"),
        (("build", "--stage", "variants", "--system", "oracle"), "choose with --batch"),
        (("rows", "report", "--batch", "b"), "one table for all"),
        (("rejections", "--reason", "typo"), "no reason 'typo'"),
    ],
)
def test_an_option_that_does_not_fit_is_told_rather_than_ignored(cli, tmp_path, words, said):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    answer = cli(*words)
    assert answer.code == 2
    assert said in answer.err


def test_a_damaged_system_file_and_a_home_that_is_a_file_are_one_line(cli, tmp_path):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    (tmp_path / "home" / "systems").mkdir(exist_ok=True)
    (tmp_path / "home" / "systems" / "mine.json").write_text("{")
    said = cli("system", "list")
    assert (said.code, "mine.json is damaged" in said.err) == (2, True)
    (tmp_path / "file").write_text("")
    cli.root = tmp_path / "file"
    said = cli("status")
    assert (said.code, "is not a folder" in said.err) == (2, True)


def test_text_cannot_steer_the_terminal(cli, tmp_path):
    folder = write_set(tmp_path / "c", [{**chain(0), "question": "q \x9b31m \u202e \x1b]0;title\x07 1 + 1"}])
    (folder / "contest.toml").write_text('"\\u001b]0;PWNED\\u0007" = 1')
    said = cli("ingest", folder, "--batch", "b")
    assert said.code == 2
    (folder / "contest.toml").unlink()
    cli("ingest", folder, "--batch", "b")
    for stage in ("documents", "problems"):
        cli("build", "--stage", stage)
    printed = said.err + cli("rows", "problems", "--format", "jsonl").out + cli("rows", "problems").out
    assert not set(printed) & set("\x1b\x07\x9b\u202e")
    (row,) = [json.loads(line) for line in cli("rows", "problems", "--format", "jsonl").out.splitlines()]
    assert "\x9b31m" in row["question"]


def test_a_run_that_fails_without_a_failed_stage_is_no_success():
    class Result:
        success = False
        all_events = ()

    (failed,) = _failures(Result(), "b")
    assert not failed.users
    assert failed.partition == "b"
