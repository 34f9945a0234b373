"""Copies across batches and of public benchmarks, through the command line."""

import json

import pytest

from dagster_project.plan import plan
from resources.arrivals import arrival_order
from stepforge.records import Problem, Task
from stepforge.vocabulary import Reason
from tests.pipeline import chain, write_set

STAGE = "selected_problems"


def row(i, name, **changes):
    return {**chain(i), "id": name, **changes}


def misspelt(i, name):
    return row(i, name, question=chain(i)["question"].replace("boxes", "bxoes").replace("pens", "pnes"))


@pytest.fixture
def bring(cli, tmp_path):
    """Ingest problems as a batch."""

    def ingest(batch, *problems, options=()):
        folder = write_set(tmp_path / f"{batch}-{len(list(tmp_path.iterdir()))}", list(problems))
        said = cli("ingest", folder, "--batch", batch, *options)
        assert said.code == 0, said.err

    return ingest


def kept(cli, batch):
    return sorted(p.problem_id.split("/")[1] for p in cli.home.store.stored(STAGE, batch).rows(Problem))


def refused(cli, batch):
    return {r.record_id.split("/")[1]: r for r in cli.home.store.stored(STAGE, batch).rejections()}


def test_a_copy_of_an_earlier_batch_is_refused_and_says_of_which(cli, bring):
    bring("zebra", row(0, "first"), row(1, "second"))
    bring("ant", misspelt(0, "copy"), row(1, "again"), row(2, "new"))
    assert arrival_order(cli.home) == ["zebra", "ant"]
    assert cli("build", "--to", STAGE).code == 0
    assert (kept(cli, "zebra"), kept(cli, "ant")) == (["first", "second"], ["new"])
    found = refused(cli, "ant")
    assert {r.reason for r in found.values()} == {Reason.DUPLICATE_ACROSS_BATCHES}
    assert "native/first of batch zebra" in found["copy"].detail
    assert "'bxoes'" in found["copy"].detail
    variant = cli.home.store.stored(STAGE, "ant").rows(Problem)[0]
    assert variant.variant_of == "native/first"


def test_copies_in_one_batch_are_told_apart_by_how_they_are_copies(cli, bring):
    bring("one", row(0, "a"), row(0, "b"), misspelt(0, "c"), row(3, "d"))
    assert cli("build", "--to", STAGE).code == 0
    assert kept(cli, "one") == ["a", "d"]
    reasons = {name: r.reason for name, r in refused(cli, "one").items()}
    assert reasons == {"b": Reason.DUPLICATE_PROBLEM, "c": Reason.NEAR_DUPLICATE_PROBLEM}


def test_one_build_is_enough_and_a_new_version_of_a_batch_keeps_its_place(cli, bring):
    bring("zebra", row(0, "first"))
    bring("ant", misspelt(0, "copy"), row(2, "new"))
    assert cli("build", "--to", STAGE).code == 0
    assert cli("build", "--to", STAGE).out.count("nothing to do") == 1
    bring("zebra", row(5, "other"), options=["--replace"])
    assert arrival_order(cli.home) == ["zebra", "ant"]
    why = {(s.stage, s.partition): s.why for s in plan(cli.home)}
    assert why[STAGE, "ant"] == "selected_problems of zebra will be rebuilt"
    assert cli("build", "--to", STAGE).code == 0
    assert kept(cli, "ant") == ["copy", "new"]
    assert cli("build", "--to", STAGE).out.count("nothing to do") == 1


def test_a_batch_after_others_leaves_them_as_they_are(cli, bring):
    bring("one", row(0, "a"))
    assert cli("build", "--to", STAGE).code == 0
    bring("two", row(4, "b"))
    assert not [s for s in plan(cli.home) if s.partition == "one" and s.stage == STAGE]


def test_without_the_earlier_batch_the_copy_is_no_copy(cli, bring):
    bring("one", row(0, "a"))
    bring("two", misspelt(0, "b"))
    assert cli("build", "--to", STAGE).code == 0
    assert kept(cli, "two") == []
    assert cli("remove", "--batch", "one").code == 0
    assert "earlier_batches changed" in cli("status", "--batch", "two").out
    assert cli("build", "--to", STAGE).code == 0
    assert kept(cli, "two") == ["b"]


