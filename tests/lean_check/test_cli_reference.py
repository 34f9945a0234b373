import json

import pytest

from lean_check import cli
from lean_check.sandbox import probe
from tests.lean_check.real import compiled_library, real_toolchain


@pytest.fixture
def run(tmp_path, capfdbinary, monkeypatch):
    """Writes the reference and the files, runs the command on them with a real Lean; exit code and verdicts."""
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    real_toolchain()
    monkeypatch.delenv("LEAN_CHECK_LEAN", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ELAN_HOME", str(tmp_path))
    monkeypatch.setenv("LEAN_CHECK_LEAN_PATH", str(compiled_library()))

    def call(reference, target, *texts, options=("--json",)):
        (tmp_path / "ref.lean").write_text(reference, encoding="utf-8")
        files = []
        for number, text in enumerate(texts):
            files.append(tmp_path / f"{number}.lean")
            files[-1].write_text(text, encoding="utf-8")
        asked = ["--reference", str(tmp_path / "ref.lean"), "--target", target]
        code = cli.main([*asked, *options, *map(str, files)])
        return code, capfdbinary.readouterr().out.decode()

    return call


REFERENCE = "def two : Nat := 2\ntheorem A.t : two + 2 = 4 := sorry"
PROOF = "def two : Nat := 2\ntheorem A.t : two + 2 = 4 := rfl"


def test_each_file_is_held_against_the_reference(run):
    code, out = run(
        REFERENCE, "A.t", PROOF, PROOF.replace("A.t", "t"), "def two : Nat := 2\ntheorem A.t : two = 2 := rfl"
    )
    rows = [json.loads(row) for row in out.splitlines()]
    assert [(row["verdict"], row["reasons"], row["axioms"]) for row in rows] == [
        ("accepted", [], []),
        ("rejected", ["target_missing"], None),
        ("rejected", ["statement_differs"], None),
    ]
    assert code == 1
    assert run(REFERENCE, "A.t", PROOF)[0] == 0


def test_a_person_is_told_the_axioms(run):
    code, out = run(
        "theorem t (p : Prop) : p ∨ ¬p := sorry", "t", "theorem t (p : Prop) : p ∨ ¬p := Classical.em p", options=()
    )
    assert code == 0
    assert "axioms: Classical.choice, Quot.sound, propext" in out


def test_a_reference_without_the_target_is_no_verdict_on_the_text(run):
    code, out = run(REFERENCE, "B.t", PROOF)
    assert code == 3
    assert json.loads(out)["reasons"] == ["bad_reference"]


@pytest.mark.parametrize(
    "arguments",
    [["--reference", "r.lean", "a.lean"], ["--target", "t", "a.lean"], ["--reference", "r", "--target", "t"]],
)
def test_a_reference_and_a_target_go_together_and_with_files(arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2


def test_a_reference_that_cannot_be_read_is_a_users_mistake(tmp_path, capsys):
    (tmp_path / "a.lean").write_text("theorem t : True := trivial")
    assert cli.main(["--reference", str(tmp_path / "no.lean"), "--target", "t", str(tmp_path / "a.lean")]) == 2
    assert "no.lean cannot be read" in capsys.readouterr().err
    (tmp_path / "r.lean").write_bytes(b"\xff")
    assert cli.main(["--reference", str(tmp_path / "r.lean"), "--target", "t", str(tmp_path / "a.lean")]) == 2
    assert "not UTF-8" in capsys.readouterr().err
