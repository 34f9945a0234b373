r"""The final answer that a reply states. A reply that states none has none: no last number is guessed.

Order: the last `\boxed{}`; else a JSON object with the key "answer"; else the last of "#### x", "A: x", "Answer: x",
"the answer is x", 答案是 x, 故选 x, a heading "Final answer" with x below it; else a reply of one short line is its own
answer.  Of a phrase, what explains the answer is cut off ("18, because …", "B, not A"); where a number is asked for and
the phrase is a sentence with one number, it is that number.
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
MAX_BELOW_CHARS = 120  # an answer below its heading, or in a list of parts; a longer line reasons
MAX_PARTS = 20

_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,3}(\{|(?=[^{\s]))")
_LINE_MARK = re.compile(
    r"^[\s>*#_<-]{0,12}(?:(?:the )?(?:final |correct )?answers?|ans(?=\s?[.:：])|最终答案|答案|答)[*_>]{0,3}"
    r"(?:\s?(?:is|are|是|为)\b|\s?[:：=]|(?<=ans)\.)[\s*_:：]{0,6}(?P<rest>.*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"[\s>*#_-]{0,12}(?:(?:the )?(?:final |correct )?answers?|(?:最终|最后)?答案)[\s*_:：]{0,8}", re.IGNORECASE
)
_INLINE_MARK = re.compile(
    r"(?:\b(?:final |correct )?answers?(?: is| are| would be)?[*_]{0,3}\s?(?:[:：=]|(?<=is)|(?<=are)|(?<=be))"
    r"|(?:答案|结果)(?:应)?(?:是|为|选)?[:：]?|故(?:应)?选(?:择)?[:：]?|故填[:：]?|\b(?:option|choice) is\b[:：]?)"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_IS_THE_ANSWER = re.compile(r"(?P<rest>[^.:]{1,60}) is the (?:final |correct )?answer[.!]?\s{0,4}$", re.IGNORECASE)
_EXPLANATION = re.compile(
    r"[,，;；]?\s(?:because|since)\b|[,，]\s?(?:not|as|which|rather than|instead of|but not)\s"
    r"|[,，]?\s{0,2}(?:因为|由于)|[,，]\s?而?不是",
    re.IGNORECASE,
)
_ONE_NUMBER = re.compile(
    r"(?<![\w.,/^\\{-])(?:\\?[$￥¥])?-?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,20})?(?![\d/^])|"
    r"(?<![\w.,/^\\{-])(?:\\?[$￥¥])?-?\d{1,40}(?:\.\d{1,20}|/\d{1,20})?(?![\d/^])",
    re.ASCII,
)
_HEDGED = re.compile(
    r"\b(?:not|no|nor|less|fewer|more than|least|most|over|under|between|or|cannot|half|twice|double|triple|thirds?"
    r"|quarters?|squared?|cubed?|root|times|minus|negative|plus|power|factorial|sin|cos|tan|log|ln"
    r"|step|option|case|part|figure|equation|question|line)\b"
    r"|n't\b|[不无没或约至超负半倍第]|根号|平方|[=<>+*×÷√^{}\\]|[少多大小高低]于",
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


_PART_IN_LINE = re.compile(r"[(（](\d{1,2})[)）]")
_PART_HEAD = re.compile(r"^[\s*#_>]{0,8}(?:part|question|第|问题?)?\s{0,2}[(（]?(\d{1,2})[)）.、:：问]", re.IGNORECASE)


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
    marks = _PART_IN_LINE.findall(line)
    return int(marks[-1]) if marks else None


def _part_above(text: str, start: int) -> int | None:
    """The number of the part under whose heading a box stands."""
    for line in reversed(text[max(0, start - MAX_ANSWER_CHARS) : start].splitlines()):
        if match := _PART_HEAD.match(line[:40]):
            return int(match[1])
    return None


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
        below = lines[len(lines) - back :]
        if back and _HEADING.fullmatch(line[:80]):
            if back > 1 and below[0].lstrip()[:1].isalpha() and kind is not AnswerKind.MULTI_PART:
                continue  # the heading of a whole text
            rest, below = below[0][:MAX_ANSWER_CHARS], below[1:]
        else:
            found = _rest(line[:MAX_ANSWER_CHARS], last=back == 0 and not has_choices)
            if found is None:
                continue
            rest = found
        if kind is AnswerKind.MULTI_PART:
            answer = "\n".join([piece for piece in (_clean(rest), *below) if piece])[:MAX_ANSWER_CHARS]
        else:
            answer = _stated(rest, kind)
            if not answer and below:
                answer = _stated(below[0], kind)  # the value stands on the line after its mark
        if answer and answer not in {"{}", "none", "None"}:
            return answer
    return None


def _stated(rest: str, kind: AnswerKind) -> str:
    """The answer of a phrase without what explains it."""
    for _ in range(2):  # "Final answer: the final answer is 18"
        again = _LINE_MARK.match(rest)
        rest = again["rest"] if again else rest
    answer = _clean(rest)
    if kind in {AnswerKind.TEXT, AnswerKind.PROOF_CONDITION}:
        return answer
    explained = _EXPLANATION.search(answer)
    if explained and explained.start() > 0:
        answer = _clean(answer[: explained.start()])
    return _number_said(answer) if kind is AnswerKind.NUMBER else answer


def _number_said(sentence: str) -> str:
    """The one number of a sentence with what follows it ("she earns 18 dollars"); else the sentence as it is."""
    plain = sentence.replace("**", "")
    found = list(_ONE_NUMBER.finditer(plain))
    words = plain[: found[0].start()] if len(found) == 1 else ""
    if not words.strip() or not any(map(str.isalpha, words)) or _HEDGED.search(plain.replace("\\$", "")):
        return sentence
    return plain[found[0].start() :].strip()


def _rest(line: str, *, last: bool) -> str | None:
    for pattern in (_HASHES, _LINE_MARK, _A_LINE if last else None, _INLINE_MARK, _IS_THE_ANSWER):
        match = pattern.search(line) if pattern else None
        if match:
            return match["rest"]
    return None


def _listed_parts(text: str) -> str | None:
    """A last list of short lines (1) …, (2) …, each a part's answer."""
    lines = [line.strip() for line in text.splitlines() if line.strip()][-MAX_PARTS:]
    heads = [_PART_HEAD.match(line[:40]) for line in lines]
    first = next((at for at in range(len(lines) - 1, -1, -1) if (head := heads[at]) and head[1] == "1"), None)
    if first is None or first == len(lines) - 1:
        return None
    numbers = [int(head[1]) if head else 0 for head in heads[first:]]
    short = all(len(line) <= MAX_BELOW_CHARS for line in lines[first:])
    return "\n".join(lines[first:]) if short and numbers == list(range(1, len(numbers) + 1)) else None


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
    if kind is AnswerKind.MULTI_PART and (listed := _listed_parts(text)):
        return listed
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and len(lines[0]) <= SHORT_REPLY_CHARS and _rest(lines[0], last=not has_choices) is None:
        return _stated(lines[0], kind) or None
    if has_choices and lines:
        option = _OPTION_WORD.findall(lines[-1])
        if option:
            return str(option[-1]).upper()
        letter = re.fullmatch(r"\W{0,4}([A-J])\W{0,4}", lines[-1])
        if letter:
            return letter[1]
    return None
