import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.steps.facts import dependencies
from stepforge.steps.links import links
from tests.steps.samples import solutions


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["24 - 6 = 18 eggs", "18 x $3 = $54", "54 * 5 = 270"], [(), (0,), (1,)]),
        (["10 x $0.30 = $3", "60 questions x 40/100 = 24", "7 x 5 = 35"], [(), (), ()]),
        (["First, 5 * 3 = 15 apples.", "Then, 4 * 5 = 20 pears.", "Then 15 + 20 = 35."], [(), (), (0, 1)]),
        (["That's 5 + 3 = 8 cats.", "So that’s 6 + 7 = 13 dogs."], [(), ()]),
        (["Let x be the price.", "3x + 5 = 20", "x = 5"], [(), (0,), (0,)]),
        (["We have x + y = 9.", "Also x - y = 1."], [(), ()]),
        (["$AB = 2 + 3 = 5 \\mathrm{~m}$.", "$CD = 4 + 4 = 8 \\mathrm{~m}$."], [(), ()]),
        (["5 + 4 = 9 x", "They need 9 kg.", "9 * 3 = 27"], [(), (0,), (0,)]),
        (["5 + 4 = 9", "6 + 3 = 9", "9 * 3 = 27"], [(), (), ()]),
        (["They have 40 more.", "40 + 5 = 45"], [(), ()]),
        (["24 / 2 = 12 eggs", "12 * 30 = 360 a year"], [(), ()]),
        (["4 + 4 = 8", "y = 4t - 8"], [(), ()]),
        (["∵AB=AC，∴∠B=∠C。", "∵∠B=∠C，∴AD=AE。", "∴BD=CE。"], [(), (0,), ()]),
        (["∴∠AOB=2∠D=130°。", "∴∠P+∠AOB=180°。"], [(), ()]),
        (["∴AB=√(AC²+BC²)=13。", "∴AE=AB-BE=13-4=9。"], [(), (0,)]),
        (["∵r=7，∴OA=OB=7。", "∴OP=OA+AP=7+5=12。"], [(), ()]),
    ],
)
def test_a_link_is_a_result_or_an_unknown_that_only_one_step_gives(
    steps: list[str], expected: list[tuple[int, ...]]
) -> None:
    assert links(steps, "如图, AC=5, ⊙O的半径为7, BE=4, AP=5") == expected


def test_what_the_question_gives_makes_no_link() -> None:
    assert links(["20 - 2 = 18", "18 * 3 = 54"], "There are 18 eggs.") == [(), ()]
    assert links(["Let x = 5.", "2x + 3 = 13"], "Find x.") == [(), ()]
    assert links(["∵AD⊥BC，∴AB=AC。", "∵AB=AC，∴∠B=∠C。"], "△ABC中，AB=AC") == [(), ()]


@given(st.lists(solutions.map(lambda text: text[:80]), max_size=6), st.text(max_size=20))
def test_links_go_back_to_earlier_steps(steps: list[str], question: str) -> None:
    found = links(steps, question)
    assert len(found) == len(steps) == len(dependencies(steps, question))
    assert all(0 <= i < index for index, edges in enumerate(found) for i in edges)
