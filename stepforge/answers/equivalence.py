r"""The answer-equivalence engine: `equivalent(gold, predicted) -> Verdict`.  Source: METRICS (all five papers).

Three verdicts; each says which test decided. Cheap tests first: option letter or text, normalised string, exact number,
structure (parts, set, tuple, interval, equation), then the symbolic library where one is passed in.

Policy
- Rationals are equal only exactly. Where no finite decimal writes the reference (1/3, a surd, π), a decimal reply
  within 1e-6 of it, relative, is right; 0.33 is not 1/3.
- A unit may be left out. Two units of one dimension are converted; units of two dimensions differ. A per cent may be
  written as 30 %, 30 or 0.3; below 1 % only as a per cent or a share (0.5 % is not 0.5).
- `x = 3` answers 3; the last side of a chain of equations counts. Two answers that name different variables differ.
- Sets are compared without order, tuples and intervals with it, intervals with their brackets.
- Prose: equal if the words are; two short texts (a word, a name) differ; longer prose that is not equal is undecided.
"""

from collections.abc import Callable, Sequence
from functools import partial

from stepforge.answers import options
from stepforge.answers.labels import compare_labels
from stepforge.answers.normalise import compact, normalise
from stepforge.answers.numbers import number
from stepforge.answers.parts import format_parts, nested_parts, split_parts
from stepforge.answers.prose import compare_prose, is_prose
from stepforge.answers.scalars import compare_numbers
from stepforge.answers.structures import compare_structures
from stepforge.answers.units import quantity
from stepforge.answers.verdict import DIFFERENT, EQUAL, UNDECIDED, Same, Verdict, combine
from stepforge.records import Answer, Choice
from stepforge.vocabulary import AnswerKind, EquivalenceVerdict

Symbolic = Callable[[str, str], EquivalenceVerdict]

_NO_LABELS = frozenset({AnswerKind.NUMBER, AnswerKind.TUPLE, AnswerKind.INTERVAL, AnswerKind.MATRIX})
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
    if normalise(predicted) in {normalise(format_parts(gold.parts)), normalise(gold.text)}:
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
    return compact(normalise(text))


def _compare(
    gold_text: str, predicted_text: str, kind: AnswerKind | None, symbolic: Symbolic | None, depth: int
) -> Verdict:
    """One value against another. `kind` None: by what the reference looks like."""
    gold, predicted = normalise(gold_text), normalise(predicted_text)
    if not predicted or compact(gold) == compact(predicted):
        return Verdict(EQUAL, "string", "same text") if predicted else Verdict(DIFFERENT, "string", "empty")
    labels = compare_labels(gold, predicted) if kind not in _NO_LABELS else None
    if labels is not None:
        return labels
    if kind is not AnswerKind.TEXT or number(gold) is not None:
        decided = compare_numbers(gold, predicted)
        if decided is None and depth < MAX_DEPTH and kind is not AnswerKind.TEXT:
            part = partial(_compare, kind=None, symbolic=symbolic, depth=depth + 1)
            decided = compare_structures(gold, predicted, kind, part)
        if decided is not None:
            return decided
    if is_prose(gold) or is_prose(predicted):
        return compare_prose(gold, predicted)
    if symbolic is None:
        return Verdict(UNDECIDED, "none", "no cheap test decides")
    return Verdict(symbolic(gold, predicted), "symbolic", "by the symbolic library")
