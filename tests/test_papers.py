"""Numbered problems out of pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.papers import KeyEntry, join_key, read_key_pages, read_paper
from stepforge.records import Page
from stepforge.vocabulary import AnswerKind, ProblemType, Reason
from tests.papers_made import answers, lines, page, reasons, said, split


def test_inline_answers_and_solutions_belong_to_their_problem():
    outcome = split("""
A small contest

1. How much is 2 + 3?
Answer: 5
Solution: Count on from 2.
So 2 + 3 = 5.
2. Prove that 4 is even.
Proof. 4 = 2 * 2.
""")
    assert said(outcome) == [
        ("How much is 2 + 3?", "5", "Count on from 2.\nSo 2 + 3 = 5."),
        ("Prove that 4 is even.", None, "4 = 2 * 2."),
    ]
    assert [p.problem_type for p in outcome.kept] == [ProblemType.FREE_FORM, ProblemType.PROOF]
    assert outcome.kept[0].answer.kind is AnswerKind.NUMBER
    assert outcome.kept[0].provenance.locator == "page:1/problem:1"


def test_keys_at_the_end_are_joined_by_number():
    problems = "1. How much is 2 + 3?\n2. Which is even?\n A. 3 B. 4\n C. 5\n3. Name a solid.\n"
    key = "Answers\n1. 5   2. B\n3. cone\n"
    solutions = "Solutions\n1. Count on.\n2. 4 = 2 * 2.\n   So it is B.\n3. Look around.\n"
    first, second, third = split(problems, key + solutions).kept
    assert (first.answer.text, first.solution) == ("5", "Count on.")
    assert (second.answer.text, second.answer.kind, second.solution) == (
        "B",
        AnswerKind.CHOICE,
        "4 = 2 * 2.\nSo it is B.",
    )
    assert [(c.label, c.text) for c in second.choices] == [("A", "3"), ("B", "4"), ("C", "5")]
    assert second.question == "Which is even?"
    assert third.answer.kind is AnswerKind.TEXT


def test_a_chinese_paper_with_letter_runs_and_sub_answers():
    outcome = split("""
一、选择题
1、如图，三角形的内角和是多少？
A．90° B．180°
C．270° D．360°
2、下列哪个是偶数？
A．1 B．2
二、解答题
3、（1）求x；（2）求y。
参考答案
1-2 BB
3、（1）4；（2）5
""")
    assert [(p.answer.text, p.language) for p in outcome.kept[:2]] == [("B", "zh"), ("B", "zh")]
    assert outcome.kept[2].answer.parts == ("4", "5")
    assert outcome.kept[2].problem_type is ProblemType.MULTI_STEP


def test_other_ways_to_number():
    for style in (
        "Problem {}",
        "Problem {}.",
        "Question {}:",
        "Q{}.",
        "第{}题",
        "({})",
        "{})",
        "{}．",
        "{}. (5 points)",
    ):
        text = "\n".join(f"{style.format(n)} Find the value number v{n}." for n in range(1, 5))
        assert [p.question for p in split(text).kept] == [f"Find the value number v{n}." for n in range(1, 5)], style


def test_lists_and_decimals_inside_a_problem_begin_no_problem():
    outcome = split("""
1. Read the list:
    1. first
    2. second
and the length
2.5 cm of the line.
2. Add them.
3. Stop.
""")
    assert len(outcome.kept) == 3
    assert "2. second" in outcome.kept[0].question
    assert "2.5 cm" in outcome.kept[0].question


def test_a_missing_number_is_bridged():
    assert len(split("1. One.\n2. Two.\n4. Four.\n5. Five.\n").kept) == 4


def test_the_lines_of_a_paragraph_are_joined_and_hyphens_left_to_cleaning():
    outcome = split("""
