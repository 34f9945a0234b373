"""Lean verdicts, remembered by statement, toolchain and method."""

from functools import cache

from lean_check import METHOD_VERSION, Verdict, check, describe, probe
from resources.memo import Memo, key_of
from stepforge.arrow import schema_fingerprint
from stepforge.records import LeanMessage, LeanVerdict
from stepforge.vocabulary import LeanOutcome

TIMEOUT_S = 60.0


@cache
def toolchain_version() -> str:
    """The usable toolchains of this machine and whether the sandbox works; verdicts depend on it."""
    tools = ", ".join(f"{t.name} {t.version}" for t in describe() if t.usable)
    return f"{tools or 'none'}; sandbox {'works' if probe().works else 'missing'}"


class LeanChecker:
    """Checks statements with the toolchain of this machine."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._toolchain = toolchain_version()

    def check(self, problem_id: str, statement: str) -> LeanVerdict:
        """The verdict; one that speaks of the machine (`infrastructure`) is not remembered."""
        key = key_of(problem_id, statement, self._toolchain, METHOD_VERSION, schema_fingerprint([LeanVerdict]))
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
