import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge import correctness
from stepforge.formal import lean_code
from stepforge.replies import detection_json, instruction, is_refusal, parse_detection
from stepforge.vocabulary import DefectKind, ProblemType, TaskKind


@given(st.text(max_size=300))
def test_no_reply_raises(reply):
    for kind in DefectKind:
        parse_detection(reply, kind)


@pytest.mark.parametrize(
    "unit", ['{"step":', '{"step": 1}', "{", "{'", '{"a": "\\f', "，{“", "{a:'b'", "\\", "step 1 and "]
)
def test_a_megabyte_is_read_to_its_end(unit):
    reply = unit * (1_000_000 // len(unit))
    for kind in DefectKind:
        parse_detection(reply, kind)


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
        (DefectKind.WRONG, '{"step": "Step 3"}', (2,)),
        (DefectKind.WRONG, '{"step": "第3步"}', (2,)),
        (DefectKind.WRONG, '{"step": 3.0}', (2,)),
        (DefectKind.WRONG, "{'step': 3, 'why': 'it isn\\'t \"so\"'}", (2,)),
        (DefectKind.WRONG, "{step: 3}", (2,)),
        (DefectKind.WRONG, '{"step": 3,}', (2,)),
        (DefectKind.WRONG, '{"steps": [3]}', (2,)),
        (DefectKind.WRONG, "{“step”：3}", (2,)),
        (DefectKind.WRONG, '{"step": 3，"why": "x"}', (2,)),
        (DefectKind.WRONG, '\\[\\boxed{\\{"step": 3\\}}\\]', (2,)),
        (DefectKind.WRONG, '{"step": 3, "why": "\\(a\\)"}', (2,)),
        (DefectKind.WRONG, 'The set {x : x > 0} is wrong. {"step": 3}', (2,)),
        (DefectKind.REDUNDANT, '{"step": 2}', (1,)),
        (DefectKind.REDUNDANT, '{"steps": "2, 3 and 5"}', (1, 2, 4)),
        (DefectKind.SWAPPED, '{"steps": "2 and 4"}', (1, 3)),
        (DefectKind.SWAPPED, '{"steps": ["Step 2", "4"]}', (1, 3)),
        (DefectKind.WRONG, '{"step": 3.5}', None),
        (DefectKind.WRONG, '{"step": "not 3"}', None),
        (DefectKind.WRONG, '{"step": 1e999}', None),
        (DefectKind.WRONG, '{"position": 3}', None),
        (DefectKind.WRONG, '<think>{"step": 2}</think>It is step 3.', None),
        (DefectKind.WRONG, '<think>{"step": 2}</think>{"step": 3}', (2,)),
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


@pytest.mark.parametrize(
    ("written", "step"),
    [
        (r"$\frac{1}{2}$ of \triangle ABC", r"$\frac{1}{2}$ of \triangle ABC"),
        (r"\(x = 2\), \angle A = \beta \neq \theta", r"\(x = 2\), \angle A = \beta \neq \theta"),
        (r"$\\frac{1}{2}$", r"$\frac{1}{2}$"),
        (r"$\\frac{1}{2}$ \times 3", r"$\frac{1}{2}$ \times 3"),
        (r"\left\{ 1, 2 \right\}", r"\left\{ 1, 2 \right\}"),
        (r"a = 1\nNow b = 2", "a = 1\nNow b = 2"),
        ("a = 1\nb = 2", "a = 1\nb = 2"),
        (r"\"so\" it is \u4e2d", '"so" it is 中'),
    ],
)
def test_a_missing_step_is_read_with_its_latex(written, step):
    reply = f'I looked.\n```json\n{{"position": 3, "missing_step": "{written}"}}\n```'
    assert parse_detection(reply, DefectKind.MISSING) == ((2,), step, None, None)


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
            if kind is TaskKind.FORMALIZE:
                assert lean_code(text) == "theorem name … : … := sorry\n"
            elif kind is TaskKind.JUDGE_FORMALIZATION:
                form = text.splitlines()[-1]  # with VERDICT for the word: an example could be copied, and be right
                assert correctness.parse(form).word is None
                assert correctness.parse(form.replace("VERDICT", '"wrong"')).word == "wrong"
            elif kind is not TaskKind.SOLVE:
                form = text.splitlines()[-1]  # with letters for numbers: an example could be copied, and be right
                assert parse_detection(form, DefectKind(kind.value.removeprefix("detect_"))).location is None
                filled = re.sub(r"\bM\b", "5", re.sub(r"\bN\b", "3", form))
                found = parse_detection(filled, DefectKind(kind.value.removeprefix("detect_")))
                assert found.location in {(2,), (2, 4), (4, 2)}, filled
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
