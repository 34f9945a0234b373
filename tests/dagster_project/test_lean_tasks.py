"""Formal statements through the whole chain with a real Lean: items, formalizations of systems, scores, report."""

import json

import pytest

from lean_check import probe
from resources import lean
from stepforge.records import LeanVerdict, ReportRow, Task
from stepforge.vocabulary import Reason, TaskKind
from tests.lean_check.real import compiled_library, real_toolchain
from tests.pipeline import CommandLine, write_set
from tests.sources.test_formats import FIMO


def item(name, words, formal):
    return {"id": name, "question": words, "type": "statement", "language": "en", "lean": formal}


ITEMS = [
    item("swap", "If a equals b then b equals a.", "theorem swap (a b : Nat) (h : a = b) : b = a := by sorry"),
    item("two", "One and one are two.", "theorem two : 1 + 1 = 2 := rfl"),
    item("false", "Two is three.", "theorem bad : 2 = 3 := rfl"),
    item("typo", "Each Natt is itself.", "theorem typo (n : Natt) : n = n := sorry"),
]
REPLIES = {
    "native/swap:formalize": "So:\n```lean\ntheorem c (y x : Nat) : x = y → y = x := sorry\n```",
    "native/two:formalize": "```lean\ntheorem c : 1 + 1 = Three := sorry\n```",
}
FIMO_LEAN = "import fimo_import\n\ntheorem fimo_2006_algebra_p1 : 1 = 1 :=\nbegin\n  sorry\nend\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A home that was built with the packaged Lean and the test library."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    real_toolchain()
    root = tmp_path_factory.mktemp("lean")
    folder = write_set(root / "contest", ITEMS)
    (folder / "fimo_2006_algebra_p1.json").write_text(json.dumps(FIMO))
    (folder / "fimo.lean").write_text(FIMO_LEAN)
    rows = [json.dumps({"task_id": task_id, "reply": reply}) for task_id, reply in REPLIES.items()]
    (root / "replies.jsonl").write_text("\n".join(rows))
    line = CommandLine(root / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEAN_CHECK_LEAN_PATH", str(compiled_library()))
        lean.toolchain_version.cache_clear()
        assert line("ingest", folder, "--batch", "b").code == 0
        assert line("system", "add", "model", "--replies", root / "replies.jsonl").code == 0
        assert line("build").code == 0
    lean.toolchain_version.cache_clear()
    return line


def stored(line, stage, partition, record):
    return line.home.store.stored(stage, partition).rows(record)


def test_what_lean_took_becomes_a_task_to_formalize_and_what_it_refused_does_not(built):
    tasks = {t.task_id: t for t in stored(built, "benchmark_tasks", "b", Task) if t.kind is TaskKind.FORMALIZE}
    assert sorted(tasks) == ["native/swap:formalize", "native/two:formalize"]
    assert tasks["native/two:formalize"].target.lean_statement == "theorem two : 1 + 1 = 2 := rfl"
    assert "theorem two" not in tasks["native/two:formalize"].instruction
    dropped = built.home.store.pointer("filtered_items", "b").dropped
    assert dropped == {Reason.LEAN_REJECTED: 2, Reason.LEAN3_SOURCE: 1}


def test_words_and_theorem_of_two_files_are_one_problem(built):
    pointer = built.home.store.pointer("problems", "b")
    assert (pointer.rows_in, pointer.rows_kept, pointer.not_applicable) == (6, 5, {Reason.JOINED_TO_WORDS: 1})


def test_the_controls_and_a_system_are_scored_by_lean(built):
    rows = {(r.system, r.metric): r for r in stored(built, "report", None, ReportRow) if r.breakdown == "all"}
    found = {key: row.value for key, row in rows.items() if key[1].startswith("lean_")}
    assert found == {
        ("oracle", "lean_compile@1"): 1.0,
        ("oracle", "lean_align@1"): 1.0,
        ("null", "lean_compile@1"): 0.0,
        ("null", "lean_align@1"): 0.0,
        ("model", "lean_compile@1"): 0.5,
        ("model", "lean_align@1"): 0.5,
    }
    assert {rows[key].n for key in found} == {2}


def test_every_verdict_says_how_it_came_about(built):
    found = {v.item_id: v for v in stored(built, "candidate_verdicts", "model", LeanVerdict)}
    assert found["native/swap:formalize|0"].equivalent
    assert found["native/two:formalize|0"].reasons == ("unknown_name",)
    oracle = stored(built, "candidate_verdicts", "oracle", LeanVerdict)
    assert {v.equivalence for v in oracle} == {("same_text",)}
    null = stored(built, "candidate_verdicts", "null", LeanVerdict)
    assert {v.reasons for v in null} == {("no_lean_code",)}


def test_the_report_groups_failures_by_kind_of_error(built):
    page = (built.root / "report" / "index.html").read_text("utf-8")
    assert 'data-row="native" data-accepted="2" data-rejected="2" data-infrastructure="0"' in page
    assert 'data-row="fimo" data-accepted="0" data-rejected="1" data-infrastructure="0"' in page
    assert 'data-row="lean3_source"' in page
    assert 'data-row="model" data-accepted="1" data-rejected="1" data-infrastructure="0"' in page
    assert "do not trust the scores" not in page
