import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepforge.duplicates import Builder, Entry, Figure, LinkKind, find, from_bytes, to_bytes
from stepforge.duplicates._find import _Search
from stepforge.duplicates._verify import Relation
from tests.duplicates.planting import KINDS, links, planted

APPLES = "Tom has 12 red apples and gives 5 of them to his sister before he buys 7 more at the market. How many has he?"


def signatures(entries):
    builder = Builder()
    for i, entry in enumerate(entries):
        builder.add(entry if isinstance(entry, Entry) else Entry(f"{i:06d}", entry))
    return builder.done()


def relation(one, two):
    search = _Search(signatures([one, two]), 0, 0, lambda _a, _b: False)
    return search._verdict(1, 0).relation


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (APPLES.upper(), Relation.SAME),
        (APPLES.replace("apples", "appels").replace("sister", "sitser"), Relation.COPY),
        (APPLES.replace("gives", "hands").replace("red ", ""), Relation.COPY),
        (f"Solve the following problem and explain every step: {APPLES}", Relation.PART),
        (APPLES[: round(0.7 * len(APPLES))], Relation.PART),
        (APPLES[round(0.3 * len(APPLES)) :], Relation.PART),
        (APPLES.replace("12", "13"), Relation.VARIANT),
        (APPLES.replace("5", "five"), Relation.SAME),
        (APPLES.replace("5", "six"), Relation.VARIANT),
        (APPLES.replace("Tom", "Ann"), Relation.VARIANT),
        (APPLES.replace("12", "5").replace("gives 5", "gives 12"), Relation.VARIANT),
        ("A train needs 12 minutes for 5 km and then 7 more minutes to the harbour. How fast is it?", Relation.OTHER),
    ],
)
def test_what_one_problem_is_to_another(other, expected):
    assert relation(APPLES, other) is expected
    assert relation(other, APPLES) is expected


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (r"Compute $\sin 60^\circ + 3$ exactly.", r"Compute $\cos 60^\circ + 3$ exactly."),
        ("Find the area of a circle of radius 5 cm.", "Find the perimeter of a circle of radius 5 cm."),
        ("In triangle ABC with AB = 5 and AC = 7, find the length of BD.",
         "In triangle ABC with AB = 5 and AC = 7, find the length of CE."),
        ("Let $a + b = 7$ and $ab = 10$. Find $a$.", "Let $a + b = 7$ and $ab = 10$. Find $b$."),
        ("Simplify $2(x+3) - 5x$ for all $x$.", "Simplify $2x+3 - 5x$ for all $x$."),
        ("What is the largest even number below 100?", "What is the largest odd number below 100?"),
        ("如图，AB∥CD，∠1=30°，求∠2的度数。", "如图，AB⊥CD，∠1=30°，求∠2的度数。"),
    ],
)  # fmt: skip
def test_a_term_a_label_or_a_sign_that_is_exchanged_makes_another_problem(one, two):
    assert relation(one, two) in (Relation.VARIANT, Relation.OTHER)


texts = st.builds(
    lambda i, kind, seed: KINDS[kind](planted(5, 8)[i].text, random.Random(seed)),
    st.integers(0, 7),
    st.sampled_from(sorted(KINDS)),
    st.integers(0, 5),
)


@settings(max_examples=60, deadline=None)
@given(texts, texts)
def test_the_verdict_is_the_same_whichever_problem_is_named_first(one, two):
    there = _Search(signatures([one, two]), 0, 0, lambda _a, _b: False)._verdict(1, 0)
    back = _Search(signatures([two, one]), 0, 0, lambda _a, _b: False)._verdict(1, 0)
    assert there == back


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, max_size=14), texts)
def test_a_problem_that_comes_later_changes_no_earlier_decision(rows, more):
    before = links(rows)
    after = links([*rows, more])
    assert {row: link for row, link in after.items() if row < len(rows)} == before


def test_a_problem_that_comes_later_changes_no_earlier_decision_in_a_larger_set():
    rows = [row.text for row in planted(9, 700)]
    random.Random(3).shuffle(rows)
    whole = links(rows)
    for size in (100, 500, 1100):
        assert links(rows[:size]) == {row: link for row, link in whole.items() if row < size}


