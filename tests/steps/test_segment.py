import pytest
from hypothesis import given

from stepforge.outcome import unaccounted
from stepforge.records import Problem, Step
from stepforge.steps.chains import by_problem
from stepforge.steps.segment import solution_steps
from stepforge.steps.text import is_filler
from stepforge.vocabulary import Capability, Disposition, Reason
from tests.steps.samples import circle, eggs, geolaux, gsm8k, make_problem, solutions, steps_of


def check_spans(problem: Problem, steps: list[Step]) -> None:
    solution, at = problem.solution or "", 0
    for step in steps:
        assert step.start >= at
        assert solution[step.start : step.end] == step.text == step.text.strip() != ""
        assert is_filler(solution[at : step.start])
        assert all(0 <= i < step.index for i in step.depends_on)
        at = step.end
    assert is_filler(solution[at:])
    for path in {step.path for step in steps}:
        indices = [step.index for step in steps if step.path == path]
        assert indices == list(range(len(indices)))


def test_a_word_problem_has_one_step_a_line_with_its_marks_kept() -> None:
    steps = steps_of(eggs())
    assert [s.text for s in steps] == (eggs().solution or "").split("\n")
    assert [s.depends_on for s in steps] == [(), (0,), (1,)]
    assert {s.capability for s in steps} == {Capability.CALCULATION}


def test_each_because_therefore_pair_is_a_step_and_answer_phrases_are_none() -> None:
    steps = steps_of(circle())
    assert [s.text for s in steps] == ["∵AB是⊙O的直径，\n∴∠ACB=90°，", "∴∠A+∠B=90°，", "∵∠B=35°，\n∴∠A=90°-35°=55°。"]
    assert (steps[0].premises, steps[0].conclusion) == (("AB是⊙O的直径",), "∠ACB=90°")
    assert steps[1].depends_on == (0,)


@pytest.mark.parametrize(
    ("language", "solution", "expected"),
    [
        ("zh", "证明：因为AB=CD，所以BE=CF，又AE=DF，所以△ABE≌△DCF（SSS）。", 2),
        ("zh", "∴AC²=36\n即AC=6\n=3×2，\n∴AB=8，故选：B。", 2),
        ("zh", "16-3=13（个）\n13×2=26（元）\n答：她赚26元。", 2),
        ("zh", "∵AD⊥BC，\n∴∠ADB=90°，\n由圆周角定理得，∠AOB=2∠C=80°，\n故选D。", 2),
        ("en", "We have $x = 2.5$. Thus $y = 5$, e.g. by eq. (2). The answer is: B.", 2),
        ("en", "Consider\n\\[a = b. \\]Then $a^2 = b^2.$  So we are done.", 3),
        ("en", "$\\because AB = CD$,\n\n$\\therefore BE = CF$,\n\n$\\therefore AE = DF$.", 2),
        ("zh", "故选：C。", 0),
        ("en", "Since $a = b$,\n\n\\[\n\\therefore x = 1,\n\\]\n\n\\[\n\\therefore y = 2.\n\\]", 2),
        ("en", "$$\n\\begin{aligned}\n& \\because a = b, \\\\\n& \\therefore c = d.\n\\end{aligned}\n$$", 1),
        ("en", "The table is:\n\n| 1 | 0 |\n| :--- | :--- |\n| 2 | 2 |\n\nSo there are 5 cubes.", 2),
        ("en", "  \n ", 0),
    ],
)
def test_steps_end_where_a_reader_sees_them_end(language: str, solution: str, expected: int) -> None:
    problem = make_problem("own/p", "q", solution, language=language)
    steps = steps_of(problem)
    check_spans(problem, steps)
    assert len(steps) == expected


@pytest.mark.parametrize(
    ("solution", "expected"),
    [
        ("**Solution:** $a = 2$.\n\n---\n\n**Answer:** C.", ["$a = 2$."]),
        ("**Question Analysis:** We add.\n$a = 2 + 3$.", ["We add.", "$a = 2 + 3$."]),
        ("Analysis: Look for sums.\n\nSolution: $a = 2 + 3$.", ["$a = 2 + 3$."]),
        ("$a = 5$.\n\n**Key Insight**: This problem tests sums. Sums are easy.", ["$a = 5$."]),
        ("$a = 5$.\n\n**Review:** It is hard. See more.", ["$a = 5$."]),
        ("$a = 5$.\n\n【Highlight】Sums.", ["$a = 5$."]),
        ("$a = 5$.\n\n**[Key Point]** Sums.", ["$a = 5$."]),
        ("$a = 5$.\n\n**Key Points:**\n1. Sums.\n2. Roots.", ["$a = 5$."]),
        ("$a = 5$.\n\nThis problem mainly tests sums.", ["$a = 5$."]),
        ("【解答】$a = 5$。", ["$a = 5$。"]),
        ("$a = 5$.\n\n<image_3>\n\n(Figure 2)\n\n<image_4>\n\nB\n\nSo $b = 6$.", ["$a = 5$.", "So $b = 6$."]),
        ("(1)\n\n$a = 5$.\n\n(2)\n\n$b = 6$.", ["(1)\n\n$a = 5$.", "(2)\n\n$b = 6$."]),
        ("Solution: A. It has $a = 5$.", ["A. It has $a = 5$."]),
        ("The sum is\n\n$2 + 3$\n\n$= 5$.", ["The sum is\n\n$2 + 3$\n\n$= 5$."]),
    ],
)
def test_labels_remarks_and_captions_are_no_steps(solution: str, expected: list[str]) -> None:
    problem = make_problem("own/p", "q", solution)
    steps = steps_of(problem)
    check_spans(problem, steps)
    assert [s.text for s in steps] == expected


