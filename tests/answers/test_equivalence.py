import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.answers.equivalence import compare_parts, equivalent
from stepforge.answers.extract import extract_answer
from stepforge.answers.numbers import number
from stepforge.answers.parts import format_parts
from stepforge.records import Answer, Choice
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]
EQUAL, DIFFERENT = EquivalenceVerdict.EQUAL, EquivalenceVerdict.DIFFERENT
CHOICES = (
    Choice(label="A", text="12 cm"),
    Choice(label="B", text="$\\frac{1}{2}$"),
    Choice(label="C", text="No answer"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['kind']}: {c['gold']} | {c['predicted']}")
def test_the_engine_gives_the_verdict_of_the_case(case):
    verdict = equivalent(Answer(kind=case["kind"], text=case["gold"]), case["predicted"])
    assert verdict.verdict == case["verdict"], verdict


@pytest.mark.parametrize(
    ("predicted", "verdict"),
    [
        ("B", EQUAL),
        ("(B)", EQUAL),
        ("b", EQUAL),
        ("B. one half", EQUAL),
        ("\\text{B}", EQUAL),
        ("故选：B", EQUAL),
        ("I think it is B", EQUAL),
        ("0.5", EQUAL),
        ("1/2", EQUAL),
        ("A", DIFFERENT),
        ("B or A", DIFFERENT),
        ("AB", DIFFERENT),
        ("12 cm", DIFFERENT),
        ("no answer", DIFFERENT),
    ],
)
def test_an_option_is_named_by_letter_or_by_text(predicted, verdict):
    answer = Answer(kind=AnswerKind.CHOICE, text="B")
    assert equivalent(answer, predicted, CHOICES).verdict is verdict


@pytest.mark.parametrize(
    "predicted",
    [
        *("not B", "The answer is not B", "it cannot be B", "all except B", "I would not choose B", "B is wrong"),
        *("B不正确", "不选B", "不是B", "除了B", "排除B"),
    ],
)
def test_an_option_that_is_ruled_out_is_not_chosen(predicted):
    answer = Answer(kind=AnswerKind.CHOICE, text="B")
    assert equivalent(answer, predicted, CHOICES).verdict is not EQUAL
    stated = extract_answer(predicted, AnswerKind.CHOICE, CHOICES)
    assert stated is None or equivalent(answer, stated, CHOICES).verdict is not EQUAL


def test_a_letter_decides_although_the_reference_has_the_value_as_an_alternative():
    answer = Answer(kind=AnswerKind.CHOICE, text="B", alternatives=("1/2",))
    assert equivalent(answer, "A", CHOICES) == (DIFFERENT, "option letter", "A for B")


def test_a_value_is_named_by_the_letter_of_its_option():
    assert equivalent(Answer(kind=AnswerKind.NUMBER, text="12", unit="cm"), "A", CHOICES).verdict is EQUAL
    assert equivalent(Answer(kind=AnswerKind.NUMBER, text="12", unit="cm"), "B", CHOICES).verdict is DIFFERENT


def test_any_alternative_is_right():
    answer = Answer(kind=AnswerKind.NUMBER, text="4", alternatives=("5",))
    assert [equivalent(answer, text).verdict for text in ("4", "5", "6")] == [EQUAL, EQUAL, DIFFERENT]


def test_the_unit_of_the_reference_holds_for_its_number():
    answer = Answer(kind=AnswerKind.NUMBER, text="70", unit="cm")
    assert [equivalent(answer, t).verdict for t in ("70", "0.7 m", "70 m")] == [EQUAL, EQUAL, DIFFERENT]


@pytest.mark.parametrize(
    ("predicted", "verdict"), [("14", EQUAL), ("14人", EQUAL), ("14 个", EQUAL), ("15", DIFFERENT), ("15人", DIFFERENT)]
)
def test_a_measure_word_of_the_reference_may_be_left_out(predicted, verdict):
    assert equivalent(Answer(kind=AnswerKind.NUMBER, text="14", unit="人"), predicted).verdict is verdict


@pytest.mark.parametrize(
    ("predicted", "right"),
    [
        ("(1) 3\n(2) 5", [True, True]),
        ("The answers are (1) 3 and (2) 5", [True, True]),
        ("(a) 3; (b) 5", [True, True]),
        ("\\begin{aligned}(1)&\\ 3\\\\(2)&\\ 5\\end{aligned}", [True, True]),
        ("3 \\text{ and } 5", [True, True]),
        ("3, 5", [True, True]),
        ("(1) 5; (2) 3", [False, False]),
        ("(2) 5", [False, True]),
        ("(b) 5", [False, True]),
        ("3", [False, False]),
    ],
)
def test_parts_are_found_by_number_by_letter_or_by_place(predicted, right):
    answer = Answer(kind=AnswerKind.MULTI_PART, text="(1) 3; (2) 5", parts=("3", "5"))
    assert [v.verdict is EQUAL for v in compare_parts(answer, predicted)] == right


def test_a_part_that_is_numbered_inside_is_right_if_all_of_it_is():
    answer = Answer(kind=AnswerKind.MULTI_PART, text="", parts=("80", "(1) 37 (2) 91"))
    replies = ("(1) 80; (2) (1) 37; (2) 91", "(1) 80\n(2) ① 37, ② 91", "(1) 80\n(2) ① 37, ② 90")
    assert [equivalent(answer, reply).verdict for reply in replies] == [EQUAL, EQUAL, DIFFERENT]


def test_parts_are_judged_one_by_one():
    answer = Answer(kind=AnswerKind.MULTI_PART, text="(1) 3; (2) 1/2; (3) 20°", parts=("3", "1/2", "20°"))
    right = [v.verdict is EQUAL for v in compare_parts(answer, "(1) 3 (2) 0.4 (3) $20^\\circ$")]
    assert right == [True, False, True]
    assert [v.verdict is EQUAL for v in compare_parts(answer, "(2) 0.5")] == [False, True, False]
    assert equivalent(answer, "3; 0.5; 20").verdict is EQUAL
    assert equivalent(answer, "3").verdict is DIFFERENT


@given(st.text(max_size=80), st.sampled_from(list(AnswerKind)))
def test_every_text_answers_itself(text, kind):
    if kind in {AnswerKind.CHOICE, AnswerKind.MULTI_PART}:
        return
    verdict = equivalent(Answer(kind=kind, text=text), text)
    assert verdict.verdict is EQUAL or verdict.reason == "empty"


@given(st.text(alphabet="0123456789,./\\{}()[]^-+frac sqt=xor%°√π", max_size=40), st.sampled_from(list(AnswerKind)))
def test_no_text_raises(text, kind):
    answer = Answer(kind=kind, text="\\frac{1}{2}, 3", parts=("1", "2"))
    equivalent(answer, text, CHOICES)
    equivalent(Answer(kind=kind, text=text, parts=(text, text)), "(1, 2)")


@given(st.fractions(max_denominator=999), st.fractions(max_denominator=999))
def test_fractions_are_equal_exactly_if_their_values_are(a, b):
    gold = Answer(kind=AnswerKind.NUMBER, text=f"\\frac{{{a.numerator}}}{{{a.denominator}}}")
    verdict = equivalent(gold, f"{b.numerator * 7}/{b.denominator * 7}")
    assert verdict.verdict is (EQUAL if a == b else DIFFERENT)


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5))
def test_a_set_has_no_order_and_a_tuple_has(items):
    forth, back = ", ".join(map(str, items)), ", ".join(map(str, reversed(items)))
    assert equivalent(Answer(kind=AnswerKind.SET, text=forth), back).verdict is EQUAL
    same = items == items[::-1]
    verdict = equivalent(Answer(kind=AnswerKind.TUPLE, text=f"({forth})"), f"({back})").verdict
    assert verdict is (EQUAL if same else DIFFERENT)


@given(st.lists(st.sampled_from(["3", "x+1", "20°", "(1, 2)", "\\frac{1}{2}"]), min_size=2, max_size=5))
def test_parts_written_are_read_back(parts):
    answer = Answer(kind=AnswerKind.MULTI_PART, text="", parts=tuple(parts))
    assert equivalent(answer, "So: " + format_parts(parts)).verdict is EQUAL


def test_arithmetic_beyond_the_limits_is_no_number():
    for text in ("9" * 400, "2^{99999}", "(" * 50 + "1" + ")" * 50, "1/0", "300!", "2^3^4", ""):
        assert number(text) is None


@pytest.mark.parametrize("kind", list(AnswerKind))
def test_two_long_texts_are_equal_only_if_all_of_them_is(kind):
    long = "1 + " * 2_000
    answer = Answer(kind=kind, text=long + "1", parts=(long + "1", "2") if kind is AnswerKind.MULTI_PART else ())
    assert equivalent(answer, long + "2").verdict is not EQUAL
    if kind not in {AnswerKind.MULTI_PART, AnswerKind.CHOICE}:
        assert equivalent(answer, long + "1").verdict is EQUAL
