import pytest

from lean_check import batch
from resources.lean import LeanChecker
from resources.memo import Memo
from stepforge.vocabulary import LeanOutcome

LEAN_3 = "import data.nat.basic\ntheorem t : 1 = 1 := begin refl end"


@pytest.fixture
def asked(monkeypatch):
    """The texts that were judged anew."""
    names, real = [], batch.check

    def counted(text, **options):
        names.append(options["name"])
        return real(text, **options)

    monkeypatch.setattr(batch, "check", counted)
    return names


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
