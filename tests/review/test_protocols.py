"""Who reviews what, and what follows from what they say."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.errors import BadRequest
from stepforge.review import Protocol, assign, in_order, outcomes, round_of
from stepforge.review._plans import Request, planned, seen_verdicts
from stepforge.vocabulary import ReviewState
from tests.review.samples import SOUND, decision, items

WRONG = {**SOUND, "answer": "wrong"}
TWO = Protocol.TWO_ROUND
ANY = Protocol.TWO_ANNOTATOR


def plan(protocol=TWO, reviewers=("R1", "R2"), n=4, round_="1", found=(), plans=(), seed=1, **more):
    request = Request(protocol, "problem", "b", round_, seed, reviewers, **more)
    return planned(request, items(n), plans, found).new


def states(plans, decisions):
    return {outcome.item.item: outcome.state for outcome in outcomes(plans, decisions)}


@given(st.integers(0, 40), st.integers(1, 4), st.sampled_from(Protocol), st.integers(0, 5))
def test_each_item_goes_to_two_people_and_the_load_is_even(n, pairs, protocol, seed):
    reviewers = [f"R{k}" for k in range(2 * pairs)]
    assigned = assign(items(n), reviewers, protocol, seed=seed)
    assert [one.item for one in assigned] == sorted(items(n), key=lambda item: item.item)
    assert all(len(set(one.reviewers)) == 2 for one in assigned)
    load = Counter(name for one in assigned for name in one.reviewers)
    assert max(load.values(), default=0) - min((load[name] for name in reviewers), default=0) <= 1
    if protocol is TWO:
        assert len({one.reviewers for one in assigned}) <= pairs


def test_three_annotators_meet_in_every_pair():
    assigned = assign(items(30), ["R1", "R2", "R3"], ANY, seed=1)
    assert len({one.reviewers for one in assigned}) == 3


def test_too_few_and_unpaired_reviewers_are_refused():
    with pytest.raises(BadRequest, match="needs two"):
        assign(items(1), ["R1"], ANY, seed=1)
    with pytest.raises(BadRequest, match="odd number"):
        assign(items(1), ["R1", "R2", "R3"], TWO, seed=1)


def test_each_reviewer_has_an_order_of_their_own_and_another_seed_gives_another():
    made = plan(n=20)
    first, second = ([one.item.item for one in in_order(made, name)] for name in ("R1", "R2"))
    assert sorted(first) == sorted(second)
    assert first != second
    assert [one.item.item for one in in_order(plan(n=20, seed=2), "R1")] != first
    assert plan(n=20) == made


def test_the_second_round_of_two_round_is_the_arbitration():
    assert round_of(TWO, "2") == round_of(TWO, "arbitration") == "arbitration"
    assert round_of(ANY, "2") == "2"
    with pytest.raises(BadRequest, match="has no round '3'"):
        round_of(ANY, "3")


def test_agreement_decides_disagreement_is_disputed_and_silence_is_open():
    made = plan(n=4)
    a, b, c, d = (one.item for one in made.assignments)
    said = [
        decision(a, "R1", SOUND), decision(a, "R2", {**SOUND, "comment": "fine"}),
        decision(b, "R1", WRONG), decision(b, "R2", WRONG),
        decision(c, "R1", WRONG), decision(c, "R2", SOUND),
        decision(d, "R1", WRONG),
    ]  # fmt: skip
    accepted, refused, disputed, open_ = (ReviewState(s) for s in ("accepted", "refused", "disputed", "open"))
    assert states([made], said) == {a.item: accepted, b.item: refused, c.item: disputed, d.item: open_}
    by_item = {outcome.item.item: outcome for outcome in outcomes([made], said)}
    assert by_item[b.item].refused_by == "answer:wrong"
    assert all(answer.field != "comment" for answer in by_item[a.item].answers)


def test_a_correction_counts_only_if_both_give_the_same():
    made = plan(n=1)
    (item,) = (one.item for one in made.assignments)
    mended = {**WRONG, "corrected_answer": "5"}
    spaced = {**WRONG, "corrected_answer": " 5 "}
    other = {**WRONG, "corrected_answer": "6"}
    (found,) = outcomes([made], [decision(item, "R1", mended), decision(item, "R2", spaced)])
    assert (found.state, found.corrections[0].values) == (ReviewState.CORRECTED, ("5",))
    (found,) = outcomes([made], [decision(item, "R1", mended), decision(item, "R2", other)])
    assert found.state is ReviewState.DISPUTED


def test_the_last_revision_counts():
    made = plan(n=1)
    (item,) = (one.item for one in made.assignments)
    said = [decision(item, "R1", WRONG), decision(item, "R2", SOUND), decision(item, "R1", SOUND, revision=1)]
    assert states([made], said) == {item.item: ReviewState.ACCEPTED}
    assert states([made], said[::-1]) == {item.item: ReviewState.ACCEPTED}


@pytest.mark.parametrize(
    ("panel", "said", "state"),
    [
        (("R3",), ("wrong",), "refused"),
        (("R3", "R4"), ("wrong", "wrong"), "refused"),
        (("R3", "R4"), ("wrong", "right"), "disputed"),
        (("R3", "R4"), ("wrong",), "disputed"),
        (("R3", "R4", "R5"), ("right", "right", "wrong"), "accepted"),
    ],
)
def test_arbitration_decides_by_more_than_half_of_the_panel(panel, said, state):
    made = plan(n=1)
    (item,) = (one.item for one in made.assignments)
    first = [decision(item, "R1", WRONG), decision(item, "R2", SOUND)]
    second = plan(n=1, round_="arbitration", reviewers=panel, plans=[made], found=outcomes([made], first))
    assert second.assignments[0].reviewers == panel
    spoken = [
        decision(item, who, {**SOUND, "answer": what}, round_="arbitration")
        for who, what in zip(panel, said, strict=False)
    ]
    assert states([made, second], [*first, *spoken]) == {item.item: ReviewState(state)}


def test_two_annotators_may_settle_it_themselves_in_a_second_round():
    made = plan(protocol=ANY, n=1)
    (item,) = (one.item for one in made.assignments)
    first = [decision(item, "R1", WRONG), decision(item, "R2", SOUND)]
    again = plan(protocol=ANY, n=1, round_="2", reviewers=(), plans=[made], found=outcomes([made], first))
    assert again.assignments[0].reviewers == ("R1", "R2")
    settled = [*first, *(decision(item, who, SOUND, round_="2") for who in ("R1", "R2"))]
    (found,) = outcomes([made, again], settled)
    assert (found.state, found.round) == (ReviewState.ACCEPTED, "2")


def test_arbitration_is_for_disputed_items_alone_and_not_for_those_who_judged_them():
    made = plan(n=3)
    a, b, _ = (one.item for one in made.assignments)
    said = [decision(a, "R1", WRONG), decision(a, "R2", SOUND), decision(b, "R1", SOUND), decision(b, "R2", SOUND)]
    found = outcomes([made], said)
    again = plan(n=3, round_="arbitration", reviewers=("R3",), plans=[made], found=found)
    assert [one.item for one in again.assignments] == [a]
    with pytest.raises(BadRequest, match="R2 judged some"):
        plan(n=3, round_="arbitration", reviewers=("R2",), plans=[made], found=found)
    with pytest.raises(BadRequest, match="--reviewers"):
        plan(n=3, round_="arbitration", reviewers=(), plans=[made], found=found)


def test_the_same_request_is_the_same_plan_and_no_item_goes_out_twice():
    made = plan(n=3)
    request = Request(TWO, "problem", "b", "1", 1, ("R2", "R1"))
    again = planned(request, items(5), [made], [])
    assert (again.plans, again.new, again.left) == ((made,), None, 2)
    more = planned(request, items(5), [made], [], more=True)
    assert len(more.new.assignments) == 2
    other = planned(request._replace(seed=9), items(5), [made], [])
    given_out = {one.item.item for one in made.assignments}
    assert given_out.isdisjoint(one.item.item for one in other.new.assignments)


def test_arbiters_see_both_verdicts_and_the_order_tells_nothing():
    made = plan(n=12)
    said = [
        decision(one.item, who, WRONG if who == "R1" else SOUND) for one in made.assignments for who in one.reviewers
    ]
    again = plan(n=12, round_="arbitration", reviewers=("R3", "R4"), plans=[made], found=outcomes([made], said))
    assert seen_verdicts(made, "R1", said) == {}
    orders = {name: [seen[0].reviewer for seen in seen_verdicts(again, name, said).values()] for name in ("R3", "R4")}
    assert {*orders["R3"]} == {*orders["R4"]} == {"R1", "R2"}
    assert orders["R3"] != orders["R4"]