def test_problems_of_a_public_benchmark_are_compared_with_and_never_asked(cli, bring):
    bring("mine", misspelt(0, "copy"), row(2, "own"))
    assert cli("build").code == 0
    assert kept(cli, "mine") == ["copy", "own"]
    bring("public", row(0, "known"), options=["--public-benchmark"])
    assert arrival_order(cli.home) == ["public", "mine"]
    assert cli("build").code == 0
    assert kept(cli, "mine") == ["own"]
    found = refused(cli, "mine")["copy"]
    assert found.reason is Reason.PUBLIC_BENCHMARK_PROBLEM
    assert "native/known of batch public" in found.detail
    pointer = cli.home.store.pointer(STAGE, "public")
    assert (pointer.rows_out, pointer.dropped) == (0, {})
    assert pointer.not_applicable == {"public_benchmark": 1}
    tasks = [t for b in ("mine", "public") for t in cli.home.store.stored("benchmark_tasks", b).rows(Task)]
    assert {t.problem_id for t in tasks} == {"native/own"}
    assert "nothing to do" in cli("build").out


def test_a_batch_says_itself_that_it_is_public(cli, tmp_path, bring):
    folder = write_set(tmp_path / "set", [row(0, "known")])
    (folder / "contest.toml").write_text("public_benchmark = true\n")
    assert cli("ingest", folder, "--batch", "public").code == 0
    bring("mine", row(0, "copy"))
    assert cli("build", "--to", STAGE).code == 0
    assert kept(cli, "mine") == []


def test_what_is_kept_for_later_batches_may_be_lost_or_damaged(cli, bring):
    bring("one", row(0, "a"), row(1, "b"))
    bring("two", misspelt(0, "c"), row(6, "d"))
    assert cli("build", "--to", STAGE).code == 0
    files = sorted((cli.root / "signatures").glob(f"{STAGE}-one-*.npz"))
    assert len(files) == 1
    whole, first = files[0].read_bytes(), cli.home.store.pointer(STAGE, "two").data_version
    for damage in (b"", whole[: len(whole) // 2], whole[:-1] + b"x"):
        files[0].write_bytes(damage)
        assert cli("build", "--stage", STAGE, "--batch", "two").code == 0
        assert cli.home.store.pointer(STAGE, "two").data_version == first
        assert files[0].read_bytes() == whole
    files[0].unlink()
    assert cli("build", "--stage", STAGE, "--batch", "two").code == 0
    assert cli.home.store.pointer(STAGE, "two").data_version == first


def test_a_row_more_changes_what_is_kept_for_later_batches_in_place(cli, bring):
    bring("one", row(0, "a"))
    assert cli("build", "--to", STAGE).code == 0
    bring("one", row(0, "a"), row(7, "b"), options=["--replace"])
    assert cli("build", "--to", STAGE).code == 0
    assert len(list((cli.root / "signatures").iterdir())) == 1


def test_the_command_reads_files_alone(cli, tmp_path):
    def lines(name, *rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(r) + "\n" for r in rows))
        return path

    known = lines("known.jsonl", {"id": "k", "question": chain(0)["question"]})
    mine = lines(
        "mine.jsonl",
        {"id": 1, "question": misspelt(0, "")["question"]},
        {"id": "2", "question": chain(3)["question"]},
        {"id": "3", "question": f"Question: {chain(3)['question']} Think step by step."},
    )
    out = tmp_path / "out.jsonl"
    assert cli("duplicates", "--input", mine, "--against", known, "--output", out).code == 0
    found = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(r["id"], r["kind"], r.get("against", False)) for r in found] == [
        ("1", "near", True), ("2", "variant", True), ("3", "near", False),
    ]  # fmt: skip
    assert found[0]["duplicate_of"] == "k"
    assert found[2]["duplicate_of"] == "2"
    assert found[1]["variant_of"] == "k"


def test_the_command_names_rows_that_it_cannot_read(cli, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": "a", "question": "x"}\nno\n[1]\n{"id": "b"}\n{"id": "c", "question": "y", "images": 3}\n')
    said = cli("duplicates", "--input", path)
    assert said.code == 2
    assert [n for n in range(1, 6) if f"{path}:{n}:" in said.err] == [2, 3, 4, 5]


def test_the_command_reads_no_file_outside_of_the_folder_of_images(cli, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"\x89PNG")
    (tmp_path / "images").mkdir()
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "x", "images": ["../secret.png"]}) + "\n")
    said = cli("duplicates", "--input", path, "--images", tmp_path / "images")
    assert said.code == 2
    assert "is not in the folder" in said.err
