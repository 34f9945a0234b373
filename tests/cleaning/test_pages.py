import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.cleaning import clean_pages, without_watermarks
from stepforge.papers import split_paper
from stepforge.records import Page, PageLine
from tests import make


def line(text, y, x0=100.0, x1=700.0, height=30.0):
    return PageLine(text=text, x0=x0, y0=float(y), x1=x1, y1=float(y + height), confidence=None)


def page(number, *lines, error=None):
    return Page(document_id="d" * 64, number=number, engine="e", lines=lines, error=error)


WORDS = "Let the number of all ways to colour seven cubes be an even one and write down what is left of it".split()  # noqa: SIM905


def body(n):
    """The text of a page: lines at the distance of lines, some of which begin problems."""
    return [
        line(f"{n}. Find x if x + {n} = 9.", 200),
        *(line(f"{word} {n * k}", 240 + 40 * k) for k, word in enumerate(WORDS)),
    ]


def paper(count, head="Spring Contest 2026, Paper 7", foot="- {} -"):
    return [page(n, line(head.format(n), 60), *body(n), line(foot.format(n), 1650)) for n in range(1, count + 1)]


def texts(pages):
    return [[row.text for row in p.lines] for p in pages]


@pytest.mark.parametrize(
    ("head", "foot"), [("Spring 2026, Paper 7", "- {} -"), ("{} of 30 Contest", "Sheet {}/30, Smith")]
)
def test_heads_and_feet_go_and_the_problems_stay(head, foot):
    pages, trace = clean_pages(paper(4, head, foot))
    assert [list(p.lines) for p in pages] == [body(n) for n in (1, 2, 3, 4)]
    assert [(s.field, s.before, s.after) for s in trace[:2]] == [
        ("page 1", head.format(1), ""),
        ("page 1", foot.format(1), ""),
    ]
    assert len(trace) == 8
    assert {s.rule for s in trace} <= {"running_heads", "page_numbers"}


def test_two_pages_are_enough_for_a_head_and_one_is_not():
    assert [list(p.lines) for p in clean_pages(paper(2)).pages] == [body(1), body(2)]
    assert texts(clean_pages(paper(1)).pages)[0][0].startswith("Spring")


def test_a_line_whose_number_does_not_count_the_pages_is_no_foot():
    pages = [page(n, *body(n), line(f"Then x is {9 - n * n}.", 1650)) for n in (1, 2, 3)]
    assert clean_pages(pages).pages == pages


def test_a_last_line_at_the_distance_of_lines_is_no_foot():
    pages = [page(n, *body(n), line("So it is proved.", body(n)[-1].y0 + 40)) for n in (1, 2, 3)]
    assert clean_pages(pages).pages == pages


def test_a_head_read_a_little_differently_is_the_same_head():
    pages = [
        page(n, line(head, 60 + n), line(f"{n}. 求x", 300), line("因为x=1", 400), line("所以", 500))
        for n, head in enumerate(("数学试卷（1)", "数学试卷(1）", "数学试卷 (1)"), 1)
    ]
    assert [row[0] for row in texts(clean_pages(pages).pages)] == ["1. 求x", "2. 求x", "3. 求x"]


def test_the_same_text_at_another_height_is_no_head():
    pages = [
        page(n, line("Prove your claim.", 60 + 300 * n), *(line(f"{n}{i}", 1400 + i * 40) for i in range(5)))
        for n in (1, 2, 3)
    ]
    assert clean_pages(pages).pages == pages


def test_options_and_problems_at_the_edge_of_pages_stay():
    pages = [page(n, line("1. Find x.", 60), *body(n), line("D. 4", 1600)) for n in (1, 2, 3)]
    assert clean_pages(pages).pages == pages


def test_page_numbers_and_marks_of_continuation_go():
    pages = [
        page(
            1,
            line("1. Find x.", 100),
            line("It is odd,", 200),
            line("(continued on next page)", 1500),
            line("第1页 共2页", 1600),
        ),
        page(2, line("2", 60), line("and prime.", 100), line("2", 200), line("more", 300), line("Page 2 of 2", 1600)),
    ]
    assert texts(clean_pages(pages).pages) == [["1. Find x.", "It is odd,"], ["and prime.", "2", "more"]]


