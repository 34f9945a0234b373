"""Each rule of selection on what it is for and on what looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.records import Choice, Provenance
from stepforge.selection import RULES, Wanted, selected_problems
from stepforge.selection._rules import finding_of
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason
from tests import make

TEXT = make.answer("because it saves time", AnswerKind.TEXT)
CHOICES = (Choice(label="A", text="1"), Choice(label="B", text="4"))


def images(count):
    return tuple(make.image(name=f"{k}.png", sha256=f"{k:064d}") for k in range(1, count + 1))


def marked(words, count):
    return {"question": words + "".join(f"\n<image_{k}>" for k in range(1, count + 1)), "images": images(count)}


CASES = [
    # figures named against figures given
    ("How long is x, as shown in the figure?", {}, Reason.IMAGE_COUNT_MISMATCH),
    ("The diagram below shows two circles. Find the distance.", {}, Reason.IMAGE_COUNT_MISMATCH),
    ("如图,在△ABC中,AB=3,求BC的长.", {"language": "zh"}, Reason.IMAGE_COUNT_MISMATCH),
    ("As shown in the figure, find x.\n[asy] draw((0,0)--(1,1)); [/asy]", {}, None),
    ("As shown in the figure, find x.", {"figures_missing": True}, None),
    ("What figure has 4 equal sides and an area of 9?", {}, None),
    ("Draw a diagram of the set {1, 2, 3}. How many subsets has it?", {}, None),
    # missing fields
    ("What is 2 + 2?", {"problem_type": ProblemType.CHOICE}, Reason.MISSING_CHOICES),
    ("What is 2 + 2?\nA. 3\nB. 4", {"problem_type": ProblemType.CHOICE}, None),
    ("What is 2 + 2?", {"choices": (CHOICES[0], Choice(label="B", text=" ")), "problem_type": ProblemType.CHOICE,
                        "answer": make.answer("A", AnswerKind.CHOICE)}, Reason.MISSING_CHOICES),
    # descriptive
    ("Explain in your own words why 7 is prime.", {"answer": TEXT}, Reason.DESCRIPTIVE),
    ("Describe the life of Euler.", {"answer": TEXT}, Reason.DESCRIPTIVE),
    ("谈谈你对函数概念的理解。", {"answer": TEXT, "language": "zh"}, Reason.DESCRIPTIVE),
    ("Describe the set of points with |z| = 1 and find its length.", {"answer": TEXT}, None),
    ("Describe all functions f with f(x+y) = f(x)f(y).",
     {"answer": make.answer("f(x)=a^x", AnswerKind.EQUATION)}, None),
    ("In your own words the rule is n + 2. What is the next number after 5?", {}, None),
    # no mathematics
    ("Who wrote the novel about the white whale and its captain?",
     {"answer": make.answer("Melville", AnswerKind.TEXT)}, Reason.NOT_MATHEMATICAL),
    ("我国的首都叫什么名字?", {"answer": make.answer("北京", AnswerKind.TEXT), "language": "zh"},
     Reason.NOT_MATHEMATICAL),
    ("Qui a écrit ce roman?", {"answer": make.answer("Hugo", AnswerKind.TEXT), "language": "fr"}, None),
    ("Is every continuous image of a compact space compact?", {"answer": make.answer("yes", AnswerKind.TEXT)}, None),
    # dependence on something outside
    ("Using the result of the previous problem, find f(3).", {}, Reason.NEEDS_CONTEXT),
    ("As in the last exercise, let x = 2. Find y.", {}, Reason.NEEDS_CONTEXT),
    ("See Problem 12 for the rule. What is f(3)?", {}, Reason.NEEDS_CONTEXT),
    ("According to the passage, how many ships sailed?", {}, Reason.NEEDS_CONTEXT),
    ("How many pupils does the table below show?", {}, Reason.NEEDS_CONTEXT),
    ("见上题,求 f(3) 的值。", {"language": "zh"}, Reason.NEEDS_CONTEXT),
    ("由下表可知,x=2 时 y 是多少?", {"language": "zh"}, Reason.NEEDS_CONTEXT),
    ("The table below has the data.\n| x | 1 | 2 |\n| y | 3 | 4 |\nFind the mean of y.", {}, None),
    ("(1) Find f(2). (2) Using the result of the previous part, find f(3).", {}, None),
    ("In the previous year he had 3 apples. He doubled them. How many has he?", {}, None),
    ("A stack has 3 boxes. The box above is red. How many are red?", {}, None),
    ("以上题目共 10 道,小明做对 8 道,错了几道?", {"language": "zh"}, None),
    ("Using the result of the previous problem, find f(3).", {"group_id": "g"}, None),
    # cumbersome, and logically simple
    ("Compute 38471 * 2937 + 77712 / 48 - 9913 * 287 + 51.", {}, Reason.CUMBERSOME_CALCULATION),
    ("计算: 38471×2937+77712÷48-9913×287+51", {"language": "zh"}, Reason.CUMBERSOME_CALCULATION),
    ("What is 3 + 4 * 5?", {}, None),
    ("Compute 1 + 2 + 3 + \\dots + 99999 + 100000 + 100001.", {}, None),
    ("Compute 10001^2 - 9999^2 + 10001 * 9999 - 9999 * 10001.", {}, None),
    ("Compute 10000 - 10001 + 10002 - 10003 + 10004 - 10005.", {}, None),
    ("A shop sells 38471 pens at 2937 cents + 77712 cents / 48 - 9913 * 287 + 51. What remains?", {}, None),
    ("Solve 38471 * x + 77712 / 48 - 9913 * 287 + 51 = 0.", {}, None),
]  # fmt: skip


@pytest.mark.parametrize(("question", "given", "reason"), CASES)
def test_a_rule_meets_what_it_is_for_and_nothing_that_looks_like_it(question, given, reason):
    found = finding_of(make.problem(question=question, **given))
    assert (found and found.reason) == reason


def test_every_rule_but_those_tested_elsewhere_has_a_case_that_it_refuses():
    refused = {reason for _, _, reason in CASES if reason}
    elsewhere = {
        Reason.MISSING_ANSWER, Reason.ANSWER_NOT_AMONG_CHOICES, Reason.LOW_OCR_CONFIDENCE, Reason.MISSING_SOLUTION,
        Reason.PROOF_ONLY,
    }  # fmt: skip
    assert len(RULES) == 13
    assert refused | elsewhere == {
        Reason.IMAGE_COUNT_MISMATCH, Reason.MISSING_CHOICES, Reason.DESCRIPTIVE, Reason.NOT_MATHEMATICAL,
        Reason.NEEDS_CONTEXT, Reason.CUMBERSOME_CALCULATION, *elsewhere,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "count", "reason"),
    [
        ("Figure 1, Figure 2 and Figure 3 show three steps.", 2, Reason.IMAGE_COUNT_MISMATCH),
        ("如图1,图2,图3所示", 2, Reason.IMAGE_COUNT_MISMATCH),
        ("Figure 1, Figure 2 and Figure 3 show three steps.", 3, None),
        ("Figure 1 and Figure 2 show two steps.", 1, None),  # one image may show both
        ("Figures 1 and 2 begin a pattern. How many dots has Figure 10?", 2, None),
    ],
)
def test_figures_that_the_words_number_are_held_against_the_images(words, count, reason):
    found = finding_of(make.problem(**marked(words, count)))
    assert (found and found.reason) == reason


def test_a_picture_of_text_is_refused_and_a_labelled_figure_is_not():
    def reason(share):
        found = finding_of(make.problem(question="See <image_1>.", images=(make.image(text_share=share),)))
        return found and found.reason

    assert reason(0.6) is Reason.TEXT_FILLED_IMAGE
    assert reason(0.13) is None  # the most that a published figure has
    assert reason(None) is None


@pytest.mark.parametrize(
    ("wanted", "given", "reason"),
    [
        (Wanted(), {"problem_type": ProblemType.PROOF, "answer": None}, None),
        (Wanted(final_answer_only=True), {"problem_type": ProblemType.PROOF, "answer": None}, Reason.PROOF_ONLY),
        (Wanted(final_answer_only=True), {"problem_type": ProblemType.PROOF}, None),
        (Wanted(final_answer_only=True), {"answer": None}, Reason.MISSING_ANSWER),
        (Wanted(solution_needed=True), {"solution": " "}, Reason.MISSING_SOLUTION),
        (Wanted(solution_needed=True), {}, None),
        (Wanted(), {"solution": None}, None),
        (Wanted(keep_calculations=True), {"question": "38471 * 2937 + 77712 / 48 - 9913 * 287 + 51 = ?"}, None),
    ],
)
def test_what_a_batch_wants_decides_too(wanted, given, reason):
    outcome = selected_problems([make.problem(**given)], wanted=wanted)
    assert [r.reason for r in outcome.rejections] == ([reason] if reason else [])


def test_a_page_that_was_hardly_read_is_put_aside():
    badly = Provenance(document_id="d" * 64, path="p.pdf", locator="page:1", method="ocr", confidence=0.4)
    found = finding_of(make.problem(provenance=badly))
    assert (found.reason, found.disposition) == (Reason.LOW_OCR_CONFIDENCE, Disposition.QUARANTINED)


def test_of_two_faults_the_one_that_the_papers_look_for_first_is_told():
    both = make.problem(question="Explain, as shown in the figure, in your own words.", answer=None)
    assert finding_of(both).reason is Reason.IMAGE_COUNT_MISMATCH
    assert finding_of(make.problem(question="Explain in your own words.", answer=None)).reason is Reason.MISSING_ANSWER


HOSTILE = [
    "A ",
    "|",
    "&",
    "1 ",
    "1,",
    "图1",
    "<image_1>",
    "\n:",
    "in the ",
    "\\frac",
    "((",
    "figure ",
    "\t",
    "9",
    " \n",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_repetition_is_judged_like_any_text(piece):
    problem = make.problem(question=piece * (100_000 // len(piece)), problem_type=ProblemType.CHOICE)
    finding_of(problem)
    outcome = selected_problems([problem])
    assert len(outcome.kept) + len(outcome.rejections) == 1


@given(st.text(max_size=300), st.text(max_size=30), st.sampled_from(list(ProblemType)))
def test_any_text_is_kept_or_refused_for_a_reason_that_says_what_to_do(question, answer, kind):
    found = finding_of(make.problem(question=question, answer=make.answer(answer, AnswerKind.TEXT), problem_type=kind))
    assert found is None or len(found.detail) > 20
