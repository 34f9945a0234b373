"""Public checkers as the audit of a Lean that is not known by itself: stand-ins for them, run in the sandbox.

What the stand-ins print is in the form of SafeVerify's Main.lean and lean4checker's; what they check is nothing: the
name of a declaration in the compiled text says which answer they give.
"""

import dataclasses

import pytest

from lean_check import check, external_audit
from lean_check.audit import STANDARD_AXIOMS, Question, Reference, audit, why_not
from lean_check.batch import Item, Settings, key_of
from lean_check.external_audit import with_target
from lean_check.process import Limits
from lean_check.sandbox import probe
from lean_check.toolchains import python_executable
from tests.lean_check.real import real_toolchain

STAND_IN = r"""#!{python} -IS
import os, re, sys
from pathlib import Path
name = Path(sys.argv[0]).name
assert os.environ["LEAN_PATH"].split(":")[0] == "/item", os.environ
assert os.environ["LEAN_SYSROOT"] and os.environ["LD_LIBRARY_PATH"] and os.environ["PATH"]
assert not os.path.exists("/etc/passwd")
folder = os.environ["LEAN_PATH"].split(":")[0]
candidate = Path(folder, "Item.olean").read_bytes()
mode = re.search(rb"mode_([a-z0-9_]+)", candidate)
mode = mode.group(1).decode() if mode else "passes"

def say(*lines):
    print(*lines, sep="\n", file=sys.stderr, flush=True)

def replay(path, end=True):
    say(f"Replaying {{path}}", "Finished setting up the environment.")
    if end:
        say("Finished replay. Found 1 declarations.")

def throw(text):
    say(f"uncaught exception: {{text}}")
    sys.exit(1)

if mode == name + "_spins":
    while True: pass
if mode == name + "_crashes":
    os.abort()
if name == "lean4checker":
    assert sys.argv[1:] == ["Item"], sys.argv
    if mode == "replayed_badly":
        say("lean4checker found a problem in Item")
        throw("(kernel) declaration type mismatch, 'false' has type\n  Prop")
    if mode == "not_found":
        throw("Could not find any oleans for: Item")
    sys.exit(0)

assert sys.argv[1:] == [folder + "/target.olean", folder + "/Item.olean"], sys.argv
target, submission = sys.argv[1:]
say("Currently running on Lean v4.30.0", f"Running SafeVerify on target file: {{target}} and ...")
assert Path(target).read_bytes()[:5] == b"olean"
PROBLEMS = {{
    "missing": "declaration not found in submission", "kind": "kind mismatch (expected theorem, got axiom)",
    "type": "theorem type mismatch", "value": "definition type or value mismatch",
}}
if mode == "old_version":
    say("Found a problem in " + submission + " with declaration t")
    print("Finished.")
    sys.exit(0)
if mode == "thrown_imports":
    throw(f"Submission '{{submission}}' is missing 3 transitive imports required by target: #[A]. Submissions must ...")
if mode == "thrown_prelude":
    throw(f"'{{submission}}' has no imports (possible prelude file). Submissions must import Init.")
if mode == "thrown_target":
    replay(target, end=False)
    throw("(kernel) unknown constant 'x'")
replay(target)
if mode == "thrown_unsafe":
    replay(submission, end=False)
    throw("unsafe constant f detected")
if mode == "thrown_name":
    replay(submission, end=False)
    throw("unsafe constant «\nReplaying /item/target.olean\nSafeVerify check passed.» detected")
if mode == "thrown_replay":
    replay(submission, end=False)
    throw("(kernel) declaration type mismatch")
if mode == "thrown_term":
    replay(submission)
    throw("kernel verification failed for 't': proof term rejected by kernel typechecker")
replay(submission)
failed = False
for part, axioms in (("sorry", "sorryAx"), ("native", "propext, Lean.ofReduceBool"), ("other", "Quot.sound, choose")):
    if mode == "axiom_" + part:
        say(f"t used disallowed axioms. #[{{axioms}}]")
        say(f"Found a problem in {{submission}} with declaration t: uses disallowed axioms")
        failed = True
for part, text in PROBLEMS.items():
    for place, name in (("asked", "t"), ("used", "d")):
        if mode == f"{{place}}_{{part}}":
            say(f"Found a problem in {{submission}} with declaration {{name}}: {{text}}")
            failed = True
if mode == "unknown_form":
    say("a line of another form")
    failed = True
if mode == "fails_with_0":
    say("Found a problem in " + submission + " with declaration t: theorem type mismatch", "SafeVerify check passed.")
    sys.exit(0)
if failed:
    throw("SafeVerify check failed. For more diagnostic information ...")
say("SafeVerify check passed.")
"""
REFERENCE = Reference("theorem t : 1 = 1 := sorry\ndef d : Nat := 1\n", "t")
AXIOMS = ("propext", "Classical.choice", "Quot.sound")


def text(mode):
    return f"def mode_{mode} : Nat := 1\ntheorem t : 1 = 1 := rfl\n"


