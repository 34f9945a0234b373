"""Lean verdicts, many at a time, remembered by statement, toolchain and method."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from typing import TypeVar

from lean_check import METHOD_VERSION, Verdict, check, describe, find, probe
from lean_check.batch import RETRIED, Item, Settings, check_many, lanes_for
from lean_check.equivalence import TACTICS_VERSION, equivalent
from lean_check.repl import named as named_repl
from lean_check.tokens import tokenize
from lean_check.toolchains import Toolchain
from resources.memo import Memo, key_of, remembered
from stepforge.arrow import schema_fingerprint
from stepforge.candidates import Candidate
from stepforge.records import LeanMessage, LeanVerdict
from stepforge.vocabulary import LeanOutcome

TIMEOUT_S = 60.0
CHUNK = 256  # verdicts stored at a time
NO_STATEMENT = "no_statement"
SAME_TEXT = "same_text"
_STATING = frozenset(["theorem", "lemma", "example"])

T = TypeVar("T")
Tick = Callable[[int], None]


@cache
def toolchain_version() -> str:
    """The usable toolchains of this machine and whether the sandbox works; verdicts depend on it."""
    tools = ", ".join(f"{t.name} {t.version}" for t in describe() if t.usable)
    found = find()
    helpers = [name for name, _ in found.checkers] if found is not None else []
    if found is not None and named_repl(found) is not None:
        helpers.append("REPL")
    asked = f"; with {', '.join(helpers)}" if helpers else ""
    return f"{tools or 'none'}; sandbox {'works' if probe().works else 'missing'}{asked}"


class LeanChecker:
    """Checks statements with the toolchain of this machine.  A verdict that speaks of the machine (`infrastructure`) is
    not remembered."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._toolchain = toolchain_version()

    def check(self, statements: Sequence[tuple[str, str]], tick: Tick = lambda _n: None) -> list[LeanVerdict]:
        """The verdict of each (problem id, statement), in order.  A statement that says `sorry` is left without proof;
        any other is held to be a proof.  tick: called with the number of statements done."""

        def compute(part: Sequence[tuple[str, str]]) -> list[LeanVerdict]:
            items = [Item(name, text, statement_only=_says_sorry(text)) for name, text in part]
            rows = []
            for item, verdict in zip(items, _verdicts(items, find()), strict=True):
                rows.append(_row(item.name, item.name, item.source, verdict))
                tick(1)
            return rows

        return self._remembered(statements, lambda item: key_of(*item, *self._versions()), compute, tick)

    def compare(self, candidates: Sequence[Candidate], tick: Tick = lambda _n: None) -> list[LeanVerdict]:
        """The verdict of each candidate as a statement, in order, and whether it says what its reference says: the same
        text, equal by definition, or each proved from the other."""

        def compute(part: Sequence[Candidate]) -> list[LeanVerdict]:
            toolchain = find()
            items = [Item(c.item_id, c.code, statement_only=True) for c in part]
            verdicts = list(_verdicts(items, toolchain))
            with ThreadPoolExecutor(lanes_for(Settings.memory_bytes)) as pool:
                rows = []
                for row in pool.map(_compared, part, verdicts, repeat(toolchain)):
                    rows.append(row)
                    tick(1)
            return rows

        def key(c: Candidate) -> str:
            return key_of("candidate", c.code, c.reference, TACTICS_VERSION, *self._versions())

        rows = self._remembered(candidates, key, compute, tick)
        return [
            row.model_copy(update={"item_id": c.item_id, "problem_id": c.problem_id})
            for c, row in zip(candidates, rows, strict=True)
        ]

    def _versions(self) -> tuple[str, ...]:
        return self._toolchain, METHOD_VERSION, schema_fingerprint([LeanVerdict])

    def _remembered(
        self,
        items: Sequence[T],
        key: Callable[[T], str],
        compute: Callable[[Sequence[T]], list[LeanVerdict]],
        tick: Tick,
    ) -> list[LeanVerdict]:
        run = 0

        def counted(part: Sequence[T]) -> list[LeanVerdict]:
            nonlocal run
            run += len(part)
            return compute(part)

        verdicts = remembered(
            self._memo,
            "lean",
            items,
            key=key,
            compute=counted,
            dump=lambda row: row.model_dump_json().encode(),
            load=LeanVerdict.model_validate_json,
            keep=lambda row: row.outcome is not LeanOutcome.INFRASTRUCTURE,
            chunk=CHUNK,
        )
        tick(len(items) - run)
        return verdicts


def _settings(toolchain: Toolchain | None) -> Settings:
    space = Settings.address_space_bytes if toolchain is None else toolchain.address_space_bytes
    return Settings(timeout_s=TIMEOUT_S, address_space_bytes=space)


def _verdicts(items: Sequence[Item], toolchain: Toolchain | None) -> Iterator[Verdict]:
    return check_many(items, _settings(toolchain), toolchain=toolchain)


def _says_sorry(text: str) -> bool:
    return any(token.text == "sorry" for token in tokenize(text).code())


def _compared(candidate: Candidate, verdict: Verdict, toolchain: Toolchain | None) -> LeanVerdict:
    """The verdict with what the comparison with the reference says."""
    row = _row(candidate.item_id, candidate.problem_id, candidate.code, verdict)
    if row.outcome is not LeanOutcome.ACCEPTED:
        return row
    if not any(token.text in _STATING for token in tokenize(candidate.code).code()):
        return row.model_copy(update={"outcome": LeanOutcome.REJECTED, "reasons": (NO_STATEMENT,)})
    if _lines(candidate.code) == _lines(candidate.reference):
        return row.model_copy(update={"equivalent": True, "equivalence": (SAME_TEXT,)})
    unrun: list[str] = []

    def ask(text: str) -> Verdict:
        verdict = _tried(text, toolchain)
        if verdict.verdict == "infrastructure":
            unrun.extend(verdict.reasons)
        return verdict

    found = equivalent(candidate.reference, candidate.code, ask)
    if found.equivalent:
        return row.model_copy(update={"equivalent": True, "equivalence": found.how})
    if unrun:
        return row.model_copy(update={"outcome": LeanOutcome.INFRASTRUCTURE, "reasons": tuple(unrun)})
    return row.model_copy(update={"equivalence": (found.reason,)})


def _lines(text: str) -> list[str]:
    """The lines, without the spaces at their ends; those at their beginning can mean something."""
    return [line.rstrip() for line in text.strip().splitlines()]


def _tried(text: str, toolchain: Toolchain | None) -> Verdict:
    settings = _settings(toolchain)
    for _ in range(settings.retries + 1):
        verdict = check(
            text,
            timeout_s=settings.timeout_s,
            memory_bytes=settings.memory_bytes,
            address_space_bytes=settings.address_space_bytes,
            toolchain=toolchain,
        )
        if verdict.verdict != "infrastructure" or not RETRIED.intersection(verdict.reasons):
            break
    return verdict


def _row(item_id: str, problem_id: str, statement: str, verdict: Verdict) -> LeanVerdict:
    return LeanVerdict(
        item_id=item_id,
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
