import pytest

from lean_check import check as run_check
from lean_check.audit import Reference, library_of, why_not
from lean_check.audit_rules import parse_name
from lean_check.toolchain import Toolchain
from tests.lean_check.fakes import fake_toolchain, source
from tests.lean_check.real import real_toolchain


@pytest.fixture(scope="module")
def check():
    toolchain = real_toolchain()

    def call(text, reference=None, target="t", **options):
        asked = None if reference is None else Reference(reference, target)
        return run_check(text, reference=asked, toolchain=toolchain, allow_unsandboxed=True, **options)

    return call


# a proof and what it has to prove
HONEST = [
    ("theorem t : 2 + 2 = 4 := rfl", "theorem t : 2 + 2 = 4 := sorry"),
    ("theorem t (a b : Nat) : a + b = b + a := Nat.add_comm a b", "theorem t (a b : Nat) : a + b = b + a := sorry"),
    ("theorem t (x y : Nat) : x + y = y + x := Nat.add_comm x y", "theorem t (a b : Nat) : a + b = b + a := by sorry"),
    ("theorem t : 2 + 2 < 5 ∧ ¬ 5 ≤ 4 := by decide", "theorem t : 2 + 2 < 5 ∧ ¬ 5 ≤ 4 := sorry"),
    ("theorem t : True := trivial", "theorem t : True := sorry"),
    (
        "theorem help (n : Nat) : 0 + n = n := by\n  induction n with\n  | zero => rfl\n"
        "  | succ n ih => rw [← Nat.add_assoc, ih]\ntheorem t (n : Nat) : 0 + n = n := help n",
        "theorem t (n : Nat) : 0 + n = n := sorry",
    ),
    (
        "def double (n : Nat) : Nat := n + n\n@[simp] theorem two : double 1 = 2 := rfl\n"
        "theorem t : double 1 = 2 := by rw [two]",
        "def double (n : Nat) : Nat := n + n\ntheorem t : double 1 = 2 := sorry",
    ),
    (
        "inductive Even : Nat → Prop where\n  | zero : Even 0\n  | step : Even n → Even (n + 2)\n"
        "theorem t : Even 2 := .step .zero",
        "inductive Even : Nat → Prop where\n  | zero : Even 0\n  | step : Even n → Even (n + 2)\n"
        "theorem t : Even 2 := sorry",
    ),
    (
        "structure Pair where\n  x : Nat\n  y : Nat\ntheorem t (p : Pair) : Pair.mk p.x p.y = p := rfl",
        "structure Pair where\n  x : Nat\n  y : Nat\ntheorem t (p : Pair) : Pair.mk p.x p.y = p := sorry",
    ),
    (
        "mutual\ninductive A where | a : B → A | z\ninductive B where | b : A → B\nend\n"
        "inductive Tree where | node : List Tree → Tree\ntheorem t : A.z = A.z := rfl",
        "mutual\ninductive A where | a : B → A | z\ninductive B where | b : A → B\nend\ntheorem t : A.z = A.z := sorry",
    ),
    ("theorem t.{u} (α : Sort u) (a : α) : a = a := rfl", "theorem t.{u} (α : Sort u) (a : α) : a = a := sorry"),
    ('theorem t : "añ" = "añ" ∧ 10 ^ 40 = 10 ^ 20 * 10 ^ 20 := ⟨rfl, rfl⟩',
     'theorem t : "añ" = "añ" ∧ 10 ^ 40 = 10 ^ 20 * 10 ^ 20 := sorry'),
]  # fmt: skip


@pytest.mark.parametrize(("proof", "reference"), HONEST)
def test_an_honest_proof_is_accepted_and_its_axioms_are_listed(check, proof, reference):
    verdict = check(proof, reference)
    assert (verdict.verdict, verdict.axioms) == ("accepted", ()), verdict
    assert verdict.notes in ((), ("ran outside a sandbox, as allowed",))


