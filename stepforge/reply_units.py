"""The reasoning units of a reply: cut where the reply numbers its steps, else as a reference solution is cut.

One cutter for both sides, so that a reply which is the reference, word for word, has no redundant unit.
Limits of the `rules` method: a numbered step is one unit whatever it says; commentary is known by its usual phrases.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from stepforge.answers.extract import boxes
from stepforge.records import Step
from stepforge.steps.facts import dependencies
from stepforge.steps.milestones import establishes
from stepforge.steps.split import step_spans
from stepforge.steps.text import without_marks
from stepforge.vocabulary import Capability, Method

MAX_UNITS = 400  # the longest reference solution of the five benchmarks' data has 24 steps
MAX_UNIT_CHARS = 2000
MAX_REPLY_CHARS = 200_000
MAX_FINAL_CHARS = 160  # a longer phrase explains its answer
MAX_CLOSING_CHARS = 600  # what may follow a heading "Final answer"

_HAN_NUMBER = "[一二三四五六七八九十]{1,3}"
_STEP = (
    rf"(?:step\s{{0,2}}(?P<en>\d{{1,3}})|第\s{{0,2}}(?P<zh>\d{{1,3}}|{_HAN_NUMBER})\s{{0,2}}步"
    rf"|步骤\s{{0,2}}(?P<word>\d{{1,3}}|{_HAN_NUMBER}))"
)
_STEP_LINE = re.compile(
    rf"^[ \t*#>_•-]{{0,8}}{_STEP}[*_]{{0,3}}[ \t]?[:：.、，,)）—–-]?[*_]{{0,3}}[ \t]?", re.IGNORECASE | re.MULTILINE
)
_STEP_INLINE = re.compile(
    rf"(?<=[.。;；!！?？,，)）$\]}}\d])[ \t]{{0,3}}{_STEP}[*_]{{0,3}}[ \t]?[:：.、)）][*_]{{0,3}}[ \t]?", re.IGNORECASE
)
_NUMBER_LINE = re.compile(r"^[ \t*#>_]{0,8}(?P<n>\d{1,3})[.)）、:：](?!\d)[*_]{0,3}[ \t]?", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]{0,8}(?:[-*•+]|>)[ \t]")
_RULE = re.compile(r"^[ \t]{0,8}(?:[-*_=][ \t]?){3,60}$")
_BOLD = re.compile(r"(?<![\w)])(?:\*\*|__)|(?:\*\*|__)(?![\w(])")
_TITLE = re.compile(
    r"^[ \t]{0,8}(?:#{1,6}[ \t]{1,4}(?P<hash>[^\n]{1,120})|"
    r"(?:\*\*|__)(?P<bold>[^*_=\n]{1,80})(?:\*\*|__)[:：]?[ \t]{0,4})$"
)
_EMPTY_TITLE = re.compile(
    r"[\s*#_]{0,8}(?:solution|proof|reasoning|explanation|answer|解|证明|解答|解题过程)?[*_\s]{0,4}[:：]?[*_\s]{0,4}",
    re.IGNORECASE,
)
_FINAL_TITLE = re.compile(
    r"[\s*#_]{0,8}(?:(?:the\s)?(?:final|correct)\s)?answers?[\s*_:：]{0,6}|[\s*#_]{0,8}(?:最终|最后的?)?答案[\s*_:：]{0,6}",
    re.IGNORECASE,
)
_SO = (
    r"(?:(?:therefore|so|thus|hence|finally|in conclusion|综上(?:所述)?|因此|所以|于是|从而|故|∴|\\therefore)"
    r"[，,：:]?\s{0,2}(?:we (?:get|have|find)\s)?)?"
)
_FINAL = re.compile(
    rf"[\s*_>#$\\\[(-]{{0,8}}(?:####|答\s?[:：]|故?应?选择?\s?[:：]?(?=\s?[A-H])|"
    rf"{_SO}(?:(?:the|our|my)\s)?(?:final\s|correct\s|right\s)?(?:answers?|option|choice)[*_]{{0,3}}\s?"
    rf"(?:(?:to|for)\s[^.:：=]{{0,60}}?\s)?(?:[:：]|(?:is|are)\b)|"
    rf"{_SO}(?:本题)?(?:最终|正确)?(?:答案|选项)\s?(?:应?该?[是为选]|[:：]))",
    re.IGNORECASE,
)
_A_LINE = re.compile(r"\s{0,3}A\s?[:：][^=]{1,80}$")
_SO_ONLY = re.compile(rf"[\s$*\\\[\]().,，:：]{{0,8}}{_SO}[\s$*\\\[\]().,，:：]{{0,8}}", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"\b(?:because|since)\b|因为|由于|∵|[\d)}] ?(?:[-+*/×÷]|\\times|\\cdot|\\div) ?[\d(\\{][^=]{0,60}=", re.IGNORECASE
)
_STATES = re.compile(r"[\d$\\π∞]|(?<![A-Za-z])[A-HxyYN](?![a-z])|\b(?:yes|no|true|false)\b|[^\x00-\x7f]", re.IGNORECASE)
_POLITE = r"(?:(?:sure|okay|ok|alright|certainly|of course|great)[,.!:\s]{0,3})?"
_COMMENTARY = re.compile(
    rf"{_POLITE}(?:"
    r"(?:let(?:['’]s| me| us)|i(?:['’]ll| will| am going to)|we(?:['’]ll| will| can| need to| should| are going to)?)"
    r"(?: now| first| carefully)?"
    r" (?:solve|think|work|break|go|walk|start|begin|tackle|approach|analy[sz]e|proceed|reason|do) [^=]{0,140}"
    r"|here(?:['’]s| is| are) [^=]{0,60}\b(?:solution|explanation|steps?|reasoning|breakdown|answer)\b[^=]{0,40}"
    r"|to solve (?:this|the) (?:problem|question)\b[^=]{0,140}"
    r"|(?:i )?hope (?:it|this|that)\b[^=]{0,60}|(?:thinking |solution )?step[- ]by[- ]step[^=]{0,30}"
    r"|(?:so |thus |therefore )?we are done[.!]?|q\.?e\.?d\.?|证毕[。.]?"
    r"|好的?[，,。！!]?|[^=]{0,24}(?:一步一步|一步步|逐步|分步|解答如下|过程如下|步骤如下|这道题|这个题|这个问题)[^=]{0,24}"
    r")?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]{1,4}(?=[A-Z$(])|(?<=[。！？；])(?=\S)")
_DIGIT = re.compile(r"\d|\\[a-zA-Z]|∵|∴")


def reasoning_units(reply: str) -> tuple[str, ...]:
    """The reasoning units of a reply, in order, without what only comments or only states the final answer
    (MAMath-Bench, MA and SRR: "predicted reasoning unit").  At most `MAX_UNITS`, each cut to `MAX_UNIT_CHARS`
    characters; linear time.  A numbered step is one unit, whatever it says, but for a last one that only boxes the
    answer; a reply without numbers is cut as a reference solution is."""
    after = reply.rfind("</think>")
    text = reply[after + len("</think>") if after >= 0 else 0 :][:MAX_REPLY_CHARS]
    every = [line for line in text.splitlines() if not _RULE.match(line)]
    lines = _without_closing(every)
    text = "\n".join(lines)
    marks = _step_marks(text) or _number_marks(text)
    if not marks:
        return _capped(_as_reference(_plain_lines(lines)))
    blocks = _blocks(text, marks)
    last = text[marks[-1].end :]
    if len(lines) == len(every) and "\\boxed" in last and _is_final(last):
        blocks = blocks[:-1]  # the last step is where the reply boxes its answer
    return _capped(blocks)


def _without_closing(lines: Sequence[str]) -> list[str]:
    """Without a last section that is headed "Final answer" and only states it, and without last lines that do."""
    kept = list(lines)
    length = 0
    for at in range(len(lines) - 1, 0, -1):
        if _FINAL_TITLE.fullmatch(lines[at][:80]):
            kept = kept[:at] if any(line.strip() for line in kept[:at]) else kept
            break
        length += len(lines[at])
        if length > MAX_CLOSING_CHARS:
            break
    while kept and (closing := _closing_lines(kept)):
        del kept[-closing:]
    return kept


def _closing_lines(lines: Sequence[str]) -> int:
    """How many lines at the end are blank or state the final answer, display delimiters on lines of their own."""
    if not lines[-1].strip():
        return 1
    if _A_LINE.match(lines[-1]):
        return 1
    return next((k for k in (4, 3, 1) if k <= len(lines) and _is_final("\n".join(lines[-k:])[:MAX_UNIT_CHARS])), 0)


class _Mark(NamedTuple):
    start: int
    end: int


def _step_marks(text: str) -> list[_Mark]:
    """Marks "Step 1:", 第1步, 步骤一 that begin a line; within a line where their numbers go on by one."""
    found = [(match, True) for match in _STEP_LINE.finditer(text)]
    at_lines = {match.start(name) for match, _ in found for name in ("en", "zh", "word") if match[name]}
    for match in _STEP_INLINE.finditer(text):
        if not at_lines.intersection(match.start(name) for name in ("en", "zh", "word") if match[name]):
            found.append((match, False))
    marks: list[_Mark] = []
    last = 0
    for match, begins in sorted(found, key=lambda entry: entry[0].start()):
        number = _count(match["en"] or match["zh"] or match["word"])
        if begins or number == last + 1:
            marks.append(_Mark(*match.span()))
            last = number
    return marks


def _count(numeral: str) -> int:
    if numeral.isdigit():
        return int(numeral)
    digits = {char: value for value, char in enumerate("一二三四五六七八九", start=1)}
    tens, ten, ones = numeral.partition("十")
    return (digits.get(tens, 1) * 10 if ten else 0) + digits.get(ones if ten else numeral, 0)


def _number_marks(text: str) -> list[_Mark]:
    """Marks "1.", "2)" that begin lines and count up from 1; none where the text reasons by ∵ and ∴."""
    if "∴" in text or "\\therefore" in text:
        return []
    marks: list[_Mark] = []
    for match in _NUMBER_LINE.finditer(text):
        if int(match["n"]) == len(marks) + 1:
            marks.append(_Mark(*match.span()))
    return marks if len(marks) > 1 else []


def _blocks(text: str, marks: Sequence[_Mark]) -> list[str]:
    """What stands before the first mark, cut like a reference; then each marked step without its final-answer lines."""
    blocks = _as_reference(_plain_lines(text[: marks[0].start].splitlines()))
    ends = [*(mark.start for mark in marks[1:]), len(text)]
    for (_, start), end in zip(marks, ends, strict=True):
        first, *others = text[start:end].splitlines() or [""]
        kept = [first, *(line for line in others if not _is_aside(line))]
        blocks.append(_without_last_box(" ".join(_BOLD.sub("", line) for line in kept)))
    return blocks


def _is_aside(line: str) -> bool:
    """Whether a line within a step only states the final answer, heads a section or comments."""
    empty = not any(map(str.isalnum, line))  # may open or close a display
    return not empty and (_is_final(line) or _EMPTY_TITLE.fullmatch(line[:80]) is not None or _is_commentary(line))


def _without_last_box(unit: str) -> str:
    """Without a box that stands alone after the last sentence."""
    found = boxes(unit[:MAX_UNIT_CHARS])
    if found and not unit[found[-1][1] :].strip(" .。$*\\])"):
        before = unit[: found[-1][0]].rstrip(" $*\\[(")
        if before.endswith((".", "。", ";", "；")):
            return before
    return unit


def _plain_lines(lines: Sequence[str]) -> str:
    """The lines without mark-up; a title stands before the line that it announces."""
    found: list[str] = []
    title = ""
    for line in lines:
        match = _TITLE.match(line[:200])
        if match and not _is_final(line):
            text = _BOLD.sub("", match["hash"] or match["bold"]).strip(" *_:：")
            title = "" if _EMPTY_TITLE.fullmatch(text) else f"{text}: "
        elif title and not line.strip():
            continue
        elif not _EMPTY_TITLE.fullmatch(line[:80]) or not line.strip():
            found.append(title + _BOLD.sub("", _BULLET.sub("", line) if title else line))
            title = ""
    return "\n".join(found).strip("\n")


def _as_reference(text: str) -> list[str]:
    """Units cut as the stage that cuts reference solutions cuts them, and joined as milestones are: a unit that
    establishes nothing of its own (`Let x be …`) belongs to the next one."""
    if "\n" not in text and "\\" not in text:
        text = _SENTENCE_END.sub("\n", text)  # one paragraph: its sentences are what a reference has as lines
    language = "zh" if re.search("[\u4e00-\u9fff]", text) else "en"
    spans = [span for path in step_spans(text, language) for span in path][:MAX_UNITS]
    texts = [_BULLET.sub("", without_marks(text[start:end])) for start, end in spans]
    texts = [unit for unit in texts if not _is_final(unit) and not _is_commentary(unit)]
    units: list[str] = []
    waiting: list[str] = []
    for index, (unit, depends_on) in enumerate(zip(texts, dependencies(texts, ""), strict=True)):
        waiting.append(unit)
        if establishes(_step(index, unit, depends_on)):
            units.append("\n".join(waiting))
            waiting = []
    if waiting and units:
        units[-1] = "\n".join([units[-1], *waiting])
    return units or waiting


def _step(index: int, text: str, depends_on: tuple[int, ...]) -> Step:
    return Step(
        problem_id="",
        path=0,
        index=index,
        text=text,
        start=0,
        end=len(text),
        premises=(),
        rule=None,
        conclusion="",
        depends_on=depends_on,
        capability=Capability.CALCULATION,
        method=Method.RULES,
    )


def _is_final(unit: str) -> bool:
    """Whether the text states the final answer and nothing else."""
    text = unit.strip()
    match = _FINAL.match(text[:200])
    if match:
        rest = text[match.end() :]
        return len(rest) <= MAX_FINAL_CHARS and _STATES.search(rest) is not None and not _EXPLAINS.search(rest)
    if "\\boxed" not in text and "\\fbox" not in text:
        return False
    found = boxes(text[:MAX_UNIT_CHARS])
    around = (
        [text[: found[0][0]], *(text[a[1] : b[0]] for a, b in pairwise(found)), text[found[-1][1] :]] if found else []
    )
    return bool(found) and all(_SO_ONLY.fullmatch(piece) for piece in around)


def _is_commentary(unit: str) -> bool:
    """Whether the text announces, comments or closes and holds no mathematics; also a text without a letter."""
    text = unit.strip().strip("*_").strip()
    if not any(map(str.isalnum, text)):
        return True
    return len(text) <= 200 and not _DIGIT.search(text) and _COMMENTARY.fullmatch(text) is not None


def _capped(units: Iterable[str]) -> tuple[str, ...]:
    found = []
    for unit in units:
        if cleaned := " ".join(without_marks(unit[:MAX_UNIT_CHARS]).split()):
            found.append(cleaned)
        if len(found) == MAX_UNITS:
            break
    return tuple(found)
