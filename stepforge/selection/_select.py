"""The problems that pass every rule, and the copies among them and of those that came before."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from stepforge.duplicates import (
    Builder,
    Link,
    LinkKind,
    Links,
    SameFigure,
    Signatures,
    find,
    only_same_bytes,
)
from stepforge.outcome import EVIDENCE_CHARS, Outcome, Tick, no_tick, not_applicable, reject
from stepforge.records import Problem, Rejection
from stepforge.selection._entries import entry_of
from stepforge.selection._rules import SOUND, Finding, Wanted, finding_of
from stepforge.vocabulary import Reason

STAGE = "selected_problems"


class Before(NamedTuple):
    """The problems of a batch that came before, or of a public benchmark."""

    batch: str
    signatures: Signatures
    public: bool = False


class Selected(NamedTuple):
    """kept: ids of the problems that are selected.  variant_of: of some of them, the problem that they are a variant
    of.  signatures: of those kept, for the batches that come later."""

    kept: list[str]
    variant_of: dict[str, str]
    rejections: list[Rejection]
    signatures: Signatures


class Selection:
    """Selection of a batch whose problems are handed in part by part."""

    def __init__(self, wanted: Wanted = SOUND) -> None:
        self._wanted = wanted
        self._builder = Builder()
        self._where: list[str] = []  # of each sound problem: its file and place in it
        self._evidence: list[str] = []
        self._rejections: list[Rejection] = []

    def add(self, problems: Iterable[Problem], tick: Tick = no_tick) -> None:
        """Problems of the batch; each is held to the rules."""
        for problem in problems:
            found = finding_of(problem, self._wanted)
            where = f"{problem.provenance.path} {problem.provenance.locator}"
            if found is None:
                self._builder.add(entry_of(problem))
                self._where.append(where)
                self._evidence.append(problem.question[:EVIDENCE_CHARS])
            else:
                self._rejections.append(_rejected(problem.problem_id, where, found))
            tick(1)

    def decide(self, before: Sequence[Before] = (), same_figure: SameFigure = only_same_bytes) -> Selected:
        """The outcome for all problems that were handed in.  before: in the order of their arrival."""
        sound = self._builder.done()
        order = sorted(range(len(sound)), key=sound.ids.__getitem__)
        sorted_already = order == list(range(len(order)))
        rows = sound if sorted_already else sound.take(order)
        public, earlier = [b for b in before if b.public], [b for b in before if not b.public]
        links = find(rows, [b.signatures for b in earlier], [b.signatures for b in public], same_figure)
        batches = [b.batch for b in (*public, *earlier) for _ in range(len(b.signatures))]
        dropped = np.zeros(len(rows), np.bool_)
        variant_of: dict[str, str] = {}
        for link in links.links:
            row = link.row - links.new_from
            if link.kind is LinkKind.VARIANT:
                variant_of[rows.ids[row]] = links.ids[link.first]
            else:
                dropped[row] = True
                found = Finding(*_copy(link, links, batches), self._evidence[order[row]])
                self._rejections.append(_rejected(rows.ids[row], self._where[order[row]], found))
        kept = np.flatnonzero(~dropped)
        ids = [rows.ids[row] for row in kept.tolist()]
        rejections = sorted(self._rejections, key=lambda r: r.record_id)
        return Selected(ids, variant_of, rejections, rows.take(kept))


def _copy(link: Link, links: Links, batches: Sequence[str]) -> tuple[Reason, str]:
    """Why a copy is dropped, and of what it is one."""
    told = links.ids[link.other]
    exact = link.kind is LinkKind.EXACT
    if link.other < links.new_from:
        told += f" of batch {batches[link.other]}"
    elif link.first != link.other:
        told += f" (which is a copy of {links.ids[link.first]})"
    detail = f"a copy of {told}: {link.reason} (similarity {link.similarity:.2f}); drop it, or mend what differs"
    if link.first < links.public_rows:
        return Reason.PUBLIC_BENCHMARK_PROBLEM, detail
    if link.first < links.new_from:
        return Reason.DUPLICATE_ACROSS_BATCHES, detail
    return (Reason.DUPLICATE_PROBLEM if exact else Reason.NEAR_DUPLICATE_PROBLEM), detail


def _rejected(problem_id: str, where: str, found: Finding) -> Rejection:
    return reject(
        STAGE,
        problem_id,
        found.reason,
        f"{where}: {found.detail}",
        problem_id=problem_id,
        evidence=found.evidence,
        disposition=found.disposition,
    )


def of_public_benchmark(problem_ids: Iterable[str], batch: str) -> list[Rejection]:
    """The problems of a public benchmark: none is selected, others are compared with them."""
    detail = f"batch {batch} is a public benchmark: its problems are compared with, never asked"
    return [not_applicable(STAGE, problem_id, Reason.PUBLIC_BENCHMARK, detail) for problem_id in problem_ids]


def selected_problems(
    problems: Sequence[Problem],
    tick: Tick = no_tick,
    wanted: Wanted = SOUND,
    before: Sequence[Before] = (),
    same_figure: SameFigure = only_same_bytes,
) -> Outcome[Problem]:
    """The problems that pass every rule, without copies of each other (the first by id stays) and of those before.
    wanted: what the batch wants beyond soundness."""
    selection = Selection(wanted)
    selection.add(problems, tick)
    found = selection.decide(before, same_figure)
    by_id = {problem.problem_id: problem for problem in problems}
    kept = [
        by_id[i].model_copy(update={"variant_of": found.variant_of[i]}) if i in found.variant_of else by_id[i]
        for i in found.kept
    ]
    return Outcome(kept, found.rejections, [p.problem_id for p in problems])
