"""What people fill in, read and kept."""

import json

import pytest

from resources.home import Home
from resources.labels import human_labels, keep_labels, read_labels
from stepforge.errors import BadInput, BadRequest

ROW = {"item": "i1", "rubric": "steps", "source": "own", "shown": {"steps": ["a", "b"]}, "images": {}, "label": [1, 0]}


def lines(*rows):
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_labels_are_read_and_what_is_not_labelled_is_counted():
    rows = [ROW, {**ROW, "item": "i2", "label": None}, {**ROW, "item": "i0", "rubric": "answer", "label": True}]
    labels, unlabelled = read_labels(lines(*rows), "ann", "f.jsonl")
    assert [(label.item, label.right, label.step_scores, label.annotator) for label in labels] == [
        ("i0", True, (), "ann"),
        ("i1", False, (1, 0), "ann"),
    ]
    assert unlabelled == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({**ROW, "label": [1, None]}, "1 or 0 for each step"),
        ({**ROW, "label": [1, 2]}, "1 or 0 for each step"),
        ({**ROW, "label": []}, "1 or 0 for each step"),
        ({**ROW, "label": [1, 0, 1]}, "3 scores for 2 steps"),
        ({**ROW, "label": True}, "a list of 0 and 1"),
        ({**ROW, "rubric": "answer", "label": "yes"}, "true, false or null"),
        ({**ROW, "item": 7}, "are texts"),
        ({**ROW, "item": "\ud800"}, "the name in the sample"),
        ({**ROW, "item": "../i1"}, "the name in the sample"),
        ({**ROW, "item": ""}, "the name in the sample"),
        ({**ROW, "rubric": "beauty"}, "there are: alignment, answer, steps"),
        ({**ROW, "rubric": "\ud800"}, "there is no rubric"),
        ({"item": "i1"}, "needs item, rubric, label"),
        ([1], "needs item, rubric, label"),
    ],
)
def test_a_label_that_is_none_is_named_by_its_line(row, told):
    with pytest.raises(BadInput, match=r"f\.jsonl, line 2") as error:
        read_labels(lines({**ROW, "item": "i9"}, row), "ann", "f.jsonl")
    assert told in str(error.value)


def test_an_item_labelled_twice_and_a_line_that_is_no_json_are_refused():
    with pytest.raises(BadInput, match="line 2: item i1 is labelled twice"):
        read_labels(lines(ROW, ROW), "ann", "f")
    with pytest.raises(BadInput, match="line 1: not valid JSON"):
        read_labels(b"{", "ann", "f")


def test_labels_stay_in_the_home_by_annotator_and_new_ones_go_before_old(tmp_path):
    home = Home(tmp_path)
    assert human_labels(home) == []
    first, _ = read_labels(lines(ROW, {**ROW, "item": "i2"}), "ann", "f")
    keep_labels(home, "ann", first)
    again, _ = read_labels(lines({**ROW, "label": [1, 1]}), "ann", "f")
    path = keep_labels(home, "ann", again)
    bob, _ = read_labels(lines(ROW), "bob", "f")
    keep_labels(home, "bob", bob)
    assert [(h.annotator, h.item, h.step_scores) for h in human_labels(Home(tmp_path))] == [
        ("ann", "i1", (1, 1)),
        ("ann", "i2", (1, 0)),
        ("bob", "i1", (1, 0)),
    ]
    path.write_text("{}")
    with pytest.raises(BadInput, match=r"ann\.jsonl: no file of labels"):
        human_labels(home)


def test_an_annotators_name_is_no_path(tmp_path):
    with pytest.raises(BadRequest, match="cannot name a person"):
        keep_labels(Home(tmp_path), "../x", [])
