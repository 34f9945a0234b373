import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.metrics.milestones import PAIRS_AT_ONCE, PAPER, Components, Matcher, Pairing, best_path
from stepforge.vocabulary import MatchedBy

REFERENCE = (
    "There are 3 bags with 4 red marbles each, so there are 3*4=12 red marbles.",
    "With the 5 blue marbles that makes 12+5=17 marbles.",
    "因为AB=AC，所以∠B=∠C=50°。",
    "Solving $x^2-5x+6=0$ gives the roots of the parabola.",
)
MATCHER = Matcher(REFERENCE)


def aligned(units, milestones=REFERENCE):
    (found,) = MATCHER.align([Pairing(units, milestones)])
    return found


def matches(unit, milestone):
    return MATCHER.matches([(unit, milestone)]) == [True]


def test_the_reference_matches_itself_unit_by_unit():
    found = aligned(REFERENCE)
    assert found.best == (0, 1, 2, 3)
    assert (found.n_matched, found.units_matched) == (4, 4)


def test_an_equation_said_in_other_words_and_another_order_matches_by_its_values():
    assert matches("Bags times marbles is 4 × 3 = 12", REFERENCE[0])
    assert matches("由等边对等角得 AC = AB", "AB=AC")


def test_equations_that_are_equal_as_mathematics_match_whatever_the_words():
    (match,) = aligned(["Hence, after a long walk by the sea, 7x^2=35x-42 follows."], REFERENCE[3:]).matches
    assert match.equation == 1.0
    assert match.by is not MatchedBy.NONE
    assert aligned(["Hence (x-2)(x+3)=0."], REFERENCE[3:]).matches[0].by is MatchedBy.NONE


def test_the_rules_are_those_of_the_paper_and_the_first_that_is_met_is_named():
    def rule(semantic, equation, numeric, keyword, constants=PAPER):
        (match,) = Components(*([[value]] for value in (semantic, equation, numeric, keyword))).align(constants).matches
        return match.by

    assert rule(0.5, 0, 1, 0.25) is MatchedBy.THRESHOLD  # S = 0.4
    assert rule(0.499, 0, 1, 0.25) is MatchedBy.SEMANTIC
    assert rule(0.0, 1, 0, 0) is MatchedBy.EQUATION
    assert rule(0.4, 0, 0.5, 0) is rule(0.4, 0, 0, 0.2) is MatchedBy.SEMANTIC
    assert rule(0.4, 0, 0.49, 0.19) is rule(0.39, 0, 1, 0) is MatchedBy.NONE
    assert rule(0.0, 1, 0, 0, PAPER._replace(equation_rule=False)) is MatchedBy.NONE
    assert rule(0.4, 0, 0.5, 0, PAPER._replace(semantic_rule=False)) is MatchedBy.NONE
    assert rule(0.1, 0, 0, 0, PAPER._replace(threshold=0.05)) is MatchedBy.THRESHOLD


def test_an_equation_of_another_unit_than_the_most_similar_one_does_not_count():
    milestone = "There are 3*4=12 red marbles in the bags."
    units = ["There are red marbles in the bags, 12 of 3 and 4.", "4*3=12"]
    (components,) = MATCHER.components([Pairing(units, [milestone])])
    assert components.stacked[1].tolist() == [[0.0], [1.0]]
    assert aligned(units, [milestone]).best == (0,)


def test_an_equation_can_make_another_unit_the_most_similar_one():
    milestone = "Solving $x^2-5x+6=0$ gives the roots."
    without, with_equation = "The roots are two.", "Factored, (x-2)(x-3)=0 gives roots."
    found = aligned([without, with_equation], [milestone])
    assert (found.best, found.matches[0].equation) == ((1,), 1.0)


def test_ties_go_to_the_earliest_unit_and_a_unit_may_serve_two_milestones():
    found = aligned((REFERENCE[0], REFERENCE[0]), (REFERENCE[0], REFERENCE[0]))
    assert found.best == (0, 0)
    assert (found.n_matched, found.units_matched) == (2, 1)


def test_without_units_nothing_is_matched():
    found = aligned(())
    assert (found.milestones, found.n_matched, found.units_matched, found.best) == (4, 0, 0, (None,) * 4)


def test_a_score_does_not_depend_on_what_it_is_computed_with():
    pairing = Pairing(("12 red marbles in 3 bags", "so 17"), REFERENCE)
    long = Pairing(tuple(f"noise {k}" for k in range(PAIRS_AT_ONCE // 3)), REFERENCE)
    (alone,) = MATCHER.align([pairing])
    assert MATCHER.align([long, pairing, Pairing((), REFERENCE), Pairing(REFERENCE, ()), pairing])[1::3] == [alone] * 2


def test_the_path_with_the_highest_accuracy_counts_then_the_least_redundant_then_the_first():
    hit, miss = "3*4=12 red marbles", "It rained all day."
    units = [hit, "12+5=17 marbles", "so there"]

    def chosen(*paths):
        return best_path(MATCHER.align([Pairing(units, path) for path in paths]))[0]

    assert chosen([hit, miss], [hit, units[1]], [hit, units[1]]) == 1
    assert chosen([hit], [hit, units[1]]) == 1
    assert chosen([], [miss]) == 1
    assert chosen([], []) is None


@given(st.lists(st.text(max_size=30).filter(str.strip), min_size=1, max_size=6))
def test_any_text_matches_itself(texts):
    texts = [" ".join(text.split()) or "x" for text in texts]
    (found,) = Matcher(texts).align([Pairing(texts, texts)])
    assert found.n_matched == len(texts)


@given(st.data())
def test_components_are_shares_and_a_matched_milestone_has_a_rule(data):
    some = st.lists(st.sampled_from([*REFERENCE, "", "x", "3*4=12", "17", "因为"]), max_size=4)
    (components,) = MATCHER.components([Pairing(data.draw(some), data.draw(some))])
    assert ((components.stacked >= 0) & (components.stacked <= 1 + 1e-9)).all()
    found = components.align()
    assert found.units_matched <= found.n_matched <= found.milestones


@pytest.mark.parametrize(
    "text",
    [
        "9^{9^{9^{9^{9}}}}=x",
        "x^{999999999}=" + "(" * 300 + "x" + ")" * 300,
        "(" * 5000 + "x=1",
        "x!" * 200 + "=1",
        "\\frac{1}{" * 60 + "x" + "}" * 60 + "=y",
        "x=__import__('os').system('false')",
        "1" * 2000 + "x=2",
        "x+1=2 " * 300,
        "\\sqrt{" * 50 + "x" + "}" * 50 + "<1",
        "x=10000000!",
        "\\binom{10^{9}}{5x}=x",
        "\\left" * 300,
        "\x00=\ud800x",
    ],
)
def test_hostile_expressions_are_texts_like_any_other(text):
    (found,) = MATCHER.align([Pairing([text, "x=3"], [*REFERENCE, text])])
    assert found.matched[-1]
    assert found.milestones == len(REFERENCE) + 1
