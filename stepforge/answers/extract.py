r"""The final answer that a reply states. A reply that states none has none: no last number is guessed.

Order: the last `\boxed{}` that is not empty; else the last `<answer>` tag; else a JSON object with a key "answer", as
deep as it stands; else the last of "#### x", "A: x", "Answer: x",
"the answer is x", 答案是 x, 故选 x, a heading "Final answer" with x below it; else a reply of one short line is its own
answer.  Of a phrase, what explains the answer is cut off ("18, because …", "B, not A"); where a number is asked for and
the phrase is a sentence with one number, it is that number.
Limit: `A: x` counts only as the last line of a reply, and never for a problem with options, where it may as well be
option A.
"""

import re
from collections.abc import Sequence

from stepforge.answers.boxed import MAX_ANSWER_CHARS, PART_HEAD, boxed, boxes, part_number, without_broken_boxes
from stepforge.answers.json_reply import json_objects, without_objects
from stepforge.records import Choice
from stepforge.vocabulary import AnswerKind

TAIL_CHARS = 20_000  # a final answer stands at the end
SHORT_REPLY_CHARS = 60
MAX_LINES = 400
MAX_BELOW_CHARS = 120  # an answer below its heading, or in a list of parts; a longer line reasons
MAX_PARTS = 20
MAX_JSON_DEPTH = 3

