import functools

import pytest

from lean_check import check
from lean_check.equivalence import Statement, UnreadableError, equivalent, read_statement
from lean_check.sandbox import probe
from tests.lean_check.real import real_toolchain


@pytest.fixture(scope="module")
def lean():
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    return functools.partial(check, toolchain=real_toolchain())


REFERENCE = "theorem r (a b : Nat) (h : a = b) : b = a := by sorry"


@pytest.mark.parametrize(
    ("candidate", "how"),
    [
        ("theorem c (x y : Nat) (k : x = y) : y = x := by\n  sorry", "definitional"),
        ("theorem c : ∀ a b : Nat, a = b → b = a := sorry", "definitional"),
        ("theorem c (a : Nat) (b : Nat) : (a = b) → (b = a) :=", "definitional"),
        ("theorem c (a b : Nat) (h : a = b) : a = b := sorry", "tactics"),
        ("theorem c (b a : Nat) (h : a = b) : b = a := sorry", "tactics"),
        ("theorem c (a b : Nat) (h : a = b) : b + 1 = a := sorry", None),
        ("theorem c (a b : Nat) (h : a = b) : b = a + 1 := sorry", None),
        ("theorem c (h : False) : 1 = 2 := sorry", None),  # true as the reference is, and not the same
        ("theorem c (a b : Nat) (h : a = b) : 1 = 1 := sorry", None),
    ],
)
def test_what_says_the_same_is_found_and_what_does_not_is_not(lean, candidate, how):
    found = equivalent(REFERENCE, candidate, lean)
    shown = None if not found.equivalent else "definitional" if found.how == ("definitional",) else "tactics"
    if how == "tactics":
        assert shown in ("tactics", "definitional"), found
    else:
        assert shown == how, found
    assert (found.equivalent is None) == (found.reason != "")


@pytest.mark.parametrize(
    "candidate",
    [
        "theorem c : Nowhere.x = 1 := sorry",
        "theorem c : 1 = := sorry",
        "theorem c : True) := trivial\ntheorem s : 1 = (1 := sorry",
        "theorem c : (Reference) := sorry",
        'theorem c : "a" = "a" := sorry',
        "def f := 1\ntheorem c : f = 1 := sorry",
        "axiom a : False\ntheorem c : True := sorry",
        "theorem c : sorry := sorry",
        'macro "x" : term => `(True)\ntheorem c : x := sorry',
        "",
    ],
)
def test_a_candidate_that_is_no_plain_statement_is_never_equivalent(lean, candidate):
    for reference in (REFERENCE, "theorem r : 1 = 2 := sorry"):
        assert equivalent(reference, candidate, lean).equivalent is None


def test_a_statement_is_read_into_its_parts():
    source = (
        "import A\nopen Nat\n\n/-- doc : := -/\ntheorem t {α : Type} (f : α → α) : ∀ x, (f x : α) = x := by\n  sorry"
    )
    assert read_statement(source) == Statement("import A\nopen Nat\n", "{α : Type} (f : α → α)", "∀ x, (f x : α) = x")
    assert read_statement("example : True").claim == "True"


@pytest.mark.parametrize(
    "source",
    [
        "theorem",
        "theorem t",
        "theorem t : (1 = 1",
        "theorem t (a : Nat] : a = a",
        "theorem t : 1 = 1 theorem s : 2 = 2",
    ],
)
def test_what_is_no_single_statement_is_not_read(source):
    with pytest.raises(UnreadableError):
        read_statement(source)
