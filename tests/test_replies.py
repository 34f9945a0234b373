import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.replies import MAX_UNITS, detection_json, instruction, is_refusal, parse_detection, reasoning_units
from stepforge.vocabulary import DefectKind, ProblemType, TaskKind


@pytest.mark.parametrize(
    ("reply", "units"),
    [
        ("Step 1: a = 2\nso b = 3\nStep 2: c = 5\n\\boxed{5}", ("a = 2 so b = 3", "c = 5")),
        ("**Step 1:** a = 2\n**Step 2:** c = 5\nAnswer: 5", ("a = 2", "c = 5")),
        ("第1步：甲有2个\n第2步：乙有3个\n答案是5", ("甲有2个", "乙有3个")),
        ("1. a = 2\n2. c = 5\n#### 5", ("a = 2", "c = 5")),
        ("He has 3*5=<<3*5=15>>15 eggs\nHe sells 15-3=12\nA: 12", ("He has 3*5=15 eggs", "He sells 15-3=12")),
        (
            "He has 15 eggs. He sells 3.5 of them. So 11.5 stay.",
            ("He has 15 eggs.", "He sells 3.5 of them.", "So 11.5 stay."),
        ),
        ("∵AB=AC，∴∠B=∠C，∴△ABC是等腰三角形", ("∵AB=AC，∴∠B=∠C，", "∴△ABC是等腰三角形")),
        ("Solution:\n\n- first this\n- then that\n$$\\boxed{x^2}$$", ("first this", "then that")),
        ("<think>a\nb\nc</think>d = 1\ne = 2", ("d = 1", "e = 2")),
        ("Step 1: The final answer is near.\n\\boxed{5}", ("The final answer is near.",)),
        ("\\boxed{" + "x+" * 300 + "1}", ()),
        ("", ()),
    ],
)
def test_a_reply_is_read_as_its_steps(reply, units):
    assert reasoning_units(reply) == units


@given(st.lists(st.text(alphabet="abc =+12. ", min_size=3, max_size=30).filter(str.strip), min_size=1, max_size=8))
def test_numbered_steps_come_back_whole(steps):
    reply = "\n".join(f"Step {k}: {step}" for k, step in enumerate(steps, start=1))
    assert reasoning_units(reply + "\n\\boxed{3}") == tuple(" ".join(step.split()) for step in steps)


@given(st.text(max_size=300))
def test_no_reply_raises(reply):
    reasoning_units(reply)
    for kind in DefectKind:
        parse_detection(reply, kind)


@pytest.mark.parametrize("unit", ["∵∴", "1. ", "\nStep 1: ", ". A", "<<", "\n", '{"step":', '{"step": 1}', "*"])
def test_a_megabyte_is_read_and_gives_few_units(unit):
    reply = unit * (1_000_000 // len(unit))
    assert len(reasoning_units(reply)) <= MAX_UNITS
    parse_detection(reply, DefectKind.WRONG)


@pytest.mark.parametrize(
    ("kind", "reply", "location"),
    [
        (DefectKind.WRONG, 'Step 3 fails.\n```json\n{"step": 3}\n```', (2,)),
        (DefectKind.WRONG, '{"step": 1} no, rather {"step": 2}', (1,)),
        (DefectKind.WRONG, '{"step": "4"} since \\frac{1}{2}', (3,)),
        (DefectKind.REDUNDANT, '{"steps": [4, 2]}', (1, 3)),
        (DefectKind.REPEATED, '{"step": 4, "why": {"same_as": 2}}', (3,)),
        (DefectKind.SWAPPED, '{"steps": [5, 2]}', (1, 4)),
        (DefectKind.MISSING, '{"position": 2, "missing_step": "x"}', (1,)),
        (DefectKind.WRONG, "It is step 3.", None),
        (DefectKind.WRONG, '{"step": 0}', None),
        (DefectKind.WRONG, '{"step": true}', None),
        (DefectKind.WRONG, '{"step": [1, 2]}', None),
        (DefectKind.WRONG, '{"step": 1' + "0" * 5000 + "}", None),
        (DefectKind.REDUNDANT, '{"steps": []}', None),
    ],
)
def test_the_named_location_is_read_from_the_last_json_object(kind, reply, location):
    found = parse_detection(reply, kind)
    assert found.location == location
    assert (found.error is None) == (location is not None)


@given(st.sampled_from(list(DefectKind)), st.integers(0, 30), st.integers(31, 60), st.text(max_size=40))
def test_what_is_asked_for_is_what_is_read(kind, first, second, step):
    location = (first, second) if kind in {DefectKind.SWAPPED, DefectKind.REDUNDANT} else (first,)
    found = parse_detection("I looked.\n" + detection_json(kind, location, step), kind)
    assert found.location == location
    assert found.missing_step == (step if kind is DefectKind.MISSING else None)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_task_has_an_instruction_that_shows_its_format(language):
    for kind in TaskKind:
        for problem_type in ProblemType:
            text = instruction(kind, problem_type, language)
            if kind is not TaskKind.SOLVE:
                example = json.loads(text.splitlines()[-1])
                found = parse_detection(text, DefectKind(kind.value.removeprefix("detect_")))
                assert found.location is not None, example
            elif problem_type not in {ProblemType.PROOF, ProblemType.STATEMENT}:
                assert "\\boxed{" in text
    assert instruction(TaskKind.SOLVE, ProblemType.FREE_FORM, language) != instruction(
        TaskKind.SOLVE, ProblemType.CHOICE, language
    )


def test_a_refusal_is_short_and_says_so():
    assert is_refusal("I'm sorry, but I can't help with that.")
    assert is_refusal("抱歉，我无法回答这个问题。")
    assert not is_refusal("She cannot carry more than 5, so 5.")
    assert not is_refusal("I cannot see it at once. " + "Step. " * 200)
