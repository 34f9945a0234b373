"""Tactics through the real package lean-dojo, its `Dojo` and all, on a repository that is already in its cache, with
stand-ins for `lake`, for `lean`, and for what lean-dojo's own Lean code writes: that code imports Lean's library, which
the packaged Lean does not have.  The stand-in for the proving Lean asks the packaged one about every tactic."""

import importlib.util
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lean_check import check
from lean_check.interactive import Failed, Finished, GivenUp, State, opened
from lean_check.process import MIB, Limits
from lean_check.sandbox import probe
from lean_check.toolchains import python_executable
from lean_check.tracing import NoTracingError
from tests.lean_check.real import compiled_library, real_toolchain

FILE = "theorem both (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  exact ⟨h.2, h.1⟩\n\ntheorem after : 1 = 1 := rfl\n"
# `lean … FILE`: speaks as lean-dojo's `lean_dojo_repl` does.  The goals are those of Lean's error about goals left.
LEAN = r"""#!{python} -IS
import json, os, re, subprocess, sys, time
if sys.argv[1:] == ["--print-prefix"]:
    print({prefix!r})
    sys.exit(0)
assert sys.argv[1].startswith("--threads=") and sys.argv[2].startswith("--memory="), sys.argv
assert os.getcwd() == "/scratch" and not os.path.exists("/etc/passwd")  # that is, in the sandbox
source = open(sys.argv[3], encoding="utf-8").read()
head = source.partition("by\n  lean_dojo_repl\n")[0].removeprefix("import Lean4Repl\n\n")
saved = [[]]

def ask(tactics):
    body = "".join(f"\n  {{tactic}}" for tactic in tactics) or " {{}}"
    text = head.replace("set_option maxHeartbeats 0 in\n", "") + "by" + body
    open("/scratch/Item.lean", "w", encoding="utf-8").write(text)
    command = {command!r} + ["--json", "/scratch/Item.lean"]
    run = subprocess.run(command, capture_output=True, text=True, env={{"LEAN_PATH": {library!r}}})
    messages = [json.loads(line) for line in run.stdout.splitlines()]
    errors = [message["data"] for message in messages if message["severity"] == "error"]
    left = next((error for error in errors if error.startswith("unsolved goals")), None)
    if left is not None:
        return None, left.partition("\n")[2]
    if any(message.get("kind") == "hasSorry" for message in messages):
        return "proof contains `sorry`", None
    return (errors[0], None) if errors else (None, "no goals")

def answer(sid=None, state=None, error=None):
    print("REPL> " + json.dumps({{"sid": sid, "tacticState": state, "error": error}}), flush=True)

answer(0, ask([])[1])
for line in sys.stdin:
    request = json.loads(line)
    tactic = request["cmd"]
    if tactic == "exact ends":
        sys.exit(3)
    if tactic == "exact hangs":
        time.sleep(600)
    if tactic == "exact hoards":
        hold = []
        while True: hold.append(bytearray(b"x" * 10000000))
    if tactic == "exact miscounts":
        answer(1, "x : Nat ⊢ ⊢")
        continue
    tactics = saved[request["sid"]] + [tactic]
    error, state = ask(tactics)
    if error is None:
        saved.append(tactics)
    answer(None if error else len(saved) - 1, state, error)
"""
LAKE = "#!/bin/sh\n[ \"$*\" = 'env printenv LEAN_PATH' ] || exit 1\necho '{}'\n"

pytestmark = pytest.mark.skipif(importlib.util.find_spec("lean_dojo") is None, reason="lean-dojo is not installed")


def node(kind, *args):
    return {"node": {"info": "none", "kind": f"Lean.Parser.{kind}", "args": list(args)}}


def leaf(source, word, nth=0, *, name=False):
    """A word of the source as lean-dojo's extractor writes it, with its place in bytes."""
    at = -1
    for _ in range(nth + 1):
        at = source.index(word, at + 1)
    begin = len(source[:at].encode())
    info = {"original": {"leading": "", "pos": begin, "trailing": " ", "endPos": begin + len(word.encode())}}
    if name:
        return {"ident": {"info": info, "rawVal": word, "val": word, "preresolved": []}}
    return {"atom": {"info": info, "val": word}}


