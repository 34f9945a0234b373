r"""The answer-equivalence engine: `equivalent(gold, predicted) -> Verdict`.  Source: METRICS (all five papers).

Three verdicts; each says which test decided. Cheap tests first: option letter or text, normalised string, exact number,
structure (parts, set, tuple, interval, matrix, equation), words, our own algebra, then the symbolic library where one
is passed in, for what our own grammar does not read.

Policy (docs/equivalence.md has the conventions beside those of public judges)
- Rationals are equal only exactly. Where no finite decimal writes a value (1/3, a surd, π), a decimal within 1e-6 of
  it, relative, is the same; 0.33 is not 1/3.
- A unit may be left out. Two units of one dimension are converted; units of two dimensions differ. A per cent may be
  written as 30 %, 30 or 0.3; below 1 % only as a per cent or a share (0.5 % is not 0.5).
- `x = 3` answers 3; the last side of a chain of equations counts. Two answers that name different variables differ.
- Sets are compared without order, tuples and intervals with it, intervals with their brackets.
- Expressions are equal if they are wherever both are defined, and defined at the same points; a gap of a quotient that
  cancels, (x²-1)/(x-1), is filled. Equations are equal up to
  a factor, inequalities as the sets that they are. A constant of integration counts where the reference has one.
- Prose: equal if the words are; two short texts (a word, a name) differ; longer prose that is not equal is undecided.
- Swapping the texts changes no verdict, except for choices, parts and constants of integration.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from stepforge.answers import options
from stepforge.answers.algebra import compare_expressions
from stepforge.answers.labels import compare_labels
from stepforge.answers.normalise import MAX_CHARS, compact, normalise
from stepforge.answers.numbers import number
from stepforge.answers.parts import format_parts, nested_parts, split_parts
from stepforge.answers.prose import compare_prose, compare_statements, is_prose
from stepforge.answers.relations import with_constant
from stepforge.answers.scalars import compare_numbers, compare_times_of_day
from stepforge.answers.structures import compare_structures
from stepforge.answers.syntax import AmbiguousError, UnreadableError, read
from stepforge.answers.units import quantity, without_unit
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Same, Verdict, combine
from stepforge.answers.words import NAMED_SETS, canonical
from stepforge.records import Answer, Choice
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict

Symbolic = Callable[[str, str], EquivalenceVerdict]


@runtime_checkable
class Explaining(Protocol):
    """A symbolic test that also says who decided, and why nobody did."""

    def judge(self, gold: str, predicted: str) -> Verdict:
        """The verdict with its method and reason."""
        ...


_NO_LABELS = frozenset({AnswerKind.NUMBER, AnswerKind.TUPLE, AnswerKind.INTERVAL, AnswerKind.MATRIX})
_LISTS = frozenset({AnswerKind.SET, AnswerKind.TUPLE, AnswerKind.INTERVAL})
_VALUES_ONLY = re.compile(r"[-+\d\s.,;/^*\\{}%()和或与、]{1,200}")
MAX_DEPTH = 4  # sets of tuples of fractions


def equivalent(
    gold: Answer, predicted: str, choices: Sequence[Choice] = (), symbolic: Symbolic | None = None
) -> Verdict:
    """Whether `predicted` is the reference answer or one of its alternatives.  Never raises on any text."""
    if gold.kind is AnswerKind.CHOICE:
        return _choice(gold.text, gold.alternatives, predicted, choices, symbolic)
    if gold.kind is AnswerKind.MULTI_PART and gold.parts:
        return combine(compare_parts(gold, predicted, choices, symbolic), "multi_part")
    verdicts = []
    for text in (gold.text, *gold.alternatives):
        verdicts.append(_one(gold, text, predicted, choices, symbolic))
        if verdicts[-1].verdict is EQUAL:
            return verdicts[-1]
    return next((v for v in verdicts if v.verdict is UNDECIDED), verdicts[0])


def compare_parts(
    gold: Answer, predicted: str, choices: Sequence[Choice] = (), symbolic: Symbolic | None = None
) -> tuple[Verdict, ...]:
    """One verdict for each sub-answer of a multi-part reference, in order (MV-MATH's steps)."""
    if _plain(predicted) in {_plain(format_parts(gold.parts)), _plain(gold.text)}:
        return tuple(Verdict(EQUAL, "string", "same text") for _ in gold.parts)
    return _parts_one_by_one(gold.parts, predicted, partial(_choice_or_value, choices=choices, symbolic=symbolic))


def _parts_one_by_one(parts: Sequence[str], predicted: str, same: Same) -> tuple[Verdict, ...]:
    answers = split_parts(predicted, len(parts))
    return tuple(
        Verdict(DIFFERENT, "multi_part", "not answered") if answer is None else same(part, answer)
        for part, answer in zip(parts, answers, strict=True)
    )


def _choice_or_value(part: str, answer: str, choices: Sequence[Choice], symbolic: Symbolic | None) -> Verdict:
    inner = nested_parts(part)
    if inner and normalise(part) != normalise(answer):
        same = partial(_compare, kind=None, symbolic=symbolic, depth=1)
        return combine(_parts_one_by_one(inner, answer, same), "multi_part")
    if part.strip() in {choice.label for choice in choices}:
        return _choice(part, (), answer, choices, symbolic)
    return _compare(part, answer, None, symbolic, 0)


def _one(gold: Answer, text: str, predicted: str, choices: Sequence[Choice], symbolic: Symbolic | None) -> Verdict:
    if _plain(text) == _plain(predicted):
        return Verdict(EQUAL, "string", "same text")
    if gold.kind is AnswerKind.PROOF_CONDITION:
        return Verdict(UNDECIDED, "none", "a proof is not compared")
    letter = options.single_letter(predicted, choices) if choices else None
    if letter is not None and compact(normalise(text)) != compact(normalise(predicted)):
        predicted = options.text_of(letter, choices)
    unit = f" {gold.unit}" if gold.unit and gold.kind in {AnswerKind.NUMBER, AnswerKind.EXPRESSION} else ""
    if unit and quantity(normalise(text)).dimension is None:
        text += unit
    return _compare(text, predicted, gold.kind, symbolic, 0)


def _choice(
    label: str, texts: Sequence[str], predicted: str, choices: Sequence[Choice], symbolic: Symbolic | None
) -> Verdict:
    """The right option against a reply: by letter where the reply names one, else by the option's text."""
    wanted = options.letters(label, choices)
    named = options.letters(predicted, choices)
    if wanted and named:
        same = set(wanted) == set(named)
        return Verdict(EQUAL if same else DIFFERENT, "option letter", f"{','.join(named)} for {','.join(wanted)}")
    others = [c.text for c in choices if c.text and c.label not in wanted]
    if any(_plain(predicted) == _plain(other) for other in others):
        return Verdict(DIFFERENT, "option text", "the text of another option")
    own = options.text_of(wanted[0], choices) if len(wanted) == 1 else "" if wanted else label
    verdicts = [_compare(text, predicted, None, symbolic, 0) for text in (own, *texts) if text]
    best = next((v for v in verdicts if v.verdict is EQUAL), verdicts[0] if verdicts else None)
    if best is None:
        return Verdict(DIFFERENT, "option letter", "names no option")
    return best._replace(method=f"option text, {best.method}")


def _plain(text: str) -> str:
    return compact(normalise(text)) if len(text) <= MAX_CHARS else text.strip()


def _compare(
    gold_text: str, predicted_text: str, kind: AnswerKind | None, symbolic: Symbolic | None, depth: int
) -> Verdict:
    """One value against another. `kind` None: by what the reference looks like."""
    if max(len(gold_text), len(predicted_text)) > MAX_CHARS:
        same = gold_text.strip() == predicted_text.strip()
        return Verdict(EQUAL, "string", "same text") if same else Verdict(UNDECIDED, "none", "too long to compare")
    gold, predicted = normalise(gold_text), normalise(predicted_text)
    if not predicted or compact(gold) == compact(predicted):
        return Verdict(EQUAL, "string", "same text") if predicted else Verdict(DIFFERENT, "string", "empty")
    return _numbered_parts(gold_text, predicted_text, symbolic, depth) or _compare_values(
        canonical(gold), canonical(predicted), kind, symbolic, depth
    )


def _compare_values(
    gold: str, predicted: str, kind: AnswerKind | None, symbolic: Symbolic | None, depth: int
) -> Verdict:
    """One value against another, both normalised and their words read."""
    if kind is AnswerKind.TEXT and _VALUES_ONLY.fullmatch(gold) and _VALUES_ONLY.fullmatch(predicted):
        kind = None  # 1和2: a list of values, in words only by its conjunction
    decided = Verdict(EQUAL, "text", "the same in words") if gold == predicted else None
    decided = decided or (compare_labels(gold, predicted) if kind not in _NO_LABELS else None)
    decided = decided or compare_times_of_day(gold, predicted)
    if decided is None and any(text in NAMED_SETS for text in (gold, predicted)):
        decided = _named_sets(gold, predicted)
    if decided is None and (kind is not AnswerKind.TEXT or _any_number(gold, predicted)):
        decided = _as_mathematics(gold, predicted, kind, symbolic, depth)
    decided = decided or compare_statements(gold, predicted)
    if decided is not None:
        return decided
    a, b = without_unit(gold), without_unit(predicted)
    if is_prose(a.text) or is_prose(b.text):
        return compare_prose(gold, predicted)
    if None not in (a.dimension, b.dimension) and (a.dimension, a.factor) != (b.dimension, b.factor):
        return Verdict(DIFFERENT, "algebra", "another unit")
    return _as_expressions(a.text, b.text, symbolic)


def _numbered_parts(gold: str, predicted: str, symbolic: Symbolic | None, depth: int) -> Verdict | None:
    """(1) 2 (2) 3 part by part, whatever its kind: it is no product.  None where neither text is numbered."""
    wanted, found = nested_parts(gold), nested_parts(predicted)
    if not (wanted or found) or depth >= MAX_DEPTH:
        return None
    same = partial(_compare, kind=None, symbolic=symbolic, depth=depth + 1)
    parts, other = (wanted, predicted) if wanted else (found, gold)
    answers = split_parts(other, len(parts))
    if all(answer is None for answer in answers):
        if is_prose(normalise(other)):
            return Verdict(UNDECIDED, "multi_part", "only one of them is numbered")
        return Verdict(DIFFERENT, "multi_part", f"one value for {len(parts)} parts")
    if wanted and found and len(wanted) != len(found):
        return Verdict(DIFFERENT, "multi_part", "another number of parts")
    if wanted:
        return combine(_parts_one_by_one(parts, other, same), "multi_part")
    return combine(_parts_one_by_one(parts, other, lambda part, answer: same(answer, part)), "multi_part")


def _any_number(*texts: str) -> bool:
    return any(number(quantity(text).text) is not None for text in texts)


def _named_sets(gold: str, predicted: str) -> Verdict | None:
    """ℝ against ℚ, the empty set against a number."""
    other = predicted if gold in NAMED_SETS else gold
    if other in NAMED_SETS or number(other) is not None:
        return Verdict(DIFFERENT, "set", "another set")
    return None


def _as_mathematics(
    gold: str, predicted: str, kind: AnswerKind | None, symbolic: Symbolic | None, depth: int
) -> Verdict | None:
    """Numbers, then structures."""
    listed = kind in _LISTS and ("," in gold or "," in predicted)  # 70,110 is two values there
    decided = None if listed else compare_numbers(gold, predicted, letters=kind is not AnswerKind.NUMBER)
    if decided is None and depth < MAX_DEPTH and kind is not AnswerKind.TEXT:
        part = partial(_compare, kind=None, symbolic=symbolic, depth=depth + 1)
        decided = compare_structures(gold, predicted, kind, part)
    return decided


def _as_expressions(gold: str, predicted: str, symbolic: Symbolic | None) -> Verdict:
    """Two expressions, by our own algebra; where it cannot read them, by the symbolic library."""
    why = "no cheap test decides"
    try:
        left, right = read(gold), read(predicted)
        found = with_constant(left, right) or compare_expressions(left, right)
        if found.verdict is not UNDECIDED or found.reason.startswith("equal"):
            return Verdict(found.verdict, "algebra", found.reason)
        why = found.reason
    except AmbiguousError as error:
        return Verdict(UNDECIDED, "algebra", str(error))
    except UnreadableError as error:
        why = f"not read: {error}"
    if symbolic is None:
        return Verdict(UNDECIDED, "none", why)
    if isinstance(symbolic, Explaining):
        return symbolic.judge(gold, predicted)
    return Verdict(symbolic(gold, predicted), "symbolic", "by the symbolic library")
