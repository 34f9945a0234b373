"""CARP: 4,886 Chinese middle-school algebra problems with formula graphs, and an English translation; JSON Lines.

Format: RUCAIBox/CARP, `data/carp/{demo,dev,test}.json` and `data/carp_en/dev.json`, JSON Lines despite the name:
`content`, `answer`, `steps` (the worked solution), `expr_cands`, `exprs`, `edges` (the graph: `nodes` by text, `links`
from formula to formula with the rule between them).  There is no id: it is a hash of the problem.
"""

from stepforge.records import Answer, Problem
from stepforge.sources import _json
from stepforge.sources._answers import value_field
from stepforge.sources._base import SOURCES, Context, RawRecord, Source, build
from stepforge.sources._values import content_id, guess_answer, language_of, optional_text, parts_of, text_field
from stepforge.vocabulary import AnswerKind, ProblemType

LICENCE = "CC BY-NC-SA 4.0"


def _recognises(_path: str, head: bytes) -> bool:
    return {"content", "answer", "steps", "exprs", "edges"} <= _json.keys_in(head)


def _answer(text: str) -> Answer | None:
    parts = parts_of(text)
    if parts and all(parts):
        return Answer(kind=AnswerKind.MULTI_PART, text=text, parts=parts)
    return guess_answer(text)


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    question, answer = text_field(row, "content").strip(), _answer(value_field(row, "answer"))
    is_multi = answer is not None and answer.kind is AnswerKind.MULTI_PART
    return build(
        "carp",
        raw,
        context,
        licence=LICENCE,
        source_id=content_id(question),
        language=language_of(question),
        question=question,
        problem_type=ProblemType.MULTI_STEP if is_multi else ProblemType.FREE_FORM,
        answer=answer,
        solution=optional_text(row, "steps"),
        subject="algebra",
        grade="middle school",
    )


SOURCES.register(
    Source(
        name="carp",
        title="CARP",
        licence=LICENCE,
        url="https://github.com/RUCAIBox/CARP",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`data/carp/{demo,dev,test}.json`, `data/carp_en/dev.json`",
        fields=(
            ("content", "question; its hash is the id"),
            ("answer", "answer"),
            ("steps", "solution"),
            ("expr_cands, exprs, content_formula, steps_formula, edges", "not read: formulas and their graph"),
        ),
    )
)
