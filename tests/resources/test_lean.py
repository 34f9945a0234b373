import pytest

from lean_check import probe
from resources import lean
from resources.lean import LeanChecker
from resources.memo import Memo
from stepforge.candidates import Candidate
from stepforge.vocabulary import LeanOutcome
from tests.lean_check.fakes import counted_checks
from tests.lean_check.real import compiled_library, real_toolchain

LEAN_3 = "import data.nat.basic\ntheorem t : 1 = 1 := begin refl end"


@pytest.fixture
def asked(monkeypatch):
    return counted_checks(monkeypatch)


def test_verdicts_come_in_order_and_are_remembered(tmp_path, asked):
    statements = [("a", LEAN_3), ("b", "#eval 1"), ("c", LEAN_3)]
    done = []
    first = LeanChecker(Memo(tmp_path / "memo")).check(statements, done.append)
    assert [(v.item_id, v.outcome, v.reasons[0]) for v in first] == [
        ("a", LeanOutcome.REJECTED, "lean3_source"),
        ("b", LeanOutcome.REJECTED, "metaprogramming"),
        ("c", LeanOutcome.REJECTED, "lean3_source"),
    ]
    assert sum(done) == 3
    before = len(asked)
    done.clear()
    again = LeanChecker(Memo(tmp_path / "memo")).check([*statements, ("d", "#eval 2")], done.append)
    assert [v.item_id for v in again] == ["a", "b", "c", "d"]
    assert asked[before:] == ["d"]
    assert sum(done) == 4


def test_what_the_machine_could_not_check_is_not_remembered(tmp_path, asked, monkeypatch):
    monkeypatch.setenv("LEAN_CHECK_LEAN", str(tmp_path / "absent"))
    memo = Memo(tmp_path / "memo")
    for _ in range(2):
        (verdict,) = LeanChecker(memo).check([("a", "theorem t : 1 = 1 := sorry")])
        assert (verdict.outcome, verdict.reasons) == (LeanOutcome.INFRASTRUCTURE, ("no_toolchain",))
    assert asked == ["a", "a"]
    assert LeanChecker(memo).check([]) == []


@pytest.fixture
def real_lean(monkeypatch):
    """This process finds the packaged Lean with the test library, and no other."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    real_toolchain()
    monkeypatch.setenv("LEAN_CHECK_LEAN_PATH", str(compiled_library()))
    lean.toolchain_version.cache_clear()
    yield
    lean.toolchain_version.cache_clear()


REFERENCE = "theorem r (a b : Nat) (h : a = b) : b = a := by sorry"
CANDIDATES = [
    (REFERENCE, "accepted", True, "same_text"),
    ("theorem c : ∀ x y : Nat, x = y → y = x := sorry", "accepted", True, "definitional"),
    ("theorem c (a b : Nat) (h : a = b) : a + 1 = b := sorry", "accepted", None, "no tactic shows it"),
    ("theorem c (a b : Natural) : a = b := sorry", "rejected", None, None),
    ("noncomputable def f : Nat := Nat.zero", "rejected", None, None),
    ("theorem c : 1 = := sorry", "rejected", None, None),
]


def test_a_candidate_is_compiled_and_compared_with_its_reference_and_remembered(tmp_path, real_lean, asked):
    candidates = [Candidate(f"t{n}|0", "p", code, REFERENCE) for n, (code, *_) in enumerate(CANDIDATES)]
    done = []
    found = LeanChecker(Memo(tmp_path / "memo")).compare(candidates, done.append)
    assert [(v.item_id, v.outcome.value, v.equivalent) for v in found] == [
        (f"t{n}|0", outcome, same) for n, (_, outcome, same, _) in enumerate(CANDIDATES)
    ]
    assert [v.equivalence[0] if v.equivalence else None for v in found] == [how for *_, how in CANDIDATES]
    assert [v.reasons for v in found][3:] == [("unknown_name",), ("no_statement",), ("syntax",)]
    assert sum(done) == len(candidates)
    before = len(asked)
    again = LeanChecker(Memo(tmp_path / "memo")).compare([c._replace(item_id=f"u{c.item_id}") for c in candidates])
    assert [v.item_id for v in again] == [f"ut{n}|0" for n in range(len(candidates))]
    assert [v.equivalent for v in again] == [v.equivalent for v in found]
    assert len(asked) == before > 0


def test_a_proof_is_held_to_be_one_and_a_statement_may_leave_it_open(tmp_path, real_lean):
    statements = [
        ("proof", "theorem t : 1 = 1 := rfl"),
        ("open", "theorem t : 1 = 1 := sorry"),
        ("wrong", "theorem t : 1 = 2 := rfl"),
    ]
    found = {v.item_id: v for v in LeanChecker(Memo(tmp_path / "memo")).check(statements)}
    assert (found["proof"].outcome, found["proof"].axioms) == (LeanOutcome.ACCEPTED, ())
    assert (found["open"].outcome, found["open"].axioms) == (LeanOutcome.ACCEPTED, None)
    assert found["wrong"].outcome is LeanOutcome.REJECTED


def test_without_a_lean_a_candidate_is_not_judged(tmp_path, asked, monkeypatch):
    monkeypatch.setenv("LEAN_CHECK_LEAN", str(tmp_path / "absent"))
    memo = Memo(tmp_path / "memo")
    for _ in range(2):
        (verdict,) = LeanChecker(memo).compare([Candidate("a|0", "p", REFERENCE, REFERENCE)])
        assert (verdict.outcome, verdict.equivalent) == (LeanOutcome.INFRASTRUCTURE, None)
    assert asked == ["a|0", "a|0"]
