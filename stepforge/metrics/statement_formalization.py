"""Statements put into Lean: rows of `formalization.py`.  Source: AgenticMathBench, equations (15) and (16)."""

from collections.abc import Callable
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from stepforge.metrics._base import Measure, Metric, Parameters, Row, mean, register
from stepforge.metrics.formalization import Alignment, Candidate, align_pass_at_k, compile_pass_at_k


class CandidateVerdicts(BaseModel):
    """Verdicts on one candidate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    compiled: bool | None = Field(default=None, description="Lean's verdict; null: Lean was not run")
    judged: bool | None = Field(default=None, description="a judge's verdict on the meaning")
    equivalent: bool | None = Field(default=None, description="equivalence with the reference, as Lean showed")


class StatementRow(Row):
    """Verdicts on the candidates of one statement."""

    REPLY: ClassVar = ("candidates",)
    EXAMPLE: ClassVar = {
        "id": "p1",
        "candidates": [
            {"compiled": True, "judged": True, "equivalent": True},
            {"compiled": False, "judged": False, "equivalent": None},
        ],
    }

    candidates: tuple[CandidateVerdicts, ...] | None = Field(
        default=None, description="verdicts on each candidate; null: no reply"
    )

    def verdicts(self) -> list[Candidate]:
        """As `formalization` reads them; a reply that failed has none, which counts as wrong."""
        found = () if self.failed else self.candidates or ()
        return [Candidate(c.compiled, c.judged, c.equivalent) for c in found]


class StatementParameters(Parameters):
    """Parameters of pass@k."""

    k: int = Field(default=5, ge=1, description="candidates drawn of those there are")


def _aligned(k: int, by: Alignment) -> Callable[[StatementRow], float | None]:
    return lambda row: align_pass_at_k([row.verdicts()], k, by).value


def _measures(parameters: StatementParameters) -> list[Measure]:
    k = parameters.k
    words = {
        Alignment.JUDGED: "a judge says that one of them means the same",
        Alignment.LEAN: "Lean shows that one of them means the same",
        Alignment.BOTH: "a judge says so and Lean shows it, of one of them",
    }
    formula = "mean of 1 − C(n − c, k) / C(n, k)"
    return [
        Measure(f"compile@{k}", f"probability that Lean takes one of {k} candidates", formula,
                mean(lambda row: compile_pass_at_k([row.verdicts()], k).value)),
        *(Measure(f"align_{by.value}@{k}", f"of {k} candidates, {words[by]}", formula, mean(_aligned(k, by)))
          for by in Alignment),
    ]  # fmt: skip


register(
    Metric(
        name="formalization",
        title="Formalization in Lean",
        source="AgenticMathBench, equations (15) and (16); Chen et al. 2021, equation (1)",
        row=StatementRow,
        measures=_measures,
        parameters=StatementParameters,
    )
)
