"""Calculation errors that are shown by recomputing."""

import pytest

from stepforge.judges._rules import CHECKED, recomputed
from stepforge.vocabulary import StepError
from tests.judges.cases import formalized, solved


def judged(*units, reply=None):
    return recomputed(solved(units=units, reply="\n".join(units) if reply is None else reply))


def test_a_unit_with_an_equation_that_does_not_hold_has_a_calculation_error():
    reading = judged("So 3*4 = 12 marbles.", "Then 12 + 5 = 18 marbles.", "So there are some.")
    assert (reading.right, reading.step_scores) == (False, (1, 0, 1))
    assert reading.error_types == (None, StepError.CALCULATION, None)
    assert reading.rationale == "2. does not hold: 12 + 5 = 18"
    assert [(v.name, v.value) for v in reading.values] == [(CHECKED, 2.0)]


def test_that_what_was_recomputed_holds_is_no_verdict():
    reading = judged("So 3*4 = 12 marbles.", "Hence all is well.")
    assert (reading.right, reading.step_scores) == (None, (1, 1))
    assert "does not show" in reading.undecided


def test_where_nothing_can_be_recomputed_there_is_no_verdict_at_all():
    assert judged("AB is parallel to CD.") is None
    assert judged() is None
    assert recomputed(formalized()) is None


@pytest.mark.parametrize(
    "unit",
    [
        "7 + 8 = 3 mod 12.",
        "7 + 8 = 3 \\pmod{12}",
        "In base 8 we have 7 + 1 = 10.",
        "Suppose that 2 + 2 = 5.",
        "假设 2 + 2 = 5。",
        "It is wrong to write 2 + 2 = 5.",
        "So x = 10/3 = 3.33 metres.",
        "The ratio is 3:4 = 6:8.",
    ],
)
def test_what_is_meant_otherwise_or_rounded_is_not_called_wrong(unit):
    reading = judged(unit)
    assert reading is None or all(reading.step_scores)


def test_an_equation_that_only_the_joining_of_lines_made_is_not_held_against_the_reply():
    reading = judged("3 boxes 2 + 2 = 5 is what I feared", reply="3 boxes\n2\n+ 2 = 4\nis what I feared")
    assert reading is None or all(reading.step_scores)


def test_the_units_of_a_reply_are_read_as_the_reply_spaces_them():
    assert judged("So 3 * 4 = 13.", reply="So  3 *  4  =  13.").step_scores == (0,)
