"""OCR and text cleanup: named, ordered, idempotent rules, each with examples, and a trace of every change."""

from stepforge.cleaning._engine import clean_problems, clean_text
from stepforge.cleaning._rules import RULES, Rule

__all__ = ["RULES", "Rule", "clean_problems", "clean_text"]
