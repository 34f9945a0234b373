"""Figures of a page given to the problems that they stand at."""

from hypothesis import given
from hypothesis import strategies as st

from stepforge.papers import read_paper
from stepforge.vocabulary import Reason
from tests.papers_made import figure, lines, page, split


def images(outcome):
    """Names of the figures by problem, in the order of its marks."""
    return {p.provenance.locator.rpartition(":")[2]: [i.name for i in p.images] for p in outcome.kept}


def why(outcome):
    return [r.detail for r in outcome.rejections if r.reason is Reason.FIGURE_OUTSIDE_PROBLEMS]


THREE = """
1. As shown, find the angle
of the triangle.



2. How much is 2 + 3?
3. In the figure, find x.



4. Stop.
"""


def test_a_figure_below_its_text_becomes_a_mark_at_its_place():
    outcome = split(page(THREE, figures=[figure(5, 2, 15, 4.8, "a"), figure(5, 7.2, 15, 9.8, "b")]))
    assert images(outcome) == {"1": ["page1-figure1"], "2": [], "3": ["page1-figure2"], "4": []}
    assert outcome.kept[0].question == "As shown, find the angle of the triangle.\n<image_1>"
    assert [i.sha256 for p in outcome.kept for i in p.images] == ["a" * 64, "b" * 64]


def test_a_figure_beside_its_text_stands_after_the_paragraph_also_if_it_is_taller():
    text = "1. In the figure AB is a\nchord of the circle with\ncentre O. Find it.\n\n\n2. How much is 2?\n3. Stop.\n"
    outcome = split(page(text, figures=[figure(28, 0, 40, 4.5)]))
    assert images(outcome) == {"1": ["page1-figure1"], "2": [], "3": []}
    assert outcome.kept[0].question == "In the figure AB is a chord of the circle with centre O. Find it.\n<image_1>"


def test_a_caption_that_names_the_problem_decides_and_says_nothing_more():
    rows = ["1．如图，求角的度数．", "2．如图，求边的长度．", "3．完成此题．", "", "", ""]
    text = "\n".join([*rows, "    （第2题图）        （第1题图）", "4．完成此题．"])
    outcome = split(page(text, figures=[figure(3, 3.2, 12, 5.8, "a"), figure(22, 3.2, 32, 5.8, "b")]))
    assert images(outcome) == {"1": ["page1-figure2"], "2": ["page1-figure1"], "3": [], "4": []}
    assert "题图" not in "".join(p.question for p in outcome.kept)


def test_a_caption_with_a_figures_number_goes_with_it_to_whoever_speaks_of_it():
    text = "1. Look at Figure 1 and Figure 2.\n2. Nothing to see.\n\n\n\n    Figure 1          Figure 2\n3. Stop.\n"
    outcome = split(page(text, figures=[figure(3, 2.2, 12, 4.8, "a"), figure(22, 2.2, 32, 4.8, "b")]))
    assert images(outcome)["1"] == ["page1-figure1", "page1-figure2"]
    assert outcome.kept[0].question.endswith("<image_1>\nFigure 1\n<image_2>\nFigure 2")
    assert "Figure" not in outcome.kept[1].question


def test_figures_of_options_stand_after_their_labels():
    text = "1. Which one is a cube?\n\nA.        B.        C.        D.\n\n2. Stop.\n"
    row = [figure(3 + 10 * k, 1, 8 + 10 * k, 3.5, "abcd"[k]) for k in range(4)]
    outcome = split(page(text, figures=row))
    assert [(c.label, c.text) for c in outcome.kept[0].choices] == [
        (label, f"<image_{k}>") for k, label in enumerate("ABCD", 1)
    ]
    assert [i.sha256[0] for i in outcome.kept[0].images] == list("abcd")


def test_a_figure_at_the_head_of_a_page_or_column_belongs_to_the_problem_that_goes_on():
    first = page("1. Stop.\n2. In the figure, AB and CD meet\n", 1)
    second = page("\n\n\n\nin E. Find the angle.\n3. In the figure, find x.\n", 2, figures=[figure(3, 0, 12, 3)])
    outcome = split(first, second)
    assert images(outcome) == {"1": [], "2": ["page2-figure1"], "3": []}
    assert "<image_1>" in outcome.kept[1].question


def test_logos_rules_and_bullets_are_left_out_with_a_note():
    logo, rule, bullet = figure(30, -3, 36, -1, "a"), figure(0, 3.2, 40, 3.25, "b"), figure(0, 1, 1, 1.4, "c")
    pages = [
        page("Spring Contest\n1. In the figure, find x.\n2. Go.\n", 1, figures=[logo, bullet, rule]),
        page("3. In the figure, find y.\n4. Stop.\n", 2, figures=[logo]),
    ]
    outcome = split(*pages)
    assert not any(p.images for p in outcome.kept)
    assert len(why(outcome)) == 4
    words = ("comes back on other pages", "smaller than the letters", "a ruled line", "comes back on other pages")
    assert all(word in detail for word, detail in zip(words, why(outcome), strict=True))


def test_a_figure_of_a_solution_is_none_of_the_question():
    text = "1. Find x.\nAnswer: 4\nSolution: Draw the line and see\n\n\n\nthat it is 4.\n2. Stop.\n"
    outcome = split(page(text, figures=[figure(3, 3, 12, 5.5)]))
    assert not outcome.kept[0].images
    assert "it stands in a solution" in why(outcome)[0]
    assert "\ue000" not in outcome.kept[0].model_dump_json()


def test_labels_inside_a_figure_are_no_text_of_the_problem():
    labels = [*lines("A", x=300, y=20), *lines("B", x=350, y=40)]
    outcome = split(page("1. In the figure, find x.\n\n\n\n2. Stop.\n", more=labels, figures=[figure(28, 0.5, 40, 3)]))
    assert outcome.kept[0].question == "In the figure, find x.\n<image_1>"
    assert [r.evidence for r in outcome.rejections if r.reason is Reason.FIGURE_LABEL] == ["A\nB"]


BOXES = st.tuples(st.floats(0, 40), st.floats(0, 12), st.floats(0.1, 20), st.floats(0.1, 8))


@given(
    st.lists(BOXES, max_size=8),
    st.lists(st.sampled_from(["1. In the figure, go.", "2. Go.", "A. B.", "图1", "Answer: 4", "3. Stop."]), max_size=9),
)
def test_every_figure_is_in_one_problem_or_left_out(boxes, texts):
    figures = [figure(x, y, x + w, y + h, "0123456789"[k]) for k, (x, y, w, h) in enumerate(boxes)]
    pages = [page("\n".join(texts), figures=figures)]
    paper = read_paper(pages)
    seen = [one.number for placed in paper.figures.values() for one in placed] + [f.number for f in paper.figures_left]
    assert sorted(seen) == list(range(1, len(figures) + 1))
    for problem in split(*pages).kept:
        text = problem.question + "".join(c.text for c in problem.choices)
        assert [text.count(f"<image_{k}>") for k in range(1, len(problem.images) + 2)] == [1] * len(problem.images) + [
            0
        ]


def test_the_last_words_above_a_figure_are_text_also_where_they_were_cut_with_it():
    text = "1. In the figure, AB is a chord of the circle with the centre O and C a\n\n\n\n\n2. Stop.\n"
    last = lines("point.", y=20.0)
    outcome = split(page(text, more=last, figures=[figure(0, 0.9, 40, 4)]))
    assert outcome.kept[0].question.endswith("the centre O and C a point.\n<image_1>")
