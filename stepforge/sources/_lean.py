"""Lean files cut into theorems, and what the sources of formal statements have in common."""

from collections.abc import Iterator
from typing import Any

from stepforge.formal import read_file, with_header, without_proof
from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._base import BadRecord, Context, RawRecord, build
from stepforge.vocabulary import ProblemType

EVIDENCE = 300
_ENDING = ".lean"


def is_lean(path: str) -> bool:
    """Whether the file is Lean by its name."""
    return path.lower().endswith(_ENDING)


def theorems(data: bytes) -> Iterator[RawRecord]:
    """The theorems of a Lean file, `key:NAME`, each with the file's header (`header`, `name`, `formal`, `words`)."""
    decoded = _json.decode(data)
    if decoded.error is not None:
        yield RawRecord("", None, decoded.error, method="lean")
        return
    file = read_file(decoded.text)
    for theorem in file.theorems:
        value = {"header": file.header, **theorem._asdict()}
        wrong = _json.fault(value)
        locator, evidence = f"key:{theorem.name}", theorem.formal[:EVIDENCE]
        if wrong is not None:
            shown = locator.encode(errors="backslashreplace").decode()
            yield RawRecord(shown, None, f"{wrong}; correct the theorem", evidence, method="lean")
        else:
            yield RawRecord(locator, value, evidence=evidence, method="lean", key=theorem.name)


def records(data: bytes) -> Iterator[RawRecord]:
    """Records of a JSON file or of a Lean file, whichever the bytes are."""
    begins = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    yield from (_json.records if begins in (b"[", b"{") else theorems)(data)


def with_sorry(formal: str) -> str:
    """The text with `sorry` for the proof where it ends before one; else as it is."""
    return f"{formal.rstrip()} sorry\n" if formal.rstrip().endswith((":=", ":= by")) else formal


def formal_problem(
    source: str,
    raw: RawRecord,
    context: Context,
    *,
    licence: str,
    source_id: str,
    words: str | None,
    formal: str | None,
    header: str | None = None,
    solution: str | None = None,
    whole: bool = False,
    **fields: Any,
) -> Problem:
    """A theorem in words, in Lean, or both.  The formal statement has `sorry` for its proof, unless it is to stay
    `whole`; a theorem without words is its own question.   Raises: ValidationError, BadRecord."""
    statement = (formal if whole else without_proof(formal)) if formal and formal.strip() else None
    question = words.strip() if words and words.strip() else (statement or "").removesuffix(" := sorry\n")
    if not question:
        raise BadRecord("the record states nothing, neither in words nor in Lean")
    return build(
        source,
        raw,
        context,
        licence=licence,
        source_id=source_id,
        language="en",
        question=question,
        problem_type=ProblemType.PROOF if words and words.strip() else ProblemType.STATEMENT,
        answer=None,
        solution=solution.strip() if solution and solution.strip() else None,
        lean_statement=None if statement is None else with_header(header, statement),
        **fields,
    )
