"""Text screening before Lean is run: what no honest proof or statement of a benchmark item needs is refused by name.

This is not a replacement for a kernel check.  It reads text, and text can be written in more ways than rules foresee;
it keeps out what Lean would carry out while it reads the file (macros, `#eval`), what makes Lean's messages worthless
(`#guard_msgs`, options that switch the kernel off), and what is wrong on its face (`sorry`, an axiom of one's own).

Nothing that Lean reads is left unsearched: after a syntax error Lean may take the inside of a comment or a string for
code.  So the insides of comments are blanked before Lean sees the text, strings are searched as code is, and a text in
which it is not certain what is a comment is searched, and given to Lean, whole.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lean_check.lean3 import lean3_evidence
from lean_check.tokens import Lexed, Lines, tokenize

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
        "#eval #eval! #guard #exec #run #html #widget term_elab command_elab term_parser command_parser tactic_parser "
        "app_unexpander delab IO EIO BaseIO MetaM TacticM TermElabM CommandElabM CoreM MacroM CommandElab TermElab "
        "Unexpander register_option register_simp_attr register_builtin_option evalConst addDecl addDeclWithoutChecking"
    ),
    "notation": "notation notation3 infix infixl infixr prefix postfix unif_hint binder_predicate",
}
RULES = (*_WORDS_OF_RULE, "option")
"""The rules about words, which `screen` can be told to switch off."""

_RULE_OF_WORD = {word: rule for rule, words in _WORDS_OF_RULE.items() for word in words.split()}

# Options that change effort or what is printed, none of which changes what counts as proved.
_OPTION_WORDS = """
    maxHeartbeats maxRecDepth autoImplicit relaxedAutoImplicit synthInstance. linter. pp. tactic. simp. grind. aesop.
    exponentiation.threshold diagnostics backward. structureDiamondWarning quotPrecheck smartUnfolding says. trace.
    push_neg. profiler profiler. simprocs maxSynthPendingDepth maxUniverseOffset match.ignoreUnusedAlts format.
    wf.preprocess showInferredTerminationBy
