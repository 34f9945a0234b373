"""How many steps of a proof plan are useful.  Source: AgenticMathBench, appendix F.2, equations (17) and (18)."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from stepforge.metrics._base import Measure, Metric, Row, mean, register
from stepforge.metrics._counting import plain


class ProofPlanRow(Row):
    """Steps of a plan, and those that a judge finds useful for proving the statement."""

    REPLY: ClassVar = ("steps",)
    JUDGED: ClassVar = ("useful",)
    EXAMPLE: ClassVar = {"id": "p1", "steps": ["induct on n", "bound the last term", "draw a graph"], "useful": [0, 1]}

    steps: tuple[str, ...] | None = Field(default=None, description="steps of the predicted plan; null: no reply")
    useful: tuple[int, ...] | None = Field(
        default=None, description="indices of the useful steps, from 0; null: undecided"
    )

    @model_validator(mode="after")
    def _useful_steps_are_there(self) -> Self:
        if any(not 0 <= k < len(self.steps or ()) for k in self.useful or ()):
            raise ValueError(f"useful: there are {len(self.steps or ())} steps, counted from 0")
        return self

    def precision(self) -> float | None:
        """Useful steps / max(1, steps), in [0, 1], of the steps that are not empty, repetitions counted once (useful if
        one of them is); None where the judge did not decide."""
        if self.failed:
            return 0.0
        if self.useful is None:
            return None
        steps = [plain(step) for step in self.steps or ()]
        useful = {steps[k] for k in self.useful}
        return len(useful - {""}) / max(1, len(set(steps) - {""}))


register(
    Metric(
        name="plan-precision",
        title="Deductive and inductive reasoning",
        source="AgenticMathBench, equations (17) and (18)",
        row=ProofPlanRow,
        measures=lambda _: [
            Measure("plan_precision", "share of the steps of a proof plan that are useful", "mean of t / max(1, p)",
                    mean(lambda row: row.precision())),
        ],
    )
)  # fmt: skip