def syntax(source):
    """The tree of FILE's first theorem, in the form of lean-dojo's ExtractData.lean."""
    proof = node("Term.app", leaf(source, "by"), leaf(source, "exact"), leaf(source, "⟨h.2, h.1⟩"))
    theorem = node(
        "Command.theorem",
        leaf(source, "theorem"),
        node("Command.declId", leaf(source, "both", name=True)),
        node("Command.declSig", leaf(source, "(p q : Prop) (h : p ∧ q)"), leaf(source, "q ∧ p")),
        node("Command.declValSimple", leaf(source, ":="), proof),
    )
    declaration = node("Command.declaration", node("Command.declModifiers"), theorem)
    return {"commandASTs": [node("Module.header"), declaration], "tactics": [], "premises": []}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A git repository that lean-dojo finds traced in its cache, with stand-ins for lake and lean on the PATH."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    toolchain, library = real_toolchain(), compiled_library()
    prefix, cache, folder = tmp_path / "prefix", tmp_path / "cache", tmp_path / "repository"
    (prefix / "bin").mkdir(parents=True)
    cache.mkdir()
    folder.mkdir()
    libraries = os.pathsep.join(map(str, (*toolchain.readable(), library)))
    lean = LEAN.format(
        python=python_executable(), prefix=str(prefix), command=list(toolchain.command), library=str(library)
    )
    for name, text in (("lean", lean), ("lake", LAKE.format(libraries))):
        (prefix / "bin" / name).write_text(text, encoding="utf-8")
        (prefix / "bin" / name).chmod(0o755)
    git = Path(shutil.which("git") or "/bin/false").parent
    monkeypatch.setenv("PATH", os.pathsep.join([str(prefix / "bin"), str(git), "/usr/bin", "/bin"]))
    monkeypatch.setenv("DISABLE_REMOTE_CACHE", "1")
    (folder / "Ex.lean").write_text(FILE, encoding="utf-8")
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    (folder / "lakefile.toml").write_text('name = "ex"\n')
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=folder, check=True, timeout=60)
    import lean_dojo
    from lean_dojo.data_extraction.cache import cache as of_package

    monkeypatch.setattr(type(of_package), "__setattr__", object.__setattr__)
    monkeypatch.setattr(of_package, "cache_dir", cache)
    repo = lean_dojo.LeanGitRepo.from_path(folder)
    traced = cache / repo.get_cache_dirname() / repo.name
    shutil.copytree(folder, traced)
    (traced / "Lean4Repl.lean").touch()
    (traced / ".lake/build/ir").mkdir(parents=True)
    (traced / ".lake/build/ir/Ex.ast.json").write_text(json.dumps(syntax(FILE)))
    (traced / ".lake/build/ir/Ex.dep_paths").touch()
    return folder


def test_a_proof_is_found_step_by_step_and_judged_by_another(repository):
    with opened(repository, "Ex.lean", "both") as proving:
        first = proving.first
        assert [(goal.hypotheses, goal.conclusion) for goal in first.goals] == [
            ((("p", "Prop"), ("q", "Prop"), ("h", "p ∧ q")), "q ∧ p")
        ]
        split = proving.run(first, "apply And.intro")
        assert isinstance(split, State)
        assert [goal.conclusion for goal in split.goals] == ["q", "p"]
        assert isinstance(proving.run(split, "exact h.1"), Failed)
        one = proving.run(split, "exact h.2  -- the second part")
        assert [goal.conclusion for goal in one.goals] == ["p"]
        done = proving.run(one, "exact h.1")
        assert isinstance(done, Finished)
        again = proving.run(first, "exact ⟨h.2, h.1⟩")  # an earlier state still holds
        assert isinstance(again, Finished)
        assert isinstance(proving.run(first, "sorry"), GivenUp)
    for finished in (done, again):
        verdict = check(finished.source, reference=finished.reference, toolchain=real_toolchain())
        assert (verdict.verdict, verdict.reasons) == ("accepted", ()), verdict
    assert list((repository.parent / "cache").rglob("*.lean")) != []
    assert not [path for path in (repository.parent / "cache").rglob("Ex*.lean") if path.name != "Ex.lean"]


def test_what_no_text_may_say_no_tactic_may(repository):
    with opened(repository, "Ex.lean", "both") as proving:
        for tactic in ('run_tac IO.println "x"', "native_decide", "set_option debug.skipKernelTC true in trivial"):
            answer = proving.run(proving.first, tactic)
            assert isinstance(answer, Failed)
            assert "refused before it was tried" in answer.error
        assert isinstance(proving.run(proving.first, "exact ⟨h.2, h.1⟩"), Finished)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ends", "open the theorem again"),
        ("hangs", "leave that tactic out"),
        ("hoards", "open the theorem again"),
        ("miscounts", "cannot read the goals"),
    ],
)
def test_a_lean_that_ends_or_does_not_answer_says_what_to_do(repository, word, said):
    limits = Limits(timeout_s=3 if word == "hangs" else 60, memory_bytes=300 * MIB)
    with opened(repository, "Ex.lean", "both", limits) as proving:
        pid = proving._lean.proc.pid
        with pytest.raises(NoTracingError, match=said):
            proving.run(proving.first, f"exact {word}")
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(("file", "theorem"), [("Ex.lean", "nowhere"), ("Other.lean", "both")])
def test_what_is_not_there_is_named(repository, file, theorem):
    path = os.environ["PATH"]
    with pytest.raises(NoTracingError, match=f"could not open {theorem} in {file}"), opened(repository, file, theorem):
        pass
    assert os.environ["PATH"] == path


def test_without_a_sandbox_no_tactic_is_run(repository, monkeypatch):
    git = shutil.which("git")
    few = repository.parent / "few"
    few.mkdir()
    for name in ("lake", "lean"):
        (few / name).symlink_to(repository.parent / "prefix/bin" / name)
    (few / "git").symlink_to(git)
    monkeypatch.setenv("PATH", str(few))
    with pytest.raises(NoTracingError, match="bubblewrap"), opened(repository, "Ex.lean", "both"):
        pass
