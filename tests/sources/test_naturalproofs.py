"""NaturalProofs: `naturalproofs_*.json` as wellecks/naturalproofs reads them."""

import json

from stepforge.vocabulary import ProblemType
from tests.sources.reading import read


def theorem(number, **given):
    return {
        "id": number,
        "type": "theorem",
        "label": f"Theorem {number}",
        "title": f"Theorem {number}",
        "categories": ["Sets"],
        "toplevel_categories": ["Set Theory", "Logic"],
        "recursive_categories": [],
        "contents": [f"Let $S_{number}$ be a [[Definition:Set|set]].", "Then it is a [[Set]]."],
        "refs": ["Definition:Set"],
        "ref_ids": [900],
        "proofs": [
            {
                "contents": ["Clear.", "{{qed}}"],
                "refs": ["Definition:Set", "Axiom", "Axiom"],
                "ref_ids": [900, 901, 901],
            },
            {"contents": ["Again."], "refs": [], "ref_ids": []},
        ],
        **given,
    }


def whole(*theorems):
    definitions = [{"id": 900, "contents": ["A set."], "title": "Set", "refs": [], "ref_ids": [], "proofs": []}]
    dataset = {"theorems": list(theorems), "definitions": definitions, "others": []}
    return json.dumps({"dataset": dataset, "splits": {"train": {"ref_ids": [900], "examples": [[0, 0]]}}}, indent=2)


def test_a_theorem_is_a_proof_to_find_with_its_first_proof():
    (problem,) = read("naturalproofs_proofwiki.json", whole(theorem(3))).kept
    assert (problem.problem_id, problem.problem_type) == ("naturalproofs/proofwiki-3", ProblemType.PROOF)
    assert problem.question == "Theorem 3\nLet $S_3$ be a set.\nThen it is a Set."
    assert (problem.solution, problem.answer) == ("Clear.\n{{qed}}", None)
    assert (problem.subject, problem.knowledge_concepts) == ("Set Theory", ("Definition:Set", "Axiom"))


def test_definitions_are_no_problems_and_a_theorem_without_proof_has_no_solution():
    outcome = read("naturalproofs_stacks.json", whole(theorem(0), theorem(1, proofs=[])))
    assert [p.source_id for p in outcome.kept] == ["stacks-0", "stacks-1"]
    assert outcome.kept[1].solution is None
    assert outcome.rejections == []


def test_a_broken_theorem_costs_itself():
    text = whole(*(theorem(n) for n in range(40))).replace('"id": 17,', '"id": 17')
    outcome = read("naturalproofs_trench.json", text)
    assert [p.source_id for p in outcome.kept] == [f"trench-{n}" for n in range(40) if n != 17]
    assert "line " in outcome.rejections[0].detail
    (refused,) = read("naturalproofs_trench.json", whole(theorem(1, contents=[]))).rejections
    assert "states nothing" in refused.detail


def test_a_file_without_theorems_says_so():
    (refused,) = read("naturalproofs_x.json", '{"dataset": {"definitions": []}}', "naturalproofs").rejections
    assert "dataset.theorems" in refused.detail
