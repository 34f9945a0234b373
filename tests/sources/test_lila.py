"""LILA: a data set's object, rows of the mixtures, and rows of the Hugging Face copy."""

import json

from stepforge.vocabulary import AnswerKind, ProblemType
from tests.sources.published import accepts, one, refusal
from tests.sources.reading import read

INSTANCE = {
    "Input": "Jane had 4 apples and gave 1 away. How many are left?",
    "Output Program": ["a = 4\nprint(a - 1)", "print(3)"],
    "Output Answer": ["3", "3.0", "3"],
    "split": "train",
}
LILA = {**INSTANCE, "dataset": "addsub.json", "dist": "iid", "text": "…"}
LILA_ROW = {
    "input": "Pick one:\nA. 2\nB. 3",
    "output_program": "import os\nos.system('rm -rf /')",
    "output_answer": "3",
    "split": "test",
    "dataset": "numersense",
}


def data_set(*instances):
    about = {"Contributors": ["A"], "Categories": ['"Instances": [', "basic"], "Instruction": "Solve."}
    return {**about, "Instances": list(instances), "Metadata": {"n": 1}}


def test_the_instances_of_a_data_set_are_problems_under_its_name():
    other = {**INSTANCE, "Input": "And Tom?"}
    for indent in (None, 4):
        outcome = read("lila/all/addsub.json", json.dumps(data_set(INSTANCE, other), indent=indent))
        assert outcome.rejections == []
        assert [p.provenance.locator for p in outcome.kept] == ["row:1", "row:2"]
        assert all(p.problem_id.startswith("lila/addsub-") for p in outcome.kept)


def test_a_broken_instance_costs_itself():
    text = json.dumps(data_set(INSTANCE, INSTANCE, {**INSTANCE, "Input": "And Tom?"}), indent=1)
    at = text.index('"Output Program"', text.index('"Output Program"') + 1)
    outcome = read("all/addsub.json", text[: at + 5] + text[at + 7 :].replace(":", "", 1), "lila")
    assert [p.question for p in outcome.kept] == [INSTANCE["Input"], "And Tom?"]
    assert len(outcome.rejections) == 1


def test_answers_of_other_programs_are_alternatives_and_the_first_program_is_the_solution():
    problem = one(LILA)
    assert problem.source_id.startswith("addsub-")
    assert (problem.answer.text, problem.answer.alternatives) == ("3", ("3.0",))
    assert problem.solution == "a = 4\nprint(a - 1)"
    assert accepts(problem, "3")


def test_options_count_where_the_answer_is_one_of_them():
    problem = one(LILA_ROW)
    assert (problem.problem_type, problem.answer.kind, problem.answer.text) == (
        ProblemType.CHOICE,
        AnswerKind.CHOICE,
        "B",
    )
    assert problem.solution.startswith("import os")  # a text, never run
    free = one({**LILA_ROW, "output_answer": "5"})
    assert (free.problem_type, free.choices) == (ProblemType.FREE_FORM, ())


def test_what_is_not_as_the_format_says_is_named():
    assert "Output Answer: expected a text or a number" in refusal({**LILA, "Output Answer": [{}]}, "lila")
    assert "Input: expected a text, got a list" in refusal({**LILA, "Input": []}, "lila")
