"""Lean verdicts, remembered by statement, toolchain and method."""

from lean_check import METHOD_VERSION, Verdict, check, describe
from resources.memo import Memo, key_of
from stepforge.records import LeanMessage, LeanVerdict
from stepforge.vocabulary import LeanOutcome

TIMEOUT_S = 60.0


class LeanChecker:
    """Checks statements with the toolchain of this machine."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._toolchain = " ".join(f"{t.name} {t.version}" for t in describe() if t.usable)

    def check(self, problem_id: str, statement: str) -> LeanVerdict:
        """The verdict; one that speaks of the machine (`infrastructure`) is not remembered."""
        key = key_of(problem_id, statement, self._toolchain, METHOD_VERSION)
        known = self._memo.get("lean", key)
        if known is not None:
            return LeanVerdict.model_validate_json(known)
        row = _row(problem_id, statement, check(statement, name=problem_id, statement_only=True, timeout_s=TIMEOUT_S))
        if row.outcome is not LeanOutcome.INFRASTRUCTURE:
            self._memo.put("lean", key, row.model_dump_json().encode())
        return row


def _row(problem_id: str, statement: str, verdict: Verdict) -> LeanVerdict:
    return LeanVerdict(
        item_id=problem_id,
        problem_id=problem_id,
        statement=statement,
        outcome=LeanOutcome(verdict.verdict),
        reasons=verdict.reasons,
        messages=tuple(
            LeanMessage(severity=m.severity, line=m.line, column=m.column, text=m.text) for m in verdict.messages
        ),
        axioms=verdict.axioms,
        toolchain=verdict.toolchain,
        seconds=verdict.seconds,
        peak_bytes=verdict.peak_bytes,
    )
