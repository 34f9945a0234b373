"""Which source reads a file, and the file's records as problems or rejections."""

import csv
import io
import re
from collections.abc import Iterator

from pydantic import ValidationError

from stepforge.arrow import CHUNK_ROWS
from stepforge.formal import is_wordless
from stepforge.outcome import Outcome, reject
from stepforge.records import Document, Problem
from stepforge.sources import _json, _parquet
from stepforge.sources._base import (
    SOURCES,
    BadRecord,
    Beside,
    Context,
    Embed,
    Figures,
    RawRecord,
    Source,
    embedded,
    nothing_beside,
)
from stepforge.sources._encoding import decode
from stepforge.sources._stream import HEAD_BYTES, is_json
from stepforge.vocabulary import Reason

STAGE = "problems"
MAX_TEXT_CHARS = 100_000  # the longest text of the known sources has 9,000
MAX_FIGURE_NAME = 300  # characters; the longest name in the known sources has 50
_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
_IMAGE_FIELD = re.compile(
    r'"[^"\\]{0,40}(?:image|figure|img|diagram)[^"\\]{0,40}"\s{0,8}:\s{0,8}"([^"\\]{1,300})"', re.IGNORECASE
)


def recognise(path: str, head: bytes, beside: Beside = nothing_beside) -> str | None:
    """Name of the source that reads a file; None if no structured source does.

    path: inside the batch.  head: what `head_of` gives.  beside: the other files of the batch.  A source that another
    file names is asked before a specific one, and that before a general one.
    """
    head = head[:HEAD_BYTES]
    for source in sorted(SOURCES, key=lambda s: (not s.first, s.general)):
        if source.recognises(path, head) or (
            source.recognises_beside is not None and source.recognises_beside(path, head, beside)
        ):
            return source.name
    return None


def record_id(problem: Problem) -> str:
    """Id under which a problem's record came into the stage."""
    return f"{problem.provenance.document_id}#{problem.provenance.locator}"


def _located(records: Iterator[RawRecord]) -> Iterator[RawRecord]:
    """The records, a locator that comes again told apart by `~2`, `~3`, …"""
    seen: dict[str, int] = {}
    for raw in records:
        locator = raw.locator
        while locator in seen:
            seen[raw.locator] += 1
            locator = f"{raw.locator}~{seen[raw.locator]}"
        seen[locator] = 1
        yield raw._replace(locator=locator)


def _problem(source: Source, raw: RawRecord, context: Context) -> Problem | str:
    """The problem, or why there is none."""
    if raw.value is None:
        return raw.error or "the record is empty"
    try:
        return source.problem(raw, context)
    except BadRecord as error:
        return str(error)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _within_limits(made: Problem | str) -> Problem | str:
    """The problem, or why it is none: rules and patterns of later stages are made for texts of a sane length."""
    if isinstance(made, str):
        return made
    texts = {
        "question": made.question,
        "solution": made.solution or "",
        "answer": made.answer.text if made.answer else "",
    }
    texts |= {f"option {choice.label[:20]}": choice.text for choice in made.choices}
    for name, text in texts.items():
        if len(text) > MAX_TEXT_CHARS:
            return f"{name!r} has {len(text)} characters, the limit is {MAX_TEXT_CHARS}; split or mend the record"
    return made


def read_problems(
    document: Document, data: bytes, figures: Figures, *, embed: Embed = embedded, beside: Beside = nothing_beside
) -> Outcome[Problem]:
    """Problems of a structured file, as `problem_parts` gives them, all at once."""
    whole: Outcome[Problem] = Outcome([], [], [])
    for part in problem_parts(document, data, figures, embed=embed, beside=beside):
        whole.kept.extend(part.kept)
        whole.rejections.extend(part.rejections)
        whole.input_ids.extend(part.input_ids)
    return whole


