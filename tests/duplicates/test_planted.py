from collections import Counter

import pytest

from stepforge.duplicates import LinkKind
from tests.duplicates.planting import links, planted


@pytest.fixture(scope="module", params=[1, 2, 3])
def outcome(request):
    rows = planted(request.param, 1400)
    return rows, links([row.text for row in rows])


def copies(kind, rows, found):
    """How many copies of a kind there are, and how many are linked to their original."""
    count = Counter()
    for i, row in enumerate(rows):
        if row.kind == kind:
            what, first = found.get(i, (None, None))
            count["all"] += 1
            count["found"] += what in (LinkKind.EXACT, LinkKind.NEAR) and first == row.of
    return count["found"], count["all"]


@pytest.mark.parametrize(
    ("kind", "least"),
    [("exact", 1.0), ("slips", 0.98), ("exchanged", 0.98), ("framed", 0.98), ("cut", 0.98), ("rewritten", 0.98)],
)
def test_copies_of_every_kind_are_found(outcome, kind, least):
    rows, found = outcome
    right, total = copies(kind, rows, found)
    assert total == 200
    assert right >= least * total


def test_other_numbers_make_another_problem_that_is_linked_as_a_variant(outcome):
    rows, found = outcome
    variants = [i for i, row in enumerate(rows) if row.kind == "renumbered"]
    dropped = [i for i in variants if i in found and found[i][0] is not LinkKind.VARIANT]
    linked = [i for i in variants if found.get(i) == (LinkKind.VARIANT, rows[i].of)]
    assert len(variants) == 200
    assert len(dropped) <= 0.02 * len(variants)
    assert len(linked) >= 0.9 * len(variants)


def test_originals_that_are_alike_in_words_alone_are_no_copies(outcome):
    rows, found = outcome
    originals = [i for i, row in enumerate(rows) if row.kind == "original"]
    assert [i for i in originals if i in found and found[i][0] is not LinkKind.VARIANT] == []
