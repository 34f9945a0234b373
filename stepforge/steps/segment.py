"""Stage solution_steps: a reference solution as a list of reasoning units."""

from collections.abc import Iterator, Sequence

from stepforge.outcome import Outcome, Tick, no_tick, not_applicable
from stepforge.records import Problem, Rejection, Step
from stepforge.steps.describe import capability, premises_and_conclusion
from stepforge.steps.facts import dependencies
from stepforge.steps.split import step_spans
from stepforge.steps.theorems import named_rule
from stepforge.vocabulary import Method, Reason

STAGE = "solution_steps"


def solution_steps(problems: Sequence[Problem], tick: Tick = no_tick) -> Outcome[Step]:
    """Steps of every reference solution, by problem, path and index.  Source: GeoLaux, section 3 (because-therefore
    pairs); MAMath-Bench (conditions, rule, conclusion).  `solution[start:end] == text`; steps of a solution follow one
    another and only white space, labels and answer phrases lie between.  Input ids: problem ids."""
    kept: list[Step] = []
    rejections: list[Rejection] = []
    for problem in problems:
        steps = list(_steps(problem))
        kept += steps
        if not steps:
            rejections.append(not_applicable(STAGE, problem.problem_id, Reason.NO_SOLUTION, _why(problem)))
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def _why(problem: Problem) -> str:
    if problem.solution is None or not problem.solution.strip():
        return f"{problem.problem_id}: the source gives no solution; add one to have its process judged"
    return f"{problem.problem_id}: the solution only names the answer; add the reasoning to have its process judged"


def _steps(problem: Problem) -> Iterator[Step]:
    solution = problem.solution
    if solution is None:
        return
    for path, spans in enumerate(step_spans(solution, problem.language)):
        texts = [solution[start:end] for start, end in spans]
        edges = dependencies(texts, problem.question)
        for index, (text, (start, end), depends_on) in enumerate(zip(texts, spans, edges, strict=True)):
            premises, conclusion = premises_and_conclusion(text)
            yield Step(
                problem_id=problem.problem_id,
                path=path,
                index=index,
                text=text,
                start=start,
                end=end,
                premises=premises,
                rule=named_rule(text, problem.language),
                conclusion=conclusion,
                depends_on=depends_on,
                capability=capability(text, problem.language),
                method=Method.RULES,
            )
