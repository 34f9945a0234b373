"""`stepforge review`, from the export to what later stages obey."""

import json
import shutil
from contextlib import suppress

import pytest
from PIL import Image, ImageDraw

from dagster_project.plan import plan
from resources import review_projects
from resources.reviews import decisions, outcomes_of
from stepforge.records import Item, Rejection, ReportRow
from stepforge.review._label_studio import NO_FIGURE
from tests.pipeline import CommandLine, chain, write_set
from tests.review.label_studio import SOUND, annotated, export, minimal

NAMES = ("wilhelmina", "balthasar", "kunigunde")
HOSTILE = "<script>alert(1)</script> costs $x$ \\frac{1}{2}"


def problems(first, n):
    rows = [{**chain(i), "id": f"p{i}"} for i in range(first, first + n)]
    rows[0]["question"] = f"{HOSTILE} {rows[0]['question']}"
    return rows


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two batches, built; copied for each test."""
    root = tmp_path_factory.mktemp("reviewed")
    line = CommandLine(root / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEPFORGE_MODELS", str(root / "none.toml"))
        for name, first in (("one", 0), ("two", 10)):
            folder = write_set(root / name, problems(first, 5))
            assert line("ingest", folder, "--batch", name).code == 0
        assert line("build").code == 0
    return line.root


@pytest.fixture
def home(tmp_path, capsys, made, monkeypatch):
    monkeypatch.setenv("STEPFORGE_MODELS", str(tmp_path / "none.toml"))
    shutil.copytree(made, tmp_path / "home")
    return CommandLine(tmp_path / "home", capsys)


def write(line, out, *more, reviewers="wilhelmina,balthasar", protocol="two-round", stage="labelled_problems"):
    words = ["review", "export", "--protocol", protocol, "--stage", stage, "--out", str(out), *more]
    if stage == "labelled_problems":
        words += ["--kind", "problem"]
    return line(*words, *(["--reviewers", reviewers] if reviewers else []))


def stale(line):
    return {(one.stage, one.partition) for one in plan(line.home)}


def about(data, number):
    """Whether the task is on `chain(number)`."""
    return f"packs {3 + number} boxes" in data["shown"]


def wilhelmina(data):
    if about(data, 1):
        return {**SOUND, "question": "incomplete"}
    if about(data, 2):
        return {**SOUND, "answer": "wrong", "corrected_answer": "1"}
    return SOUND


def balthasar(data):
    return {**SOUND, "question": "incomplete", "comment": "half of it is gone"} if about(data, 1) else SOUND


def first_round(line, tmp_path, *more):
    said = write(line, tmp_path / "out", *more)
    assert said.code == 0, said.err
    files = [
        export(tmp_path / "w.json", annotated(tmp_path / "out/wilhelmina/problem-round-1", wilhelmina)),
        export(tmp_path / "b.json", minimal(annotated(tmp_path / "out/balthasar/problem-round-1", balthasar, by=9))),
    ]
    said = line("review", "import", *files)
    assert said.code == 0, said.err
    return files


def test_projects_are_blind_shuffled_and_written_again_alike(home, tmp_path):
    assert write(home, tmp_path / "a").code == 0
    assert write(home, tmp_path / "b", reviewers="balthasar,wilhelmina").code == 0
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert [str(f) for f in files] == [
        f"{who}/problem-round-1/{name}" for who in ("balthasar", "wilhelmina") for name in ("config.xml", "tasks.json")
    ]
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    tasks = {who: json.loads((tmp_path / f"a/{who}/problem-round-1/tasks.json").read_text()) for who in NAMES[:2]}
    orders = [[task["data"]["review_item"] for task in of] for of in tasks.values()]
    assert len(orders[0]) == 10
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    text = json.dumps(list(tasks.values()))
    for hidden in (*NAMES, "native", "p0", "R1", "R2", "CC0", "<script", "rules"):
        assert hidden not in text, hidden
    assert "&lt;script&gt;" in text
    assert "<math" in text
    assert all(set(task) == {"data"} for of in tasks.values() for task in of)


def test_items_of_one_export_go_to_nobody_else(home, tmp_path):
    assert write(home, tmp_path / "a", "--limit", "2", "--batch", "one").code == 0
    again = write(home, tmp_path / "a", "--limit", "2", "--batch", "one")
    assert "3 further items" in again.out
    assert write(home, tmp_path / "b", "--batch", "one", reviewers="kunigunde,balthasar").code == 0
    first, second = (
        {task["data"]["review_item"] for task in json.loads(path.read_text())}
        for path in (
            tmp_path / "a/balthasar/problem-round-1/tasks.json",
            tmp_path / "b/balthasar/problem-round-1/tasks.json",
        )
    )
    assert (len(first), len(second)) == (2, 3)
    assert first.isdisjoint(second)
    none = write(home, tmp_path / "c", "--batch", "one", reviewers="kunigunde,wilhelmina")
    assert none.code == 2
    assert "no item is left" in none.err


def test_an_import_twice_changes_nothing_and_an_older_one_does_not_undo_a_change(home, tmp_path):
    files = first_round(home, tmp_path)
    before = decisions(home.home, "one")
    assert "10 known" in home("review", "import", *files).out
    assert decisions(home.home, "one") == before
    folder = tmp_path / "out/wilhelmina/problem-round-1"
    changed = export(tmp_path / "later.json", annotated(folder, lambda _data: SOUND, minute=30))
    assert "2 changed" in home("review", "import", changed).out
    assert "2 older" in home("review", "import", files[0]).out
    (history,) = [
        [(d.revision, next(a.values for a in d.answers if a.field == "answer")) for d in decisions(home.home, "one")
         if d.item == outcome.item.item and d.reviewer != "R0" and d.problem_id == "native/p2"]
        for outcome in outcomes_of(home.home, "one") if outcome.item.problem_id == "native/p2"
    ]  # fmt: skip
    assert sorted(history) == [(0, ("right",)), (0, ("wrong",)), (1, ("right",))]


def test_later_stages_obey_and_only_the_batch_that_is_concerned_is_stale(home, tmp_path):
    assert stale(home) == set()
    first_round(home, tmp_path)
    assert {("filtered_items", "one"), ("benchmark_tasks", "one")} <= stale(home)
    assert not {partition for _, partition in stale(home)} & {"two"}
    assert home("build").code == 0
    kept = {item.problem_id for item in home.home.store.stored("filtered_items", "one").rows(Item)}
    assert kept == {"native/p0", "native/p2", "native/p3", "native/p4"}
    (refused,) = home.home.store.stored("filtered_items", "one").rejections()
    assert isinstance(refused, Rejection)
    assert (refused.record_id, refused.reason) == ("native/p1", "refused_by_review")
    assert "question:incomplete" in refused.detail
    assert stale(home) == set()
    told = home("lineage", "filtered_items", "--batch", "one", "--record", "native/p1")
    assert "refused_by_review" in told.out


def test_arbitration_shows_both_verdicts_without_names_and_decides(home, tmp_path):
    first_round(home, tmp_path)
    refused = write(home, tmp_path / "arb", "--round", "2", reviewers="balthasar")
    assert refused.code == 2
    assert "let others arbitrate" in refused.err
    assert write(home, tmp_path / "arb", "--round", "2", reviewers="kunigunde").code == 0
    folder = tmp_path / "arb/kunigunde/problem-round-arbitration"
    (task,) = json.loads((folder / "tasks.json").read_text())
    shown = task["data"]["shown"]
    assert "Verdict A" in shown
    assert "Verdict B" in shown
    for hidden in (*NAMES, "R1", "R2"):
        assert hidden not in json.dumps(task)
    decided = export(tmp_path / "k.json", annotated(folder, wilhelmina))
    assert "1 corrected" in home("review", "import", decided).out
    assert home("build").code == 0
    reasons = {r.record_id: r.reason for r in home.home.store.stored("filtered_items", "one").rejections()}
    # the solution ends in the answer that the arbiter found wrong
    assert reasons == {"native/p1": "refused_by_review", "native/p2": "answer_contradicts_solution"}


def test_the_report_has_agreement_and_no_name(home, tmp_path):
    first_round(home, tmp_path)
    assert home("build").code == 0
    page = (home.root / "report/index.html").read_text("utf-8")
    assert 'data-table="review-agreement"' in page
    assert 'data-row="R1 and R2, problem: answer"' in page
    for name in NAMES:
        assert name not in page
    for path in (home.root / "tables").rglob("*.parquet"):
        assert not any(name.encode() in path.read_bytes() for name in NAMES)
    assert home.home.store.stored("report", None).rows(ReportRow)


def test_status_tells_progress_agreement_and_what_waits(home, tmp_path):
    assert "nothing was exported" in home("review", "status").out
    first_round(home, tmp_path)
    rows = [json.loads(line) for line in home("review", "status", "--format", "jsonl").out.splitlines()]
    of = {what: [row for row in rows if row["what"] == what] for what in ("items", "progress", "agreement", "pair")}
    assert {(r["batch"], r["items"], r["accepted"], r["refused"], r["disputed"]) for r in of["items"]} == {
        ("one", 5, 3, 1, 1),
        ("two", 5, 5, 0, 0),
    }
    assert {(r["name"], r["answered"], r["of"]) for r in of["progress"]} == {(who, 10, 10) for who in NAMES[:2]}
    answer = next(r for r in of["agreement"] if r["field"] == "answer")
    assert answer["agreement"]["value"] == pytest.approx(0.9)
    assert next(r for r in of["agreement"] if r["field"] == "question")["alpha"]["value"] == 1
    assert next(r for r in of["agreement"] if r["field"] == "figure")["alpha"]["value"] is None
    table = home("review", "status").out
    assert "1 items wait for arbitration" in table
    shown = json.loads(home("review", "show", "native/p1").out)
    assert shown["refused_by"] == "question:incomplete"
    assert len(shown["decisions"]) == 2


def test_a_batch_that_demands_review_holds_back_what_nobody_judged(home, tmp_path):
    folder = write_set(tmp_path / "strict", problems(20, 3))
    (folder / "contest.toml").write_text('review = "required"\n')
    assert home("ingest", folder, "--batch", "strict").code == 0
    assert home("build").code == 0
    held = home.home.store.stored("filtered_items", "strict")
    assert held.pointer.dropped == {"awaiting_review": 3}
    assert home.home.store.stored("filtered_items", "two").pointer.rows_out == 5
    assert write(home, tmp_path / "out", "--batch", "strict").code == 0
    files = [
        export(tmp_path / f"{who}.json", annotated(tmp_path / f"out/{who}/problem-round-1", lambda _data: SOUND))
        for who in NAMES[:2]
    ]
    assert home("review", "import", *files).code == 0
    assert home("build").code == 0
    assert home.home.store.stored("filtered_items", "strict").pointer.rows_out == 3


def test_a_fault_in_one_file_leaves_everything_out(home, tmp_path):
    assert write(home, tmp_path / "out").code == 0
    good = export(tmp_path / "g.json", annotated(tmp_path / "out/wilhelmina/problem-round-1", wilhelmina))
    rows = annotated(tmp_path / "out/balthasar/problem-round-1", lambda _data: {**SOUND, "answer": "perhaps"})
    bad = export(tmp_path / "bad.json", rows)
    said = home("review", "import", good, bad)
    assert said.code == 2
    assert f"{bad}, task 1, field answer: 'perhaps' is none of right" in said.err
    assert "9 more faults" in said.err
    assert decisions(home.home, "one") == decisions(home.home, "two") == []


def test_two_accounts_in_one_project_must_be_told_apart(home, tmp_path):
    assert write(home, tmp_path / "out").code == 0
    rows = annotated(tmp_path / "out/wilhelmina/problem-round-1", wilhelmina, by=3)
    others = annotated(tmp_path / "out/wilhelmina/problem-round-1", balthasar, by={"id": 4, "email": "b@school.org"})
    for row, other in zip(rows, others, strict=True):
        row["annotations"] += other["annotations"]
    shared = export(tmp_path / "shared.json", rows)
    said = home("review", "import", shared)
    assert said.code == 2
    assert "completed_by: accounts '3', 'b@school.org'" in said.err
    assert home("review", "import", shared, "--annotator", "b@school.org=nobody").code == 2
    said = home("review", "import", shared, "--annotator", "3=wilhelmina", "--annotator", "b@school.org=balthasar")
    assert "20 new answers" in said.out
    states = {outcome.item.problem_id: outcome.state for outcome in outcomes_of(home.home, "one")}
    assert states["native/p1"] == "refused"


def test_what_was_not_exported_here_is_refused(home, tmp_path):
    assert write(home, tmp_path / "out").code == 0
    rows = annotated(tmp_path / "out/wilhelmina/problem-round-1", wilhelmina)
    rows[2]["data"]["review_project"] = "0" * 16
    said = home("review", "import", export(tmp_path / "f.json", rows))
    assert said.code == 2
    assert "task 3: its project was not exported from this home" in said.err
    for text, told in (("{", "not valid JSON"), ("[" * 5000, "not valid JSON"), ("{}", "no export of Label Studio")):
        (tmp_path / "x.json").write_text(text)
        said = home("review", "import", tmp_path / "x.json")
        assert said.code == 2
        assert told in said.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--reviewers", "anna"], "needs two"),
        (["--reviewers", "anna,anna"], "stands there twice"),
        (["--reviewers", "a,b,c"], "odd number"),
        (["--reviewers", "../a,b"], "cannot name a reviewer"),
        (["--reviewers", "a,b", "--round", "7"], "has no round"),
        (["--reviewers", "a", "--round", "arbitration"], "no item on which reviewers disagree"),
        (["--reviewers", "a,b", "--kind", "beauty"], "nothing of labelled_problems is reviewed as 'beauty'"),
        (["--reviewers", "a,b", "--batch", "none"], "there is no batch"),
    ],
)
def test_a_request_that_means_nothing_is_told_so(home, tmp_path, words, told):
    said = home(
        "review", "export", "--protocol", "two-round", "--stage", "labelled_problems", "--out", tmp_path / "o", *words
    )
    assert said.code == 2
    assert told in said.err


def test_chains_steps_and_trajectories_are_reviewed_and_a_refused_chain_is_no_task(home, tmp_path):
    for stage, kind in (("milestones", "milestones"), ("solution_steps", "steps"), ("trajectories", "trajectories")):
        assert write(home, tmp_path / "out", "--batch", "one", protocol="two-annotator", stage=stage).code == 0
        assert (tmp_path / f"out/balthasar/{kind}-round-1/tasks.json").exists()
    assert write(home, tmp_path / "out", "--batch", "one", stage="variants").code == 0
    folder = tmp_path / "out/balthasar/variants-round-1"
    assert "wrong:" not in (folder / "tasks.json").read_text()
    answer = {"defect": "none"}
    files = [
        export(tmp_path / f"{who}.json", annotated(tmp_path / f"out/{who}/variants-round-1", lambda _data: answer))
        for who in NAMES[:2]
    ]
    assert home("review", "import", *files).code == 0
    assert home("build").code == 0
    pointer = home.home.store.stored("benchmark_tasks", "one").pointer
    assert pointer.rows_out == 5
    assert pointer.dropped["refused_by_review"] == home.home.store.stored("variants", "one").pointer.rows_out


def test_figures_are_drawn_anew_in_the_tasks_or_beside_them(home, tmp_path):
    folder = tmp_path / "figures"
    picture = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(picture).polygon([(20, 180), (280, 180), (150, 20)], outline="black", width=4)
    folder.mkdir()
    picture.save(folder / "t.png")
    drawn = {**chain(3), "id": "drawn", "question": "How long is the base in <image_1>, less one?", "images": ["t.png"]}
    write_set(folder, [drawn, {**chain(4), "id": "none", "question": "Bakers fill trays and eat one roll. How many?"}])
    assert home("ingest", folder, "--batch", "figures").code == 0
    assert home("build").code == 0
    assert write(home, tmp_path / "a", "--batch", "figures").code == 0
    tasks = json.loads((tmp_path / "a/balthasar/problem-round-1/tasks.json").read_text())
    figures = sorted(task["data"]["figures"][0][:22] for task in tasks)
    assert figures == ["data:image/png;base64,"] * 2
    assert sum(task["data"]["figures"] == [NO_FIGURE] for task in tasks) == 1
    assert "[Figure 1]" in json.dumps(tasks)
    assert "$figures" in (tmp_path / "a/balthasar/problem-round-1/config.xml").read_text()
    assert write(home, tmp_path / "b", "--batch", "figures", "--figures", "files").code == 0
    tasks = json.loads((tmp_path / "b/balthasar/problem-round-1/tasks.json").read_text())
    (path,) = (tmp_path / "b/balthasar/problem-round-1/images").iterdir()
    urls = {task["data"]["figures"][0] for task in tasks}
    assert urls == {NO_FIGURE, f"/data/local-files/?d=balthasar/problem-round-1/images/{path.name}"}
    with Image.open(path) as picture:
        assert picture.size == (300, 200)


def test_an_import_that_is_cut_off_is_completed_by_the_same_command(home, tmp_path, monkeypatch):
    assert write(home, tmp_path / "out").code == 0
    files = [export(tmp_path / "w.json", annotated(tmp_path / "out/wilhelmina/problem-round-1", wilhelmina))]
    keep = review_projects.keep_decisions

    def cut_off(of, batch, added):
        if batch == "two":
            raise KeyboardInterrupt
        keep(of, batch, added)

    monkeypatch.setattr(review_projects, "keep_decisions", cut_off)
    with suppress(KeyboardInterrupt):
        home("review", "import", *files)
    monkeypatch.undo()
    assert (len(decisions(home.home, "one")), len(decisions(home.home, "two"))) == (5, 0)
    said = home("review", "import", *files)
    assert "5 new answers, 0 changed, 5 known" in said.out
    assert len(decisions(home.home, "two")) == 5


def test_two_annotators_see_disputes_again_before_an_expert_does(home, tmp_path):
    words = {"protocol": "two-annotator", "stage": "labelled_problems"}
    assert write(home, tmp_path / "out", "--batch", "one", **words).code == 0
    files = [
        export(tmp_path / f"{who}.json", annotated(tmp_path / f"out/{who}/problem-round-1", answer))
        for who, answer in (("wilhelmina", wilhelmina), ("balthasar", balthasar))
    ]
    assert home("review", "import", *files).code == 0
    named = write(home, tmp_path / "out", "--round", "2", **words)
    assert named.code == 2
    assert "leave --reviewers out" in named.err
    assert write(home, tmp_path / "out", "--round", "2", reviewers="", **words).code == 0
    for who in NAMES[:2]:
        (task,) = json.loads((tmp_path / f"out/{who}/problem-round-2/tasks.json").read_text())
        assert "Verdict B" in task["data"]["shown"]
        rows = annotated(tmp_path / f"out/{who}/problem-round-2", lambda _data: SOUND)
        assert home("review", "import", export(tmp_path / f"{who}2.json", rows)).code == 0
    states = {outcome.item.problem_id: (outcome.state, outcome.round) for outcome in outcomes_of(home.home, "one")}
    assert states["native/p2"] == ("accepted", "2")
    assert states["native/p1"] == ("refused", "1")


def test_a_problem_linked_as_a_variant_is_shown_beside_its_original(home, tmp_path):
    words = ["review", "export", "--protocol", "two-annotator", "--stage", "labelled_problems", "--kind", "variant_of"]
    assert home(*words, "--reviewers", "a,b", "--batch", "one", "--out", tmp_path / "out").code == 0
    tasks = json.loads((tmp_path / "out/a/variant_of-round-1/tasks.json").read_text())
    assert tasks
    assert all("First problem: question" in task["data"]["shown"] for task in tasks)
    for who in ("a", "b"):
        rows = annotated(tmp_path / f"out/{who}/variant_of-round-1", lambda _data: {"relation": "same_problem"})
        assert home("review", "import", export(tmp_path / f"{who}.json", rows)).code == 0
    assert home("build").code == 0
    dropped = home.home.store.stored("filtered_items", "one").pointer.dropped
    assert dropped == {"refused_by_review": len(tasks)}
