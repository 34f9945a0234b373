"""Readers of structured files: one module a source, each of which registers itself.

A new source is a module here that registers a `Source`, and a test; nothing else changes.
"""

from stepforge.sources._base import SOURCES, BadRecord, Beside, Context, Embed, Figures, RawRecord, Source, embedded
from stepforge.sources._csv import csv_rows
from stepforge.sources._mapping import MAPPING_FILE, BadMapping, parse_mapping
from stepforge.sources._parquet import MAGIC as PARQUET_MAGIC
from stepforge.sources._parquet import walk as walk_parquet
from stepforge.sources._read import figure_names, joined, problem_parts, read_problems, recognise, record_id
from stepforge.sources._rows import answer_of
from stepforge.sources._stream import head_of
from stepforge.sources._values import content_id, guess_answer, kind_of, language_of, parts_of, split_options

__all__ = [
    "MAPPING_FILE",
    "PARQUET_MAGIC",
    "SOURCES",
    "BadMapping",
    "BadRecord",
    "Beside",
    "Context",
    "Embed",
    "Figures",
    "RawRecord",
    "Source",
    "answer_of",
    "content_id",
    "csv_rows",
    "embedded",
    "figure_names",
    "guess_answer",
    "head_of",
    "joined",
    "kind_of",
    "language_of",
    "parse_mapping",
    "parts_of",
    "problem_parts",
    "read_problems",
    "recognise",
    "record_id",
    "split_options",
    "walk_parquet",
]
