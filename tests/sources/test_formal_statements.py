"""Sources with statements in Lean, on rows and files written for these tests."""

import json

import pytest

from stepforge.sources import head_of, joined, recognise
from stepforge.vocabulary import FormalLabel, ProblemType
from tests.sources.reading import native, read
from tests.sources.test_formats import CRITIC, FIMO, FORML4, MINIF2F, one
from tests.sources.test_streams import parquet

LEAN_4 = """/- a licence: theorem no (x : 1 := 2) -/
import MiniF2F.Minif2fImport

open BigOperators Real

lemma helper : 1 = 1 := rfl

/-- Show that  x is one. -/
@[simp]
theorem first (x : ℝ) (h : x = 1 := by simp) : x = 1 := by
  have : x = 1 := h
  exact this
#align first first

theorem second : ∀ n : ℕ, n = n := by sorry -- theorem third
theorem third : let x := 5; x = 5 := rfl
"""
LEAN_3 = """import minif2f_import

open_locale real

theorem mathd_algebra_1
  (x : ℝ) (h₀ : x = 1) :
  x + 1 = 2 :=
begin
  rw h₀,
  norm_num,
end
"""


def test_a_lean_file_gives_each_theorem_its_header_its_words_and_sorry_for_its_proof():
    first, second, third = read("lean4/Test.lean", LEAN_4).kept
    header = "import Mathlib\n\nopen BigOperators Real\n\n"  # in the place of the repository's own module
    assert first.lean_statement == (header + "@[simp]\ntheorem first (x : ℝ) (h : x = 1 := by simp) : x = 1 := sorry\n")
    assert (first.problem_id, first.question, first.problem_type) == (
        "minif2f/first",
        "Show that x is one.",
        ProblemType.PROOF,
    )
    assert first.licence == "CC0-1.0"  # what the batch says; the source's own stands where it says nothing
    assert second.lean_statement == header + "theorem second : ∀ n : ℕ, n = n := sorry\n"
    assert (second.question, second.problem_type) == ("theorem second : ∀ n : ℕ, n = n", ProblemType.STATEMENT)
    assert third.lean_statement == header + "theorem third : let x := 5; x = 5 := rfl\n"
    assert second.provenance.locator == "key:second"
    assert second.provenance.method == "lean"


def test_a_lean_3_file_is_read_as_it_is():
    problem = one("x/minif2f/lean/test.lean", LEAN_3.replace("minif2f_import", "common"))
    assert problem.lean_statement == (
        "import common\n\nopen_locale real\n\ntheorem mathd_algebra_1\n  (x : ℝ) (h₀ : x = 1) :\n  x + 1 = 2 := sorry\n"
    )


def test_lean_4_ports_of_proofnet_are_read_in_both_of_their_forms():
    sharp = {
        "id": "Rudin|exercise_1_1a",
        "nl_statement": "Prove it.",
        "nl_proof": "So.",
        "lean4_src_header": "import Mathlib\n",
        "lean4_formalization": "theorem exercise_1_1a : 1 = 1 :=",
    }
    prover = {
        "name": "exercise_1_1a",
        "split": "valid",
        "informal_prefix": "/-- Prove it. -/\n",
        "formal_statement": "theorem exercise_1_1a : 1 = 1 := by\n",
        "goal": "⊢ 1 = 1",
        "header": "import Mathlib\n",
    }
    first, second = one("valid.parquet", parquet([sharp]), source="proofnet"), one("proofnet.jsonl", json.dumps(prover))
    assert recognise("valid.parquet", head_of(parquet([sharp]))) == "proofnet"
    assert first.question == second.question == "Prove it."
    assert first.lean_statement == "import Mathlib\n\ntheorem exercise_1_1a : 1 = 1 := sorry\n"
    assert second.lean_statement == "import Mathlib\n\ntheorem exercise_1_1a : 1 = 1 := by sorry\n"
    assert (first.source_id, second.source_id) == ("Rudin|exercise_1_1a", "exercise_1_1a")


def test_criticleanbench_is_read_from_the_parquet_file_that_it_is():
    data = parquet([CRITIC, CRITIC | {"id": 8, "tag": "compile_false"}])
    assert recognise("data/test-00000-of-00001.parquet", head_of(data)) == "criticleanbench"
    first, second = read("data/test.parquet", data, "criticleanbench").kept
    assert (first.source_id, second.formal_label) == ("7", FormalLabel.DOES_NOT_COMPILE)


def test_a_lean_file_of_no_known_source_is_not_claimed():
    assert recognise("Foo.lean", b"import Mathlib\ntheorem t : True := trivial") is None
    assert recognise("fimo.lean", b"import fimo_import\n") == "fimo"


