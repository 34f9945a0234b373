import json

import pytest

from stepforge.errors import BadInput
from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics._wemath_rows import official_letter
from stepforge.metrics._wemath_structure import domains
from tests.shared_data import shared

METRIC = METRICS["we-math"]


def run(*rows, structure=None):
    read = [METRIC.row.model_validate(row) for row in rows]
    if structure is not None:
        read = METRIC.companion.add(read, structure.encode())
    return evaluate(METRIC, read, Options(METRIC.parameters(), resamples=50))


def composite(group, subs, whole, **given):
    """Rows of one composite problem; None for a question that was not answered, "absent" for one without a row."""
    parts = {**{f"sub_{k}": right for k, right in enumerate(subs, 1)}, "composite": whole}
    concepts = given.pop("concepts", ["Rotation"] * len(subs))
    return [
        {"group": group, "role": role, "right": right, **given}
        | ({"concept": concepts[int(role[4:]) - 1]} if role != "composite" else {})
        for role, right in parts.items()
        if right != "absent"
    ]


def value(found, table="values"):
    return {name: v["value"] for name, v in found[table].items()}


GROUPS = [
    *composite("a", [True, True], True),
    *composite("b", [True, False], True),
    *composite("c", [True, True], False),
    *composite("d", [False, True, False], False),
    *composite("e", [None, True], True),
    *composite("f", [True, True, True], "absent"),
]


def test_states_are_of_complete_groups_and_accuracy_of_every_question():
    found = run(*GROUPS)
    assert value(found) == pytest.approx(
        {"IK": 0.25, "IG": 0.25, "CM_strict": 0.25, "RM_strict": 0.5, "score_strict": 0.375}
        | {"CM_loose": 0.5, "RM_loose": 0.0, "score_loose": 0.625, "S1": 10 / 14, "S2": 0.75, "S3": 0.0}
    )
    assert (found["groups"], found["groups_incomplete"]) == (6, 2)
    assert found["questions_failed"] == {"missing": 1}
    assert found["values"]["IK"]["n"] == 4


def nodes(*places):
    """A structure file: each place the names from the root down to the concept."""
    return json.dumps([{f"root{k}": name for k, name in enumerate([*place, None, None][:5])} for place in places])


STRUCTURE = nodes(
    ("Shapes", "Motion", "Transformations", "Rotation"),
    ("Shapes", "Motion", "Transformations", "Moves", "Translation"),
    ("Shapes", "Place", "Position", "Left of"),
)


def test_a_domain_is_the_mean_of_its_concepts_and_not_of_its_questions():
    rows = [
        *composite("a", [True, True], True, concepts=["Rotation", "Rotation"]),
        *composite("b", [True, False], True, concepts=["Rotation", "Translation"]),
        *composite("c", [False, True], True, concepts=["own concept", "Left of"]),
    ]
    assert value(run(*rows), "domains") == {}
    found = run(*rows, structure=STRUCTURE)
    assert value(found, "concepts") == {"Rotation": 1, "Translation": 0, "own concept": 0, "Left of": 1}
    assert value(found, "domains") == {"Transformations": 0.5, "Position": 1}
    own = run(*({**row, "domain": "mine"} for row in rows), structure=STRUCTURE)
    assert value(own, "domains") == {"mine": pytest.approx((1 + 0 + 0 + 1) / 4)}


def test_the_published_structure_has_twelve_domains_and_67_concepts():
    found = domains(shared("wemath/knowledge_structure_nodes.json").read_bytes())
    assert (len(set(found.values())), len(found)) == (12, 67)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("{}", "not an array"),
        ("[]", "not an array"),
        ("[3]", "node 1"),
        (nodes(("a", "b", "c")), "node 1"),
        (json.dumps([{"root0": "a", "root1": None, "root2": "b", "root3": "c"}]), "node 1"),
        (json.dumps([{"root0": "a", "root1": "b", "root2": "c", "root3": 4}]), "node 1"),
    ],
)
def test_a_file_that_is_no_structure_is_an_error_that_says_where(text, words):
    with pytest.raises(BadInput, match=words):
        domains(text.encode())


def test_augmentation_is_compared_on_the_problems_answered_in_both_settings():
    plain = [
        *composite("a", [True, False], False),
        *composite("b", [True, True], True),
        *composite("c", [True, True], True),
    ]
    helped = [*composite("a", [True, True], True, augmented=True), *composite("b", [True, True], False, augmented=True)]
    found = run(*plain, *helped)
    assert value(found)["IK"] == pytest.approx(1 / 3)
    assert value(found, "augmented")["IK"] == 0
    gain = value(found, "augmentation_gain")
    assert gain == pytest.approx(
        {"IK": -0.5, "IG": 0.5, "CM_strict": 0, "RM_strict": 0, "score_strict": 0.25}
        | {"CM_loose": 0, "RM_loose": 0, "score_loose": 0.25, "S1": 0.25, "S2": 0, "S3": None}
    )
    assert "augmented" not in run(*plain)


def test_responses_are_read_by_the_answer_engine_and_failures_are_wrong_answers():
    def s1(**given):
        return value(run({"group": "g", "role": "sub_1", **given}))["S1"]

    assert s1(answer="B", response="Thus the answer is (B).") == 1
    assert s1(answer="B", response="**Answer**: B") == 1
    assert s1(answer="B", response="Answer: C") == 0
    assert s1(answer="B", response="") == 0
    assert s1(answer="B", failure="refused") == 0
    assert s1(answer="B", failure="not_attempted") is None
    for row in ({"answer": "B"}, {"response": "B"}, {"answer": None, "response": "B"}, {}):
        with pytest.raises(ValueError, match="right is missing"):
            METRIC.row.model_validate({"group": "g", "role": "sub_1", **row})
    with pytest.raises(ValueError, match="a role is"):
        METRIC.row.model_validate({"group": "g", "role": "sub_0", "right": True})


LETTERS = {
    "Answer: C": "C", "<Answer>: A.": "A", "Answer:<<C>>": "C", "C. as read": "C", "Answer: Because": "B",
    "Answer: B or A": "B", "The Answer is clear.\nAnswer: D": "D", "**Answer**: B": None,
    "Answer: (B)": None, "Answer: \\boxed{B}": None,
    "Answer: b": None, "": None, "I think B": None, "Answer": None,
}  # fmt: skip


@pytest.mark.parametrize(("response", "letter"), LETTERS.items())
def test_the_official_letter_is_read_as_the_official_scorer_reads_it(response, letter):
    assert official_letter(response) == letter


def test_where_no_composite_is_solved_the_official_rate_is_none():
    rows = [METRIC.row.model_validate(row) for row in composite("a", [True, True], False)]
    found = METRIC.official(rows)
    assert found["rates"]["RoteMemorization_strict_rate"] is None
    assert found["four_dimensional_metrics"]["Score (Strict)"] == "99.90%"
