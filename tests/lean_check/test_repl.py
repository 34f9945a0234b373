"""The filter against the real package lean-interact, and a stand-in for the REPL that asks the packaged Lean."""

import dataclasses
import importlib.util
import os
import sys

import pytest

from lean_check import repl
from lean_check.batch import Item, Settings, check_many, key_of
from lean_check.messages import parse
from lean_check.process import MIB, Limits
from lean_check.repl import NoReplError, ReplFilter
from lean_check.sandbox import probe
from tests.lean_check import corpus
from tests.lean_check.real import real_toolchain

# Speaks as the REPL does: JSON in, a blank line; JSON out, a blank line.  `env` numbers the text read so far.  Like the
# REPL, and unlike the judge, it sets no option.
REPL = """#!{python} -IS
import json, os, subprocess, sys
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
    if "theorem floods" in command["cmd"]:
        while True: print("x" * 100000)
    if "theorem hoards" in command["cmd"]:
        hold = []
        while True: hold.append(bytearray(b"x" * 10000000))
    texts.append(before + command["cmd"])
    open("/scratch/Item.lean", "w").write(texts[-1])
    run = subprocess.run({command!r} + ["--json", "/scratch/Item.lean"], capture_output=True, text=True)
    found, skip = [], before.count("\\n")
    for message in map(json.loads, run.stdout.splitlines()):
        place = dict(message["pos"], line=message["pos"]["line"] - skip)
        if place["line"] > 0:
            found.append({{"severity": message["severity"].replace("information", "info"), "data": message["data"],
                           "pos": place, "endPos": None}})
    print(json.dumps({{"env": len(texts) - 1, "messages": found}}) + "\\n", flush=True)
"""
LIMITS = Limits(timeout_s=20)
needs_package = pytest.mark.skipif(
    importlib.util.find_spec("lean_interact") is None, reason="lean-interact is not installed"
)


