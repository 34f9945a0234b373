"""Mathpix: the interface `v3/text` (docs.mathpix.com), asked page by page.

Keys come from MATHPIX_APP_ID and MATHPIX_APP_KEY; MATHPIX_URL names another server.  A reply is written to
`ocr_replies` in the home, whole and on the disk, before anything is made of it, and a page that has one is not sent
again, whatever the process.  A reply that is no reading is set aside and asked for again.

Limit: a reply that is on its way when the process is killed is asked for again, and may have been paid: `v3/text` has
no way to fetch it later.  The engine `mathpix-pdf` has.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from upath import UPath

from resources._page_lines import Box, Point
from resources.atomic import write_atomic
from resources.ocr._base import ENGINES, Engine, RemoteReader
from resources.ocr._mathpix_http import FOLDER, ServiceError, ask, kept, missing_keys
from stepforge.mathpix import NotMathpix, pieces_of

if TYPE_CHECKING:
    from resources.home import Home

OPTIONS = {
    "formats": ["text"],
    "include_line_data": True,
    "math_inline_delimiters": ["$", "$"],
    "math_display_delimiters": ["$$", "$$"],
    "rm_spaces": True,
    "metadata": {"improve_mathpix": False},  # the page is not kept there
}
VERSION = f"mathpix v3/text {hashlib.sha256(json.dumps(OPTIONS, sort_keys=True).encode()).hexdigest()[:8]}"


def _reader(home: "Home") -> RemoteReader:
    folder = UPath(home.root / FOLDER)

    def read(png: bytes) -> Sequence[Box]:
        with kept(folder, VERSION, png) as page:
            if not page.reply.exists():
                body = {"src": f"data:image/png;base64,{base64.b64encode(png).decode()}", **OPTIONS}
                write_atomic(page.reply, ask("POST", "v3/text", once=True, json=body))
            try:
                return boxes_of(page.reply.read_bytes())
            except ServiceError:
                page.reply.rename(page.reply.with_suffix(".refused"))
                raise

    return read


def boxes_of(reply: bytes) -> list[Box]:
    """The pieces of a reply of `v3/text`.  Raises: ServiceError if it is an error of the service, or none of its
    format."""
    value = told(reply)
    if value.get("error"):
        raise ServiceError(f"Mathpix could not read the page: {str(value['error'])[:200]}")
    return boxes_in(value.get("line_data") or [])


def told(reply: bytes) -> dict[str, Any]:
    """The object that a reply is.  Raises: ServiceError."""
    try:
        value = json.loads(reply)
    except (ValueError, RecursionError):
        raise ServiceError("Mathpix replied with what is no JSON; build again later") from None
    if not isinstance(value, dict):
        raise ServiceError("Mathpix replied with what is no object; build again later")
    return value


def boxes_in(lines: object, scale: float = 1.0) -> list[Box]:
    """The pieces of a list of lines, their places times `scale`.  Raises: ServiceError."""
    try:
        pieces = pieces_of(lines)
    except NotMathpix as error:
        raise ServiceError(f"Mathpix replied with a page whose {error}") from None
    return [
        Box(piece.text, (points[0], points[1], points[2], points[3]), piece.confidence)
        for piece in pieces
        for points in [[Point(x * scale, y * scale) for x, y in piece.corners]]
    ]


def _version(_home: "Home") -> str:
    return VERSION


def _missing(_home: "Home") -> str | None:
    return missing_keys()


ENGINES.register(
    Engine(name="mathpix", title="Mathpix (paid service)", version=_version, missing=_missing, remote=_reader)
)
