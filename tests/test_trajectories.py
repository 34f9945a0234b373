import pytest
from hypothesis import given

from stepforge.arithmetic import value
from stepforge.outcome import Outcome, unaccounted
from stepforge.records import Answer, Choice, Problem, Trajectory
from stepforge.trajectories import last_box, trajectories
from stepforge.vocabulary import AnswerKind, CheckVerdict, EquivalenceVerdict, Reason
from tests.steps.samples import circle, eggs, geolaux, gsm8k, make_problem, solutions, steps_of


def same_text(answer: Answer, final: str, _choices: tuple[Choice, ...]) -> EquivalenceVerdict:
    """Stand-in for the answer engine: same exact value, or same text."""
    same = value(answer.text) == value(final) if value(answer.text) is not None else answer.text == final
    return EquivalenceVerdict.EQUAL if same else EquivalenceVerdict.DIFFERENT


def made(*problems: Problem) -> Outcome[Trajectory]:
    return trajectories(list(problems), steps_of(*problems), seed=1, equal=same_text)


def test_each_step_is_planned_acted_out_and_its_arithmetic_checked() -> None:
    (row,) = made(eggs()).kept
    assert row.trajectory_id == "own/eggs:reference:1"
    assert len(row.plan) == len(row.actions) == 3
    assert (row.actions[0].tool, row.actions[0].tool_input, row.actions[0].observation) == (
        "exact_arithmetic",
        "24-6 = 18",
        "18",
    )
    assert {a.verdict for a in row.actions} == {CheckVerdict.RIGHT}
    assert (row.final_answer, row.verdict) == ("180", CheckVerdict.RIGHT)
    assert row.plan[0].sub_goal == "Find □: She sells □ eggs a day."


def test_a_false_calculation_is_said_to_be_wrong_with_the_true_value() -> None:
    (row,) = made(make_problem("own/p", "q", "3 + 4 = 8 pens", answer="8")).kept
    assert row.actions[0].verdict is CheckVerdict.WRONG
    assert row.feedback[0] == "step 0: 3 + 4 = 8 is wrong; the left side is 7"


def test_a_step_without_arithmetic_is_undecided_and_uses_no_tool() -> None:
    (row,) = made(circle()).kept
    assert (row.actions[0].tool, row.actions[0].verdict) == (None, CheckVerdict.UNDECIDED)


@pytest.mark.parametrize(
    ("language", "kind", "solution", "expected"),
    [
        ("en", AnswerKind.NUMBER, "So $x = \\boxed{\\frac{1}{2}}$ and $y = 3$.", "\\frac{1}{2}"),
        ("zh", AnswerKind.CHOICE, "∵a=b，∴c=5。故选：C。", "C"),
        ("en", AnswerKind.CHOICE, "All sides are equal. Therefore, the correct answer is: B.", "B"),
        ("zh", AnswerKind.NUMBER, "∵a=b，∴c=5。故选：C。", "5"),
        ("zh", AnswerKind.NUMBER, "∴c=√3。故答案为：√3。", "√3"),
        ("zh", AnswerKind.NUMBER, "∴圆O的半径为 2√5。", "2√5"),
        ("en", AnswerKind.NUMBER, "She earns 36 * 5 = $180 in all.", "180"),
        ("en", AnswerKind.NUMBER, "There are 5 cubes.\nTherefore, the answer is:", "5"),
        ("en", AnswerKind.TEXT, "Hence the lines are parallel", "the lines are parallel"),
    ],
)
def test_the_final_answer_is_what_the_solution_ends_on(
    language: str, kind: AnswerKind, solution: str, expected: str
) -> None:
    (row,) = made(make_problem("own/p", "q", solution, language=language, answer="1", kind=kind)).kept
    assert row.final_answer == expected


@pytest.mark.parametrize(
    ("answer", "solution", "verdict"),
    [
        ("$7$", "He has 3 + 2 = 5 pens.", CheckVerdict.WRONG),
        ("7", "Of 7 pens he keeps 3 + 2 = 5.", CheckVerdict.UNDECIDED),
        ("7", "He has 3 + 2.5 = 5.5 pens.", CheckVerdict.UNDECIDED),
        ("$\\frac{7}{2}$", "He has 3 + 2 = 5 pens.", CheckVerdict.UNDECIDED),
        ("$7$", "He has 3 + 2 = 5 pens. The answer is 5", CheckVerdict.WRONG),
    ],
)
def test_a_guessed_answer_is_wrong_only_beside_a_whole_number_that_stands_nowhere(
    answer: str, solution: str, verdict: CheckVerdict
) -> None:
    (row,) = made(make_problem("own/p", "q", solution, answer=answer)).kept
    assert row.verdict is verdict


def test_an_unclosed_box_is_no_box() -> None:
    assert last_box("\\boxed{1") is None


def test_a_problem_without_answer_stays_undecided() -> None:
    (row,) = made(make_problem("own/p", "q", "3 + 4 = 7")).kept
    assert row.verdict is CheckVerdict.UNDECIDED


def test_a_problem_without_steps_is_not_applicable() -> None:
    assert [r.reason for r in made(make_problem("own/p", "q", None)).rejections] == [Reason.NO_SOLUTION]


@given(solutions)
def test_every_problem_leaves_once_whatever_its_solution(solution: str) -> None:
    outcome = made(
        make_problem("own/a", "q", solution, answer="7"), make_problem("own/b", "q", solution, language="zh")
    )
    assert not unaccounted(
        outcome.input_ids, [t.problem_id for t in outcome.kept], [r.record_id for r in outcome.rejections]
    )


def test_reference_solutions_of_gsm8k_end_on_the_known_answers() -> None:
    problems = gsm8k()[::5]
    outcome = made(*problems)
    assert not unaccounted(
        outcome.input_ids, [t.problem_id for t in outcome.kept], [r.record_id for r in outcome.rejections]
    )
    assert sum(t.verdict is CheckVerdict.RIGHT for t in outcome.kept) / len(problems) >= 0.97
    wrong = [a for t in outcome.kept for a in t.actions if a.verdict is CheckVerdict.WRONG]
    assert len(wrong) <= 3  # true slips of the source, such as 364 / 4 = 273


def test_geolaux_problems_leave_once() -> None:
    outcome = made(*geolaux())
    assert not unaccounted(
        outcome.input_ids, [t.problem_id for t in outcome.kept], [r.record_id for r in outcome.rejections]
    )
