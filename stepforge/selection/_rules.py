"""The rules in the order in which they are tried, that of the papers: each is a reason of its own.

1. Figures named against figures given (MV-MATH, first stage).
2. Fields that are missing (MV-MATH, second stage), proofs where a final answer is needed (AgenticMathBench).
3. Figures of low quality: not delivered, corrupt, tiny, blank, blurred, filled with text (MV-MATH, third stage).
4. Items that describe, are no mathematics, or depend on something outside (AgenticMathBench, C.3).
5. Calculations that are cumbersome but logically simple (MAMath-Bench).
"""

from stepforge.records import Problem
from stepforge.selection._content import CONTENT_RULES
from stepforge.selection._cumbersome import BURDEN_RULES
from stepforge.selection._fields import FIELD_RULES
from stepforge.selection._figures import COUNT_RULES, IMAGE_RULES
from stepforge.selection._finding import Check, Finding, Wanted

__all__ = ["IMAGE_RULES", "RULES", "SOUND", "Finding", "Wanted", "finding_of"]

_BEFORE_FIGURES: tuple[Check, ...] = (*COUNT_RULES, *FIELD_RULES)
_AFTER_FIGURES: tuple[Check, ...] = (*CONTENT_RULES, *BURDEN_RULES)
RULES: tuple[Check, ...] = (*_BEFORE_FIGURES, *_AFTER_FIGURES)

SOUND = Wanted()  # nothing beyond that is wanted


def finding_of(problem: Problem, wanted: Wanted = SOUND) -> Finding | None:
    """The first rule that the problem breaks, or None."""
    for rule in _BEFORE_FIGURES:
        if (found := rule(problem, wanted)) is not None:
            return found
    if not problem.figures_missing:  # else its text alone is used, on the user's word
        for image in problem.images:
            for image_rule in IMAGE_RULES:
                if (found := image_rule(image)) is not None:
                    return found
    for rule in _AFTER_FIGURES:
        if (found := rule(problem, wanted)) is not None:
            return found
    return None
