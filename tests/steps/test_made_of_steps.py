"""Auxiliary lines, milestones, proof plans and formal models."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from stepforge.arithmetic import value
from stepforge.outcome import Outcome, unaccounted
from stepforge.records import FormalModel, Problem
from stepforge.steps.auxiliary import auxiliary_lines
from stepforge.steps.milestones import milestones
from stepforge.steps.models import formal_models
from stepforge.steps.proofs import proof_plans
from stepforge.vocabulary import Complexity, Disposition, Method, ProblemType, Reason
from tests.steps.samples import circle, eggs, geolaux, gsm8k, make_problem, solutions, steps_of

STAGES: list[Callable[..., Outcome[Any]]] = [auxiliary_lines, milestones, proof_plans, formal_models]


def check_conserved(outcome: Outcome[Any]) -> None:
    kept, rejected = [row.problem_id for row in outcome.kept], [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, kept, rejected)
    assert len(rejected) == len(set(rejected))


def check_plans(problems: list[Problem]) -> None:
    steps = steps_of(*problems)
    outcome = proof_plans(problems, steps)
    check_conserved(outcome)
    for name in sorted({plan.problem_id for plan in outcome.kept}):
        plans = [plan for plan in outcome.kept if plan.problem_id == name]
        length = sum(s.problem_id == name and s.path == 0 for s in steps)
        assert 3 <= len(plans) <= 8
        assert (plans[0].first_step, plans[-1].last_step) == (0, length - 1)
        assert all(a.last_step + 1 == b.first_step and a.first_step <= a.last_step for a, b in pairwise(plans))
        assert not any(re.search(r"[=0-9]|proved|complete|QED|得证|证毕", plan.plan) for plan in plans)


@given(solutions)
def test_every_problem_leaves_each_stage_once(solution: str) -> None:
    problems = [
        make_problem("own/a", "如图，△ABC中，求3", solution, language="zh", answer="7"),
        make_problem("own/b", "q", solution, answer="7", problem_type=ProblemType.PROOF),
        make_problem("own/c", "q", solution, answer="7"),
    ]
    steps = steps_of(*problems)
    for stage in STAGES:
        check_conserved(stage(problems, steps))
    check_plans(problems)


@pytest.mark.parametrize("stage", STAGES)
def test_real_problems_leave_each_stage_once(stage: Callable[..., Outcome[Any]]) -> None:
    problems = [*geolaux(), *gsm8k()[:60]]
    done: list[int] = []
    check_conserved(stage(problems, steps_of(*problems), tick=done.append))
    assert sum(done) == len(problems)


def test_the_sources_own_auxiliary_line_comes_first() -> None:
    problem = circle(auxiliary_text="连接OC", auxiliary_complexity=Complexity.SIMPLE)
    (line,) = auxiliary_lines([problem], steps_of(problem)).kept
    assert (line.text, line.complexity, line.method) == ("连接OC", Complexity.SIMPLE, Method.SOURCE)


@pytest.mark.parametrize(
    ("language", "solution", "text", "complexity"),
    [
        ("zh", "连接OC，\n∵OA=OC，∴∠A=∠C。", "连接OC", Complexity.SIMPLE),
        ("zh", "过点D作DE⊥AB于点E。\n∵OA=OC，∴∠A=∠C。", "过点D作DE⊥AB于点E", Complexity.COMPLEX),
        ("zh", "延长BA交CD于点F。∴∠A=∠C。", "延长BA交CD于点F", Complexity.COMPLEX),
        ("en", "Connect $OC$. Then $OA = OC$.", "Connect $OC$", Complexity.SIMPLE),
        ("en", "Draw $DE \\perp AB$. Then $OA = OC$.", "Draw $DE \\perp AB$", Complexity.COMPLEX),
    ],
)
def test_auxiliary_lines_are_found_by_their_verbs(
    language: str, solution: str, text: str, complexity: Complexity
) -> None:
    problem = make_problem("own/p", "In a circle △ABC", solution, language=language)
    (line,) = auxiliary_lines([problem], steps_of(problem)).kept
    assert (line.text, line.complexity, line.method) == (text, complexity, Method.RULES)


def test_a_construction_of_the_question_or_a_word_problem_has_no_auxiliary_line() -> None:
    given_line = make_problem("own/a", "△ABC，连接OC，求证", "连接OC，∴∠A=∠C。", language="zh")
    words = make_problem("own/b", "Tom draws cards.", "Draw 3 cards. They are AB.")
    outcome = auxiliary_lines([given_line, words], steps_of(given_line, words))
    assert [r.reason for r in outcome.rejections] == [Reason.NO_AUXILIARY_LINE] * 2


def test_annotated_auxiliary_lines_of_geolaux_are_found_in_the_solutions() -> None:
    bare = [p.model_copy(update={"auxiliary_text": None, "auxiliary_complexity": None}) for p in geolaux()]
    found = {line.problem_id for line in auxiliary_lines(bare, steps_of(*bare)).kept}
    gold = {p.problem_id for p in geolaux() if p.auxiliary_text}
    assert len(found & gold) / len(gold) >= 0.75
    assert len(found & gold) / len(found) >= 0.95


def test_a_milestone_carries_the_conclusions_that_it_uses_and_no_marks() -> None:
    rows = milestones([eggs()], steps_of(eggs())).kept
    assert [row.index for row in rows] == [0, 1, 2]
    assert rows[1].conditions == (rows[0].conclusion,)
    assert not any("<<" in row.text + row.conclusion for row in rows)


def test_a_step_that_establishes_nothing_is_merged_into_the_next() -> None:
    problem = make_problem("own/p", "q", "Let x be the price in dollars.\n3 * 4 = 12 dollars\nWe want the rest.")
    (row,) = milestones([problem], steps_of(problem)).kept
    assert row.text.startswith("Let x")
    assert row.text.endswith("rest.")
    assert row.conditions == ("Let x be the price in dollars.",)


def test_a_proof_of_two_steps_and_a_calculation_have_no_plan() -> None:
    short = make_problem("own/a", "q", "∵a=b，∴c=d，∴e=f。", language="zh", problem_type=ProblemType.PROOF)
    outcome = proof_plans([short, eggs()], steps_of(short, eggs()))
    assert [r.reason for r in outcome.rejections] == [Reason.TOO_FEW_STEPS, Reason.NOT_A_PROOF]


def test_proofs_of_geolaux_get_three_to_eight_contiguous_segments() -> None:
    check_plans(list(geolaux()))


def solve(model: FormalModel) -> Fraction:
    known: dict[str, Fraction] = {}
    for constraint in model.constraints:
        name, _, expression = constraint.partition(" = ")
        result = value(expression, known)
        assert result is not None
        known[name] = result
    assert {v.name: v.value for v in model.variables} == {name: str(number) for name, number in known.items()}
    return known[model.objective]


def test_a_word_problem_becomes_variables_and_constraints() -> None:
    (model,) = formal_models([eggs()], steps_of(eggs())).kept
    assert model.constraints == ("a = 24-6", "b = a*2", "c = b*5")
    assert (model.objective, model.solved) == ("c", "180")
    assert model.variables[0].meaning == "She sells □ eggs a day."


def test_a_model_that_contradicts_the_answer_is_quarantined() -> None:
    problem = eggs().model_copy(update={"answer": circle().answer})
    (rejection,) = formal_models([problem], steps_of(problem)).rejections
    assert (rejection.reason, rejection.disposition) == (Reason.MODEL_CONTRADICTS_ANSWER, Disposition.QUARANTINED)


def test_geometry_and_text_answers_are_not_modelled() -> None:
    outcome = formal_models([circle(), make_problem("own/z", "q", "3 + 4 = 7", answer="a cat")], steps_of(circle()))
    assert [r.reason for r in outcome.rejections] == [Reason.NOT_MODELABLE] * 2


def test_models_of_gsm8k_solve_to_the_known_answers() -> None:
    problems = list(gsm8k()[::5])
    models = formal_models(problems, steps_of(*problems)).kept
    answers = {p.problem_id: value(p.answer.text) for p in problems if p.answer}
    assert len(models) / len(problems) >= 0.94
    assert all(solve(model) == answers[model.problem_id] for model in models)
