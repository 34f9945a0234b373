"""What reviewers said is kept whole, added to and never rewritten."""

import hashlib
import json

import pytest

from resources import reviews
from resources.batches import Manifest, Settings
from resources.home import Home
from resources.reviews import (
    all_reviews_version,
    decisions,
    keep_decisions,
    keep_plan,
    locked,
    people,
    plans,
    project_token,
    pseudonyms,
    reviews_of,
    reviews_version,
)
from stepforge.errors import BadRequest, PipelineError
from stepforge.review import Protocol
from stepforge.review._plans import Request, planned
from tests.review.samples import SOUND, decision, items

WRONG = {**SOUND, "answer": "wrong"}


@pytest.fixture
def home(tmp_path):
    made = Home(tmp_path / "home").prepare()
    for batch in ("b", "other"):
        made.batches.put(Manifest(batch=batch, settings=Settings(), files=()))
    return made


def plan(batch="b", n=3):
    request = Request(Protocol.TWO_ROUND, "problem", batch, "1", 1, ("R1", "R2"))
    return planned(request, items(n, batch), [], []).new


def both(item, said):
    return [decision(item, who, said) for who in ("R1", "R2")]


def test_names_stand_in_one_file_and_pseudonyms_stay(home):
    with locked(home):
        first = pseudonyms(home, ["anna", "ben"], seed=1)
        assert pseudonyms(home, ["ben", "carla", "anna"], seed=2) == {**first, "carla": "R3"}
    assert set(first.values()) == {"R1", "R2"}
    assert people(home) == {**first, "carla": "R3"}
    with pytest.raises(BadRequest, match="cannot name a reviewer"):
        pseudonyms(home, ["../x"], seed=1)


def test_plans_and_decisions_are_read_as_they_were_kept(home):
    made = plan()
    (first, *_), batch = made.assignments, "b"
    with locked(home):
        keep_plan(home, made)
        keep_decisions(home, batch, both(first.item, SOUND))
        keep_decisions(home, batch, [])
        keep_decisions(home, batch, [decision(first.item, "R1", WRONG, revision=1)])
    assert plans(home, batch) == [made]
    assert [(d.reviewer, d.revision) for d in decisions(home, batch)] == [("R1", 0), ("R2", 0), ("R1", 1)]
    assert len(list((home.root / "reviews" / batch / "decisions").iterdir())) == 2
    assert plans(home, "other") == decisions(home, "other") == []


def test_only_the_batch_whose_decisions_changed_has_another_version(home):
    made = plan()
    (first, second, _), before = made.assignments, (reviews_version(home, "b"), reviews_version(home, "other"))
    assert before == ("none", "none")
    whole = all_reviews_version(home)
    keep_plan(home, made)
    keep_decisions(home, "b", both(first.item, SOUND))
    assert reviews_version(home, "b") == "none"  # nothing is refused or corrected
    keep_decisions(home, "b", both(second.item, WRONG))
    assert reviews_version(home, "b") != "none"
    assert reviews_version(home, "other") == "none"
    assert all_reviews_version(home) not in (whole, "none")


def test_a_batch_that_demands_review_feels_every_decision(home):
    home.batches.put(Manifest(batch="b", settings=Settings(review="required"), files=()))
    made = plan()
    versions = [reviews_version(home, "b")]
    keep_plan(home, made)
    versions.append(reviews_version(home, "b"))
    keep_decisions(home, "b", both(made.assignments[0].item, SOUND))
    versions.append(reviews_version(home, "b"))
    assert len({*versions, "none"}) == 4
    assert reviews_of(home, "b").required


def test_the_demand_for_review_is_part_of_a_batch_and_its_absence_is_not():
    def version(**settings):
        return Manifest(batch="b", settings=Settings(**settings), files=()).version()

    bare = {"name": None, "licence": "unknown", "published_on": None, "allow_missing_images": False}
    told = hashlib.sha256(json.dumps([bare, []], sort_keys=True).encode()).hexdigest()[:16]
    assert version() == version(review="optional") == told
    assert version(review="required") != version()


def test_what_is_damaged_is_named(home):
    keep_plan(home, plan())
    (path,) = (home.root / "reviews" / "b" / "plans").iterdir()
    path.write_text("{")
    with pytest.raises(PipelineError, match="damaged"):
        plans(home, "b")
    (home.root / "reviews" / "people.json").write_text("[")
    with pytest.raises(PipelineError, match=r"people\.json is damaged"):
        people(home)


def test_a_write_that_fails_leaves_what_was_there(home, monkeypatch):
    made = plan()
    keep_decisions(home, "b", both(made.assignments[0].item, SOUND))

    def full(path, data):
        raise OSError("no space left")

    monkeypatch.setattr(reviews, "write_atomic", full)
    with pytest.raises(OSError, match="no space"):
        keep_decisions(home, "b", both(made.assignments[1].item, SOUND))
    assert len(decisions(home, "b")) == 2


def test_a_project_is_named_by_no_reviewer():
    token = project_token("plan", "R1")
    assert token != project_token("plan", "R2") != project_token("other", "R2")
    assert "R1" not in token


def test_published_files_hold_no_name(home):
    with locked(home):
        alias = pseudonyms(home, ["wilhelmina"], seed=1)
        keep_plan(home, plan())
    for path in (home.root / "reviews").rglob("*.json*"):
        if path.name != "people.json":
            assert "wilhelmina" not in path.read_text()
    assert json.loads((home.root / "reviews" / "people.json").read_text()) == alias
