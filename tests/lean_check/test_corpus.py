"""The whole command on every text of the corpus, with the packaged Lean: each verdict is the one known beforehand."""

import json
from collections import Counter

import pytest

from lean_check import cli
from lean_check.sandbox import probe
from tests.lean_check.corpus import FAMILIES, Case, corpus
from tests.lean_check.real import compiled_library, real_toolchain


@pytest.fixture
def verdicts(tmp_path, capfdbinary, monkeypatch):
    """Writes the cases to files and runs the command on them; file, verdict and reasons of each."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    real_toolchain()
    for name in ("LEAN_CHECK_LEAN", "LEAN_CHECK_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LEAN_CHECK_LEAN_PATH", str(compiled_library()))

    def call(cases: list[Case], *options: str):
        files = []
        for case in cases:
            files.append(tmp_path / f"{case.name}.lean")
            files[-1].write_bytes(case.text)
        cli.main([*map(str, files), "--json", *options])
        rows = map(json.loads, capfdbinary.readouterr().out.splitlines())
        return {row["file"].removeprefix(f"{tmp_path}/").removesuffix(".lean"): row for row in rows}

    return call


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_every_verdict_is_the_expected_one(verdicts, family):
    cases = family()
    said = {}
    for statement in (False, True):
        some = [case for case in cases if case.statement is statement]
        options = ["--timeout", "6", "--memory", "0.6", *(["--statements-only"] if statement else [])]
        said |= verdicts(some, *options) if some else {}
    got = {name: (row["verdict"], (row["reasons"] or [None])[0]) for name, row in said.items()}
    expected = {case.name: ("rejected" if case.reason else "accepted", case.reason) for case in cases}
    assert got == expected


def test_the_corpus_is_large_and_has_every_kind_of_text():
    cases = corpus()
    assert len({case.name for case in cases}) == len(cases) >= 200
    assert len({(case.text, case.statement) for case in cases}) == len(cases)
    kinds = Counter(case.family for case in cases)
    assert set(kinds) == {
        "right", "type_error", "unknown_name", "universe", "sorry", "axiom", "timeout", "memory", "recursion", "flood",
        "bytes",
    }  # fmt: skip
