"""Copies among problems, exact and near; the same words with other numbers are another problem, a variant.

Normalise (`_text`), keep what is compared (`_signatures`), find pairs that may be copies (`_candidates`), compare them
token by token (`_verify`) and by their figures (`_figures`), decide in the order of arrival (`_find`).
"""

from stepforge.duplicates._figures import SameFigure, only_same_bytes
from stepforge.duplicates._find import Link, LinkKind, Links, find
from stepforge.duplicates._signatures import Builder, Entry, Figure, Signatures
from stepforge.duplicates._stored import from_bytes, to_bytes
from stepforge.duplicates._text import normalise

__all__ = [
    "Builder",
    "Entry",
    "Figure",
    "Link",
    "LinkKind",
    "Links",
    "SameFigure",
    "Signatures",
    "find",
    "from_bytes",
    "normalise",
    "only_same_bytes",
    "to_bytes",
]
