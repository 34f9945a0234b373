"""Each source's own form, on rows written for these tests."""

import json

import pytest

from stepforge.sources import SOURCES, BadRecord, recognise
from stepforge.sources._values import list_field
from stepforge.vocabulary import AnswerKind, Complexity, Difficulty, ImageRelevance, ProblemType, Reason
from tests.sources.reading import native, not_delivered, read, row

GSM8K = {
    "question": "Tom has 3 bags of 4 nuts.\nHow many nuts?",
    "answer": "Tom has 3*4=<<3*4=12>>12 nuts.\n#### 1,012",
}
GEOLAUX = {
    "problem_text": "如图，AB//CD，∠A=40°，则∠C等于",
    "type": "calculation",
    "number_answer": "40",
    "unit": "°",
    "auxiliary_type": 2,
    "choices": ["A.40°", "B.50°", "C.4°"],
    "solution": "∵AB//CD，\n∴∠C=40°。",
    "step_length": 2,
    "steps_explanation": "1)、…",
    "original_image_name": "7_1",
    "auxiliary_text": "延长AB",
    "auxiliary_image_name": "7_1_1",
}
MVMATH = {
    "problem_id": 5,
    "question": "Which one?\n<image_1>\nA. 3\nB. 4\nC. <image_2>\nD. 6",
    "input_image": ["one.jpg", "two.jpg"],
    "is_multi_img": True,
    "answer": "C",
    "answer_type": "choice",
    "difficulty": "High",
    "grade": "Junior",
    "subject": "Algebra",
    "image_relavance": "1",
    "analysis": "See <image_3>.",
}
WEMATH = {
    "ID": "2steps_8",
    "split": "testmini",
    "key": "2steps_multi",
    "question": "How long is AB?",
    "option": "A. 3 cm;B. 4 cm; C. No correct answer",
    "answer": "B",
    "image_path": "2steps/image/8-multi.png",
    "knowledge concept": "Length;Circles",
    "question number": 9,
}


PROOFNET = {
    "id": "Rudin|exercise_1_1b",
    "formal_statement": "theorem exercise_1_1b\n(x : ℝ) : x = x :=",
    "src_header": "import .common\n\nopen real\n\n",
    "nl_statement": "Prove that $x = x$.",
    "nl_proof": "",
}


MINIF2F = {
    "id": "mathd_algebra_1",
    "split": "valid",
    "formal_statement": "theorem mathd_algebra_1 (x : ℝ) (h₀ : x = 1 := by simp) : x + 1 = 2 := by sorry",
    "header": "import Mathlib\n\nopen Real\n",
    "informal_stmt": "If x is one, show that x + 1 = 2.",
    "informal_proof": "Add one.",
}
FIMO = {"problem_name": "fimo_2006_algebra_p1", "informal_statement": "Show it.", "informal_proof": "So."}
FORML4 = {
    "formal": "theorem borel_anti : Antitone (@borel α) := fun _ _ h =>\n  generateFrom_le h\n",
    "gemini_output": "# Theorem: …",
    "nl_problem": "Prove that borel is antitone.",
    "nl_explanation": "…",
    "nl_proof": "1. It is.",
}
CRITIC = {
    "id": 7,
    "refined_statement": "Prove that 1 + 1 = 2.",
    "autoformalization": "import Mathlib\n\ntheorem x : 1 + 1 = 2 := by sorry",
    "tag": "compile_right_is_right",
    "source": "s",
}


def one(path, data, **given):
    outcome = read(path, data, **given)
    assert not outcome.rejections
    (problem,) = outcome.kept
    return problem


def test_each_file_is_recognised_as_its_own_source():
    files = {
        "gsm8k": json.dumps(GSM8K),
        "geolaux": json.dumps({"7_1_1": GEOLAUX}),
        "mvmath": json.dumps([MVMATH]),
        "wemath": json.dumps([WEMATH]),
        "native": native(row(1)),
        "proofnet": json.dumps(PROOFNET),
        "minif2f": json.dumps(MINIF2F),
        "fimo": json.dumps(FIMO),
        "forml4": json.dumps([FORML4]),
        "criticleanbench": json.dumps(CRITIC),
        "table": json.dumps([row(1)]),
    }
    assert {name: recognise("x.json", text.encode()) for name, text in files.items()} == {n: n for n in files}
    assert {s.name for s in SOURCES} >= set(files)


def test_gsm8k_keeps_calculator_marks_and_takes_the_final_number():
    problem = one("t.jsonl", json.dumps(GSM8K))
    assert (problem.answer.text, problem.answer.kind) == ("1012", AnswerKind.NUMBER)
    assert problem.solution == "Tom has 3*4=<<3*4=12>>12 nuts."
    assert problem.problem_id == f"gsm8k/{problem.source_id}"
    assert len(problem.source_id) == 16


