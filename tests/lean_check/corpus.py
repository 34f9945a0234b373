"""Lean texts whose verdict is known beforehand, in families that differ in their numbers and names.

Written for the small test library; each is what a model or a data set can hand in: right, wrong in one way, or hostile.
"""

from collections.abc import Iterator
from dataclasses import dataclass

GREEDY = "set_option maxHeartbeats 0\nset_option maxRecDepth 1000000\n"
TWICE = "def f : Nat → Bool → Bool\n  | 0, b => b\n  | n+1, b => f n (f n b)\n"


@dataclass(frozen=True)
class Case:
    """One text and its verdict; `reason`: the first one of a text that is rejected."""

    family: str
    name: str
    text: bytes
    reason: str | None
    statement: bool = False


def corpus() -> list[Case]:
    """Every case, names all different."""
    return [case for family in FAMILIES for case in family()]


def _cases(family: str, reason: str | None, texts: Iterator[str] | list[str], *, statement: bool = False) -> list[Case]:
    mark = "statement" if statement else "text"
    return [
        Case(family, f"{family}_{mark}_{reason}_{n}", f"{text}\n".encode(), reason, statement)
        for n, text in enumerate(texts)
    ]


def right() -> list[Case]:
    """Proofs that hold."""
    sums = [f"theorem t : {a} + {b} = {a + b} := rfl" for a, b in ((0, 0), (2, 3), (17, 25), (100, 1), (999, 999))]
    products = [f"theorem t : {a} * {b} = {a * b} := by decide" for a, b in ((2, 3), (7, 8), (12, 12), (0, 9), (1, 31))]
    orders = [f"theorem t : {a} ≤ {b} := by decide" for a, b in ((2, 5), (0, 0), (3, 30))]
    powers = [f"theorem t : 2 ^ {n} = {2**n} := by decide" for n in (0, 5, 10)]
    more = [
        "theorem t (n : Nat) : n + 0 = n := rfl",
        "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q := ⟨hp, hq⟩",
        "theorem t (p q : Prop) (hp : p) : p ∨ q := by\n  apply Or.inl\n  exact hp",
        "theorem t (n : Nat) : 0 + n = n := by\n  induction n with\n  | zero => rfl\n"
        "  | succ n ih => rw [Nat.add_succ, ih]",
        "theorem t : ∀ n : Nat, n = n := by\n  intro n\n  rfl",
        "theorem t (a b : Nat) (h : a = b) : b = a := by\n  rw [h]",
        "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  cases h with\n  | intro a b => exact ⟨b, a⟩",
        "theorem t : ¬ (2 = 3) := by decide",
        "theorem t (a b : Nat) : a + b = b + a := Nat.add_comm a b",
        "theorem t (a b : Nat) (h : a = b) : a + 1 = b + 1 := by simp [h]",
        "theorem t (p : Prop) : ¬¬¬p → ¬p := fun h hp => h (fun hn => hn hp)",
        "def double (n : Nat) : Nat := n + n\ntheorem t : double 4 = 8 := rfl",
        "structure P where\n  x : Nat\n  y : Nat\ntheorem t : (P.mk 1 2).x = 1 := rfl",
        "theorem t : ∃ n : Nat, n = 3 := ⟨3, rfl⟩",
        "theorem t (p q r : Prop) (f : p → q) (g : q → r) : p → r := by\n  intro h\n  apply g\n  apply f\n  assumption",
        "inductive Color where\n  | red | green\ndef f : Color → Nat\n  | .red => 1\n  | .green => 2\n"
        "theorem t : f .green = 2 := rfl",
        "theorem t (p q : Prop) (h : p ↔ q) : q ↔ p := ⟨h.2, h.1⟩",
        "theorem t (h : False) : 1 = 2 := by contradiction",
        "theorem t (a b c : Nat) (h : a = b) (k : b = c) : a = c := h.trans k",
        "theorem t : 7 - 9 = 0 := rfl -- `sorry` in a comment is no sorry",
        "/- axiom /- and -/ sorry -/\ntheorem t (p : Prop) (h : p) : p := by\n  have k : p := h\n  exact k",
        "universe u\ntheorem t (α : Type u) (a : α) : a = a := rfl",
        "theorem t.{u} (α : Sort u) (a b : α) (h : a = b) : b = a := h.symm",
        f"{TWICE}theorem t : f 4 true = true := by decide",
    ]
    statements = [f"theorem t (n : Nat) : n + {n} = {n} + n := by\n  sorry" for n in range(10)]
    statements += [f"theorem t : {n} = {n + 1} := sorry" for n in range(5)]
    statements += [f"def t : Prop := ∀ n : Nat, n * {n} = {n} * n" for n in range(5)]
    return [
        *_cases("right", None, [*sums, *products, *orders, *powers, *more]),
        *_cases("right", None, statements, statement=True),
    ]