def test_two_solution_paths_are_two_chains() -> None:
    problem = make_problem("own/p", "q", "解法一：∵a=b，∴c=d，∴e=f。\n解法二：∵a=c，∴e=f。", language="zh")
    assert [(s.path, s.index) for s in steps_of(problem)] == [(0, 0), (0, 1), (1, 0)]


def test_a_number_that_the_question_gives_makes_no_dependence() -> None:
    problem = make_problem(
        "own/p", "There are 7 cats and 2 dogs.", "3 + 4 = 7 birds\n7 * 2 = 14 legs\n14 + 1 = 15 in all"
    )
    assert [s.depends_on for s in steps_of(problem)] == [(), (), (1,)]


def test_a_named_theorem_is_the_rule_in_the_language_of_the_step() -> None:
    chinese = make_problem("own/a", "q", "由勾股定理得，∴AC=5。", language="zh")
    english = make_problem("own/b", "q", "By the Pythagorean theorem, $AC = 5$.")
    assert [s.rule for s in steps_of(chinese, english)] == ["勾股定理", "Pythagorean theorem"]


@pytest.mark.parametrize("solution", [None, "", "故答案为：5"])
def test_a_problem_without_reasoning_is_not_applicable(solution: str | None) -> None:
    outcome = solution_steps([make_problem("own/p", "q", solution, language="zh")])
    assert not outcome.kept
    (rejection,) = outcome.rejections
    assert (rejection.reason, rejection.disposition) == (Reason.NO_SOLUTION, Disposition.NOT_APPLICABLE)


@given(solutions)
def test_any_solution_is_cut_into_ordered_exact_spans_or_rejected(solution: str) -> None:
    for language in ("en", "zh"):
        problem = make_problem("own/p", "如图，有3个", solution, language=language)
        outcome = solution_steps([problem])
        assert bool(outcome.kept) != bool(outcome.rejections)
        if outcome.kept:
            check_spans(problem, outcome.kept)


@pytest.mark.parametrize(
    "piece",
    [
        "$",
        "∵",
        "∴ a\n",
        "\\[",
        "Key Points:\n",
        "(1)\n",
        "**",
        "| a\n",
        "<image_1>\nB\n",
        "1",
        "a. ",
        "【",
        "故",
        "(1",
        "\n",
        " ",
        "解：",
        "[asy]",
        "\\begin{a}",
        "作A",
        "∠ABC=",
        "a = b ",
    ],
)
def test_long_hostile_solutions_are_cut_in_linear_time(piece: str) -> None:
    problem = make_problem("own/p", "q", piece * 8_000, language="zh")
    steps = steps_of(problem)  # quadratic work on this takes minutes, and the run's time limit ends it
    check_spans(problem, steps)


def test_gsm8k_has_one_step_a_line() -> None:
    steps = by_problem(solution_steps(gsm8k()).kept)
    for problem in gsm8k():
        lines = [line.strip() for line in (problem.solution or "").split("\n") if line.strip()]
        assert [s.text for s in steps[problem.problem_id]] == lines
        check_spans(problem, steps[problem.problem_id])


def test_geolaux_step_counts_agree_with_the_annotated_lengths() -> None:
    outcome = solution_steps(geolaux())
    steps = by_problem(outcome.kept)
    gaps = []
    for problem in geolaux():
        check_spans(problem, steps[problem.problem_id])
        chain = [s for s in steps[problem.problem_id] if s.path == 0]
        gaps.append(abs(len(chain) - (problem.reference_step_length or 0)))
    assert sum(gap == 0 for gap in gaps) / len(gaps) >= 0.85  # counting ∴ alone gives 0.825 on these rows
    assert sum(gap <= 1 for gap in gaps) / len(gaps) >= 0.94
    assert not unaccounted(outcome.input_ids, steps, [r.record_id for r in outcome.rejections])
