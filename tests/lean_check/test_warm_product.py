"""What a warm Lean compiles is, byte for byte, what a Lean started for the text compiles."""

import contextlib
import dataclasses
import sys

import pytest

from lean_check import check
from lean_check.audit import compile_job
from lean_check.batch import Settings, _Lane
from lean_check.process import MIB, Limits
from lean_check.sandbox import probe, run_sandboxed
from lean_check.screen import RULES
from lean_check.warm import WarmLean, split_header
from tests.lean_check.corpus import right
from tests.lean_check.real import real_toolchain
from tests.lean_check.test_attacks import ATTACKS, read

LIMITS = Limits(timeout_s=30)
HEADER = "universe u v\nset_option maxRecDepth 600\nopen Nat\nvariable {α : Type u} (p : Prop)\n"
FINE = "theorem t : True := True.intro\n"
BODIES = [
    "private theorem s (h : p) : p := h\ntheorem t (h : p) : p := s p h\n",
    "inductive Tree (α : Type u) where\n  | leaf\n  | node (l : Tree α) (a : α) (r : Tree α)\n" + FINE,
    "structure Pair (α : Type u) (β : Type v) where\n  a : α\n  b : β\ninstance : Inhabited Nat := ⟨0⟩\n" + FINE,
    "/-- What it says. -/\n@[simp] theorem t (n : Nat) : n + 0 = n := rfl\nnoncomputable def c : Nat := Nat.zero\n",
    "def f : Nat → Nat\n  | 0 => 1\n  | n + 1 => f n * (n + 1)\ntheorem t : f 3 = 6 := rfl\n",
]


@pytest.fixture(scope="module")
def toolchain():
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    return real_toolchain()


def compiled_alone(text, toolchain, folder):
    job = compile_job(text, toolchain, folder, sandboxed=True, audited=True)
    return run_sandboxed(job, LIMITS)


@pytest.fixture(scope="module")
def lane(toolchain):
    with contextlib.closing(_Lane(toolchain, Settings())) as one:
        yield one


@pytest.mark.parametrize("text", [HEADER + body for body in BODIES] + [case.text.decode() for case in right()])
def test_the_compiled_file_is_that_of_a_lean_started_for_the_text(toolchain, lane, tmp_path, text):
    warm = lane.run(0, text, LIMITS, True)
    assert warm is not None
    alone = compiled_alone(text, toolchain, tmp_path)
    assert warm.product is not None
    assert (warm.exit_code, warm.product) == (0, alone.product)


def test_definitions_of_a_header_are_in_it_too(toolchain, tmp_path):
    header = "def one : Nat := 1\ntheorem one_eq : one = 1 := rfl\n"
    with WarmLean(toolchain, header, LIMITS) as warm:
        for body in ("theorem t : one = 1 := one_eq\n", "theorem s : 1 = one := one_eq.symm\n"):
            assert (
                warm.run(body, LIMITS, audited=True).product
                == compiled_alone(header + body, toolchain, tmp_path).product
            )


def test_a_text_with_an_error_and_one_that_is_not_audited_give_no_file(toolchain):
    with WarmLean(toolchain, "", LIMITS) as warm:
        assert warm.run("theorem t : False := nowhere\n", LIMITS, audited=True).product is None
        assert warm.run(FINE, LIMITS).product is None
        assert warm.run(FINE, LIMITS, audited=True).product is not None


def test_of_a_file_over_its_limit_no_more_is_read_than_shows_it(toolchain):
    with WarmLean(toolchain, "", LIMITS) as warm:
        run = warm.run(FINE, dataclasses.replace(LIMITS, product_bytes=1000), audited=True)
        assert run.product is not None
        assert len(run.product) == 1001
        assert warm.run(FINE, LIMITS, audited=True).exit_code == 0


def test_a_file_over_its_limit_is_refused_and_not_audited(toolchain, lane):
    def too_large(text, limits, audited):
        run = lane.run(0, text, limits, audited)
        return dataclasses.replace(run, product=b"x" * (limits.product_bytes + 1))

    def auditor(data, _limits, _question):
        raise AssertionError(f"{len(data)} bytes were given to the audit")

    verdict = check(FINE, runner=too_large, auditor=auditor, toolchain=toolchain)
    assert (verdict.verdict, verdict.reasons) == ("rejected", ("no_olean",))


def test_an_accepted_proof_is_compiled_once(toolchain, lane, monkeypatch):
    jobs = []
    monkeypatch.setattr(sys.modules["lean_check.check"], "run_job", lambda *a, **_: jobs.append(a))
    verdict = check(FINE, toolchain=toolchain, runner=lambda text, *rest: lane.run(0, text, *rest), auditor=lane.audit)
    assert (verdict.verdict, verdict.axioms, jobs) == ("accepted", (), [])


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_no_attack_passes_through_a_warm_lean(toolchain, lane, tmp_path, path):
    attack = read(path, tmp_path)
    verdict = check(
        attack.source,
        reference=attack.reference,
        toolchain=toolchain,
        allow=RULES,
        timeout_s=10,
        memory_bytes=600 * MIB,
        runner=lambda text, limits, audited: lane.run(0, text, limits, audited),
        auditor=lane.audit,
    )
    assert verdict.verdict == "rejected", verdict
    own_error = "lean" in attack.unscreened and any(message.severity == "error" for message in verdict.messages)
    assert own_error or attack.unscreened & set(verdict.reasons), verdict
    assert list(tmp_path.iterdir()) == []


def test_the_attacks_do_go_through_it():
    assert sum(split_header(read(path).source) is not None for path in ATTACKS) > len(ATTACKS) // 2
