"""Which problems can be trusted: every rule is a rejection reason (MV-MATH, section 3.2; MAMath-Bench, filtering)."""

from stepforge.selection._rules import IMAGE_RULES, RULES
from stepforge.selection._select import selected_problems

__all__ = ["IMAGE_RULES", "RULES", "selected_problems"]
