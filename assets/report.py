"""The last stage: aggregates over all systems and batches, and the page that shows them."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from assets._labels import Labelled, agreement, by_label, labelled_verdicts, source_of
from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.store import ModelUse, Pointer, Stored
from stepforge.aggregate import aggregate
from stepforge.outcome import Outcome, not_applicable
from stepforge.records import Judgement, LeanVerdict, Rejection, ReportRow, Score
from stepforge.report import LeanCount, LeanGroup, ModelCost, ReportInput, StageCount, render
from stepforge.vocabulary import Disposition, LeanOutcome, Reason

SEED = 20261101  # of the bootstrap
SAMPLE_REJECTIONS = 60
PER_REASON = 3


def _count(pointer: Pointer) -> StageCount:
    return StageCount(
        stage=pointer.stage,
        batch=pointer.partition,
        n_in=pointer.rows_in,
        n_out=pointer.rows_out,
        rejected=sum(pointer.dropped.values()),
        by_reason=pointer.dropped,
        not_applicable=sum(pointer.not_applicable.values()),
    )


def _cost(pointer: Pointer, use: ModelUse) -> ModelCost:
    return ModelCost(
        stage=pointer.stage,
        partition=pointer.partition,
        replies=use.replies,
        failed=use.failed,
        tokens_in=use.tokens_in,
        tokens_out=use.tokens_out,
        cost_usd=Decimal(use.cost_usd),
        unpriced=use.unpriced,
    )


def _lean_count(of: LeanGroup, name: str, verdicts: list[LeanVerdict], unjudged: int = 0) -> LeanCount:
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    kinds = _kinds(verdicts, LeanOutcome.REJECTED)
    unjudged_by = _kinds(verdicts, LeanOutcome.INFRASTRUCTURE) + Counter({Reason.LEAN_UNAVAILABLE.value: unjudged})
    return LeanCount(
        of=of,
        name=name,
        accepted=outcomes[LeanOutcome.ACCEPTED],
        rejected=outcomes[LeanOutcome.REJECTED],
        infrastructure=outcomes[LeanOutcome.INFRASTRUCTURE] + unjudged,
        equivalent=sum(bool(v.equivalent) for v in verdicts) if of is LeanGroup.SYSTEM else None,
        by_kind=dict(sorted(kinds.items())),
        unjudged_by=dict(sorted(unjudged_by.items())),
    )


def _kinds(verdicts: list[LeanVerdict], outcome: LeanOutcome) -> Counter[str]:
    of = [verdict for verdict in verdicts if verdict.outcome is outcome]
    return Counter(kind for verdict in of for kind in dict.fromkeys(verdict.reasons))


def _lean(items: dict[str, Stored], labelled: Sequence[Labelled], candidates: dict[str, Stored]) -> list[LeanCount]:
    """Lean's verdicts by source, by label and by system; those without any are left out."""
    by_source: dict[str, list[LeanVerdict]] = defaultdict(list)
    judged = {verdict.item_id for verdict, _ in labelled}
    for _, stored in sorted(items.items()):
        for verdict in stored.rows(LeanVerdict):
            if verdict.item_id not in judged:
                by_source[source_of(verdict)].append(verdict)
    counts = [_lean_count(LeanGroup.SOURCE, name, verdicts) for name, verdicts in sorted(by_source.items())]
    counts += [_lean_count(LeanGroup.LABEL, name, verdicts) for name, verdicts in by_label(labelled).items()]
    for system, stored in sorted(candidates.items()):
        verdicts = stored.rows(LeanVerdict)
        unjudged = stored.pointer.dropped.get(Reason.LEAN_UNAVAILABLE, 0)
        if verdicts or unjudged:
            counts.append(_lean_count(LeanGroup.SYSTEM, system, verdicts, unjudged))
    return counts


def _code_version(stages: list[Stored]) -> str:
    """One version for all: a hash over the code versions of the stages."""
    versions = sorted({f"{s.pointer.stage}={s.pointer.code_version}" for s in stages})
    return hashlib.sha256(" ".join(versions).encode()).hexdigest()[:12]


def _sample(stages: list[Stored]) -> list[Rejection]:
    """A few rejections of each reason, so that every kind is seen."""
    shown: list[Rejection] = []
    taken: dict[tuple[str, str], int] = {}
    for stored in stages:
        if not stored.pointer.dropped:
            continue
        for rejection in stored.rejections():
            key = (rejection.stage, rejection.reason)
            if rejection.disposition is not Disposition.NOT_APPLICABLE and taken.get(key, 0) < PER_REASON:
                taken[key] = taken.get(key, 0) + 1
                shown.append(rejection)
    return shown[:SAMPLE_REJECTIONS]


@stage(
    record=ReportRow,
    group="report",
    partitions=None,
    reads_rejections=True,
    page=lambda home: home.report / "index.html",
    kinds=("python", "html"),
    key=lambda r: r.system,
)
def report(
    work: Work,
    documents: dict[str, Stored],
    problems: dict[str, Stored],
    clean_problems: dict[str, Stored],
    selected_problems: dict[str, Stored],
    labelled_problems: dict[str, Stored],
    solution_steps: dict[str, Stored],
    auxiliary_lines: dict[str, Stored],
    milestones: dict[str, Stored],
    proof_plans: dict[str, Stored],
    formal_models: dict[str, Stored],
    variants: dict[str, Stored],
    trajectories: dict[str, Stored],
    lean_verdicts: dict[str, Stored],
    filtered_items: dict[str, Stored],
    benchmark_tasks: dict[str, Stored],
    predictions: dict[str, Stored],
    judgements: dict[str, Stored],
    candidate_verdicts: dict[str, Stored],
    scores: dict[str, Stored],
) -> Outcome[ReportRow]:
    """One self-contained page: funnel, composition, leaderboard with intervals, accuracy by step length."""
    by_batch = [
        documents, problems, clean_problems, selected_problems, labelled_problems, solution_steps, auxiliary_lines,
        milestones, proof_plans, formal_models, variants, trajectories, lean_verdicts, filtered_items, benchmark_tasks,
    ]  # fmt: skip
    by_system = [predictions, judgements, candidate_verdicts, scores]
    stages = [stored for inputs in (*by_batch, *by_system) for _, stored in sorted(inputs.items())]
    tasks = all_tasks(benchmark_tasks)
    systems = sorted(scores)
    tick = work.begin(len(systems))
    rows: list[ReportRow] = []
    for system in systems:
        judged = judgements[system].rows(Judgement)
        rows += aggregate(tasks, judged, scores[system].rows(Score), seed=SEED)
        tick(1)
    labelled = labelled_verdicts(labelled_problems, lean_verdicts)
    page = render(
        ReportInput(
            title="Stepforge benchmark report",
            built_at=max((f"{s.pointer.written_at:%Y-%m-%d %H:%M} UTC" for s in stages), default="never"),
            code_version=_code_version(stages),
            data_versions=[(s.pointer.stage, s.pointer.partition, s.pointer.data_version) for s in stages],
            stages=[_count(s.pointer) for s in stages],
            tasks=tasks,
            rows=rows,
            rejections_sample=_sample(stages),
            lean=_lean(lean_verdicts, labelled, candidate_verdicts),
            agreement=agreement(labelled),
            models=[_cost(s.pointer, s.pointer.models) for s in stages if s.pointer.models is not None],
        )
    )
    work.publish(work.home.report / "index.html", page.encode())
    silent = sorted(set(systems) - {row.system for row in rows})
    none = [not_applicable("report", name, Reason.NO_METRIC_APPLIES, f"{name}: no task to score") for name in silent]
    return Outcome(rows, none, systems)
