"""Typed access to a record's fields, and what a text says by its form: language, kind of an answer, options."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from stepforge.records import Answer, Choice
from stepforge.sources._base import BadRecord
from stepforge.vocabulary import AnswerKind

CJK_SHARE = 0.2  # of the letters; Chinese geometry is half Latin letters, English has next to no Chinese ones
MAX_OPTION_MARKS = 400  # a text with more label-like marks is no list of options
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LATIN = re.compile(r"[A-Za-z]")
_MARK = re.compile(r"(?:^|(?<=[\s;；]))(?:[(（]([A-Z])[)）]|([A-Z]) ?[.．、:：)）])(?![ \t]*[;；])", re.MULTILINE)

_LENGTHS = r"mm|cm|dm|km|m|kg|g|mL|ml|L|s|h|min"
_POWER = r" ?(?:[²³]|\^? ?\{? ?[23] ?\}?)"
_UNIT = (
    rf"(?:\\?%|°|′|degrees?|\^ ?\{{? ?\\circ ?\}}?|"
    rf"(?:\\(?:mathrm|text|rm) ?\{{ ?~? ?)?(?:{_LENGTHS})(?:{_POWER})? ?\}}?(?:{_POWER})?)"
)
_DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,9}|\d{1,300})(?:\.\d{1,300})?|\.\d{1,300}"
_FRACTION = r"\\[dt]?frac ?\{ ?-?\d{1,99} ?\} ?\{ ?\d{1,99} ?\}"
_NUMBER = re.compile(
    rf"[$￥¥]?[-+−]?[$￥¥]?(?:(?:{_DIGITS})(?: ?/ ?\d{{1,300}})?|{_FRACTION})(?P<unit>[ ~]{{0,3}}{_UNIT})?"
)
_WORD = re.compile(r"[A-Za-z]{3,}")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_FUNCTION_NAMES = frozenset(
    ["sin", "cos", "tan", "cot", "sec", "csc", "log", "exp", "lim", "max", "min", "gcd", "lcm", "mod", "sqrt"]
)
_EQUATION = re.compile(r"[^<>=!≤≥,]=[^=,]")
_INEQUALITY = re.compile(r"[<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?)\b")
_BRACKETED = re.compile(r"(?P<open>[\[(])[^()\[\]]*,[^()\[\]]*(?P<close>[\])])")
_OR = re.compile(r"(?<![A-Za-z])or(?![A-Za-z])|或")
# (1)(3) or ①③, the right ones among numbered statements
_LABELS = re.compile(r"(?:(?:[(（]\d{1,2}[)）]|[\u2460-\u2473])[、,，和 ]{0,3}){2,40}")
_LABEL = re.compile(r"[(（]\s?(\d{1,2})\s?[)）]|([\u2460-\u2473])")
_FEW_WORDS = re.compile(r"[A-Za-z-]{2,20}(?: [A-Za-z-]{2,20}){0,2}|[\u3400-\u9fff]{1,8}")
_NESTED_HEAD = re.compile(r"[)）]\s?(?=\S[^\0]{0,2000}?[(（]2[)）])")  # "(3)) 37 (2) 91" for "(3)(1) 37 (2) 91"
MAX_VALUES = 5  # of an answer that names several things one after another
_PART = re.compile(r"[(（]\s?(\d{1,2})\s?[)）]")


def field(value: Mapping[str, Any], name: str) -> Any:
    """The field.  Raises: BadRecord if it is not there."""
    if name not in value:
        raise BadRecord(f"{name}: the field is missing; add it")
    return value[name]


def text_field(value: Mapping[str, Any], name: str) -> str:
    """The text of a field; a number counts as its text.  Raises: BadRecord."""
    found = field(value, name)
    if isinstance(found, str):
        return found
    if isinstance(found, int | Decimal) and not isinstance(found, bool):
        return str(found)
    raise BadRecord(f"{name}: expected a text, got {_shown(found)}; write it in double quotes")


def optional_text(value: Mapping[str, Any], name: str, missing: Iterable[str] = ("",)) -> str | None:
    """The text of a field; None if absent, null or one of the texts that stand for nothing.  Raises: BadRecord."""
    if value.get(name) is None:
        return None
    found = text_field(value, name)
    return None if found.strip() in missing else found


def list_field(value: Mapping[str, Any], name: str) -> list[str]:
    """The list of texts in a field, [] if it is absent or null.  Raises: BadRecord."""
    found = value.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        odd = next((item for item in found if not isinstance(item, str)), None) if isinstance(found, list) else None
        held = f" that holds {_shown(odd)}" if isinstance(found, list) else ""
        raise BadRecord(f"{name}: expected a list of texts, got {_shown(found)}{held}")
    return found


def one_of(value: Mapping[str, Any], name: str, table: Mapping[str, Any]) -> Any:
    """What the table says of a field's text.  Raises: BadRecord naming the values that there are."""
    found = text_field(value, name)
    if found not in table:
        raise BadRecord(f"{name}: {found[:60]!r} is none of {', '.join(table)}")
    return table[found]


