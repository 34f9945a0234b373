"""Formal statements through the whole chain with a real Lean: items, formalizations of systems, scores, report."""

import json

import pytest

from lean_check import probe
from resources import lean
from stepforge.records import Item, LeanVerdict, ReportRow, Task
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
    "criticleanbench/1:judge_formalization": '{"formalization": "right"}',
    "criticleanbench/2:judge_formalization": '{"formalization": "wrong"}',
    "criticleanbench/3:judge_formalization": '{"formalization": "right"}',
    "criticleanbench/4:judge_formalization": "It does not compile.",
}
CRITICISED = [  # words, Lean, tag: of the first three Lean and people agree, of the next two they do not
    (
        "If a equals b then b equals a.",
        "theorem c (a b : Nat) (h : a = b) : b = a := by sorry",
        "compile_right_is_right",
    ),
    (
        "If a equals b then b equals a.",
        "theorem c (a b : Nat) (h : a = b) : a = a := by sorry",
        "compile_right_is_false",
    ),
    ("If a equals b then b equals a.", "theorem c (a b : Natt) (h : a = b) : b = a := by sorry", "compile_false"),
    ("Each number is at most itself.", "theorem c (n : Nat) : n ≤ n := by sorry", "compile_false"),
    ("Each number is itself.", "theorem c (n : Nat) : n = nn := by sorry", "compile_right_is_right"),
    ("One is one.", "import Mathlib\ntheorem c : 1 = 1 := by sorry", "compile_right_is_right"),
    ("Two is two.", 'notation "two" => 2\ntheorem c : two = 2 := by sorry', "compile_right_is_right"),
]
FIMO_LEAN = "import fimo_import\n\n" + "\n".join(
    f"theorem fimo_2006_algebra_p{n} : 1 = 1 :=\nbegin\n  sorry\nend\n" for n in (1, 9)
)


def criticised():
    for number, (words, formal, tag) in enumerate(CRITICISED, 1):
        yield {"id": number, "refined_statement": words, "autoformalization": formal, "tag": tag, "source": "s"}


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
    (folder / "critic.jsonl").write_text("\n".join(map(json.dumps, criticised())))
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
    assert sorted(tasks) == ["criticleanbench/1:formalize", "native/swap:formalize", "native/two:formalize"]
    assert tasks["native/two:formalize"].target.lean_statement == "theorem two : 1 + 1 = 2 := rfl"
    assert "theorem two" not in tasks["native/two:formalize"].instruction
    dropped = built.home.store.pointer("filtered_items", "b").dropped
    assert dropped == {Reason.LEAN_REJECTED: 2, Reason.LEAN3_SOURCE: 1}


def test_words_and_theorem_of_two_files_are_one_problem_that_stays_without_its_lean_3(built):
    pointer = built.home.store.pointer("problems", "b")
    assert (pointer.rows_in, pointer.rows_kept, pointer.not_applicable) == (14, 13, {Reason.JOINED_TO_WORDS: 1})
    items = {i.problem_id: i for i in stored(built, "filtered_items", "b", Item)}
    assert items["fimo/fimo_2006_algebra_p1"].problem.lean_statement is None
    assert items["fimo/fimo_2006_algebra_p1"].problem.question == FIMO["informal_statement"]
    assert "fimo/fimo_2006_algebra_p9" not in items  # a theorem without words
    verdicts = {v.problem_id: v.reasons for v in stored(built, "lean_verdicts", "b", LeanVerdict)}
    assert verdicts["fimo/fimo_2006_algebra_p1"] == verdicts["fimo/fimo_2006_algebra_p9"] == ("lean3_source",)


def test_every_labelled_formalization_is_judged_whatever_lean_says_of_it(built):
    tasks = [t for t in stored(built, "benchmark_tasks", "b", Task) if t.kind is TaskKind.JUDGE_FORMALIZATION]
    assert [t.problem_id for t in tasks] == [f"criticleanbench/{n}" for n in range(1, 8)]
    rows = {
        (r.system, r.metric, r.group): (r.value, r.n)
        for r in stored(built, "report", None, ReportRow)
        if r.metric.startswith("correctness") and r.breakdown in ("all", "label")
    }
    assert rows["oracle", "correctness", "all"] == (1.0, 7)
    assert rows["null", "correctness", "all"] == (0.0, 7)
    assert rows["model", "correctness", "all"] == (2 / 7, 7)
    assert rows["model", "correctness", "misaligned"] == (1.0, 1)
    assert rows["model", "correctness_precision", "all"] == (1.0, 1)
    assert rows["model", "correctness_recall", "all"] == (1 / 3, 3)
    page = (built.root / "report" / "index.html").read_text("utf-8")
    assert 'data-row="criticleanbench" data-compared="5" data-share="0.6" data-not-judged="2"' in page
    assert 'data-row="criticleanbench: right" data-accepted="1" data-rejected="2" data-infrastructure="1"' in page


def test_where_no_lean_is_usable_formalizations_are_still_judged_and_nothing_is_compared(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "critic.jsonl").write_text("\n".join(map(json.dumps, criticised())))
    line = CommandLine(tmp_path / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lean, "find", lambda: None)
        patch.setattr("lean_check.toolchains.find", lambda *_: None)
        assert line("ingest", folder, "--batch", "b").code == 0
        assert line("build").code == 0
    verdicts = stored(line, "lean_verdicts", "b", LeanVerdict)
    assert {v.reasons for v in verdicts} == {("no_toolchain",), ("notation",)}
    tasks = stored(line, "benchmark_tasks", "b", Task)
    assert [t.kind for t in tasks] == [TaskKind.JUDGE_FORMALIZATION] * 7
    page = (line.root / "report" / "index.html").read_text("utf-8")
    assert 'data-row="criticleanbench" data-compared="0" data-share="" data-not-judged="7"' in page
    assert 'data-row="no_toolchain"' in page
    assert "do not trust the scores" not in page


def test_the_controls_and_a_system_are_scored_by_lean(built):
    rows = {(r.system, r.metric): r for r in stored(built, "report", None, ReportRow) if r.breakdown == "all"}
    found = {key: row.value for key, row in rows.items() if key[1].startswith("lean_")}
    assert found == {
        ("oracle", "lean_compile@1"): 1.0,
        ("oracle", "lean_align@1"): 1.0,
        ("null", "lean_compile@1"): 0.0,
        ("null", "lean_align@1"): 0.0,
        ("model", "lean_compile@1"): 1 / 3,
        ("model", "lean_align@1"): 1 / 3,
    }
    assert {rows[key].n for key in found} == {3}


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
    assert 'data-row="fimo" data-accepted="0" data-rejected="2" data-infrastructure="0"' in page
    assert 'data-row="lean3_source"' in page
    assert 'data-row="model" data-accepted="1" data-rejected="2" data-infrastructure="0"' in page
    assert "do not trust the scores" not in page