1. A farmer has a field with four corners and a fence
Around, with a gate of 2 metres, and then an exam-
ple of a hedge.
How long is it?
2. Next.
""")
    first, second, *rest = outcome.kept[0].question.split("\n")
    assert (
        first == "A farmer has a field with four corners and a fence Around, with a gate of 2 metres, and then an exam-"
    )
    assert [second, *rest] == ["ple of a hedge.", "How long is it?"]


def test_running_heads_and_page_numbers_are_left_out():
    pages = [f"Spring Contest 2031\n{n}. Find v{n}.\nPage {n} of 4" for n in range(1, 5)]
    assert [p.question for p in split(*pages).kept] == [f"Find v{n}." for n in range(1, 5)]


def test_a_page_with_an_error_is_rejected_and_the_others_are_read():
    bad = Page(document_id="d" * 64, number=2, engine="ocr", lines=(), error="took longer than 60 s")
    outcome = split("1. Find x.\n2. Find y.\n", bad, page("3. Find z.\n", number=3))
    assert len(outcome.kept) == 3
    (rejection,) = outcome.rejections
    assert (rejection.reason, rejection.record_id) == (Reason.UNREADABLE_PAGE, "d" * 64 + "#page:2")
    assert "60 s" in rejection.detail


def test_a_paper_without_numbered_problems_is_rejected_whole():
    for texts in ([], ["Minutes of the meeting\nAll agreed."]):
        (rejection,) = split(*texts).rejections
        assert (rejection.reason, rejection.record_id) == (Reason.NO_PROBLEMS_FOUND, "d" * 64)
    bad = Page(document_id="d" * 64, number=1, engine="ocr", lines=(), error="no PDF")
    assert [r.reason for r in split(bad).rejections] == [Reason.UNREADABLE_PAGE]


def test_confidence_is_the_mean_of_the_lines_and_licence_that_of_the_document():
    outcome = split(
        page("1. Find x.\nAnswer: 4", confidence=0.9), page("Answer: 5", 2, confidence=0.5), licence="CC-BY-4.0"
    )
    problem = outcome.kept[0]
    assert 0.7 < problem.provenance.confidence < 0.9
    assert (problem.provenance.method, problem.licence) == ("pdf-text", "CC-BY-4.0")


WORDS = st.lists(
    st.sampled_from(["find", "the", "area", "of", "x", "≥", "3/4", "Δ", "求", "cm"]), min_size=1, max_size=12
)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=12))
def test_written_problems_are_read_back(rows):
    texts = [(f"V{n} " + " ".join(q), "v " + " ".join(a)) for n, (q, a) in enumerate(rows)]
    paper = "\n".join(f"{n}. {q}" for n, (q, _) in enumerate(texts, 1))
    key = "Answers\n" + "\n".join(f"{n}. {a}" for n, (_, a) in enumerate(texts, 1))
    assert [(p.question, p.answer.text) for p in split(paper, key).kept] == texts


@given(st.lists(st.text(alphabet="1234.()、Problem Answers答案：解A B\n-–", max_size=80), max_size=4))
def test_any_pages_give_problems_or_rejections(texts):
    split(*texts)


def test_long_lines_take_linear_time():
    for text in ("1. " * 50_000, "(" * 200_000, "1-9 ABC" * 30_000, "Answer" * 50_000, "Page " + " " * 200_000):
        split(f"1. Go.\n{text}\nAnswers\n1. {text}")


# --- numbering --------------------------------------------------------------------------------------------------------


def labels(outcome):
    return [p.provenance.locator.partition("/")[2].replace("problem:", "") for p in outcome.kept]


def test_numbers_that_begin_again_below_a_heading_are_another_part():
    outcome = split("""
Part A
1. First of A.
2. Second of A.
Part B
1. First of B.
2. Second of B.
3. Third of B.
""")
    assert labels(outcome) == ["part:1/1", "part:1/2", "part:2/1", "part:2/2", "3"]
    assert len({p.problem_id for p in outcome.kept}) == 5
    assert reasons(outcome) == {"paper_heading": 1}
    assert outcome.rejections[0].evidence == "Part A\nPart B"


def test_chinese_parts_with_numbers_that_go_on():
    outcome = split("""
2031年春季数学试题
注意事项：
1．答题前写姓名。
2．考试结束后交卷。
一、选择题（本大题共2小题，每小题5分）
1．2023的相反数是（ ）
A．2 B．3 C．4
2．下列哪个是偶数？
A．1 B．2
二、填空题
3．计算1+1=____．
三、解答题（共12分）
4．（本小题满分12分）如图，（1）求x；
（2）求y．
""")
    assert labels(outcome) == ["1", "2", "3", "4"]
    assert outcome.kept[0].question == "2023的相反数是（ ）"
    assert outcome.kept[3].question == "如图，（1）求x；\n（2）求y．"
    assert outcome.kept[3].problem_type is ProblemType.MULTI_STEP


def test_sub_questions_stay_with_their_problem_also_where_they_are_many():
    outcome = split("""
9. Let f be linear.
(1) Find f(1).
(2) Find f(2).
(3) Find f(3).
(4) Find f(4).
10. Stop.
""")
    assert labels(outcome) == ["9", "10"]
    assert outcome.kept[0].question.count("\n") == 4


def test_a_number_at_the_start_of_a_wrapped_line_begins_no_problem():
    outcome = split("""
