"""OlymMATH: 200 olympiad problems, each in English and Chinese, easy and hard; JSON Lines.

Format: RUCAIBox/OlymMATH and RUC-AIBOX/OlymMATH on the Hugging Face Hub: `problem`, `answer` (LaTeX), `subject`,
`unique_id` (`OlymMATH-HARD-0-EN`), which says the difficulty and the language too.
"""

import re

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, BadRecord, Context, RawRecord, Source, build
from stepforge.sources._values import guess_answer, optional_text, text_field
from stepforge.vocabulary import Difficulty, ProblemType

LICENCE = "MIT"
_ID = re.compile(r"OlymMATH-(EASY|HARD)-\d{1,6}-(EN|ZH)")


def _recognises(_path: str, head: bytes) -> bool:
    return {"problem", "answer", "subject", "unique_id"} <= _json.keys_in(head) and b'"OlymMATH-' in head


def _problem(raw: RawRecord, context: Context) -> Problem:
    """The row's problem."""
    row = raw.value or {}
    source_id = text_field(row, "unique_id").strip()
    said = _ID.fullmatch(source_id)
    if said is None:
        raise BadRecord(f"unique_id: {source_id[:60]!r} is not of the form OlymMATH-HARD-0-EN")
    return build(
        "olymmath",
        raw,
        context,
        licence=LICENCE,
        source_id=source_id,
        language=said[2].lower(),
        question=text_field(row, "problem"),
        problem_type=ProblemType.FREE_FORM,
        answer=guess_answer(text_field(row, "answer")),
        solution=None,
        subject=optional_text(row, "subject"),
        difficulty=Difficulty.EASY if said[1] == "EASY" else Difficulty.HARD,
    )


SOURCES.register(
    Source(
        name="olymmath",
        title="OlymMATH",
        licence=LICENCE,
        url="https://github.com/RUCAIBox/OlymMATH",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`OlymMATH-{EN,ZH}-{EASY,HARD}.jsonl`, or Parquet",
        fields=(
            ("unique_id", "id; language and difficulty (easy or hard)"),
            ("problem", "question"),
            ("answer", "answer"),
            ("subject", "subject"),
        ),
    )
)