def problem_parts(
    document: Document, data: bytes, figures: Figures, *, embed: Embed = embedded, beside: Beside = nothing_beside
) -> Iterator[Outcome[Problem]]:
    """Problems of a structured file, `CHUNK_ROWS` records at a time; a record that cannot become one is rejected alone,
    with the reason.

    Record ids are `<document_id>#<locator>`; what is wrong with the whole file has the document's id.
    Raises: KeyError if `document.source` is no registered source.
    """
    source, context = SOURCES[document.source], Context(document, figures, embed, beside)
    first_at: dict[str, str] = {}
    part: Outcome[Problem] = Outcome([], [], [])
    empty = True
    records = source.records(data) if source.records_beside is None else source.records_beside(data, context)
    for raw in _located(records):
        empty = False
        name = f"{document.document_id}#{raw.locator}" if raw.locator else document.document_id
        where = f"{document.path}, {raw.locator}" if raw.locator else document.path
        part.input_ids.append(name)
        made = _within_limits(_problem(source, raw, context))
        if isinstance(made, str):
            reason = Reason.MALFORMED_RECORD if raw.locator else Reason.UNREADABLE_DOCUMENT
            part.rejections.append(reject(STAGE, name, reason, f"{where}: {made}", evidence=_evidence(raw)))
        elif made.problem_id in first_at:
            detail = (
                f"{where}: the id {made.problem_id} is already that of {first_at[made.problem_id]}; give it its own"
            )
            evidence = made.question or made.problem_id
            part.rejections.append(
                reject(STAGE, name, Reason.DUPLICATE_ID, detail, problem_id=made.problem_id, evidence=evidence)
            )
        else:
            first_at[made.problem_id] = raw.locator
            part.kept.append(made)
        if len(part.input_ids) >= CHUNK_ROWS:
            yield part
            part = Outcome([], [], [])
    if empty:
        part.input_ids.append(document.document_id)
        detail = f"{document.path}: the file holds no record of the format {source.name!r}"
        part.rejections.append(reject(STAGE, document.document_id, Reason.NO_PROBLEMS_FOUND, detail))
    if part.input_ids:
        yield part


def joined(first: Problem, second: Problem) -> Problem | None:
    """The words of one with the Lean statement of the other, where a source has them in two files; None where they are
    not such a pair."""
    for words, theorem in ((first, second), (second, first)):
        lean = theorem.lean_statement
        if words.lean_statement is None and lean is not None and is_wordless(theorem.question, lean):
            return words.model_copy(update={"lean_statement": lean, "formal_label": theorem.formal_label})
    return None


def _evidence(raw: RawRecord) -> str:
    """The beginning of a record, with what is no Unicode shown as its number."""
    return raw.evidence.encode(errors="backslashreplace").decode()


def figure_names(data: bytes, source: str | None = None, path: str = "") -> set[str]:
    """Texts of a structured file that name a figure, as written: those that end like an image file and, because GeoLaux
    leaves the ending out, the values of fields that are called after images.  An id or an answer such as "1" is none.
    Works on damaged JSON and JSON Lines; other text is read as CSV.
    """
    by_source = SOURCES[source].figures if source else None
    named = set(by_source(path, data)) - {""} if by_source is not None else set()
    if data.startswith(_parquet.MAGIC):
        return named | {name for name in _parquet.texts(data, MAX_FIGURE_NAME) if _is_image(name)}
    text = decode(data).text or data.decode("utf-8", errors="replace")
    if is_json(data):
        found: Iterator[str] = _json.strings(text)
    else:
        found = _cells(text)
    named |= {name.strip() for name in found if len(name) <= MAX_FIGURE_NAME and _is_image(name)}
    return named | {match[1] for match in _IMAGE_FIELD.finditer(text)}


def _is_image(name: str) -> bool:
    return name.rstrip().lower().endswith(_IMAGE_ENDINGS)


def _cells(text: str) -> Iterator[str]:
    rows = csv.reader(io.StringIO(text, newline=""))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue
        for cell in row:
            yield cell
            yield from cell.split(";") if len(cell) <= MAX_FIGURE_NAME * 20 else ()