CLASSICAL = "theorem t (p : Prop) : p ∨ ¬p := Classical.em p"
CLASSICAL_AXIOMS = ("Classical.choice", "Quot.sound", "propext")


def test_the_axioms_are_those_that_the_proof_really_uses(check):
    assert check(CLASSICAL, CLASSICAL.replace("Classical.em p", "sorry")).axioms == CLASSICAL_AXIOMS
    assert check("theorem t (p : Prop) (h : p) : p = True := eq_true h").axioms == ("propext",)


def test_an_axiom_that_is_not_allowed_is_named(check):
    verdict = check(CLASSICAL, axioms=("propext",))
    assert (verdict.verdict, verdict.reasons) == ("rejected", ("axiom_not_allowed",))
    assert verdict.axioms == CLASSICAL_AXIOMS
    assert verdict.messages[0].text == "axiom_not_allowed: uses the axiom Classical.choice"


def test_an_axiom_of_the_reference_may_be_allowed_and_has_to_be_the_same(check):
    reference = "axiom law (n : Nat) : n = n\ntheorem t : 3 = 3 := sorry"
    rules = {"axioms": ("law",), "allow": ("own_axiom",)}
    same = check("axiom law (n : Nat) : n = n\ntheorem t : 3 = 3 := law 3", reference, **rules)
    assert (same.verdict, same.axioms) == ("accepted", ("law",))
    changed = check("axiom law (n : Nat) : n = n + 0\ntheorem t : 3 = 3 := law 3", reference, **rules)
    assert changed.reasons == ("definition_differs",)
    assert check("theorem t : 3 = 3 := rfl", reference, **rules).verdict == "accepted"


def test_without_a_reference_every_declaration_is_audited_and_the_notes_say_that_nothing_was_compared(check):
    verdict = check("theorem a (p : Prop) : p ∨ ¬p := Classical.em p\ntheorem b : True := trivial")
    assert (verdict.verdict, verdict.axioms) == ("accepted", CLASSICAL_AXIOMS)
    assert "statement not compared: no reference was given" in verdict.notes


def test_the_order_of_bound_names_does_not_matter_but_that_of_the_statement_does(check):
    reference = "theorem t (a b : Nat) : a = b → b = a := sorry"
    assert check("theorem t : ∀ x y : Nat, x = y → y = x := fun _ _ h => h.symm", reference).verdict == "accepted"
    assert check("theorem t (a b : Nat) : b = a → a = b := Eq.symm", reference).reasons == ("statement_differs",)


def test_a_statement_that_only_unfolding_makes_the_same_is_accepted_and_the_notes_say_so(check):
    verdict = check("theorem t : 2 + 2 ≠ 5 := by decide", "theorem t : ¬ 2 + 2 = 5 := sorry")
    assert verdict.verdict == "accepted"
    verdict = check("theorem t : 4 = 4 := rfl", "theorem t : 2 + 2 = 4 := sorry")
    assert verdict.verdict == "accepted"
    assert "the statement is the reference's up to unfolding of definitions" in verdict.notes


def test_a_statement_without_proof_is_held_against_its_reference_and_may_have_sorry(check):
    reference = "theorem t (a b : Nat) : a + b = b + a := sorry"
    same = check("theorem t (x y : Nat) : x + y = y + x := sorry", reference, statement_only=True)
    assert (same.verdict, same.axioms) == ("accepted", ("sorryAx",))
    other = check("theorem t (x y : Nat) : x + y = x + y := sorry", reference, statement_only=True)
    assert (other.verdict, other.reasons) == ("rejected", ("statement_differs",))
    axiom = check("axiom t (x y : Nat) : x + y = y + x\ntheorem u : True := trivial", reference, statement_only=True)
    assert axiom.reasons == ("own_axiom",)


def test_a_statement_without_proof_and_without_reference_is_not_audited(check):
    verdict = check("theorem t : 2 + 2 = 5 := sorry", statement_only=True)
    assert (verdict.verdict, verdict.axioms) == ("accepted", None)
    assert any("axioms not audited" in note for note in verdict.notes)