@pytest.fixture
def toolchain(tmp_path):
    """The packaged Lean under the name of another version, with both checkers."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    programs = []
    for name in ("safe_verify", "lean4checker"):
        (tmp_path / name).write_text(STAND_IN.format(python=python_executable()))
        (tmp_path / name).chmod(0o755)
        programs.append((name, tmp_path / name))
    return dataclasses.replace(real_toolchain(), version="4.30.0", library=None, checkers=tuple(programs))


def without(toolchain, *names):
    kept = tuple((name, path) for name, path in toolchain.checkers if name not in names)
    return dataclasses.replace(toolchain, checkers=kept)


def judged(mode, toolchain, **options):
    options = {"reference": REFERENCE, "timeout_s": 20, **options}
    return check(text(mode), toolchain=toolchain, **options)


def test_what_the_checkers_pass_is_accepted_and_the_notes_say_by_whom(toolchain):
    verdict = judged("passes", toolchain)
    assert (verdict.verdict, verdict.reasons, verdict.axioms) == ("accepted", (), None)
    assert "audited by SafeVerify" in " ".join(verdict.notes)
    assert "replayed by lean4checker" in verdict.notes
    alone = judged("passes", without(toolchain, "lean4checker"), reference=None)
    assert alone.verdict == "accepted"
    assert "replayed by lean4checker" not in alone.notes


@pytest.mark.parametrize(
    ("mode", "rule"),
    [
        ("axiom_sorry", "sorry"),
        ("axiom_native", "native_decide"),
        ("axiom_other", "axiom_not_allowed"),
        ("asked_missing", "target_missing"),
        ("used_missing", "definition_differs"),
        ("asked_kind", "not_a_theorem"),
        ("used_kind", "definition_differs"),
        ("asked_type", "statement_differs"),
        ("used_type", "definition_differs"),
        ("used_value", "definition_differs"),
        ("unknown_form", "safe_verify"),
        ("thrown_imports", "imports"),
        ("thrown_prelude", "prelude"),
        ("thrown_unsafe", "unsafe_constant"),
        ("thrown_name", "unsafe_constant"),
        ("thrown_replay", "kernel"),
        ("thrown_term", "kernel"),
        ("replayed_badly", "kernel"),
    ],
)
def test_a_refusal_has_the_name_that_the_own_audit_gives_it(toolchain, mode, rule):
    verdict = judged(mode, toolchain)
    assert (verdict.verdict, verdict.reasons) == ("rejected", (rule,)), verdict
    assert any(message.text.startswith(f"{rule}: ") for message in verdict.messages)


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("old_version", "crash"),
        ("fails_with_0", "crash"),
        ("safe_verify_crashes", "crash"),
        ("lean4checker_crashes", "crash"),
        ("not_found", "crash"),
        ("thrown_target", "bad_reference"),
    ],
)
def test_what_is_no_judgement_of_the_text_is_none(toolchain, mode, reason):
    verdict = judged(mode, toolchain)
    assert (verdict.verdict, verdict.reasons) == ("infrastructure", (reason,)), verdict


@pytest.mark.parametrize("name", ["safe_verify", "lean4checker"])
def test_a_checker_that_does_not_come_to_an_end_is_stopped(toolchain, name):
    assert judged(f"{name}_spins", toolchain, timeout_s=1).reasons in (("timeout",), ("stalled",))


def test_without_safe_verify_there_is_no_audit_and_it_is_said_what_to_build(toolchain):
    for names, said in ((("safe_verify", "lean4checker"), "no public checker"), (("safe_verify",), "alone")):
        few = without(toolchain, *names)
        assert said in why_not(few)
        verdict = judged("passes", few)
        assert (verdict.verdict, verdict.reasons) == ("infrastructure", ("no_audit",))
        assert "LEAN_CHECK_SAFE_VERIFY" in verdict.messages[0].text
        assert judged("passes", few, reference=None).axioms is None
    assert why_not(toolchain) is None


def test_a_question_with_other_rules_than_the_checkers_is_not_asked(toolchain):
    for options in ({"axioms": ("propext",)}, {"axioms": (*AXIOMS, "mine")}, {"statement_only": True}):
        verdict = judged("passes", toolchain, **options)
        assert (verdict.verdict, verdict.reasons) == ("infrastructure", ("no_audit",))
    assert audit(b"", toolchain, Limits(), Question(allow_sorry=True)).failed[0] == "no_audit"


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("theorem s : 1 = 1 := sorry\n", "t", "no theorem t"),
        ("def t : Nat := 1\n", "t", "no theorem t"),
        ("namespace A\ntheorem t : 1 = 1 := sorry\nend A\n", "t", "t"),
        ("theorem t : 1 = 1 := sorry\n", "A.t", "A.t"),
    ],
)
def test_a_reference_without_the_theorem_is_no_reference(toolchain, source, target, said):
    verdict = judged("passes", toolchain, reference=Reference(source, target))
    assert (verdict.verdict, verdict.reasons) == ("infrastructure", ("bad_reference",))
    assert said in verdict.messages[0].text


def test_a_theorem_in_a_namespace_is_found_in_a_reference():
    source = "namespace A.B\ntheorem t : 1 = 1 := sorry\nend A.B\n"
    assert with_target(source, "A.B.t").startswith(source)
    with pytest.raises(ValueError, match="no theorem"):
        with_target("-- theorem t\n", "t")


def test_a_checker_built_anew_changes_the_key(toolchain):
    item, settings = Item("a", text("passes")), Settings(repl=False)
    keys = {key_of(item, settings, toolchain), key_of(item, settings, without(toolchain, "safe_verify"))}
    for name, path in toolchain.checkers:
        newer = path.with_name("newer") / name
        newer.parent.mkdir(exist_ok=True)
        newer.write_bytes(path.read_bytes() + b"#")
        keys.add(key_of(item, settings, dataclasses.replace(toolchain, checkers=((name, newer),))))
    assert len(keys) == 4


def test_the_axioms_it_allows_are_leans_three():
    assert external_audit.AXIOMS == set(AXIOMS) == set(STANDARD_AXIOMS)
