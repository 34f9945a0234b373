import os
import signal

import pytest

from lean_check.audit import STANDARD_AXIOMS, Question, Reference, audit, compile_reference
from lean_check.audit_warm import WarmAudit
from lean_check.batch import Item, Settings, check_many
from lean_check.process import MIB, Limits, usage
from lean_check.sandbox import probe
from tests.lean_check.real import real_toolchain

LIMITS = Limits(timeout_s=30)
STATEMENT = "theorem t (a b : Nat) : a + b = b + a := "
TEXTS = [
    "sorry",
    "Nat.add_comm a b",
    "Nat.add_comm a b\ntheorem u (p : Prop) : p ∨ ¬p := Classical.em p",
    "Nat.add_comm a b\ndef d : Nat := 3",
]


@pytest.fixture(scope="module")
def toolchain():
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")
    return real_toolchain()


@pytest.fixture(scope="module")
def oleans(toolchain):
    return [compile_reference(STATEMENT + text, toolchain, LIMITS, True) for text in TEXTS]


def test_a_warm_audit_says_what_one_started_for_the_text_says(toolchain, oleans):
    assert len(oleans) == len(TEXTS)
    questions = [Question((oleans[0], "t")), Question(None), Question((oleans[0], "u")), Question(None, ("propext",))]
    with WarmAudit(toolchain, LIMITS) as warm:
        for question in questions:
            for data in (*oleans, b"no olean"):
                alone, kept = audit(data, toolchain, LIMITS, question), warm.audit(data, LIMITS, question)
                assert kept is not None
                assert (kept.reasons, kept.details, kept.axioms, kept.notes) == (
                    alone.reasons,
                    alone.details,
                    alone.axioms,
                    alone.notes,
                )
                assert kept.failed == alone.failed


def test_a_warm_audit_that_was_killed_knows_nothing_and_is_begun_anew(toolchain, oleans):
    with WarmAudit(toolchain, LIMITS) as warm:
        assert warm.audit(oleans[1], LIMITS, Question()) is not None
        process = warm._server.process
        assert process is not None
        for pid in usage(process.pid).pids:
            os.kill(pid, signal.SIGKILL)
        process.wait()
        again = warm.audit(oleans[1], LIMITS, Question())
        assert again is not None
        assert (again.reasons, again.axioms) == ((), ())


SLOW = """
noncomputable def slow (n : Nat) : Nat → Bool :=
  Nat.rec (fun _ => true) (fun _ f m => cond (f (2 * m)) (f (2 * m + 1)) false) n
set_option debug.skipKernelTC true
theorem t : slow 64 0 = false := by decide +kernel
"""


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(timeout_s=1), "timeout"), (Limits(timeout_s=60, memory_bytes=60 * MIB), "memory")],
)
def test_a_proof_that_the_kernel_does_not_come_to_the_end_of_is_stopped_and_the_next_is_audited(
    toolchain, oleans, limits, reason
):
    slow = compile_reference(SLOW, toolchain, LIMITS, True)
    with WarmAudit(toolchain, LIMITS) as warm:
        assert warm.audit(oleans[1], LIMITS, Question()) is not None
        stopped = warm.audit(slow, limits, Question())
        assert stopped is not None
        assert stopped.reasons == (reason,)
        after = warm.audit(oleans[1], LIMITS, Question())
        assert after is not None
        assert after.reasons == ()


def test_many_texts_share_warm_audits_and_each_has_the_verdict_that_it_deserves(toolchain):
    reference = Reference(STATEMENT + "sorry", "t")
    proofs = [
        (STATEMENT + "Nat.add_comm a b", ()),
        (STATEMENT + "sorry", ("sorry",)),
        ("theorem t : 1 = 1 := rfl", None),
    ]
    items = [Item(str(n), f"{proofs[n % 3][0]}\n-- {n}", reference=reference) for n in range(12)]
    verdicts = list(check_many(items, Settings(60), toolchain=toolchain, lanes=2))
    assert [verdict.file for verdict in verdicts] == [str(n) for n in range(12)]
    for n, verdict in enumerate(verdicts):
        wanted = [("accepted", ()), ("rejected", ("sorry",)), ("rejected", ("statement_differs",))][n % 3]
        assert (verdict.verdict, verdict.reasons) == wanted, verdict
    assert set(STANDARD_AXIOMS) == {"propext", "Classical.choice", "Quot.sound"}
