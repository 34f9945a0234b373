import json

import pytest

from lean_check import check as run_check
from lean_check.process import MIB
from lean_check.toolchains import Toolchain
from tests.lean_check.fakes import fake_toolchain, source


@pytest.fixture
def check(tmp_path):
    toolchain = fake_toolchain(tmp_path)

    def call(mode, **options):
        # the sandbox where it works, else this user's rights: the script is the project's own
        return run_check(source(mode), name=mode, toolchain=toolchain, allow_unsandboxed=True, **options)

    return call


CASES = [
    ("fine", "accepted", ()),
    ("mismatch", "rejected", ("type_mismatch",)),
    ("error_exit_zero", "rejected", ("unsolved_goals",)),
    ("sorry_new", "rejected", ("sorry",)),
    ("sorry_old", "rejected", ("sorry",)),
    ("stops_early", "rejected", ("not_read_to_the_end",)),
    ("behind_the_end", "rejected", ("syntax",)),
    ("no_such_module", "rejected", ("unknown_import",)),
    ("stack_overflow", "rejected", ("stack_overflow",)),
    ("no_mathlib", "infrastructure", ("missing_library",)),
    ("crash", "infrastructure", ("crash",)),
    ("usage", "infrastructure", ("crash",)),
    ("garbage", "accepted", ()),
]


@pytest.mark.parametrize(("mode", "verdict", "reasons"), CASES)
def test_what_lean_prints_decides_the_verdict_and_never_the_exit_code_alone(check, mode, verdict, reasons):
    result = check(mode)
    assert (result.verdict, result.reasons) == (verdict, reasons), result


def test_an_accepted_verdict_says_that_axioms_are_not_audited_and_does_not_list_none(check):
    result = check("fine")
    assert result.axioms is None
    assert any("axioms not audited" in note for note in result.notes)
    assert json.loads(result.to_json())["axioms"] is None
    assert result.toolchain == "Lean 4.0.0 (fake)"
    assert result.seconds > 0


def test_statements_may_be_left_without_proof_and_the_verdict_says_that_nothing_is_proved(check):
    result = check("sorry_new", statement_only=True)
    assert result.verdict == "accepted"
    assert "statement only: nothing is proved" in result.notes


def test_positions_are_those_of_the_text_and_the_added_last_line_is_never_shown(check):
    assert [(m.severity, m.line, m.column) for m in check("mismatch").messages] == [("error", 2, 7)]
    behind = check("behind_the_end")
    assert [(m.line, m.column) for m in behind.messages] == [(3, 0)]
    assert "reached_end" not in check("fine").to_json()


def test_a_text_that_computes_for_ever_is_stopped_and_it_is_its_own_fault(check):
    result = check("spin", timeout_s=0.5)
    assert (result.verdict, result.reasons) == ("rejected", ("timeout",))
    assert result.seconds < 5


def test_a_run_that_never_computes_is_stopped_and_says_nothing_of_the_text(check):
    result = check("sleep", timeout_s=0.3)
    assert (result.verdict, result.reasons) == ("infrastructure", ("stalled",))


@pytest.mark.parametrize(
    ("mode", "memory_mib", "reason"),
    [("flood", 500, "output_flood"), ("memory", 200, "memory"), ("fork", 4000, "processes")],
)
def test_a_flood_ends_by_its_own_limit_and_not_by_the_clock(check, mode, memory_mib, reason):
    result = check(mode, timeout_s=60, memory_bytes=memory_mib * MIB)
    assert (result.verdict, result.reasons) == ("rejected", (reason,))
    assert len(result.to_json()) < 1_000_000


def test_a_text_that_the_screening_refuses_is_never_run(tmp_path):
    missing = Toolchain("none", "0", (str(tmp_path / "nothing"),), ())
    result = run_check("#eval 1\ntheorem t : True := True.intro", toolchain=missing, allow_unsandboxed=True)
    assert (result.verdict, result.reasons) == ("rejected", ("metaprogramming",))
    assert result.messages[0].line == 1
    assert result.seconds is None


def test_without_a_toolchain_the_verdict_says_how_to_install_one(monkeypatch, tmp_path):
    monkeypatch.setenv("LEAN_CHECK_LEAN", str(tmp_path / "absent"))
    result = run_check(source("fine"))
    assert (result.verdict, result.reasons) == ("infrastructure", ("no_toolchain",))
    assert "install" in result.messages[0].text


def test_without_a_sandbox_the_text_is_not_run_unless_the_user_accepts_it_by_name(monkeypatch, tmp_path):
    toolchain = fake_toolchain(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    refused = run_check(source("fine"), toolchain=toolchain)
    assert (refused.verdict, refused.reasons) == ("infrastructure", ("no_sandbox",))
    assert "bubblewrap" in refused.messages[0].text
    accepted = run_check(source("fine"), toolchain=toolchain, allow_unsandboxed=True)
    assert accepted.verdict == "accepted"
    assert "ran outside a sandbox, as allowed" in accepted.notes


def test_a_toolchain_that_vanished_is_infrastructure(tmp_path):
    gone = Toolchain("gone", "4", (str(tmp_path / "lean"),), ())
    assert run_check(source("fine"), toolchain=gone, allow_unsandboxed=True).verdict == "infrastructure"
