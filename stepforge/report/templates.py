"""The templates of the pages, every text escaped."""

from functools import cache

import jinja2

from stepforge.report.formats import count, dollars, interval_text, notes_text, score_text
from stepforge.report.safety import breakable


@cache
def environment() -> jinja2.Environment:
    """Where the templates are found, and how they write numbers."""
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("stepforge.report", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(breakable=breakable, score=score_text, thousands=count)
    found.filters.update(dollars=dollars, span=interval_text, notes=notes_text)
    return found
