"""Solutions given as rows, without a pipeline around them: a row read, segmented, and written."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from stepforge.json_rows import RowError, row_of
from stepforge.records import AuxiliaryLine, Problem, Provenance, Step
from stepforge.sources._values import language_of
from stepforge.steps.auxiliary import auxiliary_lines
from stepforge.steps.segment import solution_steps
from stepforge.vocabulary import Method, ProblemType

MAX_CHARS = 100_000  # of one text, as in the pipeline


class SolutionRow(BaseModel):
    """A problem with its solution; other fields are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    id: str | int
    question: str = Field(default="", max_length=MAX_CHARS)
    solution: str = Field(max_length=MAX_CHARS)
    language: str | None = Field(default=None, pattern="^[a-z]{2}$", description="ISO 639-1; guessed if left out")


def read_solution(line: str) -> SolutionRow:
    """The row of one JSON line.  Raises: RowError."""
    row = row_of(line)
    try:
        return SolutionRow.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RowError(f"{where + ': ' if where else ''}{first['msg']}") from None


def _problem(row: SolutionRow) -> Problem:
    return Problem(
        problem_id=str(row.id),
        source="rows",
        source_id=str(row.id),
        language=row.language or language_of(f"{row.question}\n{row.solution}"),
        question=row.question,
        problem_type=ProblemType.FREE_FORM,
        answer=None,
        solution=row.solution,
        licence="unknown",
        provenance=Provenance(document_id="", path="", locator="", method="json"),
    )


def segmented(row: SolutionRow) -> dict[str, Any]:
    """`id, steps, auxiliary_lines, method`: the steps of all paths one after the other, numbered from 0; `start` and
    `end` are character offsets into the solution, `depends_on` are indices of the same list."""
    problem = _problem(row)
    steps = solution_steps([problem]).kept
    first_of_path: dict[int, int] = {}
    for number, step in enumerate(steps):
        first_of_path.setdefault(step.path, number)
    lines = auxiliary_lines([problem], steps).kept
    return {
        "id": row.id,
        "steps": [_step(number, step, first_of_path[step.path]) for number, step in enumerate(steps)],
        "auxiliary_lines": [_line(line) for line in lines],
        "method": Method.RULES.value,
    }


def _step(number: int, step: Step, first: int) -> dict[str, Any]:
    return {
        "index": number,
        "text": step.text,
        "start": step.start,
        "end": step.end,
        "premises": list(step.premises),
        "rule": step.rule,
        "conclusion": step.conclusion,
        "depends_on": [first + used for used in step.depends_on],
        "path": step.path,
        "capability": step.capability.value,
    }


def _line(line: AuxiliaryLine) -> dict[str, Any]:
    return {"text": line.text, "complexity": line.complexity.value}
