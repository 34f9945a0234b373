import pytest

from stepforge.variants.build import variants
from stepforge.variants.numbering import unnumbered
from stepforge.vocabulary import DefectKind
from tests.steps.samples import make_problem, steps_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3. We add.", "We add."),
        ("3) We add.", "We add."),
        ("(2) When $a = b$", "When $a = b$"),
        ("Step 4: We add.", "We add."),
        ("**Step 4:** We add.", "We add."),
        ("**(2) When it is:**", "**When it is:**"),
        ("2. **When it is**, we add.", "**When it is**, we add."),
        ("(2) (1) Draw AB.", "Draw AB."),
        ("第五步：相加", "相加"),
        ("步骤2：相加", "相加"),
        ("① 相加", "相加"),
        ("Case 2: it is odd.", "it is odd."),
        ("3.14 × 2 = 6.28", "3.14 × 2 = 6.28"),
        ("(1) + (2) gives x = 3", "(1) + (2) gives x = 3"),
        ("(1)(2) are right.", "(1)(2) are right."),
        ("①代入②得x=3", "①代入②得x=3"),
        ("(2)", "(2)"),
        ("(2)\n\nAs shown, $a = b$.", "As shown, $a = b$."),
        ("∴ CN=16/5。\n21. ∴ EN=36/5。", "∴ CN=16/5。\n∴ EN=36/5。"),
        ("The sum is\n3. Then we add.", "The sum is\n3. Then we add."),
        ("12 - 5 = 7", "12 - 5 = 7"),
    ],
)
def test_a_steps_own_number_goes_and_an_equations_name_stays(text: str, expected: str) -> None:
    assert unnumbered(text) == expected


def test_no_variant_of_a_numbered_chain_shows_its_numbers() -> None:
    solution = "1. 24 - 6 = 18 eggs\n2. 18 * 3 = 54 dollars\n3. 54 * 5 = 270 dollars"
    problem = make_problem("own/p", "24 eggs, 6 hens, $3, 5 days", solution)
    found = variants([problem], steps_of(problem), seed=1).kept
    assert {v.kind for v in found} == set(DefectKind)
    assert not any(step[:2] in {"1.", "2.", "3."} for v in found for step in (*v.steps, v.before))
