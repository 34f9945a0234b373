import csv
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check.screen import MAX_SOURCE_BYTES, screen
from tests.lean_check.test_tokens import TEXTS
from tests.shared_data import shared

HONEST = "theorem t (a b : ℕ) : a + b = b + a := by\n  omega\n"

# one attack or slip a line: the rule that must name it, and the text
REFUSED = [
    ("sorry", "theorem t : 1 = 2 := by sorry"),
    ("sorry", "theorem t : 1 = 2 := sorryAx _ false"),
    ("sorry", "theorem t : 1 = 2 := by admit"),
    ("sorry", "theorem t : 1 = 2 := λsorry"),
    ("sorry", "theorem t : 1 = 2 := ésorry"),
    ("sorry", 'theorem t : s!"{sorry}" = "" := rfl'),
    ("sorry", "theorem t : True := do x <-- sorry\n"),
    ("own_axiom", "axiom bad : False\ntheorem t : False := bad"),
    ("own_axiom", "/- a /- b -/ c -/ axiom bad : False\ntheorem t : False := bad"),
    ("own_axiom", "def n := 0b1axiom bad : False\ntheorem t : False := bad"),
    ("own_axiom", "def a := '\"' axiom bad : False -- '\"'\ntheorem t : False := bad"),
    ("own_axiom", 'def a := r"\\" axiom bad : False -- "\ntheorem t : False := bad'),
    ("exit", "theorem t : True := trivial\n#exit\ntheorem u : False := trivial"),
    ("exit", "theorem t : True := trivial\n#exitx"),
    ("exit", "theorem t : True := trivial\nx#exit"),
    ("exit", 'theorem t : True := trivial\n\\!"`a#exit'),
    ("exit", "theorem t : True := trivial\n«x#exit"),
    ("exit", "theorem t : True := trivial\n''\"[ '\\\"'#exit \""),
    ("guarded_messages", "#guard_msgs (drop all) in\ntheorem t : False := rfl"),
    ("option", "set_option debug.skipKernelTC true\ntheorem t : False := by decide +kernel"),
    ("option", "set_option «debug».skipKernelTC true\ntheorem t : False := by decide +kernel"),
    ("option", "set_option /- -/ debug.skipKernelTC true in theorem t : False := by decide +kernel"),
    ("option", "set_option«debug».skipKernelTC true\ntheorem t : False := by decide +kernel"),
    ("metaprogramming", "set_option pp.x#eval 1\ntheorem t : True := trivial"),
    ("metaprogramming", 'theorem t : "#eval 1" = "" := rfl'),
    ("own_axiom", "theorem «my axiom» : True := trivial"),
    ("option", "set_option warn.sorry false\ntheorem t : True := trivial"),
    ("native_decide", "theorem t : 1 = 2 := by native_decide"),
    ("native_decide", "theorem t : 1 = 2 := by decide +native"),
    ("native_decide", "theorem t : 1 = 2 := Lean.ofReduceBool _ _ rfl"),
    ("implemented_by", "@[implemented_by f] def g := 1\ntheorem t : True := trivial"),
    ("extern", '@[extern "c"] def g := 1\ntheorem t : True := trivial'),
    ("extern", "unsafe def g := 1\ntheorem t : True := trivial"),
    ("metaprogramming", "#eval 1\ntheorem t : True := trivial"),
    ("metaprogramming", 'macro "x" : term => `(1)\ntheorem t : True := trivial'),
    ("metaprogramming", 'elab "x" : tactic => pure ()\ntheorem t : True := by x'),
    ("metaprogramming", 'syntax "x" : tactic\ntheorem t : True := trivial'),
    ("metaprogramming", "run_cmd pure ()\ntheorem t : True := trivial"),
    ("metaprogramming", "initialize x : Nat ← pure 1\ntheorem t : True := trivial"),
    ("metaprogramming", "theorem t : True := by run_tac pure ()"),
    ("metaprogramming", "theorem t : True := by_elab pure x"),
    ("metaprogramming", "@[simp, tactic Lean.Parser.Tactic.decide] def x : Tactic := y\ntheorem t : True := trivial"),
    ("metaprogramming", "attribute [norm_num Nat.gcd] x\ntheorem t : True := trivial"),
    ("metaprogramming", "#guard true\ntheorem t : True := trivial"),
    ("extern", "(add unsafe private def x := 1\ntheorem t : True := trivial"),
    ("option", "set_option debug.profiler true\ntheorem t : True := trivial"),
    ("notation", 'local notation:50 a " = " b => True\ntheorem t : 1 = 2 := trivial'),
    ("notation", 'infix:50 " ≈≈ " => Eq\ntheorem t : 1 = 2 := trivial'),
    ("prelude", "prelude\ntheorem t : True := trivial"),
    ("module_system", "module\npublic theorem t : True := trivial"),
    ("module_system", "/- a -/ module\nimport Mathlib\ntheorem t : True := trivial"),
    ("nothing_to_check", "def t := 1"),
    ("nothing_to_check", "-- theorem t : True := trivial"),
    ("nothing_to_check", ""),
    ("invalid_text", "theorem t : True := trivial -- \0"),
    ("invalid_text", "theorem t : True := trivial -- \ud800"),
    ("too_large", "theorem t : True := trivial --" + "x" * MAX_SOURCE_BYTES),
    ("lean3_source", "theorem t : 1 = 1 :=\nbegin\n  refl\nend"),
    ("lean3_source", "import data.real.basic\ntheorem t : 1 = 1 := rfl"),
    ("lean3_source", "open_locale big_operators\ntheorem t : 1 = 1 := rfl"),
    ("lean3_source", "noncomputable theory\ntheorem t : 1 = 1 := rfl"),
    ("lean3_source", "theorem t : (λ x, x) 1 = 1 := rfl"),
    ("lean3_source", "theorem t (p : ℕ) (h : nat.prime p) : 1 = 1 := rfl"),
]


