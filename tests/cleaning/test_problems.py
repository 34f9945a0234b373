from stepforge.cleaning import clean_problems
from stepforge.cleaning._figures import with_image_marks
from stepforge.records import ImageRef
from stepforge.vocabulary import Reason
from tests import make

OCR = "rapidocr 3"


def image(k):
    return ImageRef(
        name=f"{k}.png",
        sha256=str(k) * 64,
        media_type="image/png",
        width_px=9,
        height_px=9,
        sharpness=1.0,
        ink_share=0.1,
        error=None,
    )


def from_page(problem):
    return problem.model_copy(update={"provenance": problem.provenance.model_copy(update={"method": OCR})})


def test_the_trace_is_kept_in_the_provenance():
    dirty = make.problem(question="What is\u00a02 + 2?\u200b", solution="ｘ＝４")
    (kept,) = clean_problems([dirty]).kept
    assert (kept.question, kept.solution) == ("What is 2 + 2?", "x=4")
    assert [(s.rule, s.field) for s in kept.provenance.cleaning] == [
        ("control_characters", "question"),
        ("odd_spaces", "question"),
        ("full_width", "solution"),
    ]
    assert "\u00a0" in kept.provenance.cleaning[1].before


def test_a_trace_of_the_page_stays_in_front():
    (once,) = clean_problems([from_page(make.problem(question="∠l = 90º"))]).kept
    (twice,) = clean_problems([once]).kept
    assert once.question == "∠1 = 90°"
    assert [s.rule for s in once.provenance.cleaning] == ["angle_number", "degree_sign"]
    assert twice == once


def test_a_question_of_nothing_but_white_space_is_rejected_and_the_rest_goes_on():
    outcome = clean_problems([make.problem("s/1", question=" \u200b\n"), make.problem("s/2")])
    assert [p.problem_id for p in outcome.kept] == ["s/2"]
    assert [(r.record_id, r.reason) for r in outcome.rejections] == [("s/1", Reason.EMPTY_QUESTION)]
    assert "problems.json row:0" in outcome.rejections[0].detail


def test_numbered_figures_of_a_page_get_the_marks_of_its_images():
    dirty = make.problem(question="As in Figure l and Figure 2, compare.").model_copy(
        update={"images": (image(1), image(2))}
    )
    (kept,) = clean_problems([from_page(dirty)]).kept
    assert kept.question == "As in Figure 1 <image_1> and Figure 2 <image_2>, compare."
    assert [s.rule for s in kept.provenance.cleaning] == ["figure_names", "figure_references"]
    (same,) = clean_problems([kept]).kept
    assert same == kept
    (other,) = clean_problems([dirty]).kept  # a source that never was a page has said itself where its images belong
    assert "<image" not in other.question


def test_figures_are_mapped_only_where_there_is_one_way():
    assert with_image_marks("如图1，又如图2，图1中", 2) == "如图1 <image_1>，又如图2 <image_2>，图1中"
    assert with_image_marks("如图①，再看图②", 2) == "如图① <image_1>，再看图② <image_2>"
    assert with_image_marks("As shown.\nFigure 1\nFigure 2", 2) == "As shown.\n<image_1>\nFigure 1\n<image_2>\nFigure 2"
    assert with_image_marks("如图，AB=3", 1) == "如图，AB=3\n<image_1>"
    for question, images in [
        ("如图1，又如图2", 3),  # a third that nothing names
        ("如图1，又如图3", 2),
        ("如图，AB=3", 2),
        ("Solve x = 1.", 1),
        ("如图1 <image_1>，又如图2", 2),
        ("In Figure 2.5", 1),
        ("如图1", 0),
    ]:
        assert with_image_marks(question, images) == question
