"""Mathpix: the interface `v3/pdf` (docs.mathpix.com), whose jobs outlive the process that asked for them.

A page is sent as a PDF of one page.  That it is about to be sent, the job's id, and the lines are written to
`ocr_replies` in the home, each on the disk before the next step.  A process that was killed in between goes on with the
job; one that was killed before it learned the id looks the job up by the file's name among the results
(`v3/pdf-results`).  So a page is paid for once.
"""

import hashlib
import json
import re
import time
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image
from upath import UPath

from resources._page_lines import Box
from resources.atomic import write_atomic
from resources.ocr._base import ENGINES, Engine, PageFault, RemoteReader
from resources.ocr._mathpix_http import FOLDER, Gone, Kept, ServiceError, ask, kept, missing_keys
from resources.ocr.mathpix import boxes_in, told

if TYPE_CHECKING:
    from resources.home import Home

OPTIONS = {
    "math_inline_delimiters": ["$", "$"],
    "math_display_delimiters": ["$$", "$$"],
    "rm_spaces": True,
    "metadata": {"improve_mathpix": False},
}
VERSION = f"mathpix v3/pdf {hashlib.sha256(json.dumps(OPTIONS, sort_keys=True).encode()).hexdigest()[:8]}"
DPI = 200
DEADLINE_S = 600.0  # of one page; a job that takes longer goes on, and the next build asks for it
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 8.0
CLOCKS_APART = timedelta(minutes=10)
RESULTS_A_PAGE, RESULT_PAGES = 100, 20

_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def _reader(home: "Home") -> RemoteReader:
    folder = UPath(home.root / FOLDER)

    def read(png: bytes) -> Sequence[Box]:
        with kept(folder, VERSION, png) as page:
            if not page.reply.exists():
                write_atomic(page.reply, _lines(page, _job(page, png)))
            try:
                return boxes_of(page.reply.read_bytes(), png)
            except ServiceError:
                page.reply.rename(page.reply.with_suffix(".refused"))
                _forget(page)
                raise

    return read


def _forget(page: Kept) -> None:
    """The page may be sent anew."""
    page.job.unlink(missing_ok=True)
    page.asked.unlink(missing_ok=True)


def _job(page: Kept, png: bytes) -> str:
    """The id of the job that reads the page: the one that was asked for before, or a new one."""
    name = f"{page.reply.stem}.pdf"
    if not page.job.exists() and page.asked.exists():
        found = _looked_up(name, page.asked.read_text("utf-8"))
        if found is not None:
            write_atomic(page.job, json.dumps({"pdf_id": found}).encode())
    if not page.job.exists():
        write_atomic(page.asked, datetime.now(UTC).isoformat().encode())
        files = {"file": (name, pdf_of(png), "application/pdf")}
        sent = ask("POST", "v3/pdf", once=True, files=files, data={"options_json": json.dumps(OPTIONS)})
        write_atomic(page.job, sent)
    try:
        return _id_in(told(page.job.read_bytes()))
    except ServiceError:
        _forget(page)
        raise


def _id_in(value: dict[str, Any], name: str = "pdf_id") -> str:
    """The id of a job; it becomes part of an address.  Raises: ServiceError."""
    found = value.get(name)
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise ServiceError(f"Mathpix gave no job: {str(value.get('error') or value)[:200]}")
    return found


def _looked_up(name: str, asked_at: str) -> str | None:
    """The id of the job for the file of that name, sent since."""
    since = (datetime.fromisoformat(asked_at) - CLOCKS_APART).isoformat()
    for number in range(1, RESULT_PAGES + 1):
        query = {"page": number, "per_page": RESULTS_A_PAGE, "from_date": since}
        listed = told(ask("GET", "v3/pdf-results", params=query)).get("pdfs")
        rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        for row in rows:
            if str(row.get("input_file", "")).endswith(name) and row.get("status") != "error":
                return _id_in(row, "id")
        if len(rows) < RESULTS_A_PAGE:
            return None
    return None


def _lines(page: Kept, job: str) -> bytes:
    """The job's `lines.json`, when it is done.  Raises: PageFault."""
    deadline, wait_s = time.monotonic() + DEADLINE_S, FIRST_WAIT_S
    while time.monotonic() < deadline:
        try:
            state = told(ask("GET", f"v3/pdf/{job}"))
            if state.get("status") == "completed":
                return ask("GET", f"v3/pdf/{job}.lines.json")
        except Gone:
            _forget(page)
            raise ServiceError("Mathpix no longer knows the job; build again") from None
        if state.get("status") == "error" or state.get("error"):
            _forget(page)
            raise ServiceError(f"Mathpix could not read the page: {str(state.get('error') or 'error')[:200]}")
        time.sleep(wait_s)
        wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
    raise PageFault(f"Mathpix is still at work after {DEADLINE_S:g} s; build again later, nothing is paid again")


def boxes_of(reply: bytes, png: bytes) -> list[Box]:
    """The pieces of a `lines.json` of one page, in the pixels of the picture that was sent.  Raises: ServiceError."""
    pages = told(reply).get("pages")
    if not isinstance(pages, list) or len(pages) != 1 or not isinstance(pages[0], dict):
        raise ServiceError("Mathpix replied with another number of pages than one")
    wide = pages[0].get("page_width")
    if not isinstance(wide, int | float) or not 0 < wide < 1e6:
        raise ServiceError("Mathpix replied with a page without a width")
    return boxes_in(pages[0].get("lines") or [], int.from_bytes(png[16:20], "big") / wide)


def pdf_of(png: bytes) -> bytes:
    """A PDF of one page that shows the picture without loss.  The same picture gives the same bytes."""
    with Image.open(BytesIO(png), formats=["PNG"]) as image:
        wide, high, pixels = image.width, image.height, image.convert("RGB").tobytes()
    data = zlib.compress(pixels, 6)
    box = f"{wide * 72 / DPI:.2f} {high * 72 / DPI:.2f}"
    draw = f"q {box.split(maxsplit=1)[0]} 0 0 {box.split()[1]} 0 0 cm /I Do Q".encode()
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {wide} /Height {high} /ColorSpace /DeviceRGB "
        f"/BitsPerComponent 8 /Filter /FlateDecode /Length {len(data)} >>\nstream\n"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {box}] /Contents 4 0 R "
        f"/Resources << /XObject << /I 5 0 R >> >> >>".encode(),
        f"<< /Length {len(draw)} >>\nstream\n".encode() + draw + b"\nendstream",
        head.encode() + data + b"\nendstream",
    ]
    made, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    start = len(made)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    made += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    made += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(made)


def _version(_home: "Home") -> str:
    return VERSION


def _missing(_home: "Home") -> str | None:
    return missing_keys()


ENGINES.register(
    Engine(
        name="mathpix-pdf",
        title="Mathpix, jobs that outlive a crash (paid service)",
        version=_version,
        missing=_missing,
        remote=_reader,
    )
)
