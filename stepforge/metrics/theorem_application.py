"""Whether one of k proofs holds.  Source: AgenticMathBench, appendix F.2, equation (23), k = 5; where there are more
than k proofs, the unbiased estimator of Chen et al. 2021, equation (1)."""

from typing import ClassVar

from pydantic import Field

from stepforge.metrics._base import Measure, Metric, Parameters, Row, mean, register
from stepforge.metrics.formalization import pass_at_k


class ProofRow(Row):
    """Verdicts on the proofs of one statement."""

    REPLY: ClassVar = ("proofs",)
    EXAMPLE: ClassVar = {"id": "p1", "proofs": [False, True, False, False, True]}

    proofs: tuple[bool | None, ...] | None = Field(
        default=None, description="whether each proof is valid; null inside: undecided; null: no reply"
    )

    @property
    def undecided(self) -> bool:
        """Whether some proof that could decide has no verdict."""
        return not self.failed and None in (self.proofs or ())

    def pass_at(self, k: int) -> float | None:
        """Unbiased pass@k, in [0, 1]; 0 without a proof; None where a proof was not decided."""
        proofs = () if self.failed else self.proofs or ()
        return None if None in proofs else pass_at_k(len(proofs), proofs.count(True), k)


class PassParameters(Parameters):
    """Parameters of pass@k."""

    k: int = Field(default=5, ge=1, description="proofs drawn of those there are")


register(
    Metric(
        name="theorem-application",
        title="Theorem application",
        source="AgenticMathBench, equation (23); Chen et al. 2021, equation (1)",
        row=ProofRow,
        measures=lambda parameters: [
            Measure(f"pass@{parameters.k}", f"probability that one of {parameters.k} proofs is valid",
                    "mean of 1 − C(n − c, k) / C(n, k)", mean(lambda row: row.pass_at(parameters.k))),
        ],
        parameters=PassParameters,
    )
)  # fmt: skip
