"""Lean verdicts, many at a time, remembered by statement, toolchain and method."""

from collections.abc import Callable, Sequence
from functools import cache

from lean_check import METHOD_VERSION, Verdict, describe, find, probe
from lean_check.batch import Item, Settings, check_many
from resources.memo import Memo, key_of, remembered
from stepforge.arrow import schema_fingerprint
from stepforge.records import LeanMessage, LeanVerdict
from stepforge.vocabulary import LeanOutcome

TIMEOUT_S = 60.0
CHUNK = 256  # verdicts stored at a time


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

    def check(
        self, statements: Sequence[tuple[str, str]], tick: Callable[[int], None] = lambda _n: None
    ) -> list[LeanVerdict]:
        """The verdict of each (problem id, statement), in order; one that speaks of the machine (`infrastructure`) is
        not remembered.  A statement may be left without proof.  tick: called with the number of statements done."""
        run = 0

        def compute(part: Sequence[tuple[str, str]]) -> list[LeanVerdict]:
            nonlocal run
            items = [Item(problem_id, statement, statement_only=True) for problem_id, statement in part]
            toolchain = find()
            space = Settings.address_space_bytes if toolchain is None else toolchain.address_space_bytes
            settings = Settings(timeout_s=TIMEOUT_S, address_space_bytes=space)
            rows = []
            for (problem_id, statement), verdict in zip(
                part, check_many(items, settings, toolchain=toolchain), strict=True
            ):
                rows.append(_row(problem_id, statement, verdict))
                tick(1)
            run += len(rows)
            return rows

        verdicts = remembered(
            self._memo,
            "lean",
            statements,
            key=lambda item: key_of(*item, self._toolchain, METHOD_VERSION, schema_fingerprint([LeanVerdict])),
            compute=compute,
            dump=lambda row: row.model_dump_json().encode(),
            load=LeanVerdict.model_validate_json,
            keep=lambda row: row.outcome is not LeanOutcome.INFRASTRUCTURE,
            chunk=CHUNK,
        )
        tick(len(statements) - run)
        return verdicts


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