@pytest.fixture
def built(tmp_path):
    """The folder of a built REPL, and a toolchain that is a project's."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    project, folder = tmp_path / "project", tmp_path / "repl"
    binary = folder / ".lake/build/bin/repl"
    binary.parent.mkdir(parents=True)
    project.mkdir()
    toolchain = dataclasses.replace(real_toolchain(), project=project)
    for place in (project, folder):
        (place / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    binary.write_text(REPL.format(python=toolchain.command[0], command=list(toolchain.command)))
    binary.chmod(0o755)
    return folder, toolchain


@pytest.fixture
def one(built):
    with ReplFilter(*built, LIMITS) as made:
        yield made


def errors(run):
    return [message for message in parse(run.stdout).messages if message.is_error()]


@needs_package
def test_what_has_an_error_is_refused_and_the_rest_is_let_pass(one):
    assert one.ask("universe u\ntheorem t (α : Type u) (a : α) : a = a := rfl\n") is None
    refused = errors(one.ask("universe u\n\ntheorem t : 1 = 2 := rfl\n"))
    assert {error.line for error in refused} == {3}
    assert "2" in refused[0].text


@needs_package
@pytest.mark.parametrize("mode", ["breaks", "floods", "hoards"])
def test_a_repl_that_breaks_has_no_opinion_and_is_begun_anew(built, mode):
    with ReplFilter(*built, dataclasses.replace(LIMITS, memory_bytes=300 * MIB)) as one:
        assert one.ask(f"theorem {mode} : 1 = 2 := rfl\n") is None
        assert errors(one.ask("theorem t : 1 = 2 := rfl\n")) != []


@needs_package
def test_a_repl_that_hangs_has_no_opinion(built):
    with ReplFilter(*built, dataclasses.replace(LIMITS, timeout_s=0.5)) as one:
        assert one.ask("theorem hangs : 1 = 2 := rfl\n") is None


@needs_package
def test_after_many_commands_it_is_begun_anew(one, monkeypatch):
    monkeypatch.setattr(repl, "COMMANDS_A_REPL", 3)
    for _ in range(5):
        assert errors(one.ask("theorem t : 1 = 2 := rfl\n")) != []


@needs_package
def test_what_it_cannot_split_and_a_header_with_an_error_it_lets_pass(one):
    assert one.ask("nonsense") is None
    assert one.ask("import Nowhere\ntheorem t : 1 = 2 := rfl\n") is None
    assert one.ask("open Nowhere\ntheorem t : 1 = 2 := rfl\n") is None


def asked(items, built, **options):
    folder, toolchain = built
    return list(check_many(items, Settings(timeout_s=20, repl=folder, **options), toolchain=toolchain, lanes=1))


def shown(verdict):
    return verdict.file, verdict.verdict, verdict.reasons, verdict.messages, verdict.axioms


MORE = [
    "theorem t (h : mm = 1) : 1 = 2 := h\n",  # without the option `mm` becomes a variable
    "theorem t : 1 = 2 :=",
    "theorem s : 1 = 1 := sorry\ntheorem t : 1 = 2 := rfl\n#check t\n",
    "open Nowhere\ntheorem t : 1 = 1 := rfl\n",
    "import Mathlib\ntheorem t : 1 = 1 := rfl\n",
]


@needs_package
def test_a_refusal_is_the_verdict_that_lean_itself_gives(built):
    families = (corpus.right, corpus.type_error, corpus.unknown_name, corpus.universe_error)
    cases = [case for family in families for case in family()[::4]]
    items = [Item(case.name, case.text.decode(), case.statement) for case in cases]
    items += [Item(f"more {n}", text) for n, text in enumerate(MORE)]
    items += [Item(f"header {n}", f"universe u\nvariable (p : Prop)\n{text}") for n, text in enumerate(MORE[:3])]
    alone = list(check_many(items, Settings(timeout_s=20, repl=False), toolchain=built[1], lanes=1))
    filtered = asked(items, built)
    assert [shown(verdict) for verdict in filtered] == [shown(verdict) for verdict in alone]
    told = [repl.NOTE in verdict.notes for verdict in filtered]
    for verdict, item, by_repl in zip(filtered, items, told, strict=True):
        assert not by_repl or (verdict.verdict == "rejected" and not item.source.startswith("open Nowhere")), item
    assert sum(told) > 0.8 * sum(verdict.verdict == "rejected" for verdict in alone) > 10
    assert not any(repl.NOTE in verdict.notes for verdict in alone)


@needs_package
def test_a_limit_that_is_reached_in_the_repl_is_no_verdict(built):
    hard = corpus.TWICE + "set_option maxHeartbeats 100\ntheorem t : f 30 true = false := by decide\n"
    deep = "theorem t : 1 = 1 := " + "(" * 20_000 + "rfl" + ")" * 20_000
    for verdict in asked([Item("hard", hard), Item("deep", deep)], built):
        assert repl.NOTE not in verdict.notes
        assert verdict.verdict == "rejected"


@needs_package
def test_a_repl_that_breaks_costs_no_verdict(built):
    items = [Item(name, f"theorem {name} : 1 = 1 := rfl\n") for name in ("breaks", "t", "hoards", "u")]
    assert [v.verdict for v in asked(items, built, memory_bytes=600 * MIB)] == ["accepted"] * 4


@needs_package
def test_it_is_asked_where_both_variables_name_it_and_nowhere_else(built, monkeypatch, tmp_path):
    folder, toolchain = built
    assert repl.named(toolchain, {}) is None
    env = {"LEAN_CHECK_REPL": str(folder), "LEAN_CHECK_PROJECT": str(toolchain.project)}
    assert repl.named(toolchain, env) == folder
    assert repl.named(dataclasses.replace(toolchain, project=None), env) is None
    assert repl.named(dataclasses.replace(toolchain, project=tmp_path), env) is None
    assert repl.named(toolchain, {**env, "LEAN_CHECK_REPL": str(tmp_path)}) is None
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    wrong = Item("wrong", "theorem t : 1 = 2 := rfl\n")
    notes = {
        use: next(check_many([wrong], Settings(timeout_s=20, repl=use), toolchain=toolchain)).notes
        for use in (True, False)
    }
    assert repl.NOTE in notes[True]
    assert repl.NOTE not in notes[False]


@needs_package
def test_what_is_remembered_depends_on_the_repl(built):
    folder, toolchain = built
    item = Item("a", "theorem t : 1 = 1 := rfl\n")
    keys = [key_of(item, Settings(repl=False), toolchain), key_of(item, Settings(repl=folder), toolchain)]
    with (folder / ".lake/build/bin/repl").open("a") as file:
        file.write("# another\n")
    keys.append(key_of(item, Settings(repl=folder), toolchain))
    assert len(set(keys)) == 3


@needs_package
def test_a_repl_that_was_not_built_or_has_no_project_says_so(built, tmp_path):
    folder, toolchain = built
    with pytest.raises(NoReplError, match="lake build"):
        ReplFilter(tmp_path, toolchain, Limits())
    with pytest.raises(NoReplError, match="LEAN_CHECK_PROJECT"):
        check_many([], Settings(repl=folder), toolchain=dataclasses.replace(toolchain, project=None))


def test_without_the_package_it_says_what_to_install(built, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "lean_interact", None)
    with pytest.raises(NoReplError, match="pip install lean-interact"):
        ReplFilter(*built, Limits())
    assert sorted(os.listdir(tmp_path)) == ["project", "repl"]  # noqa: PTH208