1. A train of ten cars goes along a line and its length is more than
2. 5 km, which is long. How long is it in metres?

2. How many cars has the train?

3. Name its driver, if the driver is one of the three who live in house
4. Say why.

4. Stop here.
""")
    assert labels(outcome) == ["1", "2", "3", "4"]
    assert outcome.kept[1].question == "How many cars has the train?"
    assert outcome.kept[3].question == "Stop here."


def test_problems_of_putnam_and_shortlists_are_numbered_by_letters():
    outcome = split("""
A1. Show that 1 is odd.
A2. Show that 2 is even.
B1. Find x.
B2. Find y.
Solutions
A1. It is.
A2. So it is.
B1. Add 1.
B2. Add 2.
""")
    assert labels(outcome) == ["A1", "A2", "B1", "B2"]
    assert [p.solution for p in outcome.kept] == ["It is.", "So it is.", "Add 1.", "Add 2."]


@pytest.mark.parametrize(
    "style",
    ["Example {}. ", "例{} ", "Problem {}.", "[{}", "Problem {}. [5] ", "{}．（12分）", "Q{}", "第{}题（10分）"],
)
def test_more_ways_to_number(style):
    texts = "\n".join(f"{style.format(n)} Find the value number v{n}." for n in range(1, 5))
    outcome = split(texts)
    if style == "[{}":
        assert not outcome.kept
    else:
        assert [p.question for p in outcome.kept] == [f"Find the value number v{n}." for n in range(1, 5)]


def test_a_misread_number_is_found_again_with_a_note():
    outcome = split("9. Nine.\n1O. Ten.\n11. Eleven.\nl2. Twelve.\n13. Thirteen.\n")
    assert labels(outcome) == ["9", "10", "11", "12", "13"]
    (step,) = outcome.kept[1].provenance.cleaning
    assert (step.rule, step.field, step.before, step.after) == ("number_repaired", "number", "1O.", "10")
    assert outcome.kept[1].question == "Ten."
    assert not outcome.kept[2].provenance.cleaning


def test_a_lost_number_is_found_again_by_the_layout():
    outcome = split("""
1. One is the first problem of this
   paper and it goes on.

2. Two is the second problem of this
   paper and it goes on.

Three lost its number to the scan
   paper and it goes on.

4. Four is the fourth problem of this
   paper and it goes on.
