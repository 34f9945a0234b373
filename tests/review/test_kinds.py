"""Every kind of review: what it shows, asks and rules."""

import pytest

from stepforge.records import Action, Milestone, PlanItem, Trajectory, Variant
from stepforge.review import KINDS, Material, item_of
from stepforge.review._base import step_numbers
from stepforge.review._protocols import compared
from stepforge.vocabulary import Capability, CheckVerdict, DefectKind, Method
from tests.make import answer, image, problem, step
from tests.review.samples import SOUND, answers

PROBLEM = problem(subject="Algebra", difficulty="easy", image_relevance="independent", capabilities=("calculation",),
                  knowledge_concepts=("sums",))  # fmt: skip
ORIGINAL = problem("native/p0", question="What is 2 + 2 pears?")
MATERIAL = Material(
    problems=[PROBLEM],
    steps=[step(), step(index=1, text="so it is 4")],
    milestones=[
        Milestone(problem_id="native/p1", path=0, index=0, conditions=(), rule=None, conclusion="4", text="2 + 2 = 4",
                  method=Method.RULES)
    ],
    variants=[
        Variant(variant_id="native/p1:wrong:1", problem_id="native/p1", kind=DefectKind.WRONG, subtype="s", seed=1,
                location=(1,), steps=("a", "b", "c"), before="x", after="y", verified_by="rules", method=Method.RULES)
    ],
    trajectories=[
        Trajectory(
            trajectory_id="native/p1:reference:0", problem_id="native/p1", solver="reference", seed=0,
            plan=(PlanItem(capability=Capability.CALCULATION, sub_goal="add"),),
            actions=(Action(index=0, capability=Capability.CALCULATION, text="2 + 2 = 4", tool=None, tool_input=None,
                            observation=None, verdict=CheckVerdict.RIGHT),),
            feedback=(), final_answer="4", verdict=CheckVerdict.RIGHT, method=Method.RULES)
    ],
)  # fmt: skip


def ruled(kind, said):
    of = KINDS[kind]
    candidate = shown(of)
    told = {one.field: one.values for one in compared(of, answers(said))}
    return of.ruling(item_of(of, "b", candidate), told)


def shown(kind, material=MATERIAL):
    """The one candidate of the kind that is not on the original of a variant."""
    if kind.name == "variant_of":
        second = material.problems[0].model_copy(update={"variant_of": "native/p0"})
        material = material._replace(problems=[ORIGINAL, second])
    (found,) = kind.candidates(material)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_shows_records_by_name_and_says_nothing_of_where_they_are_from(kind):
    candidate = shown(kind)
    item = item_of(kind, "b", candidate)
    assert item == item_of(kind, "b", candidate)
    assert item != item_of(kind, "other", candidate)
    assert (item.problem_id, item.stage) == ("native/p1", kind.stage)
    said = " ".join(text for block in candidate.blocks for text in (block.title, block.text, *block.lines))
    assert "2 + 2" in said
    assert "native" not in said
    assert "CC0" not in said
    assert len({question.name for question in kind.questions}) == len(kind.questions)
    assert any(question.required and question.compared for question in kind.questions)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_another_text_is_another_item(kind):
    changed = {
        "problems": [PROBLEM.model_copy(update={"question": "What is 2 + 2, then?"})],
        "variants": [MATERIAL.variants[0].model_copy(update={"steps": ("a", "b", "d")})],
    }
    before, after = shown(kind), shown(kind, MATERIAL._replace(**changed))
    assert item_of(kind, "b", before) != item_of(kind, "b", after)