def test_minif2f_json_lines_come_in_two_forms():
    problem = one("minif2f.jsonl", json.dumps(MINIF2F))
    assert problem.question == "If x is one, show that x + 1 = 2."
    assert problem.solution == "Add one."
    assert problem.lean_statement == (
        "import Mathlib\n\nopen Real\n\ntheorem mathd_algebra_1 (x : ℝ) (h₀ : x = 1 := by simp) : x + 1 = 2 := sorry\n"
    )
    prefixed = {
        "name": "mathd_algebra_1",
        "split": "valid",
        "informal_prefix": "/-- If x is one, show that x + 1 = 2. -/\n",
        "formal_statement": "theorem mathd_algebra_1 : 1 + 1 = 2 := by\n",
        "goal": "⊢ 1 + 1 = 2",
        "header": "import Mathlib\n",
    }
    other = one("minif2f.jsonl", json.dumps(prefixed))
    assert (other.problem_id, other.question) == (problem.problem_id, problem.question)
    assert other.lean_statement == "import Mathlib\n\ntheorem mathd_algebra_1 : 1 + 1 = 2 := sorry\n"


def test_words_and_theorem_of_one_name_become_one_problem_in_either_order():
    words = one("informal/fimo_2006_algebra_p1.json", json.dumps(FIMO))
    theorem = one("lean/fimo.lean", "import fimo_import\n\ntheorem fimo_2006_algebra_p1 : 1 = 1 :=\nbegin sorry end\n")
    assert words.problem_id == theorem.problem_id == "fimo/fimo_2006_algebra_p1"
    assert words.lean_statement is None
    both = joined(words, theorem)
    assert joined(theorem, words) == both
    assert both.question == "Show it."
    assert both.lean_statement == "import fimo_import\n\ntheorem fimo_2006_algebra_p1 : 1 = 1 := sorry\n"
    assert joined(both, theorem) is joined(words, words) is joined(theorem, theorem) is None


def test_forml4_theorems_are_put_under_mathlib_and_into_a_namespace_of_their_own():
    problem = one("basic_test.json", json.dumps([FORML4]))
    assert problem.lean_statement == "import Mathlib\n\ntheorem FormL4.borel_anti : Antitone (@borel α) := sorry\n"
    assert (problem.question, problem.solution) == ("Prove that borel is antitone.", "1. It is.")
    assert len(problem.source_id) == 16
    own = one("t.json", json.dumps([FORML4 | {"formal": "import A\ntheorem t : True := trivial"}]))
    assert own.lean_statement.startswith("import A")
    assert "Mathlib" not in own.lean_statement


def test_forml4_prompts_are_word_problems_without_lean():
    prompt = "Statement and proof in natural language:\n# Statement: \nHow many?\n\n# Proof: \nTwo.\nSo 2.\n\n"
    prompt += "Translate the statement and proof in natural language to Lean: "
    problem = one("real_test.json", json.dumps([{"input": prompt, "output": None}]))
    assert (problem.question, problem.solution, problem.lean_statement) == ("How many?", "Two.\nSo 2.", None)
    (refused,) = read("r.json", json.dumps([{"input": "# Statement: x", "output": None}])).rejections
    assert "# Proof:" in refused.detail


@pytest.mark.parametrize(
    ("tag", "label"),
    [
        ("compile_right_is_right", FormalLabel.RIGHT),
        ("compile_right_is_false", FormalLabel.MISALIGNED),
        ("compile_false", FormalLabel.DOES_NOT_COMPILE),
    ],
)
def test_a_formalization_of_criticleanbench_stays_as_it_is_with_what_people_said_of_it(tag, label):
    problem = one("c.jsonl", json.dumps(CRITIC | {"tag": tag}))
    assert (problem.source_id, problem.question) == ("7", "Prove that 1 + 1 = 2.")
    assert (problem.lean_statement, problem.formal_label) == (CRITIC["autoformalization"], label)


@pytest.mark.parametrize("end", [":= by", ":=", ":= by\n"])
def test_a_formalization_that_ends_before_its_proof_gets_sorry_for_one(end):
    problem = one("c.jsonl", json.dumps(CRITIC | {"autoformalization": f"theorem x : 1 + 1 = 2 {end}"}))
    assert problem.lean_statement == f"theorem x : 1 + 1 = 2 {end.strip()} sorry\n"


def test_a_problem_of_the_own_format_may_say_what_people_said_of_its_lean():
    row = {"id": "a", "question": "One is two.", "type": "statement", "lean": "theorem a : 1 = 2 := sorry"}
    assert one("p.json", native(row)).formal_label is None
    assert one("p.json", native(row | {"lean_label": "misaligned"})).formal_label is FormalLabel.MISALIGNED
    for wrong in ({"lean": None, "lean_label": "right"}, {"lean_label": "good"}):
        (refused,) = read("p.json", native(row | wrong)).rejections
        assert "lean_label" in refused.detail


@pytest.mark.parametrize(
    ("field", "value"),
    [("tag", "right"), ("id", None), ("id", True), ("refined_statement", " "), ("autoformalization", "\n")],
)
def test_a_broken_row_of_criticleanbench_is_refused_with_the_field(field, value):
    (refused,) = read("c.jsonl", json.dumps(CRITIC | {field: value})).rejections
    assert f"{field}: " in refused.detail