""")
    assert labels(outcome) == ["1", "2", "3", "4"]
    assert outcome.kept[2].question.startswith("Three lost its number")
    assert outcome.kept[2].provenance.cleaning[0].before == "Three lost its numbe"


def test_where_the_layout_does_not_say_which_line_lost_its_number_nothing_is_invented():
    outcome = split("1. One.\nMore of it.\nStill more.\n3. Three.\nMore.\n4. Four.\n")
    assert labels(outcome) == ["1", "3", "4"]
    assert "Still more." in outcome.kept[0].question


def test_a_problem_goes_on_over_columns_and_pages():
    left = "1. The first problem has a text\nof some length.\n" + "\n".join(
        f"{n}. Problem number {n} of the left" for n in range(2, 8)
    )
    right = "side, and this is how it ends.\n" + "\n".join(f"{n}. Problem {n} at the right side" for n in range(8, 13))
    first = page(left, more=lines(right, x=400.0))
    outcome = split(first, "and it ends on page two.\n13. The last one.\n")
    assert labels(outcome) == [str(n) for n in range(1, 14)]
    assert outcome.kept[6].question == "Problem number 7 of the left side, and this is how it ends."
    assert outcome.kept[11].question.endswith("and it ends on page two.")
    regions = outcome.kept[11].provenance.regions
    assert [(r.page, r.first_line, r.last_line) for r in regions] == [(1, 14, 14), (2, 1, 1)]


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        "A. 3 B. 5 C. 7 D. 9",
        "A. 3\nB. 5\nC. 7\nD. 9",
        "A. 3   B. 5\nC. 7   D. 9",
        "A. 3   C. 7\nB. 5   D. 9",
        "(A) 3 (B) 5 (C) 7 (D) 9",
        "A、3 B、5 C、7 D、9",
        "A．3B．5C．7D．9",
        "Ⓐ 3 Ⓑ 5 Ⓒ 7 Ⓓ 9",
        "A 3\nB 5\nC 7\nD 9",
    ],
)
def test_options_are_read_however_they_are_set(options):
    first, second = split(f"1. Which is odd and prime (   )\n{options}\n2. Stop.\nAnswers\n1. C\n2. 4").kept
    assert [(c.label, c.text) for c in first.choices] == [("A", "3"), ("B", "5"), ("C", "7"), ("D", "9")]
    assert first.question == "Which is odd and prime (   )"
    assert (first.answer.text, first.answer.kind) == ("C", AnswerKind.CHOICE)
    assert not second.choices


# --- answers and keys -------------------------------------------------------------------------------------------------

FIVE = (
    "\n".join(f"{n}. Choose well, number {n}.\nA. x{n} B. y{n} C. z{n} D. w{n}" for n in range(1, 6)) + "\n6. Free.\n"
)


@pytest.mark.parametrize(
    "key",
    [
        "Answers\n1-5 ABCDA\n6. 17",
        "Answer Key\n1. A  2. B  3. C  4. D  5. A  6. 17",
        "参考答案\n1—5：ABCDA 6．17",
        "Answers\n1-3: A, B, C\n4. D 5. A\n6. 17",
        "Answers\n1 2 3 4 5\nA B C D A\n6. 17",
        "参考答案\n题号 1 2 3 4 5 6\n答案 A B C D A 17",
        "Key\n| 1 | 2 | 3 |\n| A | B | C |\n| 4 | 5 | 6 |\n| D | A | 17 |",
        "Answers\n1. A   4. D\n2. B   5. A\n3. C   6. 17",
        "Answers\n(1) A\n(2) B\n(3) C\n(4) D\n(5) A\n(6) 17",
        "Spring Contest Answer Key\n1) A\n2) B\n3) C\n4) D\n5) A\n6) 17",
        "Answers\n1、A 2、B 3、C\n4、D 5、A 6、17",
        "Answers\n1.A\n2.B\n3.C\n4.D\n5.A\n6.17",
    ],
)
def test_a_key_is_read_in_whatever_form(key):
    assert answers(split(FIVE, key)) == dict(zip("123456", ["A", "B", "C", "D", "A", "17"], strict=True))


def test_a_key_of_parts_is_joined_by_part_and_number():
    paper = "Part A\n1. One a.\n2. Two a.\nPart B\n1. One b.\n2. Two b.\n"
    outcome = split(paper, "Answers\nPart A\n1. 11\n2. 12\nPart B\n1. 21\n2. 22\n")
    assert [p.answer.text for p in outcome.kept] == ["11", "12", "21", "22"]
    swapped = split(paper, "Answers\nPart B\n1. 21\n2. 22\nPart A\n1. 11\n2. 12\n")
    assert [p.answer.text for p in swapped.kept] == ["11", "12", "21", "22"]


def test_an_entry_that_no_problem_or_more_than_one_can_take_is_recorded():
    paper = "Part A\n1. One a.\n2. Two a.\nPart B\n1. One b.\n2. Two b.\n"
    outcome = split(paper, "Answers\n1. 11\n2. 12\n")
    assert not any(p.answer for p in outcome.kept)
    assert [r.evidence for r in outcome.rejections if r.reason is Reason.UNMATCHED_ANSWER] == ["1: 11", "2: 12"]


def test_answers_and_solutions_in_the_middle_of_a_line():
    outcome = split("""
1．下列哪个是偶数？
A．1 B．2 C．3【答案】B【解析】因为2=2×1．
所以选B．
【考点】整数
2．求证：4是偶数．
证明：4=2×2．
""")
    assert said(outcome)[0] == ("下列哪个是偶数？", "B", "因为2=2×1．\n所以选B．")
    assert said(outcome)[1] == ("求证：4是偶数．", None, "4=2×2．")
    assert [r.evidence for r in outcome.rejections] == ["整数"]


def test_what_is_to_be_proved_is_no_solution_where_a_line_breaks_before_it():
    outcome = split("1．如图，AB=AC，D在BC上，且AD平分角BAC，（1）\n证明：BD=DC；\n2．完．\n")
    assert outcome.kept[0].solution is None
    assert "证明：BD=DC" in outcome.kept[0].question


def test_an_answer_with_its_solution_below_it_without_a_name():
    outcome = split("1. Find x.\nAnswer: 42\nMultiply six by seven.\n2. Stop.\n")
    assert said(outcome)[0] == ("Find x.", "42", "Multiply six by seven.")


def test_a_booklet_of_solutions_that_says_the_questions_again():
    paper = "1. How many sides has a hexagon?\n2. How many corners has a cube?\n"
    key = "Solutions\n1. How many sides has a hexagon?\nCount them.\n2. How many corners has a cube?\nCount again.\n"
    assert [p.solution for p in split(paper, key).kept] == ["Count them.", "Count again."]


def test_a_key_that_disagrees_leaves_the_answer_and_a_note():
    problem = split("1. Find x.\nAnswer: 4\n2. Find y.\nAnswer: 5\nAnswers\n1. 4\n2. 6\n").kept[1]
    assert problem.answer.text == "5"
    assert [(s.rule, s.before, s.after) for s in problem.provenance.cleaning] == [("key_disagrees", "6", "5")]


def test_solutions_between_the_problems_head_no_key():
    outcome = split("""
