"""The last stage: aggregates over all systems and batches, and the page that shows them."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

import pyarrow.compute as pc

from assets._item_pages import Tables, write_item_pages
from assets._labels import Labelled, agreement, by_label, labelled_verdicts, source_of
from assets._stage import Work, stage
from assets._tasks import all_tasks
from resources.home import Home
from resources.labels import human_labels
from resources.release import release_of
from resources.reviews import decisions, outcomes_of, reviewed_batches
from resources.store import ModelUse, Pointer, Stored
from stepforge._contamination_rows import overlap_rows
from stepforge._process_rows import Capabilities
from stepforge.aggregate import aggregate
from stepforge.metrics.comparison import Items
from stepforge.metrics.sensitivity import sensitivity
from stepforge.outcome import Outcome, not_applicable
from stepforge.records import (
    Judgement,
    JudgeVerdict,
    LeanVerdict,
    Prediction,
    Rejection,
    ReportRow,
    Score,
    Split,
    Step,
    Task,
)
from stepforge.report import LeanCount, LeanGroup, ModelCost, ReportInput, StageCount, gather, render
from stepforge.report.glossary import CONTROLS
from stepforge.splits import split_groups, split_rows, task_dates
from stepforge.steps.milestones import milestone_capabilities
from stepforge.vocabulary import Capability, Disposition, LeanOutcome, Method, Reason

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


class _BySystem:
    """What is gathered while the systems are read one after the other, so that no two systems' rows are in memory."""

    def __init__(self, solutions: dict[str, str], splits: Sequence[Split], tasks: list[Task]) -> None:
        self._solutions, self._splits = solutions, splits
        self._groups, self._dates = split_groups(splits, tasks), task_dates(tasks)
        self.rows: list[ReportRow] = []
        self.items: dict[str, dict[str, Items]] = {}
        self.costs: list[gather.Cost] = []
        self.errors: list[gather.ErrorCount] = []
        self.undecided: list[gather.Undecided] = []
        self.verdicts: list[JudgeVerdict] = []
        self.judgements: list[Judgement] = []

    def read(
        self, system: str, tasks: list[Task], capabilities: Capabilities, stages: dict[str, dict[str, Stored]]
    ) -> None:
        """Aggregate one system."""
        judged, scored = stages["judgements"][system].rows(Judgement), stages["scores"][system].rows(Score)
        self.rows += aggregate(tasks, judged, scored, seed=SEED, capabilities=capabilities, groups=self._groups)
        self.rows += split_rows(self._splits, self._dates, scored, seed=SEED)
        replies = stages["predictions"][system].rows(Prediction)
        self.rows += overlap_rows(system, tasks, self._solutions, replies, seed=SEED)
        verdicts = stages["judge_verdicts"][system].rows(JudgeVerdict)
        self.verdicts += (v for v in verdicts if v.judge != Method.RULES)
        undecided = gather.undecided_of(system, scored)
        self.undecided += [] if undecided is None else [undecided]
        if system not in CONTROLS:
            self.items[system] = gather.items_of(scored)
            self.judgements += [kept for j in judged if (kept := gather.light(j)) is not None]
            self.errors += gather.error_counts(system, verdicts)
            of_models = [reply for reply in replies if reply.cost_usd is not None or reply.tokens_out is not None]
            cost = gather.cost_of(system, of_models, scored)
            self.costs += [] if cost is None else [cost]


def _solutions(filtered_items: dict[str, Stored]) -> dict[str, str]:
    """The reference solution of each problem that has one."""
    found: dict[str, str] = {}
    for _, stored in sorted(filtered_items.items()):
        table = stored.table()
        texts = pc.struct_field(table["problem"], "solution").to_pylist()
        for problem_id, text in zip(table["problem_id"].to_pylist(), texts, strict=True):
            if text:
                found.setdefault(problem_id, text)
    return found


def _capabilities(solution_steps: dict[str, Stored], tasks: list[Task]) -> Capabilities:
    """The capability of each reference milestone by problem, as far as a task asks for it."""
    asked = {task.problem_id for task in tasks}
    found: dict[str, list[list[Capability]]] = {}
    for _, stored in sorted(solution_steps.items()):
        steps = [step for step in stored.rows(Step) if step.problem_id in asked]
        for problem_id, paths in milestone_capabilities(steps).items():
            found.setdefault(problem_id, paths)
    return found


def _reviews(home: Home) -> gather.Reviews:
    batches = reviewed_batches(home)
    outcomes = [outcome for batch in batches for outcome in outcomes_of(home, batch)]
    said = [decision for batch in batches for decision in decisions(home, batch)]
    return gather.reviews_of(outcomes, said, seed=SEED)


@stage(
    record=ReportRow,
    group="report",
    partitions=None,
    reads_rejections=True,
    page=lambda home: home.report / "index.html",
    folder=lambda home: home.items,
    external=("human_labels", "all_reviews", "splits"),
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
    judge_verdicts: dict[str, Stored],
    scores: dict[str, Stored],
) -> Outcome[ReportRow]:
    """The report: one page of numbers, each with its interval, and a page for each item with the evidence for them."""
    by_batch = [
        documents, problems, clean_problems, selected_problems, labelled_problems, solution_steps, auxiliary_lines,
        milestones, proof_plans, formal_models, variants, trajectories, lean_verdicts, filtered_items, benchmark_tasks,
    ]  # fmt: skip
    by_system = {
        "predictions": predictions,
        "judgements": judgements,
        "candidate_verdicts": candidate_verdicts,
        "judge_verdicts": judge_verdicts,
        "scores": scores,
    }
    stages = [stored for inputs in (*by_batch, *by_system.values()) for _, stored in sorted(inputs.items())]
    tasks = all_tasks(benchmark_tasks)
    systems = sorted(scores)
    tick = work.begin(len(systems) + len({task.problem_id for task in tasks}))
    capabilities = _capabilities(solution_steps, tasks)
    splits = release_of(work.home).splits
    found = _BySystem(_solutions(filtered_items), splits, tasks)
    for system in systems:
        found.read(system, tasks, capabilities, by_system)
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
            rows=found.rows,
            rejections_sample=_sample(stages),
            lean=_lean(lean_verdicts, labelled, candidate_verdicts),
            agreement=agreement(labelled),
            models=[_cost(s.pointer, s.pointer.models) for s in stages if s.pointer.models is not None],
            significance=gather.significance(found.items, seed=SEED),
            costs=found.costs,
            judges=gather.judge_use(found.verdicts),
            agreements=gather.agreements(found.verdicts, human_labels(work.home), seed=SEED),
            errors=found.errors,
            undecided=found.undecided,
            sensitivity=sensitivity(found.judgements),
            items=f"{work.home.items.name}/index.html",
            reviews=_reviews(work.home),
            splits=gather.split_counts(splits, tasks),
        )
    )
    evidence = Tables(filtered_items=filtered_items, variants=variants, **by_system)
    work.publish_later(lambda: write_item_pages(work.home, evidence, tasks, systems, tick))
    work.publish(work.home.report / "index.html", page.encode())
    silent = sorted(set(systems) - {row.system for row in found.rows})
    none = [not_applicable("report", name, Reason.NO_METRIC_APPLIES, f"{name}: no task to score") for name in silent]
    return Outcome(found.rows, none, systems)