@pytest.mark.parametrize(
    ("said", "refused", "corrected"),
    [
        ({}, None, {}),
        ({"question": "incomplete"}, "question:incomplete", {}),
        ({"question": "unclear", "corrected_question": "What is 2 + 3?"}, None, {"question": ("What is 2 + 3?",)}),
        ({"answer": "wrong"}, "answer:wrong", {}),
        ({"answer": "cannot_tell"}, "answer:cannot_tell", {}),
        ({"answer": "none_is_asked"}, None, {}),
        ({"answer": "wrong", "corrected_answer": "5"}, None, {"answer": ("5",)}),
        ({"answer": "right", "corrected_answer": "5"}, None, {}),
        ({"figure": "unreadable"}, "figure:unreadable", {}),
        ({"figure": "missing"}, "figure:missing", {}),
        ({"figure": "readable"}, None, {}),
        ({"language": "other", "corrected_language": "zh"}, None, {"language": ("zh",)}),
        ({"question": "unclear", "corrected_question": "Q", "figure": "missing"}, "figure:missing", {}),
    ],
)
def test_a_problem_stays_if_all_holds_or_is_mended(said, refused, corrected):
    ruling = ruled("problem", {**SOUND, **said})
    assert ruling.refused_by == refused
    assert {c.field: c.values for c in ruling.corrections if refused is None} == corrected


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"defect": "wrong", "location": "2"}, None),
        ({"defect": "wrong", "location": "step 2"}, None),
        ({"defect": "wrong", "location": "1"}, "location:elsewhere"),
        ({"defect": "wrong"}, "location:elsewhere"),
        ({"defect": "none"}, "defect:none"),
        ({"defect": "several", "location": "1, 2"}, "defect:several"),
        ({"defect": "missing", "location": "2"}, "defect:missing"),
    ],
)
def test_a_perturbed_chain_is_refused_if_people_find_another_defect(said, refused):
    assert ruled("variants", said).refused_by == refused


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("3", (3,)), ("2, 5", (2, 5)), ("2-4", (2, 3, 4)), ("5，2 and 2", (2, 5)), ("4-2", (2, 4)), ("none", ()),
     ("1-9999", (1, 9999))],
)  # fmt: skip
def test_numbers_of_steps_are_read_as_people_write_them(text, numbers):
    assert step_numbers(text) == numbers


@pytest.mark.parametrize("failed", ["step_completeness", "logical_consistency", "reasoning_validity"])
def test_a_trajectory_stays_only_if_all_three_criteria_hold(failed):
    whole = dict.fromkeys(("step_completeness", "logical_consistency", "reasoning_validity"), "yes")
    assert ruled("trajectories", whole).refused_by is None
    assert ruled("trajectories", {**whole, failed: "no"}).refused_by == f"{failed}:no"


def test_milestones_are_mended_where_people_say_how():
    assert ruled("milestones", {"verdict": "unsound", "faults": ["too_fine"]}).refused_by == "verdict:unsound"
    mended = ruled("milestones", {"verdict": "unsound", "corrected": "2 + 2 is asked\n\n it is 4 "})
    assert [c.values for c in mended.corrections] == [("2 + 2 is asked", "it is 4")]
    assert ruled("steps", {"verdict": "unsound"}).refused_by == "verdict:unsound"


def test_only_ties_are_doubtful_labels():
    kind = KINDS["label-subject"]
    tie = {"field": "subject", "value": None, "method": "vote", "votes": ("Algebra", "Logic", "Arithmetic")}
    tied = problem(labels=(tie,))
    (candidate,) = kind.candidates(Material(problems=[tied]))
    assert candidate.doubtful
    assert "Logic" not in " ".join(block.text for block in candidate.blocks)
    (candidate,) = kind.candidates(MATERIAL)
    assert not candidate.doubtful
    assert list(kind.candidates(Material(problems=[problem()]))) == []


def test_an_answer_and_a_figure_are_shown():
    kind = KINDS["problem"]
    (candidate,) = kind.candidates(Material(problems=[problem(answer=answer("4 cm"))]))
    assert ("Reference answer", "4 cm", ()) in candidate.blocks


def test_a_variant_is_shown_beside_its_original_with_the_figures_of_both():
    figures = {name: image(name=name, sha256=name[0] * 64) for name in ("a.png", "b.png")}
    first = problem("native/p0", question="In <image_1>: x?", images=(figures["a.png"],))
    second = problem("native/p1", question="In <image_1>: y?", images=(figures["b.png"],), variant_of="native/p0")
    (candidate,) = KINDS["variant_of"].candidates(Material(problems=[second, first]))
    texts = [block.text for block in candidate.blocks if block.title.endswith("question")]
    assert texts == ["In <image_1>: x?", "In <image_2>: y?"]
    assert [one.name for one in candidate.images] == ["a.png", "b.png"]
    assert list(KINDS["variant_of"].candidates(Material(problems=[second]))) == []
    assert ruled("variant_of", {"relation": "same_problem"}).refused_by == "relation:same_problem"
    assert ruled("variant_of", {"relation": "another_problem"}).refused_by is None
