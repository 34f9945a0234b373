"""Stage formal_models: variables, constraints and objective of a word problem (AgenticMathBench, E.1)."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from stepforge.arithmetic import Equation, equations, value
from stepforge.outcome import Outcome, Tick, no_tick, not_applicable, reject
from stepforge.records import Answer, FormalModel, ModelVariable, Problem, Rejection, Step
from stepforge.steps.chains import by_problem, first_path
from stepforge.steps.describe import blanked
from stepforge.steps.facts import given_numbers, is_geometric, numbers
from stepforge.steps.text import clean
from stepforge.vocabulary import Disposition, Method, ProblemType, Reason

STAGE = "formal_models"
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|(?<![0-9])\.[0-9]+")


class _Quantity(NamedTuple):
    name: str
    meaning: str
    value: Fraction
    stated: Fraction
    constraint: str


def formal_models(problems: Sequence[Problem], steps: Sequence[Step], tick: Tick = no_tick) -> Outcome[FormalModel]:
    """One model for each word problem whose calculations are written out, as `<<a-b=c>>` marks or as step equations: a
    variable for each calculated quantity, an equation that gives it, and the asked variable.  The constraints are
    solved exactly, in order; a model is kept only if the objective's value is the known answer, else it is
    quarantined.  A number that an earlier calculation gave, and the question did not, becomes that variable.  Input
    ids: problem ids.
    Limit: equations in unknowns (`3r + 5w = 42`) are not solved, only calculations."""
    chains = by_problem(steps)
    kept: list[FormalModel] = []
    rejections: list[Rejection] = []
    for problem in problems:
        result = _model(problem, first_path(chains, problem.problem_id))
        if isinstance(result, FormalModel):
            kept.append(result)
        else:
            rejections.append(result)
        tick(1)
    return Outcome(kept, rejections, [problem.problem_id for problem in problems])


def _model(problem: Problem, chain: Sequence[Step]) -> FormalModel | Rejection:
    name = problem.problem_id
    known = known_value(problem.answer)
    if known is None or problem.problem_type is ProblemType.PROOF:
        return not_applicable(STAGE, name, Reason.NOT_MODELABLE, f"{name}: the answer is no number to model")
    if is_geometric(problem.question) or any(is_geometric(step.text) for step in chain):
        return not_applicable(STAGE, name, Reason.NOT_MODELABLE, f"{name}: a geometry problem, not a word problem")
    quantities = _quantities(problem.question, chain)
    if not quantities:
        why = f"{name}: no step writes out a calculation; annotate the solution to have it modelled"
        return not_applicable(STAGE, name, Reason.NOT_MODELABLE, why)
    asked = _asked(quantities, chain)
    if asked.value != known:
        constraints = "; ".join(quantity.constraint for quantity in quantities)
        why = (
            f"{name}: the model gives {asked.value} for {asked.name}, the answer is {known}; check the solution's steps"
        )
        return reject(
            STAGE,
            name,
            Reason.MODEL_CONTRADICTS_ANSWER,
            why,
            problem_id=name,
            evidence=constraints,
            disposition=Disposition.QUARANTINED,
        )
    return FormalModel(
        problem_id=name,
        variables=tuple(ModelVariable(name=q.name, meaning=q.meaning, value=str(q.value)) for q in quantities),
        constraints=tuple(q.constraint for q in quantities),
        objective=asked.name,
        solved=str(asked.value),
        method=Method.RULES,
    )


def known_value(answer: Answer | None) -> Fraction | None:
    """The answer as an exact number; None if it is no single number."""
    return None if answer is None or answer.parts else value(answer.text)


def _quantities(question: str, chain: Sequence[Step]) -> list[_Quantity]:
    given = given_numbers(question)
    found: list[_Quantity] = []
    for step in chain:
        for equation in _calculations(step.text):
            stated = value(equation.rhs)
            expression, names = _with_names(equation.lhs, found, given)
            exact = value(expression, names)
            if exact is None or stated is None:
                continue
            bare, percent = expression.replace("%", ""), value(equation.rhs.replace("%", ""))
            if "%" in expression and value(bare, names) == percent is not None:
                expression, exact, stated = bare, percent, percent  # `12/20 x 100% = 60%` counts in percent
            name = _letters(len(found))
            found.append(_Quantity(name, blanked(step.text), exact, stated, f"{name} = {expression.strip()}"))
    return found


def _calculations(text: str) -> list[Equation]:
    """Marked equations of a step, else those that its sentence states; only those that work something out."""
    every = equations(text)
    marked = [e for e in every if e.marked and e.holds is not None]
    stated = marked or [e for e in every if e.holds is not None]
    return [e for e in stated if len(numbers(e.lhs)) > 1 and len(numbers(e.rhs)) == 1]


def _letters(n: int) -> str:
    """a, b, …, z, aa, ab, …: names that a number cannot be mistaken for; x is left out, it may be a times sign."""
    alphabet = "abcdefghijklmnopqrstuvwyz"
    name = ""
    n += 1
    while n:
        n, rest = divmod(n - 1, len(alphabet))
        name = alphabet[rest] + name
    return name


def _with_names(
    expression: str, found: Sequence[_Quantity], given: frozenset[Fraction]
) -> tuple[str, dict[str, Fraction]]:
    """The expression with numbers that earlier calculations gave replaced by their variables; the latest counts."""
    latest = {quantity.stated: quantity for quantity in found}
    names = {quantity.name: quantity.value for quantity in found}

    def renamed(match: re.Match[str]) -> str:
        number = Fraction(match.group().replace(",", ""))
        after = expression[match.end() : match.end() + 1]
        if number in given or number not in latest or after == "%":
            return match.group()
        return latest[number].name

    return _NUMBER.sub(renamed, expression), names


def _asked(quantities: Sequence[_Quantity], chain: Sequence[Step]) -> _Quantity:
    """The quantity that the last sentence ends on where it restates one, else the last one calculated."""
    closing = numbers(clean(chain[-1].text))
    if not equations(chain[-1].text) and closing:
        restated = [quantity for quantity in quantities if quantity.stated in closing]
        if restated:
            return restated[-1]
    return quantities[-1]
