"""The plain tables of the report: processes by length, judges, errors, costs, sensitivity, undecided answers."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from stepforge.metrics.agreement import Estimate
from stepforge.metrics.sensitivity import Sensitivity
from stepforge.report.formats import DASH, count, dollars, percent, points, span
from stepforge.report.gather import Agreement, Cost, ErrorCount, JudgeUse, Reviews, SplitCount, Undecided
from stepforge.report.tables import Scores
from stepforge.splits import NEWER, OLDER, UNDATED
from stepforge.vocabulary import ReviewState

PCS = "PCS"
DELTA_PCS = "delta_PCS"


class Table(NamedTuple):
    """A plain table: `head` with its first cell naming the rows, cells as text."""

    key: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def delta_table(scores: Scores) -> Table | None:
    """PCS from short to very long problems, and how far it falls."""
    by_length = scores.breakdown("step_length", PCS)
    falls = {row.system: row for row in scores.overall(DELTA_PCS)}
    if not by_length.rows:
        return None
    labels = [column.label for column in by_length.columns]
    rows = []
    for row in by_length.rows:
        shown = [percent(cell.value) if cell else DASH for cell in row.cells]
        fall = falls.get(row.name)
        rows.append(
            (row.name, *shown, percent(fall.value) if fall else DASH, span(fall.low, fall.high) if fall else DASH)
        )
    return Table("delta-pcs", "PCS by step length", ("System", *labels, "ΔPCS", "95 % interval"), tuple(rows))


def judge_tables(used: Sequence[JudgeUse], told: Sequence[Agreement]) -> list[Table]:
    """What the judges said and left open, and how far they agree."""
    found = []
    if used:
        rows = tuple(
            (
                _words(u.judge),
                u.rubric,
                u.model,
                count(u.verdicts),
                count(u.undecided),
                percent(u.undecided / u.verdicts),
            )
            for u in used
        )
        asked = ("Judge", "Rubric", "Model", "Verdicts", "Undecided", "Undecided (%)")
        found.append(Table("judges", "Verdicts", asked, rows))
    if told:
        head = ("Who", "Rubric", "n", "Agreement (%)", "Precision (%)", "Recall (%)", "F1 (%)", "κ")
        found.append(Table("agreement", "Agreement", head, tuple(map(_agreement_row, told))))
    return found


def _agreement_row(one: Agreement) -> tuple[str, ...]:
    estimates = [one.estimates[name] for name in ("accuracy", "precision", "recall", "F1")]
    cells = [f"{percent(e.value)} {span(e.low, e.high)}" for e in estimates]
    kappa = one.estimates["kappa"].value
    who = f"{_words(one.rater)} against {_words(one.truth)}"
    return who, one.rubric, count(estimates[0].n), *cells, DASH if kappa is None else f"{kappa:.2f}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def error_table(errors: Sequence[ErrorCount]) -> Table | None:
    """Failed steps by type, system and judge."""
    kinds = sorted({kind for error in errors for kind in error.by_type})
    rows = tuple(
        (e.system, _words(e.judge), count(e.steps), *(count(e.by_type.get(kind, 0)) for kind in kinds)) for e in errors
    )
    if not rows:
        return None
    return Table("errors", "Failed steps by type", ("System", "Judge", "Steps", *map(_words, kinds)), rows)


def cost_table(costs: Sequence[Cost], order: Sequence[str]) -> Table | None:
    """What a right answer and a point of FAA cost."""
    place = {system: rank for rank, system in enumerate(order)}
    rows = []
    for cost in sorted(costs, key=lambda c: (place.get(c.system, len(place)), c.system)):
        # with a reply of unknown price the sum is too low, and so is all that is made of it
        known = cost.usd_answers and not cost.unpriced
        right = dollars(cost.usd_answers / cost.right) if known and cost.right else DASH
        point = DASH
        if known and cost.right:
            share = Decimal(cost.right) / Decimal(cost.answers)
            point = dollars(cost.usd_answers / (100 * share))
        counts = (count(cost.replies), count(cost.tokens_out), count(cost.unpriced))
        rows.append((cost.system, *counts, dollars(cost.usd), right, point))
    head = ("System", "Replies", "Tokens out", "Without a price", "USD", "USD a right answer", "USD a point of FAA")
    return Table("cost-per-point", "Cost of an answer", head, tuple(rows)) if rows else None


def sensitivity_table(told: Sensitivity | None) -> Table | None:
    """MA of each system under other constants of the matcher, and whether the systems keep their order."""
    if told is None or not told.rows:
        return None
    systems = list(dict.fromkeys(row.system for row in told.rows))
    at = {(row.system, row.setting): row for row in told.rows}
    rows = []
    for stable in told.stability:
        cells = []
        for system in systems:
            row = at[system, stable.setting]
            changed = f" ({points(row.change)})" if row.change else ""
            cells.append(f"{percent(row.ma)}{changed}")
        rows.append((stable.setting, *cells, DASH if stable.tau is None else f"{stable.tau:.2f}"))
    return Table("sensitivity", "MA (%) by setting", ("Setting", *systems, "Kendall’s τ"), tuple(rows))


def undecided_table(told: Sequence[Undecided], order: Sequence[str]) -> Table | None:
    """Answers that could be shown neither equal nor different, of all replies with a score."""
    place = {system: rank for rank, system in enumerate(order)}
    rows = [
        (one.system, count(one.answers), count(one.undecided), percent(one.undecided / one.answers))
        for one in sorted(told, key=lambda one: (place.get(one.system, len(place)), one.system))
    ]
    head = ("System", "Answers", "Undecided", "Share (%)")
    return Table("undecided", "Undecided answers", head, tuple(rows)) if rows else None


def review_tables(reviews: Reviews | None) -> list[Table]:
    """What became of reviewed items, and how far reviewers agree: all of them by field, and each two."""
    if reviews is None or not reviews.counts:
        return []
    states = [state.value for state in ReviewState]
    rounds = sorted({name for one in reviews.counts for name in one.rounds})
    rows = [
        (
            _words(one.kind),
            count(sum(one.states.values())),
            *(count(one.states[state]) for state in states),
            *(count(one.rounds.get(name, 0)) for name in rounds),
        )
        for one in reviews.counts
    ]
    decided = [f"Decided in {'arbitration' if name == 'arbitration' else f'round {name}'}" for name in rounds]
    found = [
        Table("reviews", "Reviewed items", ("Kind", "Items", *(s.capitalize() for s in states), *decided), tuple(rows))
    ]
    agreement = tuple(
        (
            f"{_words(row.kind)}: {_words(row.field)}",
            count(row.reviewers),
            count(row.items),
            _estimate(row.agreement.agreement),
            _estimate(row.agreement.fleiss),
            _estimate(row.agreement.alpha),
        )
        for row in reviews.agreement
    )
    head = ("Kind and field", "Reviewers", "Items", "Agreement", "Fleiss’ κ", "Krippendorff’s α")
    pairs = tuple(
        (f"{p.first} and {p.second}, {_words(p.kind)}: {_words(p.field)}", count(p.items), _estimate(p.kappa))
        for p in reviews.pairs
    )
    found += (
        [Table("review-agreement", "Agreement of reviewers before arbitration", head, agreement)] if agreement else []
    )
    found += (
        [Table("review-pairs", "Each two reviewers", ("Reviewers and field", "Items", "Cohen’s κ"), pairs)]
        if pairs
        else []
    )
    return found


def _estimate(one: Estimate) -> str:
    if one.value is None:
        return DASH
    ends = "" if one.low is None or one.high is None else f" [{one.low:.2f}, {one.high:.2f}]"
    return f"{one.value:.2f}{ends}".replace("-", "−")


def split_table(splits: Sequence[SplitCount]) -> Table | None:
    """How much of the benchmark is on which side of each split by time."""
    sides = (NEWER, OLDER, UNDATED)
    rows = tuple(
        (
            split.name,
            split.newer_than,
            *(f"{count(split.problems.get(s, 0))} ({count(split.tasks.get(s, 0))})" for s in sides),
        )
        for split in splits
    )
    head = ("Split", "Newer than", "In it: problems (tasks)", "Older", "Undated")
    return Table("splits", "Splits by time", head, rows) if rows else None
