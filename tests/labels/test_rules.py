"""Labels by rules."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.labels import LABELS, labelled_problems
from stepforge.labels.capabilities import capabilities_of
from stepforge.labels.difficulty import (
    CUTS,
    MIN_PROBLEMS,
    Length,
    cut_points,
    difficulty_of,
    length,
    level_of,
    levels,
    milestone_level,
    weighted_length,
)
from stepforge.labels.image_relevance import relevance_of
from stepforge.labels.knowledge_concepts import CONCEPTS, concepts_of
from stepforge.labels.question_type import type_of
from stepforge.labels.subject import subject_of
from stepforge.outcome import unaccounted
from stepforge.records import Choice, LabelVote
from stepforge.vocabulary import AnswerKind, Capability, Difficulty, ImageRelevance, LabelMethod, ProblemType, Subject
from tests import make
from tests.shared_data import shared

EASY, MEDIUM, HARD = Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD
MD, ID = ImageRelevance.MUTUALLY_DEPENDENT, ImageRelevance.INDEPENDENT
OPTIONS = "\nA.\n<image_1>\nB.\n<image_2>\nC.\n<image_3>\nD.\n<image_4>"
AFTER_ONE = "\n<image_1>\nA.\n<image_2>\nB.\n<image_3>\nC.\n<image_4>\nD.\n<image_5>"


def one(**given):
    return labelled_problems([make.problem(**given)]).kept[0]


def said(problem, field):
    return [(vote.value, vote.method) for vote in problem.labels if vote.field == field]


# --- subject --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is the volume of a cone with radius 3 and height 4?", Subject.SOLID_GEOMETRY),
        ("Find the slope of the line and the vertex of the parabola y = x^2 in the coordinate plane.",
         Subject.ANALYTIC_GEOMETRY),
        ("In how many ways can a committee of three be chosen from ten people?", Subject.COMBINATORICS),
        ("Anna buys 3 pens for 2 dollars each. How much does she pay in total?", Subject.ARITHMETIC),
        ("Solve the quadratic equation x^2 - 5x + 6 = 0 for its roots.", Subject.ALGEBRA),
        ("正方体的表面积是 24,求它的体积。", Subject.SOLID_GEOMETRY),
        ("将三角形纸片沿 DE 折叠,点 A 落在 BC 上,旋转后得到的图形是", Subject.TRANSFORMATION_GEOMETRY),
        ("What is 12 + 30?", Subject.ARITHMETIC),
        ("Qux frobnicates.", None),
        ("", None),
    ],
)  # fmt: skip
def test_the_words_of_a_question_tell_its_subject(question, subject):
    assert subject_of(question) == subject


def test_words_of_the_solution_help_where_the_question_says_little():
    assert subject_of("Find it.", "The volume of the cylinder and its lateral surface") is Subject.SOLID_GEOMETRY


def test_a_label_of_the_source_stands_and_is_marked():
    problem = one(subject="Number Theory", question="What is the volume of the cone?", difficulty=HARD)
    assert (problem.subject, problem.difficulty) == ("Number Theory", HARD)
    assert said(problem, "subject") == [("Number Theory", LabelMethod.SOURCE)]
    assert said(problem, "difficulty") == [("hard", LabelMethod.SOURCE)]


# --- difficulty -----------------------------------------------------------------------------------------------------


def test_a_length_is_words_numbers_and_signs_and_a_chinese_character_is_one():
    assert length("Find $x$: x+1 = 20.") == 11
    assert length("求三角形ABC的面积") == 8
    assert weighted_length("one two", "one two three four") == pytest.approx(0.4 * 2 + 0.6 * 4)


def straightforward(values):
    """The best two cuts by trying all."""
    import math

    points = sorted(values)
    logs = [math.log1p(v) for v in points]

    def spread(part):
        mean = sum(part) / len(part)
        return sum((x - mean) ** 2 for x in part)

    ways = [(i, j) for i in range(1, len(points)) for j in range(i + 1, len(points))]
    return min(spread(logs[:i]) + spread(logs[i:j]) + spread(logs[j:]) for i, j in ways)


@given(st.lists(st.integers(1, 4000), min_size=3, max_size=14))
def test_the_clusters_are_the_best_there_are(values):
    import math

    cuts = cut_points(values)
    if len(set(values)) < 3:
        assert cuts is None
        return
    parts = [[math.log1p(v) for v in values if level_of(v, cuts) is level] for level in (EASY, MEDIUM, HARD)]
    assert all(parts)
    found = sum(sum((x - sum(part) / len(part)) ** 2 for x in part) for part in parts)
    assert found == pytest.approx(straightforward(values), abs=0.02)  # lengths are rounded to a thousandth first


@given(st.lists(st.integers(1, 4000), min_size=MIN_PROBLEMS, max_size=60), st.randoms(use_true_random=False))
def test_levels_depend_on_no_order_and_never_fall_with_the_length(values, rng):
    rows = [Length(f"p/{k}", "en", float(value)) for k, value in enumerate(values)]
    found = levels(rows)
    shuffled = list(rows)
    rng.shuffle(shuffled)
    assert levels(shuffled) == found
    order = {EASY: 0, MEDIUM: 1, HARD: 2}
    ranked = [order[found[row.problem_id]] for row in sorted(rows, key=lambda row: row.weighted)]
    assert ranked == sorted(ranked)


def test_a_few_problems_are_cut_where_a_published_set_is():
    short, long = make.problem("s/1", solution="2 + 2 = 4"), make.problem("s/2", solution="word " * 900)
    kept = labelled_problems([short, long]).kept
    assert [p.difficulty for p in kept] == [EASY, HARD]
    assert level_of(CUTS[0], CUTS) is EASY
    assert level_of(CUTS[1], CUTS) is MEDIUM
    assert one(solution=None).difficulty is None


def test_each_language_is_cut_by_itself():
    english = [Length(f"e/{k}", "en", 100.0 + k) for k in range(40)]
    chinese = [Length(f"z/{k}", "zh", 10.0 + k) for k in range(40)]
    found = levels(english + chinese)
    assert {found[f"e/{k}"] for k in range(40)} == {found[f"z/{k}"] for k in range(40)} == {EASY, MEDIUM, HARD}


def test_milestones_go_before_the_length_and_the_source_before_both():
    assert [milestone_level(n) for n in (0, 1, 3, 4, 6, 7)] == [None, EASY, EASY, MEDIUM, MEDIUM, HARD]
    by_length = one()
    assert by_length.difficulty is EASY
    assert difficulty_of(by_length, 7) is HARD
    assert difficulty_of(by_length, 0) is EASY
    assert difficulty_of(one(difficulty=EASY), 7) is EASY
    reviewed = LabelVote(field="difficulty", value="medium", method=LabelMethod.REVIEW)
    assert difficulty_of(make.problem(difficulty=MEDIUM, labels=(reviewed,)), 7) is MEDIUM


# --- images, type ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "count", "relevance"),
    [
        ("Which figure is symmetric?" + OPTIONS, 4, ID),
        ("The line moves over the figure. Which graph is right?" + AFTER_ONE, 5, ID),
        ("The paper is folded and cut. Which figure results?" + AFTER_ONE, 5, MD),
        ("How many of the following figures are symmetric?\n<image_1>\n<image_2>\n<image_3>", 3, ID),
        ("As shown in Figure 1 and Figure 2, find x.\n<image_1>\n<image_2>", 2, MD),
        ("Find x.\n<image_1>", 1, None),
        ("Find x.", 0, None),
    ],
)
def test_images_that_are_options_are_read_one_by_one(question, count, relevance):
    assert relevance_of(question, count) == relevance


def test_options_in_fields_of_their_own_count_as_options():
    choices = tuple(Choice(label=label, text=f"<image_{k}>") for k, label in enumerate("ABCD", 1))
    images = tuple(make.image(name=f"{k}", sha256=f"{k:064d}") for k in range(4))
    assert one(question="Which one is symmetric?", choices=choices, images=images).image_relevance is ID
    assert said(one(question="Find x <image_1>", images=images[:1]), "image_relevance") == []


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is 2 + 2?\nA. 3\nB. 4\nC. 5", ProblemType.CHOICE),
        ("What is 2 + 2? (A) 3 (B) 4 (C) 5", ProblemType.CHOICE),
        ("Which?" + OPTIONS, ProblemType.CHOICE),
        ("A line is given. (1) Find its slope. (2) Find its length.", ProblemType.MULTI_STEP),
        ("已知直线。\n(1)求斜率;\n(2)求长度。", ProblemType.MULTI_STEP),
        ("From (1) and (2) it follows that x is what?", ProblemType.FREE_FORM),
        ("The points A and B lie on a circle. Find AB.", ProblemType.FREE_FORM),
    ],
)
def test_the_text_tells_the_type_of_a_question(question, kind):
    assert type_of(question) is kind


def test_a_stated_type_is_kept_and_a_guess_is_changed_only_to_what_the_answer_bears_out():
    parts = make.answer("(1) 2; (2) 3", AnswerKind.MULTI_PART, parts=("2", "3"))
    asked = "(1) Find a. (2) Find b."
    assert one(question=asked, answer=parts).problem_type is ProblemType.FREE_FORM  # its source says so
    assert one(problem_id="table/1", question=asked, answer=parts).problem_type is ProblemType.MULTI_STEP
    assert one(problem_id="table/1", question=asked).problem_type is ProblemType.FREE_FORM
    proof = one(problem_id="paper/1", question="Prove that 2 is prime.", answer=None)
    assert proof.problem_type is ProblemType.PROOF
    assert said(proof, "problem_type") == [("proof", LabelMethod.RULES)]


# --- concepts, capabilities -----------------------------------------------------------------------------------------


def test_the_hierarchy_is_that_of_we_math():
    nodes = json.loads(shared("wemath/knowledge_structure_nodes.json").read_text("utf-8"))
    published = {node["root4"] or node["root3"]: (node["root1"], node["root2"]) for node in nodes}
    assert {concept.name: (concept.domain, concept.kind) for concept in CONCEPTS} == published
    assert len(CONCEPTS) == len(published) == 67
    assert (len({c.domain for c in CONCEPTS}), len({c.kind for c in CONCEPTS})) == (5, 12)


@pytest.mark.parametrize(
    ("question", "concept"),
    [
        ("What is the area of the triangle?", "Area of Triangles"),
        ("What is the surface area of the cylinder?", "Surface Area of Cylinders"),
        ("Which shape can tile the plane without gaps or overlaps?", "Tessellation of Figures"),
        (
            "Walk from the zoo to the school: which direction is north?",
            "Cardinal Directions (East, South, West, North)",
        ),
        ("圆锥的体积是多少?", "Volume and Capacity of Cones"),
    ],
)
def test_the_words_of_a_question_tell_its_concepts(question, concept):
    assert concepts_of(question)[0] == concept
    assert len(concepts_of(question)) <= 3


def test_a_story_that_is_no_geometry_has_no_concept_of_it():
    assert one(question="He stood in front of the shop and drove north for 3 hours.").knowledge_concepts == ()


@pytest.mark.parametrize(
    ("given", "needed", "not_needed"),
    [
        ({"question": "Anna buys 3 pens at 2 dollars. What does she pay?", "solution": "3 * 2 = 6"},
         {Capability.MODELING, Capability.CALCULATION}, {Capability.SPATIAL_PERCEPTION, Capability.FORMALIZATION}),
        ({"question": "In the right triangle ABC with ∠C = 90°, find AB.", "solution": "By the Pythagorean theorem, 5"},
         {Capability.SPATIAL_PERCEPTION, Capability.THEOREM_APPLICATION}, {Capability.MODELING}),
        ({"question": "Prove it.", "problem_type": ProblemType.PROOF, "answer": None, "solution": "Clear."},
         {Capability.DEDUCTIVE_INDUCTIVE_REASONING}, {Capability.CALCULATION}),
        ({"question": "We define a new operation a ⊕ b = a + 2b. Find 1 ⊕ 2."},
         {Capability.NEW_KNOWLEDGE_LEARNING}, {Capability.SELF_REFLECTION}),
        ({"question": "解方程", "solution": "解得 x=1 或 x=-2, 经检验, x=-2 不合题意, 舍去"},
         {Capability.SELF_REFLECTION}, {Capability.NEW_KNOWLEDGE_LEARNING}),
        ({"question": "2 + 2 = 4", "lean_statement": "theorem x : 2 + 2 = 4 := sorry"},
         {Capability.FORMALIZATION}, set()),
    ],
)  # fmt: skip
def test_capabilities_are_those_that_can_be_seen_to_be_used(given, needed, not_needed):
    found = set(capabilities_of(make.problem(**given)))
    assert needed <= found
    assert not found & not_needed


# --- all of them ----------------------------------------------------------------------------------------------------


def test_every_label_names_a_field_of_votes_and_of_problems():
    assert sorted(label.name for label in LABELS) == [
        "capability", "difficulty", "image_relevance", "knowledge_concept", "problem_type", "subject",
    ]  # fmt: skip
    assert all(label.attribute in type(make.problem()).model_fields for label in LABELS)


@given(st.lists(st.tuples(st.text(max_size=200), st.text(max_size=200)), max_size=6))
def test_any_text_is_labelled_the_same_each_time_and_every_label_says_who_gave_it(rows):
    problems = [make.problem(f"s/{k}", question=q, solution=s) for k, (q, s) in enumerate(rows)]
    outcome = labelled_problems(problems)
    assert outcome == labelled_problems(problems)
    assert unaccounted(outcome.input_ids, [p.problem_id for p in outcome.kept], []) == {}
    for problem in outcome.kept:
        told = {vote.field for vote in problem.labels}
        assert ("subject" in told) == (problem.subject is not None)
        assert ("capability" in told) == bool(problem.capabilities)


@pytest.mark.parametrize(
    "piece", ["(1) ", "triangle ", "∠ABC ", "A. ", "<image_1>\n", "1", "\\frac{", "图", "let x be "]
)
def test_a_long_repetition_is_labelled_like_any_text(piece):
    text = piece * (60_000 // len(piece))
    assert labelled_problems([make.problem("table/1", question=text, solution=text)]).kept


def test_the_rules_agree_with_the_labels_of_mv_math_as_the_note_says():
    """A guard against a change that makes them worse; `bench/difficulty.py` measures."""
    rows = json.loads(Path(shared("mvmath/MV-MATH.json")).read_text("utf-8"))
    lengths = [weighted_length(row["question"], row["analysis"] or "") for row in rows]
    cuts = cut_points(lengths)
    right = {"Low": EASY, "Medium": MEDIUM, "High": HARD}
    agree = sum(level_of(n, cuts) is right[row["difficulty"]] for n, row in zip(lengths, rows, strict=True))
    assert agree / len(rows) > 0.84
    images = [relevance_of(row["question"], len(row["input_image"])) for row in rows]
    published = [{"1": MD, "0": ID}[row["image_relavance"]] for row in rows]
    assert sum(a is b for a, b in zip(images, published, strict=True)) / len(rows) > 0.85
