"""The symbolic test in this process, on texts that are known to end; the worker is tested in tests/resources."""

import pytest

from stepforge.answers.symbolic import compare


@pytest.mark.parametrize(
    ("gold", "predicted", "verdict"),
    [
        ("\\frac{x+2}{7}", "\\frac{x}{7} + \\frac{2}{7}", "equal"),
        ("\\frac{x+2}{7}", "\\frac{8x}{7} + \\frac{2}{7}", "different"),
        ("(x+1)^2", "x^2+2x+1", "equal"),
        ("\\sin^2 x+\\cos^2 x", "1", "equal"),
        ("\\sqrt{x^2}", "x", "different"),
        ("6+9i", "6-9i", "different"),
        ("(1+i)^2", "2i", "equal"),
        ("y=2x+1", "2x-y+1=0", "equal"),
        ("y=2x+1", "2x-y+2=0", "different"),
        ("x<3", "3>x", "equal"),
        ("x<3", "x\\le 3", "different"),
        ("x<3", "-x<-3", "different"),
        ("(0,1)\\cup[1,2)", "(0,2)", "equal"),
        ("\\frac{1}{2004!}", "-\\frac{1}{2004!}", "undecided"),
        ("A", "a", "different"),
        ("AB=BA", "CD=DC", "undecided"),
        ("\\text{June}", "x", "undecided"),
        ("__import__('os').getcwd()", "1", "undecided"),
        ("(" * 100 + "x" + ")" * 100, "x", "undecided"),
        ("\\frac{", "x", "undecided"),
        ("x2", "2x", "undecided"),
        ("5x2", "10x", "undecided"),
        ("a1", "a", "undecided"),
        ("\\sin2x", "\\sin(2x)", "equal"),
    ],
)
def test_texts_are_compared_as_mathematics(gold, predicted, verdict):
    assert compare((gold, predicted)) == verdict