def type_error() -> list[Case]:
    """What is said does not fit what is asked."""
    mismatch = [f"theorem t : {n} + {n} = {2 * n + 1} := rfl" for n in range(8)]
    mismatch += [
        "theorem t (p q : Prop) (h : p) : q := h",
        "theorem t (p q : Prop) (h : p ∨ q) : p := by\n  exact h",
        "theorem t (a b : Nat) (h : a = b) : b = a := h",
        "theorem t (f : Nat → Nat) : f true = 0 := rfl",
        "theorem t (x : Nat) : x x = 0 := rfl",
        "theorem t : True := 5",
        "def f (n : Nat) : Bool := n\ntheorem t : True := True.intro",
        "theorem t (p q : Prop) (h : p ∧ q) : q := h.1",
    ]
    wrong = [f"theorem t : {n} * 3 = {n * 3 + 1} := by decide" for n in range(6)]
    open_goals = [
        "theorem t (p q : Prop) (hp : p) : p ∧ q := by\n  constructor\n  exact hp",
        "theorem t : True ∧ False := by\n  constructor\n  exact True.intro",
        "theorem t (p : Prop) : p := by\n  skip",
    ]
    failed = [
        "theorem t (n : Nat) : n + 1 = n := by rfl",
        "theorem t (a b : Nat) : a + b = b + a := by\n  rw [Nat.mul_comm]",
        "theorem t (p : Prop) : p := by assumption",
    ]
    cut_off = [f"theorem t : {n} = {n} :=" for n in range(4)] + ["theorem t : 1 = 1 := by {", "theorem t : := rfl"]
    return [
        *_cases("type_error", "type_mismatch", mismatch),
        *_cases("type_error", "false_statement", wrong),
        *_cases("type_error", "unsolved_goals", open_goals),
        *_cases("type_error", "tactic_failed", failed),
        *_cases("type_error", "syntax", cut_off),
    ]


def unknown_name() -> list[Case]:
    """Names that are nowhere, as a model makes them up."""
    made_up = ["Nat.add_commutes", "nowhere", "Real.pi_pos", "Finset.sum_range_id", "h'", "lemma_1", "Nat.succ_inj_iff"]
    texts = [f"theorem t (n : Nat) : n = n := {name}" for name in made_up]
    texts += [f"theorem t (n : Nat) : n = n := by exact {name}" for name in made_up]
    texts += [f"theorem t (n : Nat) : n = n := by\n  rw [{name}]" for name in made_up[:3]]
    texts += ["theorem t (n : Nat) : n.foo = 1 := rfl", "open Nowhere\ntheorem t : True := True.intro"]
    stated = [f"theorem t (n : Nat) : n.bar{n} = {n} := by sorry" for n in range(12)]
    imports = [f"import {name}\ntheorem t : True := True.intro" for name in ("Nowhere", "My.Lib", "Solution")]
    return [
        *_cases("unknown_name", "unknown_name", texts),
        *_cases("unknown_name", "unknown_name", stated, statement=True),
        *_cases("unknown_name", "unknown_import", imports),
    ]


