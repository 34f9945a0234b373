"""Readers of structured files: one module a source, each of which registers itself.

A new source is a module here that registers a `Source`, and a test; nothing else changes.
"""

from stepforge.sources._base import SOURCES, BadRecord, Context, Figures, RawRecord, Source
from stepforge.sources._read import figure_names, joined, problem_parts, read_problems, recognise, record_id
from stepforge.sources._values import content_id, guess_answer, kind_of, language_of, parts_of, split_options

__all__ = [
    "SOURCES",
    "BadRecord",
    "Context",
    "Figures",
    "RawRecord",
    "Source",
    "content_id",
    "figure_names",
    "guess_answer",
    "joined",
    "kind_of",
    "language_of",
    "parts_of",
    "problem_parts",
    "read_problems",
    "recognise",
    "record_id",
    "split_options",
]
