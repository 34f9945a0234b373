"""Numbered problems out of pages."""

from hypothesis import given
from hypothesis import strategies as st

from stepforge.outcome import unaccounted
from stepforge.papers import split_paper
from stepforge.records import Page, PageLine
from stepforge.vocabulary import AnswerKind, ProblemType, Reason
from tests.make import document


def page(text, number=1, engine="pdf-text", error=None, confidence=None):
    """A page of fixed-width lines; leading spaces indent."""
    lines = [
        PageLine(
            text=line.strip(),
            x0=10.0 * (len(line) - len(line.lstrip())),
            y0=20.0 * i,
            x1=10.0 * len(line),
            y1=20.0 * i + 10,
            confidence=confidence,
        )
        for i, line in enumerate(text.strip("\n").split("\n"))
        if line.strip()
    ]
    return Page(document_id="d" * 64, number=number, engine=engine, lines=tuple(lines), error=error)


def split(*texts, **given):
    pages = [text if isinstance(text, Page) else page(text, n) for n, text in enumerate(texts, 1)]
    outcome = split_paper(document(path="paper.pdf", source="paper", media_type="application/pdf", **given), pages)
    kept = [f"{p.provenance.document_id}#{p.provenance.locator}" for p in outcome.kept]
    refused = [r.record_id for r in outcome.rejections]
    assert not unaccounted(outcome.input_ids, kept, refused)
    assert len(set(outcome.input_ids)) == len(kept) + len(refused)
    return outcome


def said(outcome):
    return [(p.question, p.answer and p.answer.text, p.solution) for p in outcome.kept]


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