def watermarked(n, *crossed):
    """A page on which a slanted mark was read as a line of its own, or with the line that it crosses."""
    rows = [*body(n)[:14], *crossed, *body(n)[15:]]
    return page(n, *rows)


def test_a_watermark_goes_and_so_does_what_was_read_of_it_beside_a_line():
    pages = [
        watermarked(1, line("内部资料请勿外传", 760, x1=830, height=160)),
        watermarked(2, line("∴AC=3, 资料请勿外传", 790, x1=828, height=130)),
        watermarked(3, line("∴AC=4, 资料请勿外传", 795, x1=830, height=130)),
        watermarked(4, line("∴AC=5。 勿外传", 800, x1=820, height=120)),
    ]
    cleaned, trace = clean_pages(pages)
    assert [rows[14] for rows in texts(cleaned)] == [texts([page(1, *body(1))])[0][15], "∴AC=3,", "∴AC=4,", "∴AC=5。"]
    assert {s.rule for s in trace} == {"watermarks"}
    assert [s.after for s in trace] == ["", "∴AC=3,", "∴AC=4,", "∴AC=5。"]


def test_without_watermarks_every_line_keeps_its_place_and_heads_stay():
    marked = paper(3)
    marked = [
        p.model_copy(update={"lines": (*p.lines[:9], line("内部资料", 540, x1=700.0, height=120), *p.lines[9:])})
        for p in marked
    ]
    cleaned = without_watermarks(marked)
    assert [len(p.lines) for p in cleaned.pages] == [len(p.lines) for p in marked]
    assert [[n for n, row in enumerate(p.lines) if not row.text] for p in cleaned.pages] == [[9]] * 3
    assert cleaned.trace_of({2}) == [cleaned.trace[1]]
    assert cleaned.trace_of(set()) == []


def test_words_that_begin_solutions_on_many_pages_are_no_watermark():
    def own(n):
        return (line("Solution", 300 + 150 * n), line("证明", 350 + 90 * n))

    pages = [page(n, *sorted([*body(n), *own(n)], key=lambda row: row.y0)) for n in range(1, 6)]
    assert clean_pages(pages).pages == pages


def test_a_page_with_an_error_and_an_empty_one_stay_as_they_are():
    pages = [page(1, error="unreadable"), page(2), *paper(3)]
    assert clean_pages(pages).pages[:2] == pages[:2]


def test_no_pages_give_no_pages():
    assert clean_pages([]) == ([], [])


LINES = st.tuples(
    st.sampled_from(["Head 1", "Head 2", "- 1 -", "2", "外传资料", "资料", "x 资料", "AB=3", "1. Find", "", "SAMPLE"])
    | st.text(max_size=8),
    st.integers(0, 1700),
    st.sampled_from([30.0, 130.0]),
).map(lambda t: line(t[0], t[1], height=t[2]))


@given(st.lists(st.lists(LINES, max_size=6), max_size=6))
def test_cleaned_pages_are_clean_line_by_line(rows):
    pages = [page(n, *lines) for n, lines in enumerate(rows, 1)]
    cleaned, trace = clean_pages(pages)
    assert [p.number for p in cleaned] == [p.number for p in pages]
    for before, after in zip(pages, cleaned, strict=True):
        kept = iter(before.lines)
        assert all(any(new.text in old.text for old in kept) for new in after.lines)  # in order, nothing new
    gone = sum(len(a.lines) - len(b.lines) for a, b in zip(pages, cleaned, strict=True))
    assert sum(not step.after for step in trace) >= gone - sum(not row.text for p in pages for row in p.lines)


def test_a_paper_is_split_without_its_watermark_and_its_problems_have_the_trace():
    pages = [
        watermarked(n, line(text, 790, x1=830, height=130))
        for n, text in enumerate(("∴AC=2, 资料请勿外传", "∴AC=3, 资料请勿外传", "∴AC=4, 请勿外传"), 1)
    ]
    problems = split_paper(make.document(), pages).kept
    assert len(problems) == 3
    for n, problem in enumerate(problems, 1):
        assert "外传" not in problem.question
        assert f"∴AC={n + 1}," in problem.question
        assert [(s.rule, s.field, s.after) for s in problem.provenance.cleaning] == [
            ("watermarks", f"page {n}", f"∴AC={n + 1},")
        ]
