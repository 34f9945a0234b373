"""LILA: 20 mathematics data sets in one form, each problem with Python programs as its solution; JSON.

Format: allenai/Lila (README; fields as in JoelNiklaus/LawInstruct, `instruction_datasets/lila.py`).  `all/*.json` is
an object a data set whose `Instances` hold `Input`, `Output Program` (list), `Output Answer` (list) and `split`;
`multi/{iid,ood}/*.json` is JSON Lines with `dataset` too; the Hugging Face rows (allenai/lila) write `input`,
`output_program`, `output_answer`.  Answers of different programs are other forms of one answer.  A program is text and
never run.  Options count as such where the answer is one of them.  There is no id: it is the data set's name with a
hash of the problem.  The licence is that of the Hugging Face card; the sets that LILA is made of have their own.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_list, with_alternatives
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import content_id, guess_answer, language_of, optional_text, split_options, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "CC BY 4.0"
_INSTANCES = re.compile(r'(?<!\\)"Instances"\s{0,99}:\s{0,99}(?=\[)')
_NAMES = (("Input", "Output Program", "Output Answer"), ("input", "output_program", "output_answer"))


def _recognises(_path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return any(keys >= set(names) for names in _NAMES)


def _records(data: bytes) -> Iterator[RawRecord]:
    """The instances of a data set's object, one by one, or the rows of a file of them."""
    decoded = _json.decode(data) if b'"Instances"' in data[:65536] else None
    found = _INSTANCES.search(decoded.text) if decoded is not None and decoded.error is None else None
    if decoded is None or found is None:
        yield from _json.records(data)
    else:
        yield from _json.whole_file(_json.members(decoded.text, found.end(), alone=False))


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The instance's problem; the solution is its first program."""
    row: dict[str, Any] = raw.value or {}
    asked, programs, answers = _NAMES["Input" not in row]
    question = text_field(row, asked).strip()
    texts, choices = value_list(row, answers), split_options(question)[1]
    answer = guess_answer(texts[0], choices) if texts else None
    if answer is None or answer.kind is not AnswerKind.CHOICE:
        choices = ()
    named = (optional_text(row, "dataset") or PurePosixPath(context.document.path).stem).removesuffix(".json").strip()
    return build(
        "lila",
        raw,
        context,
        licence=LICENCE,
        source_id=f"{named}-{content_id(question)}",
        language=language_of(question),
        question=question,
        choices=choices,
        problem_type=ProblemType.CHOICE if choices else ProblemType.FREE_FORM,
        answer=with_alternatives(answer, texts[1:]),
        solution=next(iter(value_list(row, programs)), None),
    )


SOURCES.register(
    Source(
        name="lila",
        title="LILA",
        licence=LICENCE,
        url="https://github.com/allenai/Lila",
        recognises=_recognises,
        records=_records,
        problem=_problem,
        files="`all/*.json`, `multi/*/*.json`, or the Hugging Face rows",
        fields=(
            ("Input, input", "question and its options; its hash is the id, after the data set's name"),
            ("Output Answer, output_answer", "answer; further ones are alternatives"),
            ("Output Program, output_program", "solution: the first program, as text"),
            ("dataset", "id"),
            ("split, dist, Instruction, Categories, text", "not read"),
        ),
    )
)
