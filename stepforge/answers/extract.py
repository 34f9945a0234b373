r"""The final answer that a reply states. A reply that states none has none: no last number is guessed.

Order: the last `\boxed{}`; else a JSON object with the key "answer"; else the last of "#### x", "A: x", "Answer: x",
"the answer is x", 答案是 x, 故选 x; else a reply of one short line is its own answer.
Limit: `A: x` counts only as the last line of a reply, and never for a problem with options, where it may as well be
option A.
"""

import re
from collections.abc import Sequence

from stepforge.answers.json_reply import json_objects
from stepforge.records import Choice
from stepforge.vocabulary import AnswerKind

TAIL_CHARS = 20_000  # a final answer stands at the end
MAX_ANSWER_CHARS = 2000
MAX_BOXES = 40
SHORT_REPLY_CHARS = 60
MAX_LINES = 400

_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,3}(\{|(?=[^{\s]))")
_LINE_MARK = re.compile(
    r"^[\s>*#_<-]{0,12}(?:(?:the )?(?:final |correct )?answer|最终答案|答案|答)[*_>]{0,3}"
    r"(?:\s?(?:is|are|是|为)\b|\s?[:：=])[\s*_:：]{0,6}(?P<rest>.*)$",
    re.IGNORECASE,
)
_INLINE_MARK = re.compile(
    r"(?:\b(?:final |correct )?answer(?: is| are| would be)?[*_]{0,3}\s?(?:[:：=]|(?<=is)|(?<=are)|(?<=be))"
    r"|(?:答案|结果)(?:应)?(?:是|为|选)?[:：]?|故(?:应)?选(?:择)?[:：]?|故填[:：]?|\b(?:option|choice) is\b[:：]?)"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_HASHES = re.compile(r"####(?P<rest>.*)$")
_A_LINE = re.compile(r"^\s{0,3}A\s?[:：](?P<rest>.*)$")
_OPTION_WORD = re.compile(r"(?:\b(?:option|choice)\s{0,2}|选项?\s{0,2})\(?([A-J])\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.。!！]\s{1,3}(?=[A-Z\u4e00-\u9fff])|。")
_THINK_END = "</think>"


def tail_of(reply: str) -> str:
    """The part of a reply in which its final answer is looked for."""
    after = reply.rfind(_THINK_END)
    if after >= 0:
        reply = reply[after + len(_THINK_END) :]
    tail = reply[-TAIL_CHARS:]
    if len(reply) > TAIL_CHARS and "\\boxed" not in tail:
        box = reply.rfind("\\boxed")
        if box >= 0:
            return reply[box : box + TAIL_CHARS]
    return tail


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


def _boxed(text: str, kind: AnswerKind) -> str | None:
    found = boxes(text)
    if not found:
        return None
    if kind is AnswerKind.MULTI_PART:
        marked = [(_part_mark(text, start), content) for start, _, content in found]
        return "\n".join(f"{mark}{content}" for mark, content in marked) if len(found) > 1 else found[-1][2]
    if kind is AnswerKind.SET:
        run = [found[-1]]
        for box in reversed(found[:-1]):
            between = text[box[1] : run[0][0]]
            if len(between) > 12 or not re.fullmatch(r"[\s$,;、]{0,8}(?:and|or|和|或)?[\s$]{0,4}", between):
                break
            run.insert(0, box)
        return ", ".join(content for _, _, content in run)
    return found[-1][2]


def _part_mark(text: str, start: int) -> str:
    """The number of a part that stands before a box in its line."""
    line = text[max(0, text.rfind("\n", 0, start) + 1, start - 200) : start]
    marks = re.findall(r"[(（]\d{1,2}[)）]", line)
    return f"{marks[-1]} " if marks else ""


def _clean(text: str) -> str:
    text = text.strip().strip("*_`").strip()
    while text.startswith("<") and text.endswith(">") and len(text) > 2:
        text = text[1:-1].strip()
    end = _SENTENCE_END.search(text)
    if end:
        text = text[: end.start()]
    text = text.strip(" *_`\n\t").rstrip(" *_`.。")
    while len(text) > 1 and text[0] == text[-1] == "$":
        text = text[1:-1].strip().rstrip(" .。")
    return text[:MAX_ANSWER_CHARS]


def _marked(text: str, kind: AnswerKind, *, has_choices: bool) -> str | None:
    lines = [line for line in text.splitlines() if line.strip()][-MAX_LINES:]
    for back, line in enumerate(reversed(lines)):
        rest = _rest(line[:MAX_ANSWER_CHARS], last=back == 0 and not has_choices)
        if rest is None:
            continue
        answer = _clean(rest)
        if not answer and back > 0:
            answer = _clean(lines[len(lines) - back])  # the value stands on the line after its mark
        if answer and kind is AnswerKind.MULTI_PART:
            return "\n".join([answer, *lines[len(lines) - back :]])[:MAX_ANSWER_CHARS]
        if answer and answer not in {"{}", "none", "None"}:
            return answer
    return None


def _rest(line: str, *, last: bool) -> str | None:
    for pattern in (_HASHES, _LINE_MARK, _A_LINE if last else None, _INLINE_MARK):
        match = pattern.search(line) if pattern else None
        if match:
            return match["rest"]
    return None


def _json_answer(text: str) -> str | None:
    for value in reversed(json_objects(text)):
        for key in ("answer", "final_answer", "Answer"):
            answer = value.get(key)
            if isinstance(answer, str | int | float) and not isinstance(answer, bool):
                return str(answer)[:MAX_ANSWER_CHARS]
    return None


def extract_answer(reply: str, kind: AnswerKind, choices: Sequence[Choice] = ()) -> str | None:
    """The final answer that the reply states, as it states it; None if it states none.  Time linear in the reply."""
    text = tail_of(reply)
    has_choices = kind is AnswerKind.CHOICE or bool(choices)
    for answer in (_boxed(text, kind), _json_answer(text), _marked(text, kind, has_choices=has_choices)):
        if answer is not None and answer.strip():
            return answer.strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and len(lines[0]) <= SHORT_REPLY_CHARS and _rest(lines[0], last=not has_choices) is None:
        return _clean(lines[0]) or None
    if has_choices and lines:
        option = _OPTION_WORD.findall(lines[-1])
        if option:
            return str(option[-1]).upper()
        letter = re.fullmatch(r"\W{0,4}([A-J])\W{0,4}", lines[-1])
        if letter:
            return letter[1]
    return None
