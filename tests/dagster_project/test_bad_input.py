"""Every user's mistake is one clear line on standard error, exit code 2, no traceback."""

import json
import zipfile

import pytest

from tests.pipeline import chain, write_set


def refused(said, *words):
    assert said.code == 2, said
    assert said.err.startswith("error: "), said.err
    assert "Traceback" not in said.out + said.err
    for word in words:
        assert word in said.err, said.err


def test_an_empty_folder(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    refused(cli("ingest", tmp_path / "empty", "--batch", "b"), "no files in it")


def test_a_path_that_does_not_exist(cli, tmp_path):
    refused(cli("ingest", tmp_path / "nowhere", "--batch", "b"), "nowhere", "no such file or folder")


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "x" * 101, "a..b", "ünï"])
def test_a_batch_name_that_could_be_a_path(cli, tmp_path, name):
    refused(cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", name), "cannot name a batch")


def test_two_batches_of_one_name(cli, tmp_path):
    assert cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b").code == 0
    other = write_set(tmp_path / "d", [chain(1)])
    refused(cli("ingest", other, "--batch", "b"), "'b' exists with other content", "--replace")
    assert cli("ingest", other, "--batch", "b", "--replace").code == 0


def test_the_same_files_again_change_nothing(cli, tmp_path):
    folder = write_set(tmp_path / "c", [chain(0)])
    cli("ingest", folder, "--batch", "b")
    said = cli("ingest", folder, "--batch", "b")
    assert said.code == 0
    assert "nothing changed" in said.out


@pytest.mark.parametrize(
    ("text", "word"),
    [("licence = ", "not valid TOML"), ("license = 'MIT'", "license"), ("published_on = 'soon'", "published_on")],
)
def test_batch_settings_that_cannot_be_read(cli, tmp_path, text, word):
    folder = write_set(tmp_path / "c", [chain(0)])
    (folder / "contest.toml").write_text(text)
    refused(cli("ingest", folder, "--batch", "b"), "contest.toml", word)


def test_a_home_that_cannot_be_written(cli, tmp_path):
    (tmp_path / "file").write_text("")
    cli.root = tmp_path / "file" / "home"
    refused(cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b"), "cannot be written", "STEPFORGE_HOME")


def test_a_stage_before_its_inputs(cli, tmp_path):
    cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    refused(cli("build", "--stage", "variants"), "variants reads labelled_problems of b", "stepforge build")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build",), "no batch yet"),
        (("build", "--batch", "x"), "no batch 'x'"),
        (("build", "--stage", "x"), "no stage 'x'"),
        (("build", "--stage", "variants", "--from", "variants"), "one of them"),
        (("build", "--stage", "variants", "--to", "variants"), "one of them"),
        (("build", "--to", "x"), "no stage 'x'"),
        (("build", "--from", "variants", "--to", "problems"), "problems is not made of variants"),
        (("rows", "nothing"), "no stage 'nothing'"),
        (("rows", "problems"), "has not been built yet"),
        (("rows", "problems", "--batch", "x"), "no batch 'x'"),
        (("report",), "no report yet"),
        (("rejections", "--batch", "x"), "no batch or system 'x'"),
        (("system", "add", "oracle", "--replies", "x"), "no such file"),
    ],
)
def test_a_request_for_what_is_not_there(cli, tmp_path, words, said):
    if words[0] == "build" and len(words) > 1:
        cli("ingest", write_set(tmp_path / "c", [chain(0)]), "--batch", "b")
    refused(cli(*words), said)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "line 2: not valid JSON"),
        ('{"reply": "4"}', "line 2: needs one of"),
        ('{"question": "q"}', "line 2: has no field 'reply'"),
        ('{"question": "q", "reply": 4}', "line 2: 'reply' is no text but int"),
        ("[" * 5000, "line 2: not valid JSON"),
    ],
)
def test_a_file_of_replies_with_a_broken_line(cli, tmp_path, line, word):
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({"question": "q", "reply": "4"}) + "\n" + line + "\n")
    refused(cli("system", "add", "mine", "--replies", path), "replies.jsonl", word)


