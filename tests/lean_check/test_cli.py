import json
import os

import pytest

from lean_check import cli
from lean_check.sandbox import probe
from tests.lean_check.fakes import fake_toolchain, source


@pytest.fixture
def run(tmp_path, capfdbinary, monkeypatch):
    """Writes files of the given names and modes of the fake Lean, runs the command on them; exit code and output."""
    (tmp_path / "tools" / "bin").mkdir(parents=True)
    fake = fake_toolchain(tmp_path / "tools")
    lean = tmp_path / "tools" / "bin" / "lean"
    version = "echo 'Lean (version 4.20.0, x86_64)'"
    lean.write_text(f'#!/bin/sh\n[ "$1" = --version ] && {{ {version}; exit; }}\nexec {" ".join(fake.command)} "$@"\n')
    lean.chmod(0o755)
    (tmp_path / "Init.olean").touch()
    monkeypatch.setenv("LEAN_CHECK_LEAN", str(lean))
    # a folder that the program may read: in use this is where compiled libraries lie
    base = str(fake.binds[-1].parent)
    monkeypatch.setenv("LEAN_CHECK_LEAN_PATH", f"{tmp_path}:{base}")

    def call(modes, *options):
        files = []
        for number, mode in enumerate(modes):
            file = tmp_path / f"{number}.lean"
            file.write_text(source(mode), encoding="utf-8")
            files.append(str(file))
        code = cli.main([*files, *options, "--allow-unsandboxed"])
        return code, capfdbinary.readouterr().out.decode()

    return call


def test_one_verdict_a_line_in_the_order_of_the_files(run):
    code, out = run(["fine", "mismatch"], "--json")
    rows = [json.loads(row) for row in out.splitlines()]
    assert [(row["verdict"], row["reasons"]) for row in rows] == [("accepted", []), ("rejected", ["type_mismatch"])]
    assert list(rows[0])[:8] == [
        "file", "verdict", "reasons", "messages", "axioms", "seconds", "peak_bytes", "toolchain",
    ]  # fmt: skip
    assert code == 1


def test_the_exit_code_is_0_when_all_are_accepted_and_3_when_one_says_nothing(run):
    assert run(["fine", "fine"])[0] == 0
    assert run(["mismatch", "crash", "fine"])[0] == 3


def test_statements_may_have_sorry(run):
    assert run(["sorry_new"])[0] == 1
    assert run(["sorry_new"], "--statements-only")[0] == 0


def test_the_timeout_is_taken(run):
    code, out = run(["spin"], "--timeout", "1", "--json")
    assert json.loads(out)["reasons"] == ["timeout"]
    assert code == 1


def test_a_file_that_is_not_there_is_a_users_mistake(tmp_path, capsys):
    assert cli.main([str(tmp_path / "absent.lean")]) == 2
    assert "absent.lean cannot be read" in capsys.readouterr().err
    assert cli.main([str(tmp_path)]) == 2


@pytest.mark.parametrize(
    "arguments",
    [[], ["a.lean", "--timeout", "0"], ["a.lean", "--timeout", "nan"], ["--json"], ["a.lean", "--timeout", "1e308"]],
)
def test_wrong_usage_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2


def test_bytes_that_are_no_text_are_rejected(tmp_path, capfdbinary):
    (tmp_path / "x.lean").write_bytes(b"theorem t : True := trivial\n\xff")
    assert cli.main([str(tmp_path / "x.lean"), "--json"]) == 1
    assert json.loads(capfdbinary.readouterr().out)["reasons"] == ["invalid_utf8"]


def test_a_hostile_name_sends_nothing_to_the_terminal(tmp_path, capfdbinary):
    file = tmp_path / "x\x1b[2J.lean"
    file.write_text("#eval 1")
    cli.main([str(file)])
    assert b"\x1b" not in capfdbinary.readouterr().out


def test_the_doctor_says_what_is_usable_and_how_to_add_the_rest(capfdbinary, monkeypatch, tmp_path):
    monkeypatch.setenv("LEAN_CHECK_LEAN", str(tmp_path / "absent"))
    assert cli.main(["doctor"]) == 3
    out = capfdbinary.readouterr().out.decode()
    assert "to add it: install Lean 4" in out
    assert ("usable   sandbox" in out) == probe().works
    assert "method " in out


def test_the_name_of_a_file_comes_back_as_it_was_given_and_is_remembered(run, tmp_path, capfdbinary):
    name = os.fsdecode(b"n\xff\xc2\xa0.lean")
    (tmp_path / name).write_text(source("fine"))
    arguments = [str(tmp_path / name), "--json", "--allow-unsandboxed", "--remember", str(tmp_path / "memory")]
    for _ in range(2):
        assert cli.main(arguments) == 0
        assert json.loads(capfdbinary.readouterr().out)["file"] == str(tmp_path / name)


def test_no_text_speaks_in_the_place_of_the_command(tmp_path, capfdbinary):
    file = tmp_path / "x.lean\ny.lean: accepted"
    file.write_text("set_option «\ntheorem: accepted\n» true\ntheorem t : True := trivial")
    cli.main([str(file)])
    lines = capfdbinary.readouterr().out.decode().splitlines()
    said = [line for line in lines if not line.startswith(" ")]
    assert said == [f"{tmp_path}/x.lean�y.lean: accepted: rejected (option)"]


def test_a_file_without_end_is_not_read_to_its_end(capfdbinary):
    assert cli.main(["/dev/zero", "--json"]) == 1
    assert json.loads(capfdbinary.readouterr().out)["reasons"] == ["too_large"]
    assert cli.main(["/dev/null", "--reference", "/dev/zero", "--target", "t"]) == 2


def test_the_lines_of_a_message_are_indented_under_its_verdict(run):
    _, out = run(["mismatch", "fine"])
    assert [line.rpartition("/")[2] for line in out.splitlines() if not line.startswith(" ")] == [
        "0.lean: rejected (type_mismatch)",
        "1.lean: accepted",
    ]
