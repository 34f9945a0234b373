"""Texts that try to have something accepted that is not proved, or to do harm while Lean reads them.

Each file of `attacks/` says in its first lines which rule has to name it, which may where the screening of the text is
switched off (`lean`: an error of Lean's own), and what it pretends to prove, where that is not `2 + 2 = 5`.
"""

import dataclasses
from pathlib import Path

import pytest

from lean_check import check
from lean_check.audit import Reference
from lean_check.process import MIB
from lean_check.sandbox import probe
from lean_check.screen import RULES
from tests.lean_check.real import real_toolchain

FOLDER = Path(__file__).parent / "attacks"
ATTACKS = sorted(FOLDER.glob("*.lean"))
AUDIT_RULES = {
    "target_missing",
    "not_a_theorem",
    "statement_differs",
    "definition_differs",
    "kernel",
    "own_axiom",
    "sorry",
}
TEXT_RULES = {"lean3_source", "nothing_to_check", "invalid_text", "module_system"}
OUTSIDE = [Path("/usr/mark"), Path("/item"), Path("/scratch"), Path("/mark")]


@dataclasses.dataclass(frozen=True)
class Attack:
    source: str
    rules: frozenset[str]
    unscreened: frozenset[str]
    reference: Reference


def read(path, place="/nowhere"):
    source = path.read_text(encoding="utf-8").replace("@PLACE@", str(place))
    said = {"rule": [], "without screening": [], "reference": []}
    for line in source.split("\n"):
        key, colon, value = line.removeprefix("-- ").partition(": ")
        if line.startswith("-- ") and colon and key in said:
            said[key].append(value)
    rules, unscreened = (frozenset(" ".join(said[key]).split()) for key in ("rule", "without screening"))
    reference = "\n".join(said["reference"]) or "theorem target : 2 + 2 = 5 := sorry"
    return Attack(source, rules, unscreened, Reference(reference, "target"))


@pytest.fixture(scope="module")
def toolchain():
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    return real_toolchain()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with one file; after the test it holds that file alone, and nothing is left anywhere else."""
    temporary, folder = tmp_path / "temporary", tmp_path / "place"
    temporary.mkdir()
    folder.mkdir()
    (folder / "canary").write_text("sings")
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("LEAN_CHECK_SECRET", "1")
    yield folder
    assert [path.name for path in folder.iterdir()] == ["canary"]
    assert list(temporary.iterdir()) == []
    assert [path for path in OUTSIDE if path.exists()] == []


def run(attack, toolchain, allow=()):
    return check(
        attack.source,
        reference=attack.reference,
        toolchain=toolchain,
        allow=allow,
        timeout_s=10,
        memory_bytes=600 * MIB,
    )


def test_there_are_attacks_for_every_rule():
    attacks = [read(path) for path in ATTACKS]
    assert len(attacks) >= 120
    assert set(RULES) | TEXT_RULES | AUDIT_RULES <= {
        rule for attack in attacks for rule in attack.rules | attack.unscreened
    }
    assert sum(1 for attack in attacks if attack.unscreened & AUDIT_RULES) >= 60  # what the audit alone has to find


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_no_attack_passes_and_its_rule_is_named(path, toolchain, place):
    attack = read(path, place)
    verdict = run(attack, toolchain)
    assert verdict.verdict == "rejected", verdict
    assert attack.rules & set(verdict.reasons), verdict


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_no_attack_passes_where_the_screening_is_switched_off(path, toolchain, place):
    attack = read(path, place)
    verdict = run(attack, toolchain, RULES)
    assert verdict.verdict == "rejected", verdict
    own_error = "lean" in attack.unscreened and any(message.severity == "error" for message in verdict.messages)
    assert own_error or attack.unscreened & set(verdict.reasons), verdict


def test_the_attacks_that_write_would_write_if_nothing_held_them(toolchain, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    attack = read(FOLDER / "writes_a_folder.lean", tmp_path)
    check(attack.source, toolchain=toolchain, allow=RULES, allow_unsandboxed=True)
    assert (tmp_path / "mark").is_dir()


def test_the_attack_that_reads_the_environment_finds_nothing_there(toolchain, place):
    verdict = run(read(FOLDER / "reads_the_environment.lean"), toolchain, RULES)
    assert any("nothing" in message.text for message in verdict.messages)
