"""What the report shows beside aggregates, from the rows of all systems: comparisons, costs, judges, errors."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from stepforge._scored import UNDECIDED
from stepforge.judge_labels import HUMAN, REPLY, agreement_rows
from stepforge.metrics.agreement import Estimate
from stepforge.metrics.comparison import Comparison, Items, significance_groups
from stepforge.records import (
    HumanLabel,
    Judgement,
    JudgeVerdict,
    Prediction,
    ReviewDecision,
    ReviewOutcome,
    Score,
    Split,
    Task,
)
from stepforge.review import PairAgreement, ReviewAgreement, pair_agreement, review_agreement
from stepforge.splits import side_of, task_dates
from stepforge.vocabulary import Method, ReviewState

COMPARED = {"FAA": True, "MA": True, "SRR": False, "detection": True, "PCS": True}  # metric → higher is better
STEPS = "steps"
PEOPLE = "people"
UNTYPED = "no type named"


class Significance(NamedTuple):
    """Paired comparisons of all systems by one metric.  `letters`: systems that share one were not shown to differ;
    `pairs`: with the p-value after Holm."""

    metric: str
    letters: Mapping[str, str]
    pairs: tuple[tuple[str, str, Comparison, float | None], ...]


class Cost(NamedTuple):
    """What the replies of one system cost.  `usd_answers`: those to tasks that ask for an answer, of which `answers`
    were scored and `right` are right; `unpriced`: replies without a known price, which are in no sum."""

    system: str
    replies: int
    tokens_out: int
    usd: Decimal
    usd_answers: Decimal
    unpriced: int
    answers: int
    right: int


class Undecided(NamedTuple):
    """Final answers of one system, each reply counted, and those that neither the engine nor a judge decided."""

    system: str
    answers: int
    undecided: int


class Agreement(NamedTuple):
    """One rater against another by one rubric: accuracy, precision, recall, F1 and κ with their intervals."""

    rubric: str
    rater: str
    truth: str
    estimates: Mapping[str, Estimate]


class JudgeUse(NamedTuple):
    """Verdicts of one judge by one rubric over all systems, and how many of them are undecided."""

    rubric: str
    judge: str
    model: str
    verdicts: int
    undecided: int


class ErrorCount(NamedTuple):
    """Failed steps of one system by type, as found by one judge; `steps`: those that it looked at."""

    system: str
    judge: str
    steps: int
    by_type: Mapping[str, int]


class ReviewCount(NamedTuple):
    """Items of one kind of review by state, and of those that are decided the round that decided."""

    kind: str
    states: Mapping[str, int]
    rounds: Mapping[str, int]


class Reviews(NamedTuple):
    """What people reviewed, and how far they agree in the blind round; reviewers by their pseudonyms."""

    counts: tuple[ReviewCount, ...]
    agreement: tuple[ReviewAgreement, ...]
    pairs: tuple[PairAgreement, ...]


class SplitCount(NamedTuple):
    """Problems and tasks of the benchmark on each side of a split (`newer`, `older`, `undated`)."""

    name: str
    newer_than: str
    problems: Mapping[str, int]
    tasks: Mapping[str, int]


def reviews_of(outcomes: Sequence[ReviewOutcome], said: Sequence[ReviewDecision], *, seed: int) -> Reviews:
    """Counts by kind, and agreement."""
    by_kind: dict[str, list[ReviewOutcome]] = defaultdict(list)
    for outcome in outcomes:
        by_kind[outcome.item.kind].append(outcome)
    counts = tuple(
        ReviewCount(
            kind,
            {state.value: sum(outcome.state is state for outcome in of) for state in ReviewState},
            dict(sorted(Counter(outcome.round for outcome in of if outcome.answers).items())),
        )
        for kind, of in sorted(by_kind.items())
    )
    return Reviews(counts, tuple(review_agreement(said, seed=seed)), tuple(pair_agreement(said, seed=seed)))


def split_counts(splits: Sequence[Split], tasks: Sequence[Task]) -> list[SplitCount]:
    """How much of the benchmark is on which side of each split."""
    dates = task_dates(tasks)
    of_problem = {task.problem_id: dates[task.task_id] for task in tasks}
    return [
        SplitCount(
            split.name,
            split.newer_than.isoformat(),
            Counter(side_of(split, day) for day in of_problem.values()),
            Counter(side_of(split, day) for day in dates.values()),
        )
        for split in splits
    ]


def items_of(scores: Iterable[Score]) -> dict[str, Items]:
    """Per metric of `COMPARED`, each task's sums of value · weight and of weight over its samples."""
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    for score in scores:
        if score.metric in COMPARED:
            entry = sums[score.metric][score.task_id]
            entry[0] += score.value * score.weight
            entry[1] += score.weight
    return {metric: {task: (top, below) for task, (top, below) in of.items()} for metric, of in sums.items()}


