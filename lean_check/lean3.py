"""Lean 3 text recognised: it cannot be judged by Lean 4, whose first error would say nothing about the mathematics."""

from collections.abc import Sequence, Set
from itertools import pairwise

from lean_check.tokens import Token

# Namespaces that Lean 3's mathlib writes in small letters and Lean 4's in capitals; none a likely name of a variable.
_NAMESPACE_WORDS = """
    nat int rat real complex finset multiset polynomial zmod ennreal nnreal topological_space measure_theory fintype
    finsupp linear_map mul_action add_subgroup mv_polynomial euclidean_geometry zsqrtd gaussian_int interval_integral
    quotient_group quotient_add_group
"""
_NAMESPACES = frozenset(_NAMESPACE_WORDS.split())
_WORDS = frozenset(["open_locale", "dec_trivial", "apply_instance"])
_BEFORE_A_TACTIC = frozenset(["by", "{", ",", ";", "begin", ":=", "from"])


def lean3_evidence(code: Sequence[Token]) -> Token | None:
    """The first token that only Lean 3 writes so, or None: `:= begin`, `import data.`, `open_locale`,
    `noncomputable theory`, `λ x,`, `nat.prime`.  `code`: the tokens without comments and strings."""
    bound = {token.text for token, after in pairwise(code) if after.text == ":"}  # `(nat : …)` is a name of the text
    for before, token, after in zip([None, *code], code, [*code[1:], None], strict=False):
        if token.text in bound:
            continue
        if _is_lean3(before, token, after) or (token.kind == "word" and _in_small_namespace(token.text, bound)):
            return token
    return _lambda_with_comma(code)


def _is_lean3(before: Token | None, token: Token, after: Token | None) -> bool:
    if token.kind != "word":
        return False
    text, previous = token.text, before.text if before is not None else ""
    following = after.text if after is not None else ""
    if text == "begin":
        return previous in (":=", ",", "by", "from") and following != ":="
    if previous == "import":
        return text[0].islower() and text != "all"
    if text == "theory":
        return previous == "noncomputable"
    if text == "constants":
        return after is not None and after.kind == "word"
    return text in _WORDS or (text == "obviously" and previous in _BEFORE_A_TACTIC)


def _in_small_namespace(text: str, bound: Set[str]) -> bool:
    first, point, rest = text.partition(".")
    return bool(point) and first in _NAMESPACES and first not in bound and rest[0].islower()


def _lambda_with_comma(code: Sequence[Token]) -> Token | None:
    """The `λ` of `λ x y, …`: plain names up to a comma, where Lean 4 has `=>` or `↦`."""
    start: Token | None = None
    for token in code:
        if token.text == "λ":
            start = token
        elif start is not None and token.text == ",":
            return start
        elif token.kind != "word":
            start = None
    return None