@pytest.mark.parametrize(("rule", "source"), REFUSED)
def test_each_refusal_names_its_rule(rule, source):
    assert rule in screen(source).rules()


@pytest.mark.parametrize(
    "source",
    [
        HONEST,
        HONEST + "-- sorry, this is no axiom; #exit\n/- macro /- native_decide -/ -/",
        "theorem t (module : Nat) : module = module := rfl",
        "theorem sorry_free (axiom_of_choice : True) : True := trivial",
        "set_option maxHeartbeats 400000 in\ntheorem t : True := trivial",
        "theorem t (nat : List ℕ) : nat.length = nat.length := rfl",
        "lemma t (begin : ℕ) : begin = begin := rfl",
        "theorem t : (fun x : ℕ => x) 1 = 1 ∧ (λ x : ℕ => x) 2 = 2 := ⟨rfl, rfl⟩",
        "import Mathlib\nopen Real Nat\nexample (s : Set ℕ) (f : ℕ → ℕ) : f ⁻¹' s = f ⁻¹' s := rfl",
        "example (s : Set ℕ) (f : ℕ → ℕ) : f '' s = f '' s := rfl -- by the axiom, in other notation",
        "theorem t : a := by aesop (add unsafe 50% apply h, safe forward k) (add unsafe apply h)",
        "theorem t (constants : ℕ) : constants = constants := rfl",
        "theorem t : a := by\n  have obviously : a := h\n  exact obviously",
        "set_option push_neg.use_distrib true in\ntheorem t : True := trivial",
        "@[simp] theorem t : List.init xs = init xs ∧ b := by norm_num [init xs]",
        "import all Init\ntheorem t : True := trivial",
    ],
)
def test_honest_text_is_not_refused(source):
    assert screen(source).refusals == ()


def test_a_statement_may_be_without_proof_but_not_with_an_axiom():
    assert screen("theorem t : 1 = 1 := by sorry", statement_only=True).refusals == ()
    assert screen("theorem t : 1 = 1 := by sorry", statement_only=True).sorry_count == 1
    assert screen("axiom a : 1 = 1\ntheorem t : 1 = 1 := sorry", statement_only=True).rules() == ("own_axiom",)


