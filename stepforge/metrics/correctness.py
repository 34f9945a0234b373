"""Precision, recall and F1 of finding what is wrong.  Source: AgenticMathBench, correctness judgment; CriticLean, whose
true and false rates these are for the class `wrong`."""

from typing import NamedTuple


class Call(NamedTuple):
    """One reply: whether the formalization is wrong, and whether the reply said so.  One that says nothing says neither
    word: of what is wrong it is a miss."""

    is_wrong: bool
    called_wrong: bool


class Ratio(NamedTuple):
    """Numerator and denominator, to be summed over items."""

    top: int
    bottom: int


def precision(call: Call) -> Ratio:
    """Of what was called wrong, what is."""
    return Ratio(int(call.is_wrong and call.called_wrong), int(call.called_wrong))


def recall(call: Call) -> Ratio:
    """Of what is wrong, what was called so."""
    return Ratio(int(call.is_wrong and call.called_wrong), int(call.is_wrong))


def f1(call: Call) -> Ratio:
    """The harmonic mean of both: 2·TP / (what is wrong + what was called wrong)."""
    return Ratio(2 * int(call.is_wrong and call.called_wrong), int(call.is_wrong) + int(call.called_wrong))