@pytest.mark.parametrize(
    "reference", ["theorem t : 1", "theorem u : True := trivial", "def t : Nat := 1", "import Nowhere"]
)
def test_a_reference_that_is_none_says_nothing_of_the_text(check, reference):
    verdict = check("theorem t : True := trivial", reference)
    assert (verdict.verdict, verdict.reasons, verdict.axioms) == ("infrastructure", ("bad_reference",), None)


def test_a_toolchain_that_cannot_audit_says_so_and_judges_nothing_against_a_reference(tmp_path):
    fake = fake_toolchain(tmp_path)
    plain = run_check(source("fine"), toolchain=fake, allow_unsandboxed=True)
    assert (plain.verdict, plain.axioms) == ("accepted", None)
    assert any("the audit speaks to Lean 4.35.0 only; this is 4.0.0" in note for note in plain.notes)
    reference = Reference("theorem fake_fine : True := sorry", "fake_fine")
    asked = run_check(source("fine"), toolchain=fake, allow_unsandboxed=True, reference=reference)
    assert (asked.verdict, asked.reasons) == ("infrastructure", ("no_audit",))


def test_the_library_of_an_ordinary_toolchain_is_found_beside_its_binary(tmp_path):
    lean, library = tmp_path / "bin" / "lean", tmp_path / "lib" / "lean" / "libleanshared.so"
    toolchain = Toolchain("plain", "4.35.0", (str(lean),), ())
    assert "no libleanshared.so" in (why_not(toolchain) or "")
    library.parent.mkdir(parents=True)
    library.touch()
    assert library_of(toolchain) == library
    assert why_not(toolchain) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("t", ("t",)),
        ("A.b.c'", ("A", "b", "c'")),
        ("A.«b.c».d", ("A", "b.c", "d")),
        ("_private.Item.0.t", ("_private", "Item", 0, "t")),
        ("«x y»", ("x y",)),
    ],
)
def test_a_name_is_read_as_lean_writes_it(text, name):
    assert parse_name(text) == name


LESS = "def less : Nat → Nat\n  | 0 => 0\n  | k + 1 => k\n"
MATCH = "(match n with | 0 => 0 | k + 1 => k) = n - 1"
BY_CASES = "by\n  cases n with\n  | zero => rfl\n  | succ k => rfl"
# what the proof says differs from the reference in names only, of universes or of parts that Lean makes and shares
OTHER_NAMES = [
    (
        "universe v\ntheorem t (α : Type v) (a : α) : a = a := rfl",
        "universe u\ntheorem t (α : Type u) (a : α) : a = a := sorry",
    ),
    ("theorem t.{w} (α : Type w) (a : α) : a = a := rfl", "theorem t (α : Type _) (a : α) : a = a := sorry"),
    (
        "def same.{v} (α : Type v) (a : α) : α := a\ntheorem t.{v} (α : Type v) (a : α) : same α a = a := rfl",
        "def same.{u} (α : Type u) (a : α) : α := a\ntheorem t.{u} (α : Type u) (a : α) : same α a = a := sorry",
    ),
    (
        f"{LESS.replace('less', 'before')}{LESS}theorem t : less 3 = 2 := rfl",
        f"{LESS}theorem t : less 3 = 2 := sorry",
    ),
    (
        f"theorem help (n : Nat) : {MATCH} := {BY_CASES}\ntheorem t (n : Nat) : {MATCH} := help n",
        f"theorem t (n : Nat) : {MATCH} := sorry",
    ),
]


@pytest.mark.parametrize(("proof", "reference"), OTHER_NAMES)
def test_names_of_universes_and_of_parts_that_lean_makes_may_be_others(check, proof, reference):
    verdict = check(proof, reference)
    assert (verdict.verdict, verdict.axioms) == ("accepted", ()), verdict
    assert "the statement is the reference's up to unfolding of definitions" in verdict.notes
