"""Text screening before Lean is run: what no honest proof or statement of a benchmark item needs is refused by name.

This is not a replacement for a kernel check.  It reads text, and text can be written in more ways than rules foresee;
it keeps out what Lean would carry out while it reads the file (macros, `#eval`), what makes Lean's messages worthless
(`#guard_msgs`, options that switch the kernel off), and what is wrong on its face (`sorry`, an axiom of one's own).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lean_check.lean3 import lean3_evidence
from lean_check.tokens import Lexed, Lines, Token, tokenize

MAX_SOURCE_BYTES = 1_000_000  # the longest single proof files of Mathlib are below a quarter of this

_WORDS_OF_RULE = {
    "sorry": "sorry sorryAx admit",
    "own_axiom": "axiom lcProof lcAny lcErased",
    "exit": "#exit",
    "guarded_messages": "#guard_msgs #guard_panic #check_assertions",
    "native_decide": "native_decide native bv_decide ofReduceBool ofReduceNat reduceBool reduceNat trustCompiler",
    "implemented_by": "implemented_by csimp",
    "extern": "extern unsafe unsafeCast unsafeIO unsafeEIO unsafeBaseIO include_str",
    "prelude": "prelude",
    "metaprogramming": (
        "macro macro_rules elab elab_rules syntax run_cmd run_elab run_meta run_tac by_elab initialize "
        "builtin_initialize simproc dsimproc simproc_decl builtin_simproc declare_syntax_cat declare_config_elab "
        "#eval #eval! #exec #run #html #widget term_elab command_elab term_parser command_parser tactic_parser "
        "app_unexpander delab IO EIO BaseIO MetaM TacticM TermElabM CommandElabM CoreM MacroM CommandElab TermElab "
        "Unexpander register_option register_simp_attr register_builtin_option evalConst addDecl addDeclWithoutChecking"
    ),
    "notation": "notation notation3 infix infixl infixr prefix postfix unif_hint binder_predicate",
}
_RULE_OF_WORD = {word: rule for rule, words in _WORDS_OF_RULE.items() for word in words.split()}
_LAST_PART_COUNTS = frozenset(["sorry", "own_axiom", "native_decide", "extern", "metaprogramming"])

# Options that change effort or what is printed, none of which changes what counts as proved.
_OPTION_WORDS = """
    maxHeartbeats maxRecDepth autoImplicit relaxedAutoImplicit synthInstance. linter. pp. tactic. simp. grind. aesop.
    exponentiation.threshold diagnostics backward. structureDiamondWarning quotPrecheck smartUnfolding says. trace.
"""
_OPTIONS = _OPTION_WORDS.split()
_PROOF = frozenset(["theorem", "lemma", "example"])
_STATEMENT = _PROOF | {"def", "abbrev"}

_RAW = re.compile(
    r"(?<![A-Za-z_])(?:"
    + "|".join(re.escape(word) for word in sorted(_RULE_OF_WORD, key=lambda word: (-len(word), word)))
    + r")(?![A-Za-z0-9_'])"
)
_RAW_OPTION = re.compile(r"set_option\s+(\S+)|set_option")


@dataclass(frozen=True)
class Refusal:
    """One reason not to run or accept the text, with its place (line from 1, column from 0)."""

    rule: str
    line: int
    column: int
    detail: str


@dataclass(frozen=True)
class Screened:
    """What the screening found: refusals in order of position, and the number of `sorry` in code."""

    refusals: tuple[Refusal, ...]
    sorry_count: int

    def rules(self) -> tuple[str, ...]:
        """The names of the rules broken, each once, in order of first appearance."""
        return tuple(dict.fromkeys(refusal.rule for refusal in self.refusals))


def screen(source: str, *, statement_only: bool = False) -> Screened:
    """The text against every rule.  `statement_only` allows `sorry` and takes a `def` for a statement.

    Where the text cannot be cut into tokens with certainty, comments and strings are searched for forbidden words too.
    """
    if flaw := _unreadable(source):
        return Screened((flaw,), 0)
    lexed, lines = tokenize(source), Lines(source)
    code = lexed.code()
    if evidence := lean3_evidence(code):
        detail = f"`{evidence.text}` is Lean 3; this check runs Lean 4: translate the text first"
        return Screened((Refusal("lean3_source", *lines.at(evidence.start), detail),), 0)
    found = sorted(set(_words(source, lexed, code)) | set(_options(source, lexed, code)))
    sorries = sum(rule == "sorry" for _, rule, _ in found)
    refusals = [
        Refusal(rule, *lines.at(start), _detail(rule, text, lexed))
        for start, rule, text in found
        if not (statement_only and rule == "sorry" and text == "sorry")
    ]
    wanted = _STATEMENT if statement_only else _PROOF
    if not any(token.text in wanted for token in code):
        refusals.append(Refusal("nothing_to_check", 1, 0, f"no {', '.join(sorted(wanted))} in the text"))
    return Screened(tuple(refusals), sorries)


def _unreadable(source: str) -> Refusal | None:
    try:
        size = len(source.encode())
    except UnicodeEncodeError as error:
        return Refusal("invalid_text", 1, 0, f"character {error.start} is half of a surrogate pair, not text")
    if size > MAX_SOURCE_BYTES:
        return Refusal("too_large", 1, 0, f"{size} bytes, at most {MAX_SOURCE_BYTES} are checked")
    if (nul := source.find("\0")) >= 0:
        return Refusal("invalid_text", *Lines(source).at(nul), "a NUL character")
    return None


def _words(source: str, lexed: Lexed, code: list[Token]) -> Iterator[tuple[int, str, str]]:
    """Start, rule and text of every forbidden word."""
    if lexed.doubts:
        for match in _RAW.finditer(source):
            yield match.start(), _RULE_OF_WORD[match.group()], match.group()
    for token in code:
        if token.kind == "word" and (rule := _rule_of(token.text)) is not None:
            yield token.start, rule, token.text


def _rule_of(text: str) -> str | None:
    """The rule that forbids this word.  `Lean.sorryAx` is `sorryAx`, but `Foo.prefix` and `List.notation` are names."""
    text = text.strip("«»")
    for form in (text, text.lstrip("#")):
        if form in _RULE_OF_WORD:
            return _RULE_OF_WORD[form]
    rule = _RULE_OF_WORD.get(text.rpartition(".")[2])
    return rule if rule in _LAST_PART_COUNTS else None


def _options(source: str, lexed: Lexed, code: list[Token]) -> Iterator[tuple[int, str, str]]:
    """Every `set_option` whose option is not on the list."""
    if lexed.doubts:
        for match in _RAW_OPTION.finditer(source):
            if not _option_allowed(match.group(1) or ""):
                yield match.start(), "option", match.group(1) or ""
    for token, after in zip(code, [*code[1:], None], strict=False):
        if token.text == "set_option":
            name = after.text if after is not None else ""
            if not _option_allowed(name):
                yield token.start, "option", name


def _option_allowed(name: str) -> bool:
    return any(name == option or (option.endswith(".") and name.startswith(option)) for option in _OPTIONS)


def _detail(rule: str, text: str, lexed: Lexed) -> str:
    what = f"`set_option {text}`: only options of effort and display are allowed" if rule == "option" else f"`{text}`"
    if lexed.doubts:
        what += f" (comments and strings were searched too, because the text has {lexed.doubts[0]})"
    return what
