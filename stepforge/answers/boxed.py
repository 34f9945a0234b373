r"""Boxed answers: the last `\boxed{}`, nested ones, boxes that belong together (a set, the parts of a problem)."""

import re
from collections.abc import Sequence

from stepforge.vocabulary import AnswerKind

MAX_ANSWER_CHARS = 2000
MAX_BOXES = 40
MAX_NESTED = 5

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,3}(\{|(?=[^{\s]))")
_WRAPPED = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\s{0,3}\{(?P<inner>.*)\}", re.DOTALL)
_EMPTY = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,3}\{\s{0,9}\}")


def boxes(text: str) -> list[tuple[int, int, str]]:
    r"""(start, end, content) of the last `MAX_BOXES` outermost `\boxed{}` whose braces match (escaped ones apart)."""
    found = []
    covered = 0
    for match in list(_BOX.finditer(text))[-MAX_BOXES:]:
        if match.start() < covered:
            continue
        if not match[1]:
            token = re.match(r"\\?\w{1,40}|.", text[match.end() : match.end() + 60])
            if token:
                found.append((match.start(), match.end() + token.end(), token[0]))
            continue
        end = _closing_brace(text, match.end())
        if end is not None:
            found.append((match.start(), end + 1, text[match.end() : end]))
            covered = end
    return found


def _closing_brace(text: str, start: int) -> int | None:
    depth, i = 1, start
    stop = min(len(text), start + MAX_ANSWER_CHARS)
    while i < stop:
        char = text[i]
        if char == "\\":
            i += 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return None


def without_broken_boxes(text: str) -> str:
    r"""The text without empty boxes, and without a last box that never closes: the reply was cut off in it."""
    text = _EMPTY.sub("", text)
    last = next(iter(list(_BOX.finditer(text))[-1:]), None)
    if last and last[1] and _closing_brace(text, last.end()) is None and len(text) - last.end() < MAX_ANSWER_CHARS:
        return text[: last.start()]
    return text


def _innermost(content: str) -> str:
    """The content of a box that is nothing but another box."""
    for _ in range(MAX_NESTED):
        found = boxes(content)
        if not found or not _is_all(content, found[-1]):
            return content
        content = found[-1][2]
    return content


def _is_all(content: str, box: tuple[int, int, str]) -> bool:
    wrapped = _WRAPPED.fullmatch(content.strip())
    plain = wrapped["inner"] if wrapped else content
    return not plain.replace(content[box[0] : box[1]], "").strip(" $.")


def boxed(text: str, kind: AnswerKind) -> str | None:
    """The boxed answer of a reply; None if it has none."""
    found = [(start, end, _innermost(content)) for start, end, content in boxes(text) if content.strip()]
    if not found:
        return None
    if kind is AnswerKind.MULTI_PART:
        return _boxed_parts(text, found)
    if kind is AnswerKind.SET:
        run = [found[-1]]
        for box in reversed(found[:-1]):
            between = text[box[1] : run[0][0]]
            if len(between) > 12 or not re.fullmatch(r"[\s$,;、]{0,8}(?:and|or|和|或)?[\s$]{0,4}", between):
                break
            run.insert(0, box)
        return ", ".join(content for _, _, content in run)
    return found[-1][2]


_PART_IN_LINE = re.compile(r"[(（](\d{1,2}|[a-e])[)）]|第([一二三四五六七八九]|\d{1,2})[问题]")
PART_HEAD = re.compile(
    r"^[\s*#_>]{0,8}(?:part|question|第|问题?)?\s{0,2}(?:[(（]?(\d{1,2})[)）.、:：问]|[(（]([a-e])[)）]|([一二三四五六七八九])[问题])",
    re.IGNORECASE,
)
_HAN_DIGITS = "一二三四五六七八九"


def part_number(match: "re.Match[str] | None") -> int | None:
    """The number that a mark of a part says: 2, b or 二."""
    label = next((g for g in match.groups() if g), "") if match else ""
    if not label:
        return None
    if label.isdigit():
        return int(label)
    return _HAN_DIGITS.index(label) + 1 if label in _HAN_DIGITS else ord(label.lower()) - ord("a") + 1


def _boxed_parts(text: str, found: Sequence[tuple[int, int, str]]) -> str:
    """The boxes with the numbers of their parts, the last box of each part; a last box that holds all parts alone."""
    last = found[-1][2]
    if len(found) == 1 or len(set(_PART_IN_LINE.findall(last))) > 1:
        return last
    own = [_part_in_line(text, start) for start, _, _ in found]
    headed = [mark or _part_above(text, start) for mark, (start, _, _) in zip(own, found, strict=True)]
    for marks in (headed, own):
        known = [mark for mark in marks if mark is not None]
        if known and len(known) == len(marks) and known == sorted(known) and len(set(known)) == known[-1]:
            contents = {mark: content for mark, (_, _, content) in zip(known, found, strict=True)}
            return "\n".join(f"({mark}) {content}" for mark, content in contents.items())
    return "\n".join(f"({m}) {box[2]}" if m is not None else box[2] for m, box in zip(own, found, strict=True))


def _part_in_line(text: str, start: int) -> int | None:
    """The number of a part that stands before a box in its line."""
    line = text[max(0, text.rfind("\n", 0, start) + 1, start - 200) : start]
    marks = list(_PART_IN_LINE.finditer(line))
    return part_number(marks[-1]) if marks else None


def _part_above(text: str, start: int) -> int | None:
    """The number of the part under whose heading a box stands."""
    for line in reversed(text[max(0, start - MAX_ANSWER_CHARS) : start].splitlines()):
        if match := PART_HEAD.match(line[:40]):
            return part_number(match)
    return None
