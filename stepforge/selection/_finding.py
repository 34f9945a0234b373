"""What a rule says of a problem, and what a batch wants of its problems."""

import re
from collections.abc import Callable
from typing import NamedTuple

from stepforge.records import ImageRef, Problem
from stepforge.selection._limits import MAX_SCANNED_CHARS
from stepforge.vocabulary import Disposition, Reason

MARK = re.compile(r"<image_(\d{1,3})>")


class Finding(NamedTuple):
    """Why a problem is not selected."""

    reason: Reason
    detail: str
    evidence: str = ""
    disposition: Disposition = Disposition.DROPPED


class Wanted(NamedTuple):
    """What a batch wants beyond soundness, from its settings.

    final_answer_only: problems with nothing but a proof to give are refused (AgenticMathBench, C.5).
    solution_needed: problems without a worked solution are refused (MV-MATH, F.1, second stage).
    keep_calculations: long bare calculations stay (AgenticMathBench tests calculation; MAMath-Bench drops them)."""

    final_answer_only: bool = False
    solution_needed: bool = False
    keep_calculations: bool = False


Check = Callable[[Problem, Wanted], Finding | None]
ImageCheck = Callable[[ImageRef], Finding | None]


def texts(problem: Problem) -> list[str]:
    """Question and options."""
    return [problem.question, *(choice.text for choice in problem.choices)]


def scanned(problem: Problem) -> str:
    """As much of the question as a rule reads."""
    return problem.question[:MAX_SCANNED_CHARS]


def quoted(found: re.Match[str]) -> str:
    """The words that a rule met, short enough for a message."""
    return repr(" ".join(found[0].split())[:60])
