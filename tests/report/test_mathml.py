import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.report.mathematics import Formula
from stepforge.report.mathml import MAX_DEPTH, MAX_FORMULA_CHARS, mathml, reduced, written

DRAWN = {
    "\\frac{1}{2}": "mfrac",
    "\\sqrt[3]{x}": "mroot",
    "x_1^2": "msubsup",
    "\\begin{cases}a&b\\\\c&d\\end{cases}": "mtable",
    "\\boxed{18}": "menclose",
    "\\overline{AB}": "mover",
}


def tags(markup: str) -> set[str]:
    return {element.tag for element in ET.fromstring(markup).iter()}  # noqa: S314 - our own markup


@pytest.mark.parametrize("latex", DRAWN)
def test_latex_becomes_elements_that_browsers_draw(latex: str):
    made = mathml(Formula(latex, False))
    assert made is not None
    assert made.startswith('<math display="inline">')
    assert DRAWN[latex] in tags(made)


def test_a_formula_of_its_own_line_is_a_block():
    assert (mathml(Formula("x", True)) or "").startswith('<math display="block">')


@pytest.mark.parametrize(
    "latex",
    [
        "\\newcommand{\\a}{\\b\\b}\\a",
        "\\def\\a{x}\\a",
        "\\href{javascript:alert(1)}{x}",
        "\\class{evil}{x}",
        "\\style{position:fixed}{x}",
        "x" * (MAX_FORMULA_CHARS + 1),
        "{" * 900 + "x" + "}" * 900,
        "",
        " ",
    ],
)
def test_what_defines_leads_away_is_too_long_too_deep_or_no_latex_is_left_as_it_is_written(latex: str):
    assert mathml(Formula(latex, False)) is None


def test_a_text_inside_a_formula_stays_text():
    made = mathml(Formula("\\text{<script>alert(1)</script>&#x3c;img src=x&gt;}", False)) or ""
    assert tags(made) == {"math", "mrow", "mtext"}
    assert "<script" not in made
    assert "<img" not in made
    (text,) = [e.text for e in ET.fromstring(made).iter("mtext")]  # noqa: S314
    assert (text or "").replace("\xa0", " ") == "<script>alert(1)</script><img src=x>"


def test_lengths_that_would_leave_the_page_are_dropped():
    made = mathml(Formula("\\hspace{99999em}x\\hspace{2em}y", False)) or ""
    assert "99999" not in made
    assert 'width="2em"' in made


PARTS = (
    *(
        "\\frac",
        "\\sqrt",
        "\\left(",
        "\\right)",
        "{",
        "}",
        "^",
        "_",
        "x",
        "1",
        "&",
        "\\\\",
        "<",
        '"',
        "'",
        "%",
        "$",
        "中",
    ),
    *("\\begin{array}{l}", "\\end{array}", "\\text", "\\color{red}", "\\mathbb{R}", "\\rule{1em}{1em}", "\\underbrace"),
    *("\\not", "\\limits", "\\sum", "\\operatorname{a}", "\\verb|<b>|", "\\tag{1}", "&#x3c;"),
)


@given(st.lists(st.sampled_from(PARTS) | st.text(st.characters(), max_size=5), max_size=25))
def test_whatever_comes_out_is_mathml_and_nothing_else(parts: list[str]):
    made = mathml(Formula("".join(parts), False))
    if made is not None:
        assert tags(made) <= {
            *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "mfrac", "msqrt", "mroot", "msub", "msup"),
            *("msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr"),
            *("mtd", "mstyle", "mpadded", "mphantom", "menclose"),
        }
        names = {name for element in ET.fromstring(made).iter() for name in element.attrib}  # noqa: S314
        assert not {n for n in names if n.startswith("on") or n in {"href", "style", "class", "id", "mathcolor"}}


def test_a_tree_with_another_element_or_too_deep_a_tree_is_refused():
    foreign = ET.fromstring("<math><mrow><script>x</script></mrow></math>")  # noqa: S314
    assert reduced(foreign) is None
    deep = ET.Element("math")
    place = deep
    for _ in range(MAX_DEPTH + 1):
        place = ET.SubElement(place, "mrow")
    assert reduced(deep) is None


def test_markup_is_written_without_a_name_space_and_without_short_tags():
    made = written(ET.fromstring("<math><mspace /></math>"))  # noqa: S314
    assert made == "<math><mspace></mspace></math>"
    assert re.search("xmlns", made) is None
