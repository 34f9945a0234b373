"""How much of a reference solution a reply repeats.  Source: GeoLaux, appendix F.1, table 9 (10-grams, ROUGE-L with
Chinese characters as tokens); ROUGE-L: Lin 2004, section 3 (β = 1).

Silent in the paper, fixed here: tokens as in `_text`; the n-gram overlap is the share of the reference's distinct
n-grams that the reply has.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from pydantic import Field

from stepforge.metrics._base import BREAKDOWNS, Measure, Metric, Parameters, Row, mean, register
from stepforge.metrics._text import tokens

N = 10


class OverlapRow(Row):
    """A reference solution and a reply to the same problem."""

    REPLY: ClassVar = ("reply",)
    LABELS: ClassVar = ("language", *BREAKDOWNS)
    EXAMPLE: ClassVar = {"id": "p1", "reference": "∵AB∥CD, ∴∠1=∠2", "reply": "因为AB∥CD, 所以∠1=∠2", "language": "zh"}

    reference: str = Field(description="the reference solution")
    reply: str | None = Field(default=None, description="the reply; null: none, which is in no denominator")
    language: str | None = Field(default=None, description="breakdown")


class RougeL(NamedTuple):
    """Of the longest common subsequence: its share of the reply, of the reference, and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def rouge_l(reference: Sequence[str], reply: Sequence[str]) -> RougeL | None:
    """ROUGE-L of two sequences of tokens, each in [0, 1]; 0 if the reply is empty; None if the reference is."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - only where it is needed

    if not reference:
        return None
    common = LCSseq.similarity(reference, reply)
    if common == 0:
        return RougeL(0.0, 0.0, 0.0)
    return RougeL(common / len(reply), common / len(reference), 2 * common / (len(reference) + len(reply)))


def ngram_overlap(reference: Sequence[str], reply: Sequence[str], n: int = N) -> float | None:
    """Distinct n-grams of the reference that the reply has / distinct n-grams of the reference, in [0, 1]; None if the
    reference has fewer than n tokens."""
    wanted = _ngrams(reference, n)
    return len(wanted & _ngrams(reply, n)) / len(wanted) if wanted else None


def _ngrams(sequence: Sequence[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(sequence[k : k + n]) for k in range(len(sequence) - n + 1)}


class OverlapParameters(Parameters):
    """Length of the n-grams."""

    n: int = Field(default=N, ge=1, le=100, description="tokens of an n-gram")


def _measures(parameters: OverlapParameters) -> list[Measure]:
    def rouge(row: OverlapRow) -> RougeL | None:
        return None if row.reply is None or row.failed else rouge_l(tokens(row.reference), tokens(row.reply))

    def grams(row: OverlapRow) -> float | None:
        if row.reply is None or row.failed:
            return None
        return ngram_overlap(tokens(row.reference), tokens(row.reply), parameters.n)

    return [
        Measure("ROUGE_L", "longest common subsequence of tokens, relative to both texts",
                "mean of 2·LCS / (n_ref + n_reply)",
                mean(lambda row: None if (r := rouge(row)) is None else r.f1), better=""),
        Measure("ROUGE_L_precision", "the same relative to the reply", "mean of LCS / n_reply",
                mean(lambda row: None if (r := rouge(row)) is None else r.precision), better=""),
        Measure("ROUGE_L_recall", "the same relative to the reference", "mean of LCS / n_ref",
                mean(lambda row: None if (r := rouge(row)) is None else r.recall), better=""),
        Measure(f"overlap_{parameters.n}_gram", f"share of the reference's {parameters.n}-grams that the reply repeats",
                "mean of |G_ref ∩ G_reply| / |G_ref|", mean(grams), better=""),
    ]  # fmt: skip


register(
    Metric(
        name="overlap",
        title="Contamination: overlap with the reference solution",
        source="GeoLaux, appendix F.1, table 9; Lin 2004",
        row=OverlapRow,
        measures=_measures,
        parameters=OverlapParameters,
    )
)
