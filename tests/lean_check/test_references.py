import threading

import pytest

from lean_check import references
from lean_check.audit import NoReferenceError, Reference
from lean_check.batch import Item, Settings, check_many
from lean_check.process import Limits
from lean_check.references import FAILURES, References
from lean_check.sandbox import probe
from tests.lean_check.real import real_toolchain

LIMITS = Limits()


@pytest.fixture
def made(monkeypatch):
    """The references that were compiled, in order; one that says `wrong` does not compile."""
    sources = []

    def compile_reference(source, *_):
        sources.append(source)
        if "wrong" in source:
            raise NoReferenceError("it is wrong")
        return source.encode()

    monkeypatch.setattr(references, "compile_reference", compile_reference)
    return sources


def compiled(kept, source):
    return kept.compiled(source, None, LIMITS, True)


def test_each_is_compiled_once_also_where_many_ask_at_once(made):
    kept = References()
    threads = [threading.Thread(target=compiled, args=(kept, f"r{n % 3}")) for n in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == ["r0", "r1", "r2"]
    assert compiled(kept, "r1") == b"r1"


def test_what_differs_in_anything_is_compiled_anew(made):
    kept = References()
    for limits in (LIMITS, Limits(timeout_s=1)):
        for sandboxed in (True, False):
            kept.compiled("r", None, limits, sandboxed)
    assert len(made) == 4


def test_a_bound_on_memory_lets_go_the_one_that_was_asked_for_longest_ago(made):
    kept = References(most_bytes=5)
    for source in ("aa", "bb", "aa", "cc", "aa", "bb", "a very long one", "aa"):
        assert compiled(kept, source) == source.encode()
    assert made == ["aa", "bb", "cc", "bb", "a very long one", "aa"]


def test_one_that_does_not_compile_is_tried_a_few_times_and_then_not_again(made):
    kept = References()
    for _ in range(10):
        with pytest.raises(NoReferenceError, match="it is wrong"):
            compiled(kept, "wrong")
    assert len(made) == FAILURES


def test_a_batch_compiles_each_reference_once(monkeypatch):
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    toolchain = real_toolchain()
    sources, real = [], references.compile_reference

    def counted(source, *rest):
        sources.append(source)
        return real(source, *rest)

    monkeypatch.setattr(references, "compile_reference", counted)
    ask = [Reference(f"theorem t : {n} = {n} := sorry", "t") for n in range(2)] + [
        Reference("theorem t : := sorry", "t")
    ]
    items = [Item(str(n), f"theorem t : {n % 3} = {n % 3} := rfl\n-- {n}", reference=ask[n % 3]) for n in range(12)]
    got = list(check_many(items, Settings(repl=False), toolchain=toolchain, lanes=2))
    assert [v.verdict for v in got] == ["accepted", "accepted", "infrastructure"] * 4
    assert {source: sources.count(source) for source in sources} == dict(
        zip((one.source for one in ask), (1, 1, FAILURES), strict=True)
    )