"""
_OPTIONS = _OPTION_WORDS.split()
_PROOF = frozenset(["theorem", "lemma", "example"])
_STATEMENT = _PROOF | {"def", "abbrev"}

# For Lean `#evalx` is `#eval` and `x`, and `a#exit` is `a` and `#exit`, while `xaxiom` and `axiom'` are names.
# A rule of `aesop` may be called unsafe: `(add unsafe 50% apply h)`; what is declared may not.
_DECLARES = "def|theorem|lemma|instance|abbrev|inductive|structure|class|opaque|example|mutual|section|namespace|end"
_UNSAFE = (
    r"unsafe(?!\s+[0-9]+\s*%)"
    rf"(?!(?<=\(add unsafe)\s+(?!(?:{_DECLARES}|private|protected|public|partial|noncomputable|nonrec|meta)\b)\w)"
)
_HASHED = sorted((word for word in _RULE_OF_WORD if word.startswith("#")), key=lambda word: (-len(word), word))
_NAMED = sorted(_UNSAFE if word == "unsafe" else word for word in _RULE_OF_WORD if not word.startswith("#"))
_FORBIDDEN = re.compile(
    r"set_option(?![A-Za-z0-9_'])\s*(?=(?P<option>\S*))"
    rf"|(?:{'|'.join(_HASHED)})|(?<![A-Za-z_])(?:{'|'.join(_NAMED)})(?![A-Za-z0-9_'])"
)
# Attributes that hand Lean a definition of the text to carry out; the words alone are names of tactics and functions.
_ATTRIBUTE = re.compile(
    r"(?<![\w.])(?:tactic|init|norm_num|positivity|deriving_handler|env_linter|formatter|parenthesizer)(?=\s+[^\s,\]])"
)
_ATTRIBUTES_BEGIN = re.compile(r"(?:@|attribute\s)\s*\[[^\]]*\Z")
_ATTRIBUTES_CHARS = 300
_PLAIN_OPTION = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")


@dataclass(frozen=True)
class Refusal:
    """One reason not to run or accept the text, with its place (line from 1, column from 0)."""

    rule: str
    line: int
    column: int
    detail: str


@dataclass(frozen=True)
class Screened:
    """What the screening found: refusals in order of position, the number of `sorry`, and the text that was searched,
    the only one that Lean may be given."""

    refusals: tuple[Refusal, ...]
    sorry_count: int = 0
    text: str = ""

    def rules(self) -> tuple[str, ...]:
        """The names of the rules broken, each once, in order of first appearance."""
        return tuple(dict.fromkeys(refusal.rule for refusal in self.refusals))


def screen(source: str, *, statement_only: bool = False, allow: Collection[str] = ()) -> Screened:
    """The text against every rule.  `statement_only` allows `sorry` and takes a `def` for a statement; `allow` names
    rules that are switched off, such as `notation` for a data set's own statements, which may define some.

    A forbidden word counts in a string as well, and in a comment where the text leaves it unclear what is one.
    """
    if flaw := _unreadable(source):
        return Screened((flaw,))
    lexed, lines = tokenize(source), Lines(source)
    code = lexed.code()
    if evidence := lean3_evidence(code):
        detail = f"`{evidence.text}` is Lean 3; this check runs Lean 4: translate the text first"
        return Screened((Refusal("lean3_source", *lines.at(evidence.start), detail),))
    text = source if lexed.doubts else lexed.without_comments(source)
    found = list(_forbidden(text))
    refusals = [
        Refusal(rule, *lines.at(start), _detail(rule, word, lexed))
        for start, rule, word in found
        if rule not in allow and not (statement_only and word == "sorry")
    ]
    if code and code[0].text == "module":
        refusals.insert(0, Refusal("module_system", *lines.at(code[0].start), "`module`: its proofs are not compiled"))
    wanted = _STATEMENT if statement_only else _PROOF
    if not any(token.text in wanted for token in code):
        refusals.append(Refusal("nothing_to_check", 1, 0, f"no {', '.join(sorted(wanted))} in the text"))
    return Screened(tuple(refusals), sum(rule == "sorry" for _, rule, _ in found), text)


def _unreadable(source: str) -> Refusal | None:
    try:
        size = len(source.encode())
    except UnicodeEncodeError as error:
        return Refusal("invalid_text", *Lines(source).at(error.start), "half of a surrogate pair, which is no text")
    if size > MAX_SOURCE_BYTES:
        return Refusal("too_large", 1, 0, f"{size} bytes, at most {MAX_SOURCE_BYTES} are checked")
    if (nul := source.find("\0")) >= 0:
        return Refusal("invalid_text", *Lines(source).at(nul), "a NUL character")
    return None


def _forbidden(text: str) -> Iterator[tuple[int, str, str]]:
    """Start, rule and word of everything forbidden, in order."""
    yield from sorted([*_forbidden_words(text), *_forbidden_attributes(text)])


def _forbidden_attributes(text: str) -> Iterator[tuple[int, str, str]]:
    for match in _ATTRIBUTE.finditer(text):
        before = text[max(0, match.start() - _ATTRIBUTES_CHARS) : match.start()]
        if _ATTRIBUTES_BEGIN.search(before, max(before.rfind("@"), before.rfind("attribute"), 0)):
            yield match.start(), "metaprogramming", match.group()


def _forbidden_words(text: str) -> Iterator[tuple[int, str, str]]:
    for match in _FORBIDDEN.finditer(text):
        option = match.group("option")
        if option is None:
            yield match.start(), _RULE_OF_WORD[match.group()], match.group()
        elif not _option_allowed(option):
            yield match.start(), "option", option


def _option_allowed(name: str) -> bool:
    known = any(name == option or (option.endswith(".") and name.startswith(option)) for option in _OPTIONS)
    return known and _PLAIN_OPTION.fullmatch(name) is not None


def _detail(rule: str, text: str, lexed: Lexed) -> str:
    what = f"`set_option {text}`: only options of effort and display are allowed" if rule == "option" else f"`{text}`"
    if lexed.doubts:
        what += f" (comments were searched too, because the text has {lexed.doubts[0]})"
    return what
