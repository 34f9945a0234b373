from resources.symbolic import METHOD, SECOND_METHOD, SymbolicComparer, ask_all, symbolic_workers
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Verdict

ENDLESS = ("5", "\\int_0^1 x^x e^{x^x} \\sin(x^{x^x}) dx")


def test_a_pair_that_never_ends_is_killed_undecided_and_asked_once():
    remembered = {}
    with symbolic_workers() as workers:
        comparer = SymbolicComparer(workers, timeout_s=1.0, remember=remembered)
        assert comparer("x+1", "1+x") is EQUAL
        assert comparer(*ENDLESS) is UNDECIDED
        assert comparer("x+1", "x+2") is DIFFERENT
        assert comparer.judge(*ENDLESS) == Verdict(UNDECIDED, METHOD, "limit: took longer than 1 s")
    assert len(remembered) == 3
    closed = SymbolicComparer(workers, remember=remembered)
    assert closed("x+1", "x+2") is DIFFERENT


def test_many_pairs_are_answered_side_by_side_each_with_its_reason():
    pairs = [("\\sum_{k=1}^{n} k", "\\frac{n(n+1)}{2}"), ENDLESS, ("x+1", "x+2"), ("\\text{June}", "x")]
    with symbolic_workers(2) as workers:
        found = ask_all(workers, pairs, timeout_s=1.0)
    assert list(found) == pairs
    assert [v.verdict for v in found.values()] == [EQUAL, UNDECIDED, DIFFERENT, UNDECIDED]
    assert [v.reason for v in found.values()][1::2] == ["limit: took longer than 1 s", "no test decides"]


def test_math_verify_votes_only_where_it_is_asked_for_and_only_on_what_is_open():
    pairs = [("18", "18}"), ("x+1", "x+2"), ("x", "y:z")]
    with symbolic_workers() as workers:
        without = ask_all(workers, pairs, timeout_s=20.0)
        voted = ask_all(workers, pairs, timeout_s=20.0, math_verify=True)
        comparer = SymbolicComparer(workers, timeout_s=20.0, math_verify=True)
        assert comparer.judge(*pairs[0]).method == SECOND_METHOD
    assert [v.verdict for v in without.values()] == [UNDECIDED, DIFFERENT, UNDECIDED]
    assert [(v.verdict, v.method) for v in voted.values()] == [
        (EQUAL, SECOND_METHOD),
        (DIFFERENT, METHOD),
        (UNDECIDED, METHOD),
    ]
    assert voted[pairs[2]].reason.endswith("math-verify: no vote")
