import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics.expressions import facts, plain, tokens
from stepforge.metrics.milestones import MAX_SYMBOLIC_PAIRS, Matcher, align
from stepforge.vocabulary import EquivalenceVerdict

REFERENCE = (
    "There are 3 bags with 4 red marbles each, so there are 3*4=12 red marbles.",
    "With the 5 blue marbles that makes 12+5=17 marbles.",
    "因为AB=AC，所以∠B=∠C=50°。",
    "Solving $x^2-5x+6=0$ gives the roots of the parabola.",
)
MATCHER = Matcher(REFERENCE)


def aligned(units, milestones=REFERENCE, symbolic=None):
    return align(MATCHER.prepare([*units, *milestones]), units, milestones, symbolic)


def test_the_reference_matches_itself_unit_by_unit():
    found = aligned(REFERENCE)
    assert found.best == (0, 1, 2, 3)
    assert (found.n_matched, found.units_matched) == (4, 4)


def test_an_equation_said_in_other_words_and_another_order_matches_by_its_values():
    assert MATCHER.matches("Bags times marbles is 4 × 3 = 12", REFERENCE[0])
    assert MATCHER.matches("由等边对等角得 AC = AB", "AB=AC")


def test_a_wrong_result_or_another_computation_with_the_same_result_is_another_equation():
    keys = facts(plain("She has 3*4=12 red marbles.")).keys
    assert keys & facts(plain("so 4 x 3 = 12")).keys
    for other in ("4 x 3 = 13", "24/2 = 12", "the 12 marbles", "3 or 4 make 12"):
        assert not keys & facts(plain(other)).keys
    assert not MATCHER.matches("It rained all day in the valley.", REFERENCE[0])


def test_ties_go_to_the_earliest_unit_and_a_unit_may_serve_two_milestones():
    found = aligned((REFERENCE[0], REFERENCE[0]), (REFERENCE[0], REFERENCE[0]))
    assert found.best == (0, 0)
    assert (found.n_matched, found.units_matched) == (2, 1)


def test_without_units_nothing_is_matched():
    found = aligned(())
    assert (found.milestones, found.n_matched, found.units_matched) == (4, 0, 0)


def test_the_symbolic_library_is_asked_about_any_unit_and_any_expression_over_the_same_letters():
    asked = []

    def symbolic(gold, predicted):
        asked.append((gold, predicted))
        return EquivalenceVerdict.EQUAL if predicted == "t(t^6+8)=77" else EquivalenceVerdict.DIFFERENT

    found = aligned(["t^3=9", "t+1=5, t(t^6+8)=77"], ("$t^7+8t=77$",), symbolic)
    assert (found.best, found.matched) == ((1,), (True,))
    assert ("t^7+8t=77", "t(t^6+8)=77") in asked


def test_the_symbolic_library_is_asked_for_few_pairs_and_only_about_the_same_letters():
    asked = []

    def symbolic(gold, predicted):
        asked.append((gold, predicted))
        return EquivalenceVerdict.DIFFERENT

    units = [f"thus (t-{k})(t-3)=0" for k in range(30)]
    assert aligned([*units, "and y=7y-2"], ["$t^2-5t+6=0$"], symbolic).n_matched == 0
    assert len(set(asked)) == len(asked) == MAX_SYMBOLIC_PAIRS
    assert {gold for gold, _ in asked} == {"t^2-5t+6=0"}
    assert all("y" not in predicted for _, predicted in asked)


def test_a_score_does_not_depend_on_the_other_systems():
    alone = aligned(("12 red marbles in 3 bags",))
    beside = align(
        MATCHER.prepare(["noise " * 9, "12 red marbles in 3 bags", *REFERENCE]),
        ("12 red marbles in 3 bags",),
        REFERENCE,
    )
    assert alone == beside


@given(st.lists(st.text(max_size=30).filter(str.strip), min_size=1, max_size=6))
def test_any_text_matches_itself(texts):
    texts = [" ".join(text.split()) or "x" for text in texts]
    matcher = Matcher(texts)
    assert align(matcher.prepare(texts), texts, texts).n_matched == len(texts)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("AB∥CD, 12.5 cm", ["ab", "∥", "cd", "12.5", "cm"]),
        ("\\Frac{1}{2}", ["\\frac", "1", "2"]),
        ("三角形ABC", ["三", "角", "形", "abc"]),
    ],
)
def test_numbers_commands_and_han_characters_are_tokens(text, found):
    assert tokens(text) == found


def test_numbers_are_compared_by_value():
    assert facts(plain("1,000 and 0.50")).numbers == facts(plain("1000 or .50 0.5 1000")).numbers - {50}
