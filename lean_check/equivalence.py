"""Whether two formal statements say the same, shown in Lean: equal by definition, or each proved from the other.

Source: the idea of BEq (Liu et al. 2025, "Rethinking and Improving Autoformalization") and BEq+ (Poiroux et al. 2024,
"Improving Autoformalization Using Type Checking"): bidirectional provability with a fixed list of tactics.  As any two
true statements follow from each other, a tactic that could prove the goal without its hypothesis is not in the list:
each ends by using it.  What is found this way is equivalent; what is not found may be, so that the answer is then None
and never False.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lean_check.tokens import Token, tokenize
from lean_check.verdict import Verdict
from lean_check.warm import split_header

TACTICS_VERSION = "1"
TACTICS = (
    "exact fun h => h",
    "intro h; intros; exact (h ..)",
    "intro h; intros; exact (h ..).symm",
    "intro h; intros; apply h; assumption",
    "intro h; intros; apply Eq.symm; apply h; assumption",
    "intro h; simp at h; simp; exact h",
    "intro h; intros; simp; apply h; assumption",
    "intro h; norm_num at h; norm_num; exact h",
    "intro h; push_cast at h; push_cast; exact h",
    "intro h; ring_nf at h; ring_nf; exact h",
    "intro h; intros; convert h .. using 1",
)
"""Each is tried in both directions.  A tactic that the toolchain lacks shows nothing, and harms nothing."""

_OPENING, _CLOSING = "([{⟨⦃", ")]}⟩⦄"
_STATING = frozenset(["theorem", "lemma", "example", "def", "abbrev"])

Check = Callable[[str], Verdict]
"""`lean_check.check.check` with a toolchain and limits; the text is to be a proof."""


@dataclass(frozen=True)
class Statement:
    """A statement in parts: the header before it, its binders, and what it claims."""

    header: str
    binders: str
    claim: str


@dataclass(frozen=True)
class Equivalence:
    """equivalent: True where Lean showed it, else None.  how: `definitional`, or the tactics there and back.  reason:
    why nothing was shown."""

    equivalent: bool | None
    how: tuple[str, ...] = ()
    reason: str = ""


class UnreadableError(ValueError):
    """Why a text is no single statement that can be compared."""


def read_statement(source: str) -> Statement:
    """The parts of a text with one theorem and nothing else but a header; its proof is left out.
    Raises: UnreadableError."""
    split, lexed = split_header(source), tokenize(source)
    if split is None or lexed.doubts:
        raise UnreadableError("it is not certain where its header and its statement begin")
    code = [token for token in lexed.code() if token.start >= len(split.header)]
    strings = [token for token in lexed.tokens if token.kind in ("string", "char")]
    if not code or code[0].text not in ("theorem", "lemma", "example") or strings:
        raise UnreadableError("there is something else than a header and one theorem")
    if sum(token.text in _STATING for token in code) != 1:
        raise UnreadableError("there is more than one declaration")
    named = code[0].text != "example"
    if named and (len(code) < 2 or code[1].kind != "word"):
        raise UnreadableError("the theorem has no name")
    begin = code[1] if named else code[0]
    colon, end = _marks(code[2 if named else 1 :], len(source))
    text = lexed.without_comments(source)
    after = begin.start + len(begin.text)
    return Statement(text[: len(split.header)], text[after:colon].strip(), text[colon + 1 : end].strip())


def _marks(code: Sequence[Token], length: int) -> tuple[int, int]:
    """Where the colon before the claim stands, and where the claim ends.  Every bracket up to there is closed."""
    open_marks: list[str] = []
    colon = -1
    for token in code:
        if token.text in _OPENING:
            open_marks.append(token.text)
        elif token.text in _CLOSING:
            if not open_marks or _OPENING.index(open_marks.pop()) != _CLOSING.index(token.text):
                raise UnreadableError("its brackets do not match")
        elif not open_marks and token.text == ":" and colon < 0:
            colon = token.start
        elif not open_marks and token.text == ":=":
            length = token.start
            break
    if open_marks or colon < 0:
        raise UnreadableError("its brackets do not match" if open_marks else "it has no `: claim`")
    return colon, length


def equivalent(reference: str, candidate: str, check: Check, tactics: Sequence[str] = TACTICS) -> Equivalence:
    """Whether the two say the same.  Runs Lean once over all tactics, and once more, with the audit of `check`, over
    what it found."""
    try:
        first, second = read_statement(reference), read_statement(candidate)
    except UnreadableError as error:
        return Equivalence(None, reason=str(error))
    unknown = secrets.token_hex(16)  # a statement that could name the other one would be equal to it
    one, other = f"Reference{unknown}", f"Candidate{unknown}"
    base = _definitions({one: first, other: second})
    tried = [f"theorem same{unknown} : {one} = {other} := rfl"]
    for n, tactic in enumerate(tactics):
        tried.append(f"theorem there{n}_{unknown} : {one} → {other} := by unfold {one} {other}; {tactic}")
        tried.append(f"theorem back{n}_{unknown} : {other} → {one} := by unfold {one} {other}; {tactic}")
    found = check("\n".join([base, *tried, ""]))
    if found.verdict == "infrastructure" or (found.verdict == "rejected" and not _errors(found)):
        return Equivalence(None, reason=", ".join(found.reasons))
    bad, start = _errors(found), base.count("\n") + 2
    if any(line < start for line in bad):
        return Equivalence(None, reason="one of the two does not elaborate")
    held = [n for n in range(len(tried)) if start + n not in bad]
    chosen = [0] if 0 in held else [next((n for n in held if n and n % 2 == side), -1) for side in (1, 0)]
    if -1 in chosen:
        return Equivalence(None, reason="no tactic shows it")
    audited = check("\n".join([base, *(tried[n] for n in chosen), ""]))
    if audited.verdict != "accepted":
        return Equivalence(None, reason=f"what was found does not stand alone: {', '.join(audited.reasons)}")
    return Equivalence(True, ("definitional",) if chosen == [0] else tuple(tactics[(n - 1) // 2] for n in chosen))


def _errors(verdict: Verdict) -> set[int]:
    """The lines with an error; one without a position is in the first."""
    return {message.line or 1 for message in verdict.messages if message.severity == "error"}


def _definitions(statements: dict[str, Statement]) -> str:
    """Each statement as a proposition of this name, under its own header; imports come first."""
    lines = {name: [line for line in s.header.split("\n") if line.strip()] for name, s in statements.items()}
    imports = [line for own in lines.values() for line in own if line.startswith("import ")]
    parts = list(dict.fromkeys(imports))
    for name, statement in statements.items():
        own = [line for line in lines[name] if not line.startswith("import ")]
        parts += ["section", *own, f"def {name} : Prop := {_proposition(statement)}", "end"]
    return "\n".join(parts)


def _proposition(statement: Statement) -> str:
    claim = " ".join(statement.claim.split())
    binders = " ".join(statement.binders.split())
    return f"(∀ {binders}, ({claim}))" if binders else f"({claim})"