def significance(systems: Mapping[str, Mapping[str, Items]], *, seed: int) -> list[Significance]:
    """Comparisons of all pairs by each metric that two systems or more have.  `systems`: `items_of` each."""
    found = []
    for metric, higher in COMPARED.items():
        items = {system: of[metric] for system, of in systems.items() if of.get(metric)}
        if len(items) > 1:
            told = significance_groups(items, key=f"{seed}|{metric}", higher_is_better=higher)
            pairs = tuple((a, b, told.pairs[a, b], told.adjusted[a, b]) for a, b in told.pairs)
            found.append(Significance(metric, told.letters, pairs))
    return found


def cost_of(system: str, predictions: Iterable[Prediction], scores: Iterable[Score]) -> Cost | None:
    """The cost of a system's replies beside the number of its right answers; None for one whose replies have neither
    tokens nor a cost."""
    told = [p for p in predictions if p.cost_usd is not None or p.tokens_out is not None]
    if not told:
        return None
    answers = {(score.task_id, score.sample): score.value == 1 for score in scores if score.metric == "FAA"}
    return Cost(
        system=system,
        replies=len(told),
        tokens_out=sum(p.tokens_out or 0 for p in told),
        usd=_sum(told),
        usd_answers=_sum(p for p in told if (p.task_id, p.sample) in answers),
        unpriced=sum(p.cost_usd is None for p in told),
        answers=len(answers),
        right=sum(answers.values()),
    )


def undecided_of(system: str, scores: Iterable[Score]) -> Undecided | None:
    """How many of a system's scored answers are undecided; None for one without any."""
    methods = [score.method for score in scores if score.metric == "FAA"]
    return Undecided(system, len(methods), methods.count(UNDECIDED)) if methods else None


def _sum(predictions: Iterable[Prediction]) -> Decimal:
    return sum((Decimal(p.cost_usd) for p in predictions if p.cost_usd is not None), Decimal())


def light(judgement: Judgement) -> Judgement | None:
    """What `sensitivity` reads of a judgement; None for one that it does not read."""
    if not judgement.milestones_total:
        return None
    return judgement.model_copy(update={"units": (), "milestone_matches": (), "answer": None})


def judge_use(verdicts: Sequence[JudgeVerdict]) -> list[JudgeUse]:
    """Verdicts by rubric, judge and model; the rules, which decide nothing, are left out."""
    counts: Counter[tuple[str, str, str]] = Counter()
    undecided: Counter[tuple[str, str, str]] = Counter()
    for verdict in verdicts:
        if verdict.judge != Method.RULES:
            key = (verdict.rubric, verdict.judge, verdict.model or "not asked")
            counts[key] += 1
            undecided[key] += verdict.right is None
    return [JudgeUse(*key, counts[key], undecided[key]) for key in sorted(counts)]


def agreements(verdicts: Sequence[JudgeVerdict], labels: Sequence[HumanLabel], *, seed: int) -> list[Agreement]:
    """The rows of `stepforge judge agreement`, on whole replies and on steps."""
    found = []
    for row in agreement_rows(verdicts, labels, seed=seed):
        rubric = row.rubric if row.level == REPLY else f"{row.rubric}, each step"
        estimates = {
            "accuracy": row.accuracy,
            "precision": row.precision,
            "recall": row.recall,
            "F1": row.f1,
            "kappa": row.kappa,
        }
        against = PEOPLE if row.against == HUMAN else row.against
        found.append(Agreement(rubric, row.judge, against, estimates))
    return found


def error_counts(system: str, verdicts: Iterable[JudgeVerdict]) -> list[ErrorCount]:
    """Failed steps of one system by type, for each judge that looked at its steps."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    steps: Counter[str] = Counter()
    for verdict in verdicts:
        if verdict.rubric == STEPS and verdict.step_scores:
            steps[verdict.judge] += len(verdict.step_scores)
            marks = zip(verdict.step_scores, verdict.error_types, strict=False)
            kinds[verdict.judge].update(str(kind or UNTYPED) for score, kind in marks if kind is not None or not score)
    return [ErrorCount(system, judge, steps[judge], dict(sorted(kinds[judge].items()))) for judge in sorted(steps)]
