"""The questions that a system is asked: solving (all five papers), detecting one defect (MAMath-Bench), and putting a
statement into Lean or judging one that is (AgenticMathBench)."""

from collections import defaultdict
from collections.abc import Sequence

from stepforge import correctness
from stepforge.formal import header_of, is_wordless
from stepforge.outcome import Outcome, Tick, no_tick, not_applicable, reject
from stepforge.records import Item, Rejection, Target, Task, Variant
from stepforge.replies import formalize_instruction, instruction
from stepforge.review import NO_REVIEWS, Material, Reviews, obey
from stepforge.vocabulary import (
    AnswerKind,
    DefectKind,
    Disposition,
    FormalLabel,
    LeanOutcome,
    ProblemType,
    Reason,
    TaskKind,
)

STAGE = "benchmark_tasks"

DETECT = {kind: TaskKind(f"detect_{kind}") for kind in DefectKind}
MILESTONE_METRICS = ("MA", "SMR", "SRR")
LEAN_METRICS = ("lean_compile", "lean_align", "lean_align_judged", "lean_align_both")
DETECTION_METRICS = ("detection", "detection_location", "detection_kind")
# GeoLaux's, of every solution that has a reference; they need a judge, and have no score without one
PROCESS_METRICS = ("ACS", "PCS", "PQS", "false_positive")
CONSTRUCTION_METRICS = ("construction", "construction_PCS")  # of problems whose reference builds an auxiliary line
JUDGED_METRICS = frozenset({*PROCESS_METRICS, *CONSTRUCTION_METRICS, "lean_align_judged", "lean_align_both"})
SPARSE_METRICS = JUDGED_METRICS | {"detection_kind"}  # of no concern to a system that has no score of them


def _solve_metrics(item: Item) -> tuple[str, ...]:
    answer = item.problem.answer
    metrics: tuple[str, ...] = ()
    if answer is not None:
        metrics += ("FAA",)
        if answer.kind is AnswerKind.MULTI_PART:
            metrics += ("SAR", "QCR")
    if item.reference_paths:
        metrics += MILESTONE_METRICS + PROCESS_METRICS
        metrics += CONSTRUCTION_METRICS if item.auxiliary_lines else ()
    return metrics


def _task(item: Item, batch: str, kind: TaskKind, variant: Variant | None, metrics: tuple[str, ...]) -> Task:
    problem = item.problem
    if variant is None:
        task_id = f"{item.problem_id}:solve"
        target = Target(answer=problem.answer, reference_paths=item.reference_paths)
    else:
        task_id = variant.variant_id
        target = Target(
            defect=variant.kind,
            location=variant.location,
            missing_step=variant.before if variant.kind is DefectKind.MISSING else None,
        )
    return Task(
        task_id=task_id,
        problem_id=item.problem_id,
        batch=batch,
        kind=kind,
        source=problem.source,
        language=problem.language,
        modality=item.modality,
        subject=problem.subject,
        difficulty=item.difficulty,
        step_length=item.step_length,
        problem_type=problem.problem_type,
        group_id=problem.group_id,
        group_role=problem.group_role,
        licence=problem.licence,
        question=problem.question,
        choices=problem.choices,
        images=() if problem.figures_missing else problem.images,
        chain=variant.steps if variant else (),
        instruction=instruction(kind, problem.problem_type, problem.language),
        target=target,
        metrics=metrics,
        knowledge_concepts=problem.knowledge_concepts,
        published_on=problem.published_on,
        variant_of=problem.variant_of,
    )


def _formalize(item: Item, batch: str) -> list[Task]:
    """The task to put the item's words into Lean; none where it has no Lean statement, or no words beside it.  A
    statement that Lean refused is no reference, nor is one that people found wrong."""
    lean, label = item.problem.lean_statement, item.problem.formal_label
    if lean is None or is_wordless(item.problem.question, lean):
        return []
    if label is not None and (label is not FormalLabel.RIGHT or item.lean is not LeanOutcome.ACCEPTED):
        return []
    task = _task(item, batch, TaskKind.FORMALIZE, None, LEAN_METRICS)
    own = {
        "task_id": f"{item.problem_id}:formalize",
        "instruction": formalize_instruction(header_of(lean), item.problem.language),
        "target": Target(lean_statement=lean),
    }
    return [task.model_copy(update=own)]


def _judge_formalization(item: Item, batch: str) -> list[Task]:
    """The task to say whether the item's formalization is right; none where people said nothing of it.  It needs no
    Lean."""
    lean, label = item.problem.lean_statement, item.problem.formal_label
    if lean is None or label is None:
        return []
    task = _task(item, batch, TaskKind.JUDGE_FORMALIZATION, None, (correctness.METRIC,))
    own = {
        "task_id": f"{item.problem_id}:judge_formalization",
        "question": correctness.question(item.problem.question, lean),
        "target": Target(formal_label=label),
    }
    return [task.model_copy(update=own)]


def benchmark_tasks(
    items: Sequence[Item],
    variants: Sequence[Variant],
    batch: str,
    tick: Tick = no_tick,
    reviews: Reviews = NO_REVIEWS,
) -> Outcome[Task]:
    """Tasks of a batch, sorted by id: one to solve each item that has an answer or a reference path, one for each
    variant of an item, one to put it into Lean where it has a reference in Lean, and one to judge its formalization
    where people did.  A variant that reviewers refused, or that waits for them where the batch demands review, is a
    rejection of its own."""
    rejections = _refused_variants(items, variants, reviews)
    refused = {rejection.record_id for rejection in rejections}
    of_item: dict[str, list[Variant]] = defaultdict(list)
    for variant in variants:
        if variant.variant_id not in refused:
            of_item[variant.problem_id].append(variant)
    kept: list[Task] = []
    for item in items:
        metrics = () if item.problem.problem_type is ProblemType.STATEMENT else _solve_metrics(item)
        made = [_task(item, batch, TaskKind.SOLVE, None, metrics)] if metrics else []
        made += [_task(item, batch, DETECT[v.kind], v, DETECTION_METRICS) for v in of_item[item.problem_id]]
        made += _formalize(item, batch) + _judge_formalization(item, batch)
        kept += made
        if not made:
            detail = "no answer, reference path, variant or Lean statement: no task kind applies"
            rejections.append(not_applicable(STAGE, item.problem_id, Reason.NOTHING_TO_ASK, detail))
        tick(1)
    return Outcome(
        sorted(kept, key=lambda t: t.task_id), rejections, [*(i.problem_id for i in items), *sorted(refused)]
    )


def _refused_variants(items: Sequence[Item], variants: Sequence[Variant], reviews: Reviews) -> list[Rejection]:
    """A rejection for each variant of the items that review holds back."""
    obeyed = obey(Material(problems=[item.problem for item in items], variants=variants), reviews, whole=False)
    of_problem = {variant.variant_id: variant.problem_id for variant in variants}
    return [
        reject(
            STAGE,
            variant_id,
            Reason.AWAITING_REVIEW if refusal.waiting else Reason.REFUSED_BY_REVIEW,
            f"{variant_id}: {refusal.detail}",
            problem_id=of_problem[variant_id],
            disposition=Disposition.QUARANTINED if refusal.waiting else Disposition.DROPPED,
        )
        for variant_id, refusal in sorted(obeyed.refusals.items())
    ]
