import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from lean_check.tracing import NoTracingError, TracedTactic, trace

GIT = shutil.which("git") or "/bin/false"


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A PATH on which git, lake and lean are found."""
    for name in ("git", "lake", "lean"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DISABLE_REMOTE_CACHE", raising=False)
    return tmp_path


def test_missing_tools_and_a_missing_package_are_named(tools, monkeypatch):
    monkeypatch.setitem(sys.modules, "lean_dojo", None)
    with pytest.raises(NoTracingError, match="pip install lean-dojo"):
        list(trace(Path("repository")))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoTracingError, match="git, lake, lean"):
        list(trace(Path("repository")))


def test_what_the_real_package_cannot_trace_is_an_error_that_names_the_repository(tools, tmp_path, monkeypatch):
    if importlib.util.find_spec("lean_dojo") is None:
        pytest.skip("lean-dojo is not installed")
    (tools / "git").unlink()
    (tools / "git").symlink_to(GIT)
    with pytest.raises(NoTracingError, match=r"absent: lean-dojo could not trace it"):
        list(trace(tmp_path / "absent"))


def test_tactics_come_with_their_goals_and_each_premise_once(tools, monkeypatch):
    tactic = SimpleNamespace(
        tactic="rw [a, a]",
        state_before="⊢ x",
        state_after="no goals",
        get_annotated_tactic=lambda: ("rw", [{"full_name": "A.a"}, {"full_name": "A.a"}]),
    )
    theorem = SimpleNamespace(
        theorem=SimpleNamespace(file_path=Path("A.lean"), full_name="A.t"), get_traced_tactics=lambda: [tactic]
    )
    package = ModuleType("lean_dojo")
    package.LeanGitRepo = SimpleNamespace(from_path=lambda path: path)
    package.trace = lambda _repo, **_: SimpleNamespace(get_traced_theorems=lambda: [theorem])
    monkeypatch.setitem(sys.modules, "lean_dojo", package)
    assert list(trace(Path("repository"))) == [TracedTactic("A.lean", "A.t", "rw [a, a]", "⊢ x", "no goals", ("A.a",))]
