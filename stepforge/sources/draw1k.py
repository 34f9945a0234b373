"""DRAW-1K (Upadhyay and Chang 2015): 1,000 algebra word problems with equations, templates and alignments; JSON.

Format: Microsoft Research, `draw.json`; fields as in sroy9/mawps, `structure/DrawFormat.java`: those of ALG514 with
`Template`, `Alignment` and `Equiv`.  The solutions are those of all unknowns, whichever the question asks for.  No
licence is stated.
"""

from pathlib import PurePosixPath

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, Context, RawRecord, Source
from stepforge.sources._word_equations import FIELDS, KEYS, problem
from stepforge.sources.alg514 import NAMED

LICENCE = "unknown"


def _recognises(path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return keys >= KEYS | {"Template", "Alignment"} and NAMED.search(PurePosixPath(path).name) is None


def _problem(raw: RawRecord, context: Context) -> Problem:
    return problem("draw1k", LICENCE, raw, context)


SOURCES.register(
    Source(
        name="draw1k",
        title="DRAW-1K",
        licence=LICENCE,
        url="https://www.microsoft.com/en-us/download/details.aspx?id=52628",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`draw.json`",
        fields=FIELDS,
    )
)
