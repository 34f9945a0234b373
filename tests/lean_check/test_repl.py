"""The filter against the real package lean-interact, and a stand-in for the REPL that asks the packaged Lean."""

import importlib.util
import os
import sys

import pytest

from lean_check.process import Limits
from lean_check.repl import NoReplError, ReplFilter
from lean_check.sandbox import probe
from tests.lean_check.real import real_toolchain

# Speaks as the REPL does: JSON in, a blank line; JSON out, a blank line.  `env` numbers the text read so far.
REPL = """#!{python} -IS
import json, subprocess, sys
texts, asked = [], []
for line in sys.stdin:
    if line.strip():
        asked.append(line)
        continue
    command, asked = json.loads("".join(asked)), []
    before = texts[command["env"]] if command.get("env") is not None else ""
    if "theorem breaks" in command["cmd"]:
        sys.exit(1)
    if "theorem hangs" in command["cmd"]:
        while True: pass
    texts.append(before + command["cmd"])
    open("/scratch/Item.lean", "w").write(texts[-1])
    run = subprocess.run({command!r} + ["--json", "/scratch/Item.lean"], capture_output=True, text=True)
    found, skip = [], before.count("\\n")
    for message in map(json.loads, run.stdout.splitlines()):
        place = dict(message["pos"], line=message["pos"]["line"] - skip)
        found.append({{"severity": message["severity"].replace("information", "info"), "data": message["data"],
                       "pos": place, "endPos": None}})
    print(json.dumps({{"env": len(texts) - 1, "messages": found}}) + "\\n", flush=True)
"""
needs_package = pytest.mark.skipif(
    importlib.util.find_spec("lean_interact") is None, reason="lean-interact is not installed"
)


@pytest.fixture
def repl(tmp_path):
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    toolchain = real_toolchain()
    project, folder = tmp_path / "project", tmp_path / "repl"
    binary = folder / ".lake/build/bin/repl"
    binary.parent.mkdir(parents=True)
    project.mkdir()
    for place in (project, folder):
        (place / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    binary.write_text(REPL.format(python=toolchain.command[0], command=list(toolchain.command)))
    binary.chmod(0o755)
    with ReplFilter(project, folder, toolchain, Limits(timeout_s=20)) as one:
        yield one


@needs_package
def test_what_has_an_error_is_refused_and_the_rest_is_let_pass(repl):
    assert repl.ask("universe u\ntheorem t (α : Type u) (a : α) : a = a := rfl\n").errors == ()
    refused = repl.ask("universe u\n\ntheorem t : 1 = 2 := rfl\n").errors
    assert {(error.line, error.severity) for error in refused} == {(3, "error")}
    assert "2" in refused[0].text


@needs_package
def test_a_repl_that_breaks_has_no_opinion_and_is_begun_anew(repl):
    assert repl.ask("theorem breaks : 1 = 2 := rfl\n").errors == ()
    assert repl.ask("theorem t : 1 = 2 := rfl\n").errors != ()


@needs_package
def test_what_it_cannot_split_it_lets_pass(repl):
    assert repl.ask("nonsense").errors == ()


@needs_package
def test_a_repl_that_was_not_built_says_so(tmp_path):
    with pytest.raises(NoReplError, match="lake build"):
        ReplFilter(tmp_path, tmp_path, real_toolchain(), Limits())


def test_without_the_package_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lean_interact", None)
    with pytest.raises(NoReplError, match="pip install lean-interact"):
        ReplFilter(tmp_path, tmp_path, real_toolchain(), Limits())
    assert os.listdir(tmp_path) == []  # noqa: PTH208
