"""Opening a reply store by its place."""

import re
from pathlib import Path

from resources.llm._owners import new_owner
from resources.llm._sqlite import SqliteStore
from resources.llm.store import ReplyStore
from stepforge.errors import BadRequest

__all__ = ["ENVIRONMENT", "FILE", "new_owner", "open_store"]

ENVIRONMENT = "STEPFORGE_REPLIES"
FILE = "replies.sqlite"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_MISWRITTEN = re.compile(r"://|:.*@|password *=", re.IGNORECASE | re.DOTALL)  # no path: it may hold a password


def open_store(place: str | Path) -> ReplyStore:
    """The store at a path (SQLite) or at a URL `postgresql://…`.  Raises: BadHome, BadRequest, PipelineError, none of
    which holds more of a URL than host, port and database."""
    if isinstance(place, str):
        place = place.strip()
        scheme = _SCHEME.match(place)
        if scheme is not None and scheme[1] in ("postgresql", "postgres"):
            from resources.llm._postgres import PostgresStore  # noqa: PLC0415 - most need no client of PostgreSQL

            return PostgresStore(place)
        if scheme is not None or not place or _MISWRITTEN.search(place):
            shown = f"what begins with {scheme[1]}:" if scheme is not None else "what was given"
            raise BadRequest(
                f"replies are kept in a file or at postgresql://USER:PASSWORD@HOST/DATABASE; {shown} names neither "
                f"(see {ENVIRONMENT}; a path with a colon is written ./like:this)"
            )
    return SqliteStore(Path(place).expanduser().absolute())
