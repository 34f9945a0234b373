"""The engine on pairs whose label is known, and on the replies of four published models."""

import json
from collections import Counter

import pytest

from resources.symbolic import SymbolicComparer, symbolic_workers
from stepforge.answers.equivalence import equivalent
from stepforge.answers.extract import extract_answer
from stepforge.records import Answer
from stepforge.vocabulary import AnswerKind
from tests.shared_data import shared

KINDS = {
    "Real": "number", "Expression": "expression", "Complex": "expression", "Function": "expression", "Vector": "tuple",
    "Set": "set", "Matrix": "matrix", "Interval": "interval", "Equation": "equation", "Inequality": "inequality",
    "Others": "text",
}  # fmt: skip


def rows(name):
    return [json.loads(line) for line in shared(name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("model", ["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"])
def test_gsm8k_accuracy_of_a_published_model_is_the_share_of_its_correct_flags(model):
    expected = json.loads(shared("golden/gsm8k/expected.json").read_text(encoding="utf-8"))["models"][model]
    right = wrong_flags = 0
    for row in rows("gsm8k/example_model_solutions.jsonl"):
        gold = Answer(kind=AnswerKind.NUMBER, text=row["ground_truth"].rsplit("A:", 1)[1].strip())
        found = extract_answer(row[model]["solution"], AnswerKind.NUMBER)
        equal = found is not None and equivalent(gold, found).verdict == "equal"
        right += equal
        wrong_flags += equal != row[model]["is_correct"]
    assert (right, wrong_flags) == (expected["is_correct"], 0)


def test_a_sample_of_the_labelled_pairs_has_no_false_positive_and_no_false_negative():
    found = Counter()
    with symbolic_workers() as workers:
        symbolic = SymbolicComparer(workers)
        for row in rows("golden/answer_pairs/pairs.jsonl")[::20]:
            gold = Answer(kind=AnswerKind(KINDS[row["human_type"]]), text=row["gold"])
            verdict = equivalent(gold, row["prediction"], (), symbolic)
            found[row["label"], verdict.verdict.value] += 1
    assert found[False, "equal"] == 0
    assert found[True, "different"] + found[True, "undecided"] == 0