def _shown(value: object) -> str:
    names = {dict: "an object", list: "a list", bool: "true or false", type(None): "null", str: "a text"}
    return names.get(type(value), "a number")


def content_id(*texts: str) -> str:
    """The first 16 hexadecimal digits of the sha256 of the texts: an id for a record that has none."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def language_of(text: str) -> str:
    """`zh` if at least a fifth of the letters are Chinese characters, else `en`."""
    chinese, latin = len(_CJK.findall(text)), len(_LATIN.findall(text))
    return "zh" if chinese and chinese >= CJK_SHARE * (chinese + latin) else "en"


def split_options(text: str, *, whole: bool = False) -> tuple[int, tuple[Choice, ...]]:
    """Lettered options of a text and where they begin; (len(text), ()) if there are none.

    Options are `A.`, `A、`, `A)` or `(A)`, from A on, the first at a line start or end; of increasing chains of
    label-like marks the one with most marks at a line's start or after a semicolon wins, then the last one.
    `whole`: the text is nothing but options, so that the chain begins with the text and a label may be left out.
    """
    marks = [(m[1] or m[2], m.start(), m.end()) for m in _MARK.finditer(text)][: MAX_OPTION_MARKS + 1]
    if len(marks) > MAX_OPTION_MARKS:
        return len(text), ()
    best: dict[str, tuple[int, tuple[int, ...]]] = {}
    for i, (label, start, end) in enumerate(marks):
        before = text[:start].rstrip(" \t")[-1:]
        weight = 3 if before in ("", "\n", ";", "；") else 2
        if label == "A":
            alone = before in ("", "\n") or text[end : end + 1] in ("", "\n")
            if alone if not whole else not text[:start].strip():
                best["A"] = (weight, (i,))
            continue
        earlier = [best[k] for k in best if k < label] if whole else [best[k] for k in best if ord(k) == ord(label) - 1]
        if earlier:
            score, chain = max(earlier)
            if (score + weight, (*chain, i)) >= best.get(label, (0, ())):
                best[label] = (score + weight, (*chain, i))
    score, chain = max(best.values(), default=(0, ()))
    if len(chain) < 2:
        return len(text), ()
    ends = [*(marks[i][1] for i in chain[1:]), len(text)]
    pairs = zip(chain, ends, strict=True)
    choices = tuple(Choice(label=marks[i][0], text=text[marks[i][2] : end].strip(" \t\r\n;；")) for i, end in pairs)
    return marks[chain[0]][1], choices


def parts_of(text: str) -> tuple[str, ...]:
    """Sub-answers of `(1) … (2) …`, half- or full-width brackets; () unless (1) begins the text and a (2) follows.

    A part that itself begins with (1) is numbered inside: the marks that go on with its own numbers belong to it.
    """
    starts: list[tuple[int, int]] = []
    inner: int | None = None
    for mark in _PART.finditer(text):
        number = int(mark[1])
        if not starts and text[: mark.start()].strip(" $\n"):
            return ()
        if starts and number == 1 and not text[starts[-1][1] : mark.start()].strip():
            inner = 2
        elif not _opens(text, mark.start()):
            continue
        elif number == inner:
            inner += 1
        elif number == len(starts) + 1:
            starts.append(mark.span())
            inner = None
    if len(starts) < 2:
        return ()
    ends = [*(start for start, _ in starts[1:]), len(text)]
    parts = (text[begin:end].strip(" \t\r\n;；,，") for (_, begin), end in zip(starts, ends, strict=True))
    return tuple(_NESTED_HEAD.sub("(1) ", part, count=1) if part[:1] in {")", "）"} else part for part in parts)


def _opens(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in " \t\n;；,，。.$"


def bare(text: str) -> str:
    """An answer without what surrounds it: spaces, a final stop, one pair of dollar signs."""
    found = text.strip().rstrip(".。;；").strip()
    if len(found) > 2 and found[0] == found[-1] == "$" and "$" not in found[1:-1]:
        found = found[1:-1].strip()
    return found.replace("\\left", "").replace("\\right", "")


def kind_of(text: str) -> AnswerKind:
    """Kind of an answer by its form; `text` where it reads like words."""
    core = bare(text)
    words = [w for w in _WORD.findall(_COMMAND.sub(" ", core)) if w.lower() not in _FUNCTION_NAMES]
    bracketed = _BRACKETED.fullmatch(core)
    for kind, holds in (
        (AnswerKind.NUMBER, _NUMBER.fullmatch(core) is not None),
        (AnswerKind.MATRIX, "matrix}" in core),
        (AnswerKind.SET, core.startswith(("{", "\\{")) and core.endswith("}")),
        (AnswerKind.TEXT, bool(words) or bool(_CJK.search(core)) or not core),
        (AnswerKind.INTERVAL, bracketed is not None and bracketed["open"] + bracketed["close"] != "()"),
        (AnswerKind.TUPLE, bracketed is not None),
        (AnswerKind.INEQUALITY, _INEQUALITY.search(core) is not None),
        (AnswerKind.EQUATION, len(_EQUATION.findall(core)) == 1),
    ):
        if holds:
            return kind
    return AnswerKind.EXPRESSION


def unit_of(text: str) -> str | None:
    """The unit written after a number, as the source writes it without TeX; None if there is none."""
    found = _NUMBER.fullmatch(bare(text))
    if found is None or not found["unit"]:
        return None
    unit = found["unit"]
    if "circ" in unit:
        return "°"
    return re.sub(r"\\(?:mathrm|text|rm)|[\\{}~ ]", "", unit)


def guess_answer(text: str | None, choices: Sequence[Choice] = (), unit: str | None = None) -> Answer | None:
    """The typed answer that a text gives; None for an empty one.

    With options: their letters (`B`, `(B)`, `ACD`) or one option's own text is a choice.  Values joined by `or`
    and lists of numbered statements, `(1)(3)`, are a set; a few words and values between commas are a tuple.
    """
    if text is None or not text.strip():
        return None
    text = text.strip()
    letters = _letters(text, choices)
    if letters:
        return Answer(kind=AnswerKind.CHOICE, text=letters, unit=unit)
    same = [c for c in choices if c.text.strip() and bare(c.text) == bare(text)]
    if len(same) == 1:
        return Answer(kind=AnswerKind.CHOICE, text=same[0].label, alternatives=(text,), unit=unit)
    values = tuple(part.strip(" \t\n,，.。") for part in _OR.split(text))
    if 1 < len(values) <= 10 and all(v and kind_of(v) is not AnswerKind.TEXT for v in values):
        return Answer(kind=AnswerKind.SET, text=text, parts=values, unit=unit)
    if _LABELS.fullmatch(bare(text)):
        found = _LABEL.findall(text)
        labels = tuple(f"({number or ord(circled) - 0x245F})" for number, circled in found)
        return Answer(kind=AnswerKind.SET, text=text, parts=labels, unit=unit)
    named = _named_values(text)
    kind = AnswerKind.TUPLE if named else kind_of(text)
    return Answer(kind=kind, text=text, parts=named, unit=unit or unit_of(text))


def _named_values(text: str) -> tuple[str, ...]:
    """The pieces of `parallelogram, $2 \\sqrt{5}$`: a few words beside values, commas outside brackets between them;
    () for anything else."""
    pieces, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if depth == 0 and (text.startswith(", ", at) or char in "，、"):
            pieces.append(text[start:at].strip())
            start = at + 1
    pieces.append(text[start:].strip(" .。"))
    if not 1 < len(pieces) <= MAX_VALUES or not all(pieces):
        return ()
    words = [kind_of(piece) is AnswerKind.TEXT for piece in pieces]
    plain = all(_FEW_WORDS.fullmatch(piece) for piece, is_words in zip(pieces, words, strict=True) if is_words)
    return tuple(pieces) if any(words) and not all(words) and plain else ()


def _letters(text: str, choices: Sequence[Choice]) -> str | None:
    labels = {c.label for c in choices}
    found = text.strip("()（）.。 :：$")
    found = re.sub(r"[\s,，、]", "", found) if len(found) < 60 else ""
    return found if found and set(found) <= labels and len(set(found)) == len(found) else None
