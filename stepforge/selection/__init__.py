"""Which problems can be trusted: every rule is a rejection reason (MV-MATH, section 3.2; MAMath-Bench, filtering)."""

from stepforge.selection._entries import entry_of
from stepforge.selection._rules import IMAGE_RULES, RULES, Wanted
from stepforge.selection._select import Before, Selected, Selection, of_public_benchmark, selected_problems

__all__ = [
    "IMAGE_RULES",
    "RULES",
    "Before",
    "Selected",
    "Selection",
    "Wanted",
    "entry_of",
    "of_public_benchmark",
    "selected_problems",
]
