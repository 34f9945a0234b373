"""DeepMind Mathematics: generated school problems of 56 modules, two million a module; text files.

Format: google-deepmind/mathematics_dataset, README and `generate_to_file.py`: folders `train-easy`, `train-medium`,
`train-hard`, `interpolate`, `extrapolate`, in each a file a module (`algebra__linear_1d.txt`) whose lines are question
and answer in turn.  Files are known by the module's name.  Some questions have options `(a) -3 (b) 2` and a letter for
an answer; the letters are written in capitals.  There is no id: it is the module's name with a hash of the question.
The part of the training set is the difficulty; the parts without one have none.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath

from stepforge.records import Answer, Choice, Problem
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._checked import EVIDENCE, fault
from stepforge.sources._encoding import utf8
from stepforge.sources._values import content_id, guess_answer, text_field
from stepforge.vocabulary import AnswerKind, Difficulty, ProblemType

LICENCE = "Apache-2.0"
_MODULE = re.compile(
    r"(algebra|arithmetic|calculus|comparison|measurement|numbers|polynomials|probability)__[a-z0-9_]{1,60}\.txt"
)
_DIFFICULTIES = {"train-easy": Difficulty.EASY, "train-medium": Difficulty.MEDIUM, "train-hard": Difficulty.HARD}
_OPTION = re.compile(r"(?:^|(?<=\s))\(([a-z])\) ?")
_LETTER = re.compile(r"[a-z]")


def _recognises(path: str, head: bytes) -> bool:
    return _MODULE.fullmatch(PurePosixPath(path).name) is not None and b"\n" in head


def _records(data: bytes) -> Iterator[RawRecord]:
    """Question and answer of two lines each, `row:N` with N the number of the problem."""
    found = utf8(data)
    if found.error is not None:
        yield RawRecord("", None, found.error, method="text")
        return
    lines = _lines(found.data)
    for number, question in enumerate(lines, 1):
        answer = next(lines, None)
        if answer is None:
            where = f"line {2 * number - 1}"
            yield RawRecord(
                f"row:{number}", None, f"{where}: a question without an answer below it", question[:EVIDENCE]
            )
            return
        value = {"question": question, "answer": answer}
        wrong = fault(value)
        error = None if wrong is None else f"line {2 * number - 1}: {wrong}; correct the line"
        yield RawRecord(f"row:{number}", value if error is None else None, error, question[:EVIDENCE], "text")


def _lines(data: bytes) -> Iterator[str]:
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        yield data[at:end].decode("utf-8", errors="surrogateescape").removesuffix("\r")
        at = end + 1


def _choices(question: str) -> tuple[Choice, ...]:
    """The options `(a) … (b) …`, from a on; () if there are none."""
    marks = list(islice(_OPTION.finditer(question), 27))
    if len(marks) < 2 or [mark[1] for mark in marks] != [chr(ord("a") + i) for i in range(len(marks))]:
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(question)]
    pairs = zip(marks, ends, strict=True)
    return tuple(Choice(label=mark[1].upper(), text=question[mark.end() : end].strip()) for mark, end in pairs)


def _answer(text: str, choices: tuple[Choice, ...]) -> Answer | None:
    if choices and _LETTER.fullmatch(text) and text.upper() in {choice.label for choice in choices}:
        return Answer(kind=AnswerKind.CHOICE, text=text.upper())
    return guess_answer(text, choices)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The problem of two lines."""
    row = raw.value or {}
    question, answer = text_field(row, "question").strip(), text_field(row, "answer").strip()
    if not question or not answer:
        empty = "question" if not question else "answer"
        raise BadRecord(f"{empty}: the line is empty; question and answer take turns, without blank lines")
    choices = _choices(question)
    path = PurePosixPath(context.document.path)
    area, _, topic = path.stem.partition("__")
    return build(
        "deepmind_mathematics",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{path.stem}-{content_id(question)}",
        language="en",
        question=question,
        choices=choices,
        problem_type=ProblemType.CHOICE if choices else ProblemType.FREE_FORM,
        answer=_answer(answer, choices),
        solution=None,
        subject=area,
        difficulty=_DIFFICULTIES.get(path.parent.name),
        knowledge_concepts=(topic,) if topic else (),
    )


SOURCES.register(
    Source(
        name="deepmind_mathematics",
        title="DeepMind Mathematics",
        licence=LICENCE,
        url="https://github.com/google-deepmind/mathematics_dataset",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        files="`train-easy/algebra__linear_1d.txt` and so on: a folder a part, a file a module",
        fields=(
            ("odd lines", "question; its hash is the id, after the module's name"),
            ("even lines", "answer; a letter where the question has options `(a) … (b) …`"),
            ("the file's name", "subject and knowledge concept"),
            ("the folder's name", "difficulty: train-easy, train-medium, train-hard"),
        ),
    )
)
