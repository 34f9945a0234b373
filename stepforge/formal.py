"""Lean text as text: files cut into theorems, statements without their proofs, the code in a reply.

Nothing here judges Lean; that is for a real Lean.  What is cut wrongly is refused there, never accepted for it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

MAX_CODE_CHARS = 50_000  # of a reply; the longest published statement has 6,000

_SPECIAL = re.compile(r"--|/-|\"|(?<![\w'])'(?:\\.|[^\\\n])'")
_IN_COMMENT = re.compile(r"/-|-/")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
_NOT_LINE_END = re.compile(r"[^\n]")
_COMMAND = re.compile(
    r"^(?:@\[|#|(?:theorem|lemma|def|abbrev|example|axiom|instance|structure|inductive|class|private|protected|nonrec|"
    r"noncomputable|open|namespace|section|end(?=[ \t]+\S)|variables?|universes?|import|set_option|attribute|alias|"
    r"notation|local|scoped|macro|syntax|open_locale)\b)",
    re.MULTILINE,
)
_DECLARATION = re.compile(
    r"^(?:@\[|(?:theorem|lemma|def|abbrev|example|axiom|instance|structure|inductive|class|private|protected|nonrec)\b)",
    re.MULTILINE,
)
_THEOREM = re.compile(r"(?:@\[[^\]]{0,200}\]\s*)?(?:(?:private|protected|nonrec)\s+)*(theorem|lemma)\s+([^\s:({\[]+)")
_ATTRIBUTE = re.compile(r"@\[[^\]]{0,200}\]\s*")
_DOC = re.compile(r"/--(.*)-/\s*\Z", re.DOTALL)
_BINDS_IN_CLAIM = re.compile(r"\b(?:let|have|letI|haveI)\b")
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n]*$", re.MULTILINE)
_LEAN_LABELS = frozenset({"lean", "lean4"})
_OPENING, _CLOSING = "([{⟨⦃", ")]}⟩⦄"


class Theorem(NamedTuple):
    """One theorem of a Lean file.  `formal`: its declaration as written; `words`: its documentation, or None."""

    name: str
    formal: str
    words: str | None


class LeanFile(NamedTuple):
    """A Lean file: what stands before its first declaration, without comments, and its theorems in order."""

    header: str
    theorems: list[Theorem]


def masked(text: str) -> str:
    """The text with comments, strings and character literals blanked, of the same length and with the same lines."""
    parts: list[str] = []
    at = 0
    while (found := _SPECIAL.search(text, at)) is not None:
        parts.append(text[at : found.start()])
        end = _end_of(text, found)
        parts.append(_NOT_LINE_END.sub(" ", text[found.start() : end]))
        at = end
    return "".join([*parts, text[at:]])


def _end_of(text: str, found: re.Match[str]) -> int:
    """Where the comment or literal that begins at the match ends."""
    if found[0] == "--":
        end = text.find("\n", found.end())
        return len(text) if end < 0 else end
    if found[0] == '"':
        string = _STRING.match(text, found.start())
        return len(text) if string is None else string.end()
    if found[0] != "/-":
        return found.end()
    depth, at = 1, found.end()
    while depth and (mark := _IN_COMMENT.search(text, at)) is not None:
        depth += 1 if mark[0] == "/-" else -1
        at = mark.end()
    return at if depth == 0 else len(text)


def read_file(text: str) -> LeanFile:
    """The theorems that begin a line; a `lemma`, a definition and what stands between are left out."""
    code = masked(text)
    first = _DECLARATION.search(code)
    header = "" if first is None else "\n".join(line.rstrip() for line in code[: first.start()].splitlines())
    return LeanFile(re.sub(r"\n{3,}", "\n\n", header).strip(), list(_theorems(text, code)))


def _theorems(text: str, code: str) -> Iterator[Theorem]:
    starts: list[int] = []
    for match in _COMMAND.finditer(code):
        if not starts or not _ATTRIBUTE.fullmatch(code, starts[-1], match.start()):  # it belongs to what follows
            starts.append(match.start())
    before = 0
    for start, end in pairwise([*starts, len(code)]):
        found = _THEOREM.match(code, start)
        if found is not None and found[1] == "theorem":
            # what follows the code may be the documentation of the next one
            last = start + len(code[start:end].rstrip())
            doc = _DOC.search(text, text.rfind("/--", before, start), start) if "/--" in text[before:start] else None
            yield Theorem(found[2], text[start:last], " ".join(doc[1].split()) if doc else None)
        before = start


def without_proof(formal: str) -> str:
    """The text of one theorem with `sorry` for the proof.  One with other declarations, or whose proof does not begin
    with the first `:=` outside brackets as far as can be told, stays whole."""
    code, depth = masked(formal), 0
    if sum(not match[0].startswith("@") for match in _DECLARATION.finditer(code)) > 1:
        return f"{formal.rstrip()}\n"
    for at, char in enumerate(code):
        depth += (char in _OPENING) - (char in _CLOSING)
        if depth == 0 and code.startswith(":=", at):
            if _BINDS_IN_CLAIM.search(code, 0, at):
                break
            before = formal[:at].rstrip()
            last = before.rfind("\n") + 1
            gap = " " if masked(before[last:]) == before[last:] else "\n  "  # a comment may stand on that line
            return f"{before}{gap}:= sorry\n"
    return f"{formal.rstrip()}\n"


def with_header(header: str | None, formal: str) -> str:
    """Header and declaration as one text."""
    return f"{header.strip()}\n\n{formal}" if header and header.strip() else formal


def header_of(lean: str) -> str:
    """What stands before the first declaration: imports, opened namespaces, variables; without comments."""
    return read_file(lean).header


def renamed(formal: str, prefix: str) -> str:
    """The theorem with a namespace before its name, so that it does not clash with a library that has it."""
    found = _THEOREM.match(formal)
    if found is None or found[2].startswith("_root_."):
        return formal
    return f"{formal[: found.start(2)]}{prefix}.{formal[found.start(2) :]}"


def is_wordless(question: str, lean: str) -> bool:
    """Whether the question shows the formal statement, so that there is nothing to put into Lean."""
    squeezed = "".join(question.split())
    return any(
        f"{found[1]}{found[2]}" in squeezed
        for found in (_THEOREM.match(lean, m.start()) for m in _COMMAND.finditer(lean))
        if found is not None
    )


def lean_code(reply: str) -> str | None:
    """The last closed block of a reply that is marked as Lean, or else the last closed block without a label.  None
    where there is none, or where it has more than MAX_CODE_CHARS characters."""
    marked: str | None = None
    unmarked: str | None = None
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(reply):
        if opened is None:
            opened = fence
        elif not fence[2] and fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            body = reply[opened.end() + 1 : fence.start()]
            if opened[2].lower() in _LEAN_LABELS:
                marked = body
            elif not opened[2]:
                unmarked = body
            opened = None
    code = unmarked if marked is None else marked
    return code if code is not None and code.strip() and len(code) <= MAX_CODE_CHARS else None


def fenced_lean(code: str) -> str:
    """The code as the block that `lean_code` reads."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}lean\n{code.rstrip()}\n{fence}"
