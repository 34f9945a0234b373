"""Human review and splits by time in the report."""

from datetime import date

import pytest

from stepforge.records import Split
from stepforge.report import gather, render
from stepforge.report.sections_tables import review_tables, split_table
from stepforge.review import outcomes
from stepforge.review._plans import Request, planned
from stepforge.review._protocols import Protocol
from tests.report import samples
from tests.report.samples import HOSTILE, task
from tests.review.samples import SOUND, decision, items

SPLIT = Split(name="refresh", newer_than=date(2026, 1, 1))


@pytest.fixture(scope="module")
def reviews():
    plan = planned(Request(Protocol.TWO_ROUND, "problem", "b", "1", 1, ("R1", "R2")), items(8), [], []).new
    said = [
        decision(one.item, who, {**SOUND, "answer": "wrong" if k < 2 + (who == "R1") else "right", "comment": HOSTILE})
        for k, one in enumerate(plan.assignments)
        for who in one.reviewers
    ]
    return gather.reviews_of(outcomes([plan], said), said, seed=1)


def test_states_agreement_and_pairs_are_told_with_intervals(reviews):
    states, agreement, pairs = review_tables(reviews)
    assert states.head == (
        "Kind",
        "Items",
        "Open",
        "Disputed",
        "Accepted",
        "Refused",
        "Corrected",
        "Decided in round 1",
    )
    assert states.rows == (("problem", "8", "0", "1", "5", "2", "0", "7"),)
    rows = {row[0]: row[1:] for row in agreement.rows}
    assert rows["problem: answer"][:2] == ("2", "8")
    assert rows["problem: answer"][2].startswith("0.88 [")
    assert rows["problem: question"] == ("2", "8", "1.00 [1.00, 1.00]", "–", "–")
    assert pairs.rows[0][:2] == ("R1 and R2, problem: answer", "8")


def test_a_page_without_reviews_and_splits_has_neither_section():
    page = render(samples.report(50))
    assert 'id="reviews"' not in page
    assert 'data-table="splits"' not in page
    assert review_tables(None) == []
    assert review_tables(gather.reviews_of([], [], seed=1)) == []
    assert split_table([]) is None


def test_a_page_with_them_shows_them_and_no_comment(reviews):
    tasks = [task(k, published_on=day) for k, day in enumerate((date(2026, 2, 1), date(2025, 1, 1), None, None))]
    page = render(samples.report(50, reviews=reviews, splits=gather.split_counts([SPLIT], tasks)))
    for key in ("reviews", "review-agreement", "review-pairs", "splits"):
        assert f'data-table="{key}"' in page
    assert 'href="#reviews"' in page
    assert "alert(1)" not in page.split('id="reviews"')[1].split("</section>")[0]
    assert split_table(gather.split_counts([SPLIT], tasks)).rows == (
        ("refresh", "2026-01-01", "1 (1)", "1 (1)", "2 (2)"),
    )