def test_a_control_cannot_be_replaced(cli, tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({"question": "q", "reply": "4"}))
    refused(cli("system", "add", "oracle", "--replies", path), "'oracle' is a control")


def test_an_unreadable_pdf_is_a_rejection_and_the_rest_goes_on(cli, tmp_path):
    folder = write_set(tmp_path / "c", [chain(0), chain(1)])
    (folder / "paper.pdf").write_bytes(b"%PDF-1.7 and then nothing of the kind")
    (folder / "empty.pdf").write_bytes(b"")
    cli("ingest", folder, "--batch", "b")
    assert cli("build", "--from", "documents", "--batch", "b").code == 0
    refusals = [json.loads(line) for line in cli("rejections", "--batch", "b", "--format", "jsonl").out.splitlines()]
    reasons = {r["record_id"].split("#")[0]: r["reason"] for r in refusals}
    assert reasons["empty.pdf"] == "empty_file"
    assert {"unreadable_page", "unreadable_document"} & set(reasons.values())
    assert len(cli("rows", "problems", "--batch", "b", "--format", "jsonl").out.splitlines()) == 2


def test_one_broken_record_among_a_thousand_costs_one_record(cli, tmp_path):
    problems = [chain(i) for i in range(1000)]
    problems[500] = {"id": "broken", "question": ["not", "a", "text"]}
    cli("ingest", write_set(tmp_path / "c", problems), "--batch", "b")
    for stage in ("documents", "problems"):
        assert cli("build", "--stage", stage, "--batch", "b").code == 0
    assert cli.home.store.pointer("problems", "b").rows_out == 999
    (refusal,) = cli.home.store.stored("problems", "b").rejections()
    assert refusal.reason == "malformed_record"
    assert "question" in refusal.detail
    assert "problems.json" in refusal.detail


def test_a_missing_image_is_a_rejection_that_names_the_file(cli, tmp_path):
    figure = {**chain(0), "question": "See <image_1>. What is 1 + 1?", "images": ["figures/none.png"]}
    cli("ingest", write_set(tmp_path / "c", [figure, chain(1)]), "--batch", "b")
    for stage in ("documents", "problems", "clean_problems", "selected_problems"):
        assert cli("build", "--stage", stage).code == 0
    (refusal,) = cli.home.store.stored("selected_problems", "b").rejections()
    assert refusal.reason == "missing_image"
    assert "figures/none.png" in refusal.detail


def test_an_archive_is_a_batch_of_its_own_files_and_its_tricks_are_rejections(cli, tmp_path):
    folder = write_set(tmp_path / "c", [chain(0), chain(1)])
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        for file in folder.iterdir():
            archive.writestr(file.name, file.read_bytes())
        archive.writestr("contest.toml", 'licence = "CC-BY-4.0"')
        archive.writestr("../../escaped.json", b"[]")
    assert cli("ingest", tmp_path / "set.zip", "--batch", "b").code == 0
    assert cli("build", "--to", "problems").code == 0
    rows = cli.home.store.stored("problems", "b").table()
    assert rows["licence"].to_pylist() == ["CC-BY-4.0"] * 2
    (refusal,) = [r for r in cli.home.store.stored("documents", "b").rejections() if r.reason != "batch_settings"]
    assert refusal.reason == "refused_archive_file"
    assert "leaves the archive" in refusal.detail
    assert not list(tmp_path.rglob("escaped.json"))


def test_files_of_an_archive_beside_others_stand_below_its_name(cli, tmp_path):
    folder = write_set(tmp_path / "c", [chain(0)])
    inner = next(folder.iterdir())
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        archive.writestr("inner/more.json", inner.read_bytes().replace(b"p0000", b"p0001"))
    assert cli("ingest", folder, "--batch", "b").code == 0
    assert [f.path for f in cli.home.batches.get("b").files] == sorted([inner.name, "more.zip/inner/more.json"])