def test_in_several_batches_the_decisions_are_those_of_one():
    """What a batch dropped is no part of what later ones are compared with."""
    rows = [row.text for row in planted(4, 350)]
    random.Random(1).shuffle(rows)
    first = [Entry(f"{i:06d}", text) for i, text in enumerate(rows[:400])]
    second = [Entry(f"{i:06d}", text) for i, text in enumerate(rows[400:], 400)]
    dropped = {link.row for link in find(signatures(first)).links if link.kind is not LinkKind.VARIANT}
    kept = [entry for i, entry in enumerate(first) if i not in dropped]
    together = find(signatures([*kept, *second])).links
    expected = [link for link in together if link.row >= len(kept)]
    assert find(signatures(second), [signatures(kept)]).links == expected
    assert find(signatures(second), [signatures(kept[:99]), signatures(kept[99:])]).links == expected
    assert dropped
    assert expected


def test_the_numbers_of_the_vocabulary_decide_nothing():
    rows = [row.text for row in planted(6, 200)]
    plain = find(signatures(rows)).links
    padded = signatures([" ".join(reversed(" ".join(rows).split())), *rows])
    assert find(padded.take(range(1, len(rows) + 1))).links == plain


def test_signatures_survive_the_way_through_bytes():
    one = signatures([APPLES, "", Entry("x", "See.", (Figure("a" * 64, "0" * 16),), "group g")])
    two = from_bytes(to_bytes(one))
    assert (two.ids, two.vocabulary, two.figures) == (one.ids, one.vocabulary, one.figures)
    assert all((getattr(two, n) == getattr(one, n)).all() for n in ("tokens", "starts", "wholes", "scopes", "long"))
    for damage in (b"", b"PK", to_bytes(one)[:-200]):
        with pytest.raises(ValueError, match="damaged"):
            from_bytes(damage)


def test_a_copy_of_a_public_problem_is_found_whatever_group_it_is_in():
    public = signatures([Entry("public", APPLES)])
    mine = signatures([Entry("mine", APPLES, (), "group g"), Entry("near", APPLES.replace("red ", ""), (), "group h")])
    assert [(link.row, link.kind) for link in find(mine, [], [public]).links] == [
        (1, LinkKind.EXACT), (2, LinkKind.NEAR),
    ]  # fmt: skip
    assert find(mine, [public]).links == []


def test_a_part_that_fits_two_variants_drops_none_of_them():
    tail = "How much do all of them pay together for the tickets, the drinks and the bus to the lake?"
    first = f"A class of 25 children goes to the lake with 3 teachers. {tail}"
    second = first.replace("25", "31")
    found = links([tail, first, second])
    assert found[1] == (LinkKind.NEAR, 0)
    assert found[2][0] is LinkKind.VARIANT


HOSTILE = {
    "one megabyte of words": [("word " * 200_000) + str(i) for i in range(3)],
    "one megabyte without a space": ["x" * 1_000_000, "x" * 999_999, "x" * 1_000_000],
    "empty": ["", " ", "\n", "???", "$$", "!!!"],
    "numbers alone": [f"{i % 50} {i % 7} {i}" for i in range(3000)],
    "formulas alone": [rf"$\frac{{{i % 40}}}{{{i}}}$" for i in range(3000)],
    "no letters at all": ["".join(chr(0x2500 + (i * j) % 90) for j in range(40)) for i in range(500)],
    "lone surrogates": ["\ud800 is " + str(i) for i in range(20)],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_compared_too(name):
    found = links(HOSTILE[name])
    assert all(first < row for row, (_, first) in found.items())


def test_of_a_text_that_stands_a_hundred_thousand_times_one_stays():
    found = links(["Find x."] * 100_000)
    assert len(found) == 99_999
    assert set(found.values()) == {(LinkKind.EXACT, 0)}


def test_the_same_few_words_under_thousands_of_figures_are_as_many_problems():
    entries = [Entry(f"{i:06d}", "Find x.", (Figure(f"{i:064x}", f"{i * 7919 % 2**64:016x}"),)) for i in range(20_000)]
    found = find(signatures(entries)).links
    assert all(link.kind is LinkKind.VARIANT for link in found)


def test_texts_that_are_nearly_the_same_many_times_take_work_in_proportion():
    base = "The number of ways to colour the beads of a ring with several colours is wanted"
    found = links([f"{base} in town {i}" for i in range(20_000)])
    assert {kind for kind, _ in found.values()} == {LinkKind.VARIANT}