def test_proofnet_gives_header_and_statement_sorry_for_a_proof():
    problem = one("p.jsonl", json.dumps(PROOFNET))
    assert problem.lean_statement == (
        "import .common\n\nopen real\n\ntheorem exercise_1_1b\n(x : ℝ) : x = x := sorry\n"
    )
    assert (problem.problem_id, problem.problem_type) == ("proofnet/Rudin|exercise_1_1b", ProblemType.PROOF)
    assert (problem.answer, problem.solution) == (None, None)
    (refused,) = read("p.jsonl", json.dumps(PROOFNET | {"formal_statement": " "})).rejections
    assert "formal_statement: it is empty" in refused.detail


def test_geolaux_finds_the_letter_of_the_value_and_says_the_auxiliary_line():
    problem = one("g.json", json.dumps({"7_1_1": GEOLAUX}))
    assert (problem.source_id, problem.language, problem.problem_type) == ("7_1_1", "zh", ProblemType.CHOICE)
    assert (problem.answer.text, problem.answer.alternatives, problem.answer.unit) == ("A", ("40",), "°")
    assert problem.question.endswith("\n<image_1>")
    assert problem.images[0].name == "mini_original_images/7_1.png"
    assert problem.auxiliary_image.name == "mini_auxiliary_images/7_1_1.png"
    assert problem.auxiliary_complexity is Complexity.COMPLEX
    assert problem.reference_step_length == 2
    assert problem.provenance.locator == "key:7_1_1"


def test_geolaux_looks_for_a_figure_in_any_folder_when_its_own_has_none():
    problem = one("g.json", json.dumps({"7_1_1": GEOLAUX}), figures=not_delivered)
    assert problem.images[0].name == "7_1.png"
    assert problem.images[0].sha256 is None


def test_geolaux_null_is_missing_a_value_without_option_stays_free_and_two_values_are_a_set():
    proof = GEOLAUX | {"type": "proving", "number_answer": "null", "choices": [], "auxiliary_text": "null"}
    free = GEOLAUX | {"number_answer": "41"}
    two = GEOLAUX | {"number_answer": "5、42/25", "choices": [], "unit": "null", "auxiliary_type": 0}
    outcome = read("g.json", json.dumps({"1_1_1": proof, "1_1_2": free, "1_1_3": two}))
    first, second, third = outcome.kept
    assert (first.problem_type, first.answer, first.auxiliary_text) == (ProblemType.PROOF, None, None)
    assert (second.problem_type, second.answer.text, len(second.choices)) == (ProblemType.FREE_FORM, "41", 3)
    assert (third.answer.kind, third.answer.parts, third.answer.unit) == (AnswerKind.SET, ("5", "42/25"), None)
    assert third.auxiliary_complexity is None


def test_mvmath_keeps_the_question_and_lists_its_options():
    problem = one("m.json", json.dumps([MVMATH]))
    assert problem.question == MVMATH["question"]
    assert [(c.label, c.text) for c in problem.choices] == [("A", "3"), ("B", "4"), ("C", "<image_2>"), ("D", "6")]
    assert [i.name for i in problem.images] == ["one.jpg", "two.jpg"]
    assert problem.difficulty is Difficulty.HARD
    assert problem.image_relevance is ImageRelevance.MUTUALLY_DEPENDENT
    assert problem.solution == "See <image_3>."


def test_mvmath_cuts_sub_answers_and_reads_two_ways_to_write_one_value():
    many = MVMATH | {"problem_id": 6, "answer_type": "multi-step", "answer": "(1) 12;（2）30"}
    ways = MVMATH | {"problem_id": 7, "answer_type": "single-step", "answer": r"$1+\sqrt{2} \# \# \sqrt{2}+1$"}
    first, second = read("m.json", json.dumps([many, ways])).kept
    assert (first.problem_type, first.answer.parts) == (ProblemType.MULTI_STEP, ("12", "30"))
    assert (second.answer.text, second.answer.alternatives) == (r"$1+\sqrt{2}$", (r"$\sqrt{2}+1$",))


@pytest.mark.parametrize(
    ("answer", "text", "alternatives"),
    [
        (r"$7: 20 / \frac{7}{20}$", "7: 20", (r"\frac{7}{20}",)),
        (r"$95^{\circ} / 95$ ^{\circ}$", r"95^{\circ}", (r"95 ^{\circ}",)),
        (r"$\frac{3}{4}$ m $/ 0.75$ m", r"\frac{3}{4} m", ("0.75 m",)),
        (r"when $a=3$, $A M / / C B$.", r"when $a=3$, $A M / / C B$.", ()),
        (r"$7/20$", "$7/20$", ()),
    ],
)
def test_mvmath_reads_a_lone_slash_as_two_ways_to_write_one_value(answer, text, alternatives):
    found = one("m.json", json.dumps([MVMATH | {"answer_type": "single-step", "answer": answer}])).answer
    assert (found.text.strip(), tuple(way.strip() for way in found.alternatives)) == (text, alternatives)


def test_wemath_names_group_role_and_concepts():
    sub = WEMATH | {"key": "2steps_1", "knowledge concept": "Length; of arcs"}
    composite, first = read("w.json", json.dumps([WEMATH, sub])).kept
    assert (composite.group_id, composite.group_role, composite.source_id) == (
        "2steps_8",
        "composite",
        "2steps_8_composite",
    )
    assert composite.knowledge_concepts == ("Length", "Circles")
    assert (first.group_role, first.knowledge_concepts) == ("sub_1", ("Length; of arcs",))
    assert [c.label for c in composite.choices] == ["A", "B", "C"]
    assert composite.images[0].name == "2steps/image/8-multi.png"


