"""What the report page is made from."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Self

from pydantic import Field, model_validator

from stepforge.metrics.sensitivity import Sensitivity
from stepforge.records import Record, Rejection, ReportRow, Task
from stepforge.report.gather import Agreement, Cost, ErrorCount, JudgeUse, Reviews, Significance, SplitCount, Undecided


class VersionRow(NamedTuple):
    """The data version of one stage and partition."""

    stage: str
    partition: str
    version: str


class StageCount(Record):
    """Row counts of one stage on one partition."""

    stage: str
    batch: str = Field(description="partition of the stage: a batch, or a system from predictions on")
    n_in: int = Field(ge=0, description="records that came in")
    n_out: int = Field(ge=0, description="rows written; more than came in where a stage makes several of one")
    rejected: int = Field(ge=0, description="records dropped or quarantined")
    by_reason: dict[str, int] = Field(
        description="`rejected` by reason; records that were not applicable are not in it"
    )
    not_applicable: int = Field(ge=0, description="records that the stage has no work for; they stay in the benchmark")

    @model_validator(mode="after")
    def _reasons_add_up(self) -> Self:
        total = sum(self.by_reason.values())
        if total != self.rejected:
            raise ValueError(
                f"{self.stage}/{self.batch}: the reasons count {total} records, but {self.rejected} were rejected; "
                "leave the not-applicable ones out of by_reason"
            )
        return self


class ModelCost(Record):
    """What one stage used of models on one partition."""

    stage: str
    partition: str
    replies: int = Field(ge=0)
    failed: int = Field(ge=0, description="requests whose reply was cut off or refused, or that got none")
    tokens_in: int = Field(ge=0)
    tokens_out: int = Field(ge=0)
    cost_usd: Decimal = Field(description="what the replies cost when they were paid, whenever that was")
    unpriced: int = Field(ge=0, description="replies of models without a known price: they are in no sum")


class LeanGroup(StrEnum):
    """What verdicts of Lean are counted by: the source of an item, the system that wrote a candidate, or the source and
    label of a formalization that people judged."""

    SOURCE = "source"
    SYSTEM = "system"
    LABEL = "label"


class LeanCount(Record):
    """Lean's verdicts on the items of one source, or on the candidates of one system."""

    of: LeanGroup
    name: str
    accepted: int = Field(ge=0)
    rejected: int = Field(ge=0)
    infrastructure: int = Field(ge=0, description="not judged for a reason that lies in the machine")
    equivalent: int | None = Field(ge=0, description="candidates shown to say what the reference says")
    by_kind: dict[str, int] = Field(
        description="rejected texts by kind of error; one with several kinds counts for each"
    )
    unjudged_by: dict[str, int] = Field(default_factory=dict, description="`infrastructure` by reason")


class LabelAgreement(Record):
    """Lean's own compile verdict beside what people said, on the labelled formalizations of one source."""

    source: str
    both_compile: int = Field(ge=0, description="Lean takes it, and people say that it compiles")
    neither: int = Field(ge=0, description="Lean refuses it, and people say that it does not compile")
    only_lean: int = Field(ge=0, description="Lean takes what people say does not compile")
    only_people: int = Field(ge=0, description="Lean refuses what people say compiles")
    not_judged: int = Field(ge=0, description="Lean could not say: no toolchain, a missing library, refused unread")

    @property
    def compared(self) -> int:
        """The formalizations on which both spoke."""
        return self.both_compile + self.neither + self.only_lean + self.only_people

    @property
    def share(self) -> float | None:
        """Share of `compared` on which both say the same; None if there is none."""
        return (self.both_compile + self.neither) / self.compared if self.compared else None


class ReportInput(NamedTuple):
    """Everything on the page.  `stages` come in pipeline order, `built_at` is printed as it is; `models` has a row for
    each stage and partition that asked one, `lean` one for each source and each system with something for Lean,
    `agreement` one for each source with formalizations that people labelled, `costs` one for each system that a model
    answers for.  `items`: where the pages of items begin, None if there are none."""

    title: str
    built_at: str
    code_version: str
    data_versions: list[VersionRow] | list[tuple[str, str, str]]
    stages: list[StageCount]
    tasks: list[Task]
    rows: list[ReportRow]
    rejections_sample: list[Rejection]
    models: list[ModelCost]
    lean: list[LeanCount]
    agreement: Sequence[LabelAgreement] = ()
    significance: Sequence[Significance] = ()
    costs: Sequence[Cost] = ()
    judges: Sequence[JudgeUse] = ()
    agreements: Sequence[Agreement] = ()
    errors: Sequence[ErrorCount] = ()
    undecided: Sequence[Undecided] = ()
    sensitivity: Sensitivity | None = None
    reviews: Reviews | None = None
    splits: Sequence[SplitCount] = ()
    items: str | None = None
