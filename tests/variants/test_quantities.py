import pytest

from stepforge.steps.facts import numbers
from stepforge.variants.build import variants
from stepforge.variants.quantities import quantities
from stepforge.variants.verify import verified_by
from stepforge.vocabulary import DefectKind
from tests.steps.samples import make_problem, steps_of


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("She has 24 eggs and $7.", [("24", "egg"), ("7", "$")]),
        ("He eats 1/4 of it and 3/4 of that, 2 1/2 hours.", []),
        ("As shown in Figure 1 and 2, Step 3, Table 4, 图5", []),
        ("The length is $\\frac{3}{5}$ and $x^{2}$, $A_{4}$, $\\sqrt{7}$.", []),
        ("It is 60° or $70^{\\circ}$, 30% of 5 to 8, a 9-day trip, the 5th.", []),
        ("In 1998, on May 12, at 7 pm, 3 times as many.", []),
        ("Which? (2, 3)\nA. 91\nB. 66\nC. 25", []),
        ("Edges of $4 \\mathrm{~cm}$ and 5 meters; $y = 2 x + 6$.", [("4", "cm"), ("5", "meter")]),
        ("若AC=8，BC=6，∠A=30°", [("8", ""), ("6", "")]),
        ("5 cats and 5 dogs", []),
    ],
)
def test_only_numbers_that_stand_alone_are_quantities(question: str, expected: list[tuple[str, str]]) -> None:
    assert [tuple(quantity) for quantity in quantities(question)] == expected


SOUND = ("24 - 6 = 18 eggs", "18 * 3 = 54 dollars", "54 * 5 = 270 dollars")


@pytest.mark.parametrize(
    ("text", "question", "options", "sound"),
    [
        ("Note that 24 + 9 = 33.", "24 eggs and 9 hens", (), True),
        ("Note that 24 + 9 = 34.", "24 eggs and 9 hens", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs", (), False),
        ("The sum of the given numbers 24 and 9 is 24 + 9 = 33.", "24 eggs and 9 hens", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs and 9 hens", ("33",), False),
        ("Note that 24 + 9 = 33.", "24 eggs and 9 hens", ("9",), False),
        ("Note that 24 + 9 = 33.", "24 eggs in Figure 9", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs, 1/9 of them", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs, $x^{9}$", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs and 9%", (), False),
        ("Note that 24 + 9 = 33.", "24 eggs, ∠A = 9°", (), False),
        ("注意到24+9=33。", "24个鸡蛋和9只鸡", (), True),
    ],
)
def test_a_remark_is_proved_only_of_quantities_of_the_question(
    text: str, question: str, options: tuple[str, ...], sound: bool
) -> None:
    proof = verified_by(DefectKind.REDUNDANT, SOUND, (SOUND[0], text, *SOUND[1:]), (1,), question, options)
    assert (proof == "exact_arithmetic_and_unused") is sound


def test_a_redundant_step_claims_nothing_about_unlike_quantities() -> None:
    problem = make_problem("own/p", "She has 24 eggs, 9 hens and $13. Half are white.", "\n".join(SOUND))
    found = {
        variant.after
        for seed in range(20)
        for variant in variants([problem], steps_of(problem), seed=seed).kept
        if variant.kind is DefectKind.REDUNDANT
    }
    assert len(found) > 1
    assert all("×" in text and len(numbers(text)) == 3 and "given" not in text for text in found)


def test_a_sum_of_prices_has_cents() -> None:
    problem = make_problem("own/p", "A pen costs $1.50 and a cup $6.50. Half are white.", "\n".join(SOUND))
    (variant,) = [v for v in variants([problem], steps_of(problem), seed=1).kept if v.kind is DefectKind.REDUNDANT]
    assert "1.50 + 6.50 = 8.00." in variant.after


@pytest.mark.parametrize("piece", ["1", "1/", "Figure 1 ", "(", "A.\n", "AB=5,", "\\frac{", "$", "- 1 "])
def test_a_long_hostile_question_is_read_in_linear_time(piece: str) -> None:
    assert len(quantities(piece * 8_000)) <= 1  # quadratic work on this takes minutes, and the run's time limit ends it