def test_the_documents_licence_wins_over_the_sources_own():
    assert one("t.jsonl", json.dumps(GSM8K), licence="CC0-1.0").licence == "CC0-1.0"
    assert one("t.jsonl", json.dumps(GSM8K), licence="unknown").licence == "MIT"
    assert one("n.json", native(row(1, type="free_form"), licence="CC-BY-4.0"), licence="").licence == "CC-BY-4.0"


def test_the_native_format_says_everything_by_name():
    full = row(
        1,
        type="multi_step",
        answer=["3", "4"],
        images=["figures/a.png"],
        group={"id": "g", "role": "sub_2"},
        auxiliary={"text": "join AC", "complexity": "simple", "image": "figures/a-aux.png"},
        step_length=3,
        lean="theorem t : 1 + 1 = 2 := rfl",
        knowledge_concepts=["area"],
    )
    problem = one("n.json", native(full))
    assert (problem.answer.kind, problem.answer.parts) == (AnswerKind.MULTI_PART, ("3", "4"))
    assert (problem.group_id, problem.group_role) == ("g", "sub_2")
    assert problem.auxiliary_image.name == "figures/a-aux.png"
    assert problem.lean_statement.startswith("theorem")
    choice = row(2, type="choice", choices={"B": "5", "A": "4"}, answer="B")
    assert [c.label for c in one("n.json", native(choice)).choices] == ["A", "B"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"colour": "red"}, "colour"),
        ({"type": "essay"}, "type"),
        ({"question": 17}, "question"),
        ({"group": {"id": "g", "role": "sub_x"}}, "group.role"),
        ({"answer": ["1", "2"]}, "answer"),
        ({"choices": {"aa": "1"}}, "choices"),
        ({"step_length": -1}, "step_length"),
        ({"id": ""}, "id"),
    ],
)
def test_the_native_format_refuses_what_it_does_not_know_and_names_the_field(change, field):
    outcome = read("n.json", native(row(1, type="free_form"), row(2, **({"type": "free_form"} | change))))
    assert [p.source_id for p in outcome.kept] == ["p1"]
    assert outcome.rejections[0].reason is Reason.MALFORMED_RECORD
    assert field in outcome.rejections[0].detail


def test_a_native_file_of_another_version_or_with_another_header_is_refused_whole():
    for text in (
        native(row(1, type="free_form")).replace("problems/1", "problems/9"),
        native(row(1, type="free_form"), author="me"),
        '{"format": "stepforge-problems/1"}',
    ):
        (rejection,) = read("n.json", text, "native").rejections
        assert rejection.reason is Reason.UNREADABLE_DOCUMENT


def test_a_table_takes_json_lines_and_csv_with_options_images_and_language():
    rows = [row(1, options=["4", "2"], answer="2", image="a.png"), row(2, choices="A. 1 B. 3", answer="B", lang="fr")]
    first, second = read("t.jsonl", "\n".join(json.dumps(r) for r in rows)).kept
    assert (first.problem_type, first.answer.text, first.images[0].name) == (ProblemType.CHOICE, "B", "a.png")
    assert (second.answer.text, second.language) == ("B", "fr")
    csv = 'Problem ID;Problem;Short Answer;Solution\n1;"Two\nlines";7;because\n\n2;Find x.;;\n3;short\n'
    outcome = read("t.csv", csv)
    assert [(p.source_id, p.question) for p in outcome.kept] == [("1", "Two\nlines"), ("2", "Find x.")]
    assert outcome.kept[1].answer is None
    assert outcome.kept[0].provenance.method == "csv"
    assert "2 cells" in outcome.rejections[0].detail


def test_numbers_keep_the_digits_that_the_file_has():
    assert one("t.json", json.dumps([row(1)]).replace('"answer": "2"', '"answer": 2.50')).answer.text == "2.50"


def test_a_heading_in_a_question_does_not_make_a_table_gsm8k():
    rows = json.dumps([row(1, question="#### Task\nWhat is 1 + 1?", choices=["1", "2"])])
    assert recognise("set.json", rows.encode()) == "table"


def test_the_image_marks_of_a_table_are_numbered():
    (problem,) = read("set.json", json.dumps([row(1, question="<image>Find x.", image="a.png")])).kept
    assert problem.question == "<image_1>Find x."


@pytest.mark.parametrize("name", ["a\nb", "a\x00b", "x" * 301])
def test_an_id_that_no_line_can_hold_is_refused(name):
    (rejection,) = read("set.json", json.dumps([row(1, id=name)])).rejections
    assert rejection.detail.startswith("set.json, row:1: id: ")


def test_a_list_with_something_else_in_it_is_refused_by_what_that_is():
    with pytest.raises(BadRecord, match="expected a list of texts, got a list that holds a number"):
        list_field({"tags": ["x", 3]}, "tags")
