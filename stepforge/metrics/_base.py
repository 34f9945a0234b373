"""What a metric is, so that a new one is one file: the row that it wants, what it measures, and its registry.

A row is one item of one system with the verdicts that the metric counts; no verdict is made here.  Every measure is a
function of sums over items, so that value, interval and breakdown are computed once for all metrics (`_evaluate`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

from stepforge._bootstrap import Statistic, ratio
from stepforge.registry import Registry
from stepforge.vocabulary import Failure

BREAKDOWNS = ("source", "modality", "difficulty", "subject", "step_length", "problem_type")

Label = str | int | float | bool | None


def also(*names: str) -> AliasChoices:
    """Other names under which data sets write a field; its own name first."""
    return AliasChoices(*names)


class Row(BaseModel):
    """Base of the rows of all metrics. Other fields than these are labels that `--by` can break down by."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True, allow_inf_nan=False)

    REPLY: ClassVar[tuple[str, ...]] = ()  # what the system said, or what was found in it; all null: no reply
    JUDGED: ClassVar[tuple[str, ...]] = ()  # verdicts: null is undecided
    NEEDED: ClassVar[tuple[str, ...] | None] = None  # of both, those that may not be left out; None: all of them
    LABELS: ClassVar[tuple[str, ...]] = BREAKDOWNS
    EXAMPLE: ClassVar[Mapping[str, object]] = {}

    id: str | int | None = Field(
        default=None,
        validation_alias=also("id", "item_id", "task_id", "problem_id"),
        description="the item; rows with one id are samples of one item and are resampled together",
    )
    failure: Failure | None = Field(
        default=None,
        description="why there is no reply to score: missing, empty, refused, unparsable count as wrong; "
        "not_accessible and not_attempted are in no denominator",
    )
    source: str | None = Field(default=None, description="breakdown")
    modality: str | None = Field(default=None, description="breakdown")
    difficulty: str | None = Field(default=None, description="breakdown")
    subject: str | None = Field(default=None, description="breakdown")
    step_length: int | None = Field(default=None, description="steps of the reference; breakdown by bucket")
    problem_type: str | None = Field(default=None, description="breakdown")

    @model_validator(mode="after")
    def _has_a_reply_or_says_why_not(self) -> Self:
        if self.failure is None:
            for name in self.needed():
                if name not in self.model_fields_set:
                    near = get_close_matches(name, sorted(self.model_extra or {}), 1)
                    hint = f" (is it {near[0]!r}?)" if near else ""
                    raise ValueError(f"{name} is missing{hint}; null says that there is none, failure says why")
        return self

    @classmethod
    def needed(cls) -> tuple[str, ...]:
        """Fields that a row without a failure must have."""
        return cls.REPLY + cls.JUDGED if cls.NEEDED is None else cls.NEEDED

    @property
    def why_failed(self) -> Failure | None:
        """`failure`; missing where the row has no reply and does not say why."""
        if self.failure is None and self.REPLY and all(getattr(self, name) is None for name in self.REPLY):
            return Failure.MISSING
        return self.failure

    @property
    def failed(self) -> bool:
        """Whether there is no reply to score: it counts as wrong."""
        return self.why_failed is not None

    @property
    def undecided(self) -> bool:
        """Whether a judge was asked and gave no verdict."""
        return not self.failed and any(
            getattr(self, name) is None for name in self.model_fields_set.intersection(self.JUDGED)
        )


class Measure(NamedTuple):
    """One number: in words, as a formula, and how it is computed.

    `sums`: of an item, the summands of the sums that the number is a function of (as many for each item); None: the
    item is not counted.  `statistic`: of those sums, the number; a ratio of two unless said otherwise.
    """

    name: str
    words: str
    formula: str
    sums: Callable[[Any], Sequence[float] | None]
    statistic: Statistic = ratio
    better: str = "higher"  # higher, lower, or "" where neither is


class Item(NamedTuple):
    """What is counted as one: usually a row; for We-Math a composite problem with its parts."""

    id: str
    content: Any
    labels: Mapping[str, Label]
    failure: Failure | None
    undecided: bool


class Parameters(BaseModel):
    """What can be set in a metric (`--set NAME=VALUE`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Options(NamedTuple):
    """How a metric is run: its parameters, what to break down by beside the labels at hand, and the bootstrap."""

    parameters: Any
    by: tuple[str, ...] = ()
    seed: int = 0
    resamples: int = 1000


def labels_of(row: Row, names: Sequence[str]) -> dict[str, Label]:
    """The row's values of the named labels."""
    return {name: getattr(row, name, None) for name in names}


def each_row(rows: Sequence[Any], by: Sequence[str]) -> list[Item]:
    """Each row an item; rows without an id are items of their own."""
    return [
        Item(
            id=f"row {k}" if row.id is None else f"id {row.id}",
            content=row,
            labels=labels_of(row, [*row.LABELS, *by]),
            failure=row.why_failed,
            undecided=row.undecided,
        )
        for k, row in enumerate(rows)
    ]


def no_tables(_items: Sequence[Any], _parameters: Any) -> Mapping[str, Sequence[Measure]]:
    """No measures beside the declared ones."""
    return {}


def nothing_more(_rows: Sequence[Any], _options: Options) -> Mapping[str, object]:
    """Nothing beside the measures."""
    return {}


class Companion(NamedTuple):
    """A second file beside the rows: what it is in words, and the rows with what it says."""

    words: str
    add: Callable[[Sequence[Row], bytes], list[Row]]


@dataclass(frozen=True)
class Metric:
    """An entry of the registry.

    `measures`: for given parameters; with the default ones they are what the documentation lists.  `items`: what is
    counted as one.  `tables`: measures that depend on the data, such as one for each knowledge concept, by table name;
    `table_words` says what they are.  `companion`: a second file that says more of the rows.  `more`: other results,
    JSON values by name.  `official`: the numbers as the origin's own scorer prints them, where there is one.
    """

    name: str
    title: str
    source: str
    row: type[Row]
    measures: Callable[[Any], Sequence[Measure]]
    items: Callable[[Sequence[Any], Sequence[str]], list[Item]] = each_row
    tables: Callable[[Sequence[Any], Any], Mapping[str, Sequence[Measure]]] = no_tables
    table_words: Mapping[str, str] | None = None
    more: Callable[[Sequence[Any], Options], Mapping[str, object]] = nothing_more
    more_words: Mapping[str, str] | None = None
    official: Callable[[Sequence[Any]], Mapping[str, object]] | None = None
    parameters: type[Parameters] = Parameters
    companion: Companion | None = None


METRICS: Registry[Metric] = Registry("stepforge.metrics")


def register(metric: Metric) -> Metric:
    """Add a metric to the registry.  Raises: ValueError if its name is taken."""
    METRICS.register(metric)
    return metric


def mean(of: Callable[[Any], float | bool | None]) -> Callable[[Any], tuple[float, float] | None]:
    """Summands of the mean of a number over items; an item where it is None is not counted."""

    def sums(item: Any) -> tuple[float, float] | None:
        value = of(item)
        return None if value is None else (float(value), 1.0)

    return sums


def judged(name: str) -> Callable[[Row], tuple[float, float] | None]:
    """Summands of the mean of a judge's number: 0 for a reply that failed; undecided or not asked: not counted."""
    return mean(lambda row: 0.0 if row.failed else getattr(row, name))
