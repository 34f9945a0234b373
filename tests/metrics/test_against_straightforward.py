"""The fast matcher against the one that does what the paper writes: same components, same p*, same matches."""

import random
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from resources.workers import Workers
from stepforge.metrics.milestones import Matcher, Pairing
from stepforge.reply_units import reasoning_units
from stepforge.steps.milestones import milestones
from stepforge.steps.segment import solution_steps
from stepforge.vocabulary import MatchedBy
from tests.metrics.straightforward import Equality, TfIdf, align, components
from tests.shared_data import shared
from tests.sources.reading import not_delivered, read

SENTENCES = (
    "There are {a}*{b}={c} red marbles in the bags.",
    "{b} × {a} = {c}, so many",
    "so {a} + {b} = {c} marbles",
    "the sum is {c}",
    "With {a} blue ones it makes {c}",
    "x = {a}*{b} = {c}",
    "Let $x+{a}={b}$ be given.",
    "Hence ${b}-x = {a}$ holds.",
    "$\\frac{{x}}{{{a}}} = {b}$ gives the length",
    "$x = {a} \\cdot {b}$",
    "so $(x-{a})(x-{b})=0$",
    "$x > {a}$ and $2x > {c}$",
    "因为AB={a}，BC={b}，所以AB+BC={c}",
    "故 BC={c}-BA",
    "it rained",
)


@pytest.fixture(scope="module")
def equality():
    with Workers(1) as workers:
        yield Equality(workers)


def assert_same(matcher, tfidf, equality, pairings):
    """The decisions are equal, the components to rounding."""
    for (units, path), found in zip(pairings, matcher.components(pairings), strict=True):
        expected = components(tfidf, equality, units, path)
        for p, row in enumerate(expected):
            for g, values in enumerate(row):
                assert found.stacked[:, p, g].tolist() == pytest.approx(list(values), abs=1e-9), (units[p], path[g])
        matches = [(m.unit, m.by is not MatchedBy.NONE) for m in found.align().matches]
        assert matches == align(expected, len(path)), (units, path)


@st.composite
def texts(draw):
    sentence = draw(st.sampled_from(SENTENCES))
    a, b = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return sentence.format(a=a, b=b, c=draw(st.sampled_from([a * b, a + b, a])))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(texts(), min_size=1, max_size=4), st.lists(texts(), min_size=1, max_size=3))
def test_generated_replies_are_matched_as_the_paper_writes(equality, units, path):
    assert_same(Matcher(path), TfIdf(path), equality, [Pairing(units, path)])


def paths_of(problems):
    found = defaultdict(list)
    for milestone in milestones(problems, solution_steps(problems).kept).kept:
        if milestone.path == 0:
            found[milestone.problem_id].append(milestone.text)
    return found


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    ("name", "count"), [("gsm8k/test.jsonl", 60), ("geolaux/GeoLaux_minidata.json", 10), ("mvmath/MV-MATH.json", 25)]
)
def test_published_solutions_are_matched_as_the_paper_writes(equality, name, count):
    """Each solution against its own milestones, and those with a half of their units replaced by another's."""
    found = read(name, shared(name).read_bytes(), figures=not_delivered, licence="unknown").kept
    problems = [problem for problem in found if problem.solution]
    paths = paths_of(problems)
    every = [milestone for path in paths.values() for milestone in path]
    rng = random.Random(name)
    pairings = []
    for problem in rng.sample([p for p in problems if paths[p.problem_id]], count):
        other = rng.choice(problems)
        units = reasoning_units(problem.solution)
        pairings.append(Pairing(units, paths[problem.problem_id]))
        pairings.append(Pairing((*units[::2], *reasoning_units(other.solution)[:2]), paths[problem.problem_id]))
    assert_same(Matcher(every), TfIdf(every), equality, pairings)
