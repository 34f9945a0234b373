from resources.symbolic import SymbolicComparer, symbolic_workers
from stepforge.vocabulary import EquivalenceVerdict


def test_a_pair_that_never_ends_is_killed_undecided_and_asked_once():
    remembered = {}
    with symbolic_workers() as workers:
        comparer = SymbolicComparer(workers, timeout_s=1.0, remember=remembered)
        assert comparer("x+1", "1+x") is EquivalenceVerdict.EQUAL
        assert comparer("2^{9^{9^{9}}}", "\\sum_{n=1}^{10^{12}} n^{n}") is EquivalenceVerdict.UNDECIDED
        assert comparer("x+1", "x+2") is EquivalenceVerdict.DIFFERENT
    assert len(remembered) == 3
    closed = SymbolicComparer(workers, remember=remembered)
    assert closed("x+1", "x+2") is EquivalenceVerdict.DIFFERENT