def universe_error() -> list[Case]:
    """Levels that do not fit."""
    texts = [f"theorem t.{{u}} (α : Type (u + {n})) (a : α) : a = a := rfl" for n in (33, 40, 1000)]
    texts += [
        f"inductive Big : Type {n} where\n  | mk (α : Type {n}) : Big\ntheorem t : True := True.intro"
        for n in (0, 1, 5)
    ]
    texts += [
        f"structure S (α : Type) : Type {n} where\n  f : Type {n}\ntheorem t : True := True.intro" for n in (0, 1, 2)
    ]
    texts += ["universe u\nuniverse u\ntheorem t : True := True.intro"]
    mixed = [f"def F (α : Type {n + 1}) : Type {n} := α\ntheorem t : True := True.intro" for n in range(4)]
    mixed += [f"theorem t : Type {n + 1} = Type {n} := rfl" for n in range(3)]
    return [*_cases("universe", "universe", texts), *_cases("universe", "type_mismatch", mixed)]


def no_proof() -> list[Case]:
    """`sorry` in a proof, under each of its names, and an axiom in the place of one."""
    sorry = ["sorry", "by sorry", "by\n  admit", "sorryAx _ true", "by exact sorry", "(sorry)", "(fun h => h) sorry"]
    texts = [f"theorem t : {n} = {n + 1} := {proof}" for proof in sorry for n in range(2)]
    texts += [
        "def x : Nat := sorry\ntheorem t : x = x := rfl",
        "theorem t : 1 = 1 := by\n  have : 1 = 2 := sorry\n  rfl",
    ]
    own = [
        f"axiom {name} : {what}\ntheorem t : {what} := {name}"
        for name in ("a", "ax.one", "«b»")
        for what in ("False", "1 = 2")
    ]
    own += ["theorem t : False := lcProof", "private axiom a : False\ntheorem t : False := a"]
    stated = [f"axiom a : 1 = {n}\ntheorem t : 1 = {n} := sorry" for n in range(3)]
    return [
        *_cases("sorry", "sorry", texts),
        *_cases("axiom", "own_axiom", own),
        *_cases("axiom", "own_axiom", stated, statement=True),
    ]


def exhausting() -> list[Case]:
    """Texts that take time, memory, depth or output without end."""
    deep = [
        f"theorem t : True := {left * n}True.intro{right * n}"
        for left, right in (("(", ")"), ("id (", ")"))
        for n in (6000, 9000)
    ]
    deep += [f"theorem t : {'¬' * n}False := fun h => h" for n in (3000, 5000)]
    deep += [f"theorem t : True := {'by exact (' * n}True.intro{')' * n}" for n in (1500, 2000, 2500, 3000)]
    slow = [f"{GREEDY}{TWICE}theorem t : f {n} true = false := by decide" for n in (50, 60)]
    large = [f"theorem t : True := {'(' * n}True.intro{')' * n}" for n in (200_000, 250_000)]
    large += [f"theorem t : True := {'[' * 300_000}"]
    loud = [
        f'def s : String := "{"x" * 200_000}"\ntheorem t : True := True.intro\n' + "#print s\n" * n for n in (60, 200)
    ]
    return [
        *_cases("recursion", "deep_recursion", deep),
        *_cases("timeout", "timeout", slow),
        *_cases("memory", "memory", large),
        *_cases("flood", "output_flood", loud),
    ]


def no_text() -> list[Case]:
    """Bytes that are no UTF-8, wherever they stand."""
    broken = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\xaf", b"\xfe\xff\x00t", b"\x80"]
    texts = [b"theorem t : True := True.intro -- " + part for part in broken]
    texts += [part + b"\ntheorem t : True := True.intro" for part in broken]
    return [Case("bytes", f"bytes_{n}", text, "invalid_utf8") for n, text in enumerate(texts)]


FAMILIES = (right, type_error, unknown_name, universe_error, no_proof, exhausting, no_text)
