r"""AMPS (Hendrycks et al.): the pretraining problems of MATH, from Mathematica scripts and Khan Academy.

Format: hendrycks/math, `modeling/dataset/mathematica.py`, `mathematica_with_steps.py` and `khan_academy.py`.
Mathematica problems are text files, one problem a file: a line `Problem:`, the problem, and one or more times a line
`Answer:` and an answer, each of them right.  In the sets with steps (`…_w_steps`, `…with_steps…`) that answer is a
worked solution, and no final answer is told apart in it.  Khan Academy's are JSON objects with `question` (or
`problem`) and `hints`, which end in the answer without marking it: they are the solution, and there is no typed
answer.  The id is the file's place.  Files that hold several problems one after another are read too.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_list, with_alternatives
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._checked import EVIDENCE, checked
from stepforge.sources._values import content_id, guess_answer, list_field, optional_text
from stepforge.vocabulary import ProblemType

LICENCE = "MIT"
_STEPS = re.compile(r"(?:^|[/_])(?:with|w)_steps(?:[/_.]|$)")
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?\s{0,99}Problem:[ \t]{0,9}\r?\n")
_ANSWER = re.compile(rb"^Answer:[ \t]{0,9}\r?$", re.MULTILINE)
_LAYOUT = frozenset({"amps", "data", ".", ""})


def _recognises(_path: str, head: bytes) -> bool:
    if _HEAD.match(head):
        return _ANSWER.search(head) is not None
    keys = _json.keys_in(head)
    return "hints" in keys and bool({"question", "problem"} & keys)


def _records(data: bytes) -> Iterator[RawRecord]:
    yield from _blocks(data) if _HEAD.match(data[:200]) else _json.records(data)


def _blocks(data: bytes) -> Iterator[RawRecord]:
    """The problems of a text file: `row:N`, each with `problem` and `answers`."""
    decoded = _json.decode(data)
    if decoded.error is not None:
        yield RawRecord("", None, decoded.error, method="text")
        return
    number, sections = 0, list[list[str]]()
    for line in _lines(decoded.text):
        if line.rstrip() == "Problem:":
            if sections:
                number += 1
                yield _block(number, sections)
            sections = [[]]
        elif line.rstrip() == "Answer:" and sections:
            sections.append([])
        elif sections:
            sections[-1].append(line)
    if sections:
        yield _block(number + 1, sections)


def _lines(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


def _block(number: int, sections: list[list[str]]) -> RawRecord:
    problem, *answers = ("\n".join(lines).strip() for lines in sections)
    value = {"problem": problem, "answers": answers}
    return checked(f"row:{number}", value, problem[:EVIDENCE], method="text")


def _id(raw: RawRecord, context: Context, question: str) -> str:
    parts = [part for part in PurePosixPath(context.document.path).with_suffix("").parts if part.lower() not in _LAYOUT]
    if raw.locator != "row:1":
        return content_id(question)
    return "/".join(parts[-3:])


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem of a text file or of a Khan Academy exercise."""
    row: dict[str, Any] = raw.value or {}
    question = (optional_text(row, "question") or optional_text(row, "problem") or "").strip()
    if not question:
        raise BadRecord("Problem: it is empty; give the text of the problem")
    answer: Answer | None = None
    if "answers" in row:
        texts = [text for text in list_field(row, "answers") if text.strip()]
        if not texts:
            raise BadRecord("Answer: the problem has none; give it after a line 'Answer:'")
        worked = _STEPS.search(context.document.path) is not None
        solution = texts[0] if worked else None
        answer = None if worked else with_alternatives(guess_answer(texts[0]), texts[1:])
    else:
        solution = "\n".join(value_list(row, "hints")) or None
    return build(
        "amps",
        raw,
        context,
        licence=LICENCE,
        source_id=_id(raw, context, question),
        language="en",
        question=question,
        problem_type=ProblemType.FREE_FORM,
        answer=answer,
        solution=solution,
    )


SOURCES.register(
    Source(
        name="amps",
        title="AMPS",
        licence=LICENCE,
        url="https://github.com/hendrycks/math",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        files="`mathematica/*/*/*.txt`, `khan/*/*.json`",
        fields=(
            ("Problem:", "question"),
            ("Answer:", "answer; further ones are alternatives; the solution in the sets with steps"),
            ("question, problem", "question (Khan Academy)"),
            ("hints", "solution (Khan Academy), without a typed answer"),
            ("the file's place", "id"),
        ),
    )
)
