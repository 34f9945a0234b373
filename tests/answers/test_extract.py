import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.answers.extract import extract_answer
from stepforge.records import Choice
from stepforge.vocabulary import AnswerKind

NUMBER = AnswerKind.NUMBER
CHOICES = (Choice(label="A", text="1"), Choice(label="B", text="2"))


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("So it is \\boxed{\\frac{1}{\\sqrt{2}}}.", "\\frac{1}{\\sqrt{2}}"),
        ("First \\boxed{3}, no: \\boxed{4}", "4"),
        ("\\boxed{\\{1, 2\\}} holds", "\\{1, 2\\}"),
        ("\\boxed 7", "7"),
        ("She has 3*6=18 eggs.\n#### 18", "18"),
        ("She has 3*6=18 eggs\nA: 1,800", "1,800"),
        ("Reasoning.\n**Answer:** 12 cm", "12 cm"),
        ("Reasoning.\nFinal answer: 12. I hope that is right", "12"),
        ("Therefore, the answer is $\\frac{3}{4}$.", "\\frac{3}{4}"),
        ("The answer is 3.5.", "3.5"),
        ("The answer is .5", ".5"),
        ("Answer:\n\n42", "42"),
        ("因为甲有3个，所以答案是12。", "12"),
        ("答：60", "60"),
        ('I checked it.\n```json\n{"answer": "x=2", "sure": true}\n```', "x=2"),
        ('{"answer": 12}', "12"),
        ("18", "18"),
        ("<think>the answer is 5, \\boxed{5}</think>The answer is 6", "6"),
        ("So.\n\n**Final Answer**\n\n18", "18"),
        ("So.\n\n### Answer\n18 dollars per day", "18 dollars per day"),
        ("So.\n\n最终答案\n18元", "18元"),
        ("**Answer**\n\nJanet has 16 eggs.\nShe eats 3.\nThere are 13 left.", None),
        ("Final Answer: The final answer is $18$. I hope it is correct.", "18"),
        ("The answer is \\$18 per day, because 9*2 = 18.", "\\$18 per day"),
        ("I think the answer is 12, not 15.", "12"),
        ("Ans. 12", "12"),
        ("答：她每天赚18元。", "18元"),
        ("Answer: she needs 18 more dollars.", "18 more dollars"),
        ("Hence 12 is the answer.", "12"),
        ("Answer: half of 12", "half of 12"),
        ("Answer: negative 12", "negative 12"),
        ("Answer: the square root of 12", "the square root of 12"),
        ("Answer: not 12", "not 12"),
        ("答：她没有赚12元", "她没有赚12元"),
        ("Answer: it is between 3 and 12", "it is between 3 and 12"),
        ("There are 3 cats.\nThere are 4 dogs.\nTogether 7.", None),
        ("A long line that says how many there are, 12 of these and 13 of those, without an end.", None),
        ("Answer: {}\n", None),
        ("A: the point\nB: the line\nthen nothing more is said of it", None),
        ("", None),
    ],
)
def test_the_stated_answer_is_found_and_none_is_guessed(reply, answer):
    assert extract_answer(reply, NUMBER) == answer


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Because of this.\n故选：B", "B"),
        ("Because of this,\nthe right option is B", "B"),
        ("A: 1\nB: 2\nI compare them.\nA: 1", None),
        ("We see that.\n(B)", "B"),
        ("Answer: B", "B"),
        ("Ans. B", "B"),
        ("Therefore, the correct answer is B, since A is too small.", "B"),
        ("Therefore, the answer is B, not A.", "B"),
        ("故选：B，不是A", "B"),
        ("C. as read from the figure", "C. as read from the figure"),
    ],
)
def test_the_chosen_option_is_found(reply, answer):
    assert extract_answer(reply, AnswerKind.CHOICE, CHOICES) == answer


def test_boxes_that_list_a_set_or_the_parts_belong_together():
    assert extract_answer("$\\boxed{3}$ or $\\boxed{5}$", AnswerKind.SET) == "3, 5"
    assert extract_answer("(1) \\boxed{3}\n(2) so \\boxed{5}", AnswerKind.MULTI_PART) == "(1) 3\n(2) 5"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("So.\n**Final Answer:**\n(1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("So.\n### Final Answers\n\n(1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("Final Answers:\n(1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("Answer: (1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("The answers are (1) 3 and (2) 5.", "(1) 3 and (2) 5"),
        ("(1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("We add.\n(1) 3\n(2) 5", "(1) 3\n(2) 5"),
        ("(1) AB=\\boxed{4}, no, AB=\\boxed{3}\n(2) \\boxed{5}", "(1) 3\n(2) 5"),
        ("**Part (1)**\n\nso\n$$\\boxed{3}$$\n**Part (2)**\n\nso\n$$\\boxed{5}$$", "(1) 3\n(2) 5"),
        ("(1) \\boxed{3}\n(2) \\boxed{4}\nAll: \\boxed{(1) 3; (2) 5}", "(1) 3; (2) 5"),
        ("(1) " + "By this and that, 3. " * 20 + "\n(2) 5", None),
    ],
)
def test_the_answers_of_the_parts_are_found_once_each(reply, answer):
    assert extract_answer(reply, AnswerKind.MULTI_PART) == answer


def test_a_box_far_before_the_end_of_a_long_reply_is_found():
    assert extract_answer("x\n\\boxed{9}\n" + "and so on\n" * 100_000, NUMBER) == "9"


@given(st.text(max_size=200))
def test_no_reply_raises(reply):
    for kind in AnswerKind:
        extract_answer(reply, kind, CHOICES)


@pytest.mark.parametrize(
    "unit",
    [
        "\\boxed{",
        "{",
        "answer is ",
        '{"a":',
        "A: ",
        "\n",
        " ",
        "*",
        "####",
        "答案是",
        "Answer\n",
        "(1) 3\n",
        "答：a 1 ",
    ],
)
def test_a_megabyte_of_markers_is_read_to_its_end(unit):
    found = extract_answer(unit * (1_000_000 // len(unit)), NUMBER)
    assert found is None or len(found) < 1_000_000
