"""OCR and text cleanup: named, ordered, idempotent rules, each with examples, and a trace of every change."""

from stepforge.cleaning._engine import clean_problems, clean_text
from stepforge.cleaning._pages import CleanedPages, clean_pages, without_watermarks
from stepforge.cleaning._rule import Rule, Scope
from stepforge.cleaning._rules import RULES

__all__ = [
    "RULES",
    "CleanedPages",
    "Rule",
    "Scope",
    "clean_pages",
    "clean_problems",
    "clean_text",
    "without_watermarks",
]
