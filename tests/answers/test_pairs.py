import json

import pytest

from stepforge.answers.pairs import judge_pairs, read_pair
from stepforge.answers.verdict import EQUAL, UNDECIDED, Verdict
from stepforge.json_rows import RowError
from stepforge.vocabulary import AnswerKind


def row(**fields):
    return read_pair(json.dumps({"id": "q", "gold": "1", "prediction": "1", **fields}))


def test_a_row_is_a_reference_and_a_prediction():
    pair = row(id=7, gold=["1/2", "0.5"], prediction=None, kind="number")
    assert (pair.pair_id, pair.gold.text, pair.gold.alternatives, pair.prediction) == (7, "1/2", ("0.5",), "")
    assert row(gold=3.5).gold.text == "3.5"
    assert row(gold="(1, 2)").gold.kind is AnswerKind.TUPLE
    assert row(gold=["3", "5"], kind="multi_part").gold.parts == ("3", "5")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[1]", "a JSON object is needed"),
        ('{"id": "a", "gold": "1"}', "prediction missing"),
        ('{"id": true, "gold": "1", "prediction": "1"}', "id must be"),
        ('{"id": "a", "gold": "", "prediction": "1"}', "gold is empty"),
        ('{"id": "a", "gold": [], "prediction": "1"}', "gold is empty"),
        ('{"id": "a", "gold": {"x": 1}, "prediction": "1"}', "gold must be"),
        ('{"id": "a", "gold": "1", "prediction": ["1"]}', "prediction must be"),
        ('{"id": "a", "gold": "1", "prediction": "1", "kind": "numbr"}', "kind 'numbr' is none of"),
    ],
)
def test_a_row_that_cannot_be_read_says_why(line, why):
    with pytest.raises(RowError, match=why.replace("(", "\\(")):
        read_pair(line)


def test_symbolic_questions_of_many_rows_are_asked_together_and_once():
    asked = []

    def ask(questions):
        asked.append(list(questions))
        return {question: Verdict(EQUAL, "symbolic", "said so") for question in questions}

    open_pair = {"gold": "\\sum_{k=1}^{n} k", "prediction": "\\int_0^n t dt"}
    listed = {"gold": "\\{\\sum_{k=1}^{n} k, 2\\}", "prediction": "\\{2, \\int_0^n t dt\\}", "kind": "set"}
    pairs = [row(), row(**open_pair), row(**open_pair), row(**listed), row(prediction="2")]
    verdicts = judge_pairs(pairs, ask)
    assert [v.verdict for v in verdicts] == ["equal", "equal", "equal", "equal", "different"]
    assert verdicts[1] == Verdict(EQUAL, "symbolic", "said so")
    assert len([q for questions in asked for q in questions]) == len({q for questions in asked for q in questions})


def test_what_nobody_answers_is_undecided():
    def ask(questions):
        return {question: Verdict(UNDECIDED, "symbolic", "limit: took longer than 2 s") for question in questions}

    (verdict,) = judge_pairs([row(gold="\\sum_{k=1}^{n} k", prediction="\\int_0^n t dt")], ask)
    assert verdict == Verdict(UNDECIDED, "symbolic", "limit: took longer than 2 s")