Problem 1. Find x.
Solution
1. Add.
2. Subtract.
Problem 2. Find y.
Solution
1. Divide.
Problem 3. Find z.
""")
    assert [p.question for p in outcome.kept] == ["Find x.", "Find y.", "Find z."]
    assert outcome.kept[0].solution == "1. Add.\n2. Subtract."


def test_entries_of_a_key_are_joined_to_problems():
    problems = split("1. Find x.\n2. Find y.\nAnswer: 5\n").kept
    entries = [KeyEntry("1", "4", "Add."), KeyEntry("2", "5"), KeyEntry("7", "9")]
    joined = join_key(problems, entries)
    assert [(p.answer.text, p.solution) for p in joined.problems] == [("4", "Add."), ("5", None)]
    assert joined.unused == [entries[2]]
    assert join_key(joined.problems, entries[:2]).problems == joined.problems


def test_a_document_that_is_a_key_is_read_in_whatever_form():
    read = read_key_pages([page("Spring Contest\nAnswer Key\n1-5 ABCDA\n6. 17 cm\nSolutions\n6. Measure it.\n")])
    assert [(e.number, e.answer) for e in read if e.answer] == [*zip("12345", "ABCDA", strict=True), ("6", "17 cm")]
    assert [(e.number, e.solution) for e in read if e.solution] == [("6", "Measure it.")]


# --- every line is accounted for --------------------------------------------------------------------------------------

LINES = st.sampled_from(
    [
        "1. Find x.",
        "2. Find y.",
        "3. Find z.",
        "(1) first",
        "(2) second",
        "A. 1 B. 2",
        "C. 3 D. 4",
        "Part A",
        "Part B",
        "一、选择题",
        "Answers",
        "Solutions",
        "参考答案",
        "1-3 ABC",
        "1 2 3",
        "A B C",
        "Answer: 4",
        "解：略",
        "【答案】B【解析】略",
        "Figure 1",
        "Page 1",
        "Instructions",
        "words without end",
        "4 apples",
    ]
)


@given(st.lists(st.lists(LINES, max_size=14), min_size=1, max_size=3))
def test_every_line_is_in_exactly_one_place(texts):
    pages = [page("\n".join(text), n) for n, text in enumerate(texts, 1)]
    paper = read_paper(pages)
    places = [line.place for part in (paper.headings, paper.running, paper.labels) for line in part]
    places += [line.place for key in paper.keys for line in key.lines]
    places += [place for block in paper.blocks for place in block.places]
    assert sorted(places) == [(p.number, i) for p in pages for i, line in enumerate(p.lines)]
    split(*pages)


@given(st.lists(st.lists(LINES, max_size=14), min_size=1, max_size=3))
def test_the_text_of_a_line_of_a_problem_is_in_its_record(texts):
    outcome = split(*("\n".join(text) for text in texts))
    for problem in outcome.kept:
        record = problem.model_dump_json()
        for words in ("words without end", "4 apples"):
            n = sum(words == line for text in texts for line in text)
            assert record.count(words) <= 2 * n


def test_hostile_pages_take_linear_time():
    million = "1. " + "x" * 1_000_000
    many = "\n".join(f"{n % 7}. item (1) A. x Figure 3" for n in range(20_000))
    rising = "\n".join(f"{n}. go" for n in range(1, 20_000))
    heads = "\n".join(["Part A", "1. x", "Answers", "1. y"] * 3_000)
    for text in (million, many, rising, heads, "1 2 3 " * 100_000, "1-999 " + "A" * 100_000, f"{10**9}. x"):
        outcome = split(f"1. Go.\n{text}\nAnswers\n1. 5", text)
        assert outcome.kept