def test_a_rule_can_be_switched_off_by_name():
    source = 'local notation "ℝ²" => EuclideanSpace ℝ (Fin 2)\ntheorem t : True := by sorry'
    assert screen(source, statement_only=True).rules() == ("notation",)
    assert screen(source, statement_only=True, allow=["notation"]).refusals == ()


def test_a_refusal_says_where_and_what():
    refusal = screen("theorem t : 1 = 2 :=\n  by sorry").refusals[0]
    assert (refusal.rule, refusal.line, refusal.column, refusal.detail) == ("sorry", 2, 5, "`sorry`")


def test_a_character_that_is_none_is_refused_where_it_stands():
    refusal = screen("theorem t : True := trivial\n-- é \ud800").refusals[0]
    assert (refusal.rule, refusal.line, refusal.column) == ("invalid_text", 2, 5)


@given(TEXTS)
def test_no_text_breaks_the_screening(source):
    screen(source)
    screen(source, statement_only=True)


@given(TEXTS, TEXTS, st.sampled_from(["axiom", "#eval", "native_decide", "macro", "#exit", "#guard_msgs"]))
def test_what_lean_is_given_never_holds_a_forbidden_word_that_was_not_refused(before, after, word):
    found = screen(f"{before} {word} {after}")
    words = {refusal.detail.split("`")[1] for refusal in found.refusals if "`" in refusal.detail}
    assert word not in found.text or word in words


@given(TEXTS)
def test_what_lean_is_given_differs_in_comments_only_and_keeps_every_position(source):
    text = screen(source).text
    if text:
        assert len(text) == len(source)
        assert [i for i, c in enumerate(text) if c == "\n"] == [i for i, c in enumerate(source) if c == "\n"]
        assert all(new in (old, " ") for new, old in zip(text, source, strict=True))


def test_comments_are_not_given_to_lean_unless_it_is_unclear_what_is_one():
    source = "a -- b\n/- c -/ theorem /-- d -/ /--e-/ /---/ --"
    assert screen(source).text == "a --  \n/-   -/ theorem /--   -/ /-- -/ /---/ --"
    unclear = "theorem t : 1 <--2\n"
    assert screen(unclear).text == unclear


def theorems(text):
    return [part for part in re.split(r"(?m)^(?=theorem |lemma )", text) if part.startswith(("theorem", "lemma"))]


@pytest.mark.parametrize("name", ["minif2f/lean/test.lean", "minif2f/lean/valid.lean", "fimo/lean/fimo.lean"])
def test_every_theorem_of_the_lean_3_data_sets_is_recognised(name):
    parts = theorems(shared(name).read_text("utf-8"))
    assert len(parts) >= 149
    assert [part for part in parts if screen(part, statement_only=True).rules() != ("lean3_source",)] == []


def test_every_proofnet_statement_with_its_header_is_recognised_as_lean_3():
    rows = [json.loads(row) for name in ("test", "valid") for row in shared(f"proofnet/{name}.jsonl").open("rb")]
    assert len(rows) == 371
    missed = [
        row["id"]
        for row in rows
        if screen(row["src_header"] + row["formal_statement"], statement_only=True).rules() != ("lean3_source",)
    ]
    assert missed == []


def test_the_lean_4_statements_of_imo_bench_pass_but_for_those_with_a_notation_of_their_own():
    with shared("imobench/lean_proof_bench.csv").open(newline="", encoding="utf-8") as file:
        statements = [row["Lean Statement"] for row in csv.DictReader(file)]
    refused = [screen(text, statement_only=True).rules() for text in statements]
    assert len(statements) == 60
    assert [rules for rules in refused if rules not in ((), ("notation",))] == []
    assert all(not screen(text, statement_only=True, allow=["notation"]).refusals for text in statements)