_LINE_MARK = re.compile(
    r"^[\s>*#_<|【\[-]{0,12}(?:(?:the )?(?:final |correct )?answers?|ans(?=\s?[.:：])|最终答案|答案|答)[*_>]{0,3}"
    r"(?:\s?(?:is|are|是|为)\b|\s?[:：=|】]|\s-\s|(?<=ans)\.)[\s*_:：】]{0,6}(?P<rest>.*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"[\s>*#_【\[-]{0,12}(?:(?:the )?(?:final |correct )?answers?|(?:最终|最后)?答案)[\s*_:：】\]]{0,8}", re.IGNORECASE
)
_INLINE_MARK = re.compile(
    r"(?:\b(?:final |correct )?answers?(?: to (?:the|this) (?:question|problem))?"
    r"(?: is| are| would be| must be| should be| equals)?(?: therefore| thus| then| simply| just)?[*_]{0,3}"
    r"\s?(?:[:：=]|(?<=is)|(?<=are)|(?<=be)|(?<=equals)|(?<=therefore)|(?<=thus)|(?<=then)|(?<=simply)|(?<=just))"
    r"|(?:答案|结果)(?:应)?(?:是|为|选)?[:：]?|故(?:应)?选(?:择|项)?[:：]?|故填[:：]?|\b(?:option|choice) is\b[:：]?)"
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
_OPTION_WORD = re.compile(
    r"(?:\b(?:option|choice|choose|select|pick)\s{0,2}(?:is\s)?|选(?:择|项)?(?:是|为)?\s{0,2})[(（*]{0,3}([A-J])(?![A-Za-z])",
    re.IGNORECASE,
)
_DENYING = re.compile(r"(?:\b(?:not|cannot|never)|n't|不|别)\s{0,2}$", re.IGNORECASE)
_LETTER_IS_RIGHT = re.compile(
    r"(?<![A-Za-z])[(（*]{0,3}([A-J])[)）*]{0,3}\s?(?:is (?:the )?(?:correct|right)|正确(?!吗)|是正确|符合)", re.ASCII
)
_TAG = re.compile(
    r"<(answer|final_answer)>\s{0,99}((?:(?!</?(?:answer|final_answer)>).){1,2000}?)\s{0,99}</\1>",
    re.DOTALL | re.IGNORECASE,
)
_MATH_OPENS = frozenset(("\\[", "$$", "\\("))
_JSON_KEYS = ("answer", "final_answer", "finalAnswer", "answers", "答案", "最终答案")
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


def _clean(text: str) -> str:
    text = text.strip().strip("*_`").strip()
    while text.startswith("<") and text.endswith(">") and len(text) > 2:
        text = text[1:-1].strip()
    end = _SENTENCE_END.search(text)
    if end:
        text = text[: end.start()]
    text = text.strip(" *_`\n\t").rstrip(" *_`.。．")
    if text.endswith("|") and text.count("|") % 2:
        text = text[:-1].rstrip(" *_`")  # the edge of a table
    while len(text) > 1 and text[0] == text[-1] == "$":
        text = text[1:-1].strip().rstrip(" .。")
    if len(text) > 4 and text[:2] in {"\\(", "\\["} and text[-2:] in {"\\)", "\\]"} and text.count(text[:2]) == 1:
        text = text[2:-2].strip()
    return text[:MAX_ANSWER_CHARS]


def _marked(text: str, kind: AnswerKind, *, has_choices: bool) -> str | None:
    lines = [line for line in text.splitlines() if line.strip()][-MAX_LINES:]
    for back, line in enumerate(reversed(lines)):
        below = lines[len(lines) - back :]
        if back and _HEADING.fullmatch(line[:80]):
            if back > 1 and below[0].lstrip()[:1].isalpha() and kind is not AnswerKind.MULTI_PART:
                continue  # the heading of a whole text
            below = _inside_mathematics(below)
            rest, below = below[0][:MAX_ANSWER_CHARS], below[1:]
        else:
            found = _rest(line[:MAX_ANSWER_CHARS], last=back == 0 and not has_choices)
            if found is None:
                continue
            rest, below = found, _inside_mathematics(below)
        if kind is AnswerKind.MULTI_PART:
            answer = "\n".join([piece for piece in (_clean(rest), *below) if piece])[:MAX_ANSWER_CHARS]
        else:
            answer = _stated(rest, kind)
            if (not answer or answer in _MATH_OPENS) and below:
                answer = _stated(below[0], kind)  # the value stands on the line after its mark
        if answer and answer not in {"{}", "none", "None"}:
            return answer
    return None


def _inside_mathematics(below: list[str]) -> list[str]:
    r"""Lines that begin with `\[` alone, without it."""
    return below[1:] if len(below) > 1 and below[0].strip() in _MATH_OPENS else below


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
    heads = [PART_HEAD.match(line[:40]) for line in lines]
    first = next((at for at in range(len(lines) - 1, -1, -1) if part_number(heads[at]) == 1), None)
    if first is None or first == len(lines) - 1:
        return None
    numbers = [part_number(head) or 0 for head in heads[first:]]
    short = all(len(line) <= MAX_BELOW_CHARS for line in lines[first:])
    return "\n".join(lines[first:]) if short and numbers == list(range(1, len(numbers) + 1)) else None


def _json_answer(objects: Sequence[dict[str, object]], kind: AnswerKind) -> str | None:
    for value in reversed(objects):
        answer = _keyed(value, kind, depth=0)
        if answer is not None:
            return answer[:MAX_ANSWER_CHARS]
    return None


def _keyed(value: object, kind: AnswerKind, depth: int) -> str | None:
    """The answer in a JSON value: under one of the keys, or in an object inside it."""
    if not isinstance(value, dict) or depth > MAX_JSON_DEPTH:
        return None
    lowered = {str(key).lower(): inner for key, inner in value.items()}
    for key in _JSON_KEYS:
        found = _written(lowered.get(key.lower()), kind)
        if found is not None:
            return found
    return next((found for inner in value.values() if (found := _keyed(inner, kind, depth + 1)) is not None), None)


def _written(answer: object, kind: AnswerKind) -> str | None:
    """A JSON value as an answer: text and numbers as they are, several values as parts or as a list."""
    if isinstance(answer, str | int | float) and not isinstance(answer, bool):
        text = str(answer)
        return boxed(text, kind) or text
    values = list(answer.values()) if isinstance(answer, dict) else answer if isinstance(answer, list) else []
    texts = [str(v) for v in values if isinstance(v, str | int | float) and not isinstance(v, bool)]
    if not texts or len(texts) != len(values) or len(texts) > MAX_PARTS:
        return None
    if kind is AnswerKind.MULTI_PART:
        return "\n".join(f"({k}) {text}" for k, text in enumerate(texts, start=1))
    return ", ".join(texts)


def _tagged(text: str) -> str | None:
    found = list(_TAG.finditer(text))
    return found[-1][2] if found else None


def _option(line: str) -> str | None:
    """The option that a reply's last line names."""
    right = _LETTER_IS_RIGHT.findall(line)
    named = [m[1] for m in _OPTION_WORD.finditer(line) if not _DENYING.search(line[: m.start()])]
    if right and len(set(right)) == 1 and "not" not in line:
        return str(right[0])
    if named:
        return str(named[-1]).upper()
    letter = re.fullmatch(r"\W{0,4}([A-J])\W{0,4}", line)
    return letter[1] if letter else None


def extract_answer(reply: str, kind: AnswerKind, choices: Sequence[Choice] = ()) -> str | None:
    """The final answer that the reply states, as it states it; None if it states none.  Time linear in the reply."""
    text = without_broken_boxes(tail_of(reply))
    has_choices = kind is AnswerKind.CHOICE or bool(choices)
    found = boxed(text, kind) or _tagged(text)
    objects = json_objects(text) if found is None else []
    found = found or _json_answer(objects, kind)
    if found is None or not found.strip():
        plain = without_objects(text) if objects else text
        found = _marked(plain, kind, has_choices=has_choices)
        if found is None and objects and not plain.strip():
            return None  # JSON that has no answer
    if found is not None and found.strip():
        return found.strip()
    if kind is AnswerKind.MULTI_PART and (listed := _listed_parts(text)):
        return listed
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if has_choices and lines and (option := _option(lines[-1][:MAX_ANSWER_CHARS])):
        return option
    if len(lines) == 1 and len(lines[0]) <= SHORT_REPLY_CHARS and _rest(lines[0], last=not has_choices) is None:
        return _stated(lines[0], kind) or None
    return None


__all__ = ["boxes", "extract_answer", "tail_of"]
