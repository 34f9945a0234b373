"""ALG514 (Kushman et al. 2014): 514 algebra word problems with their equations; a JSON array.

Format: groups.csail.mit.edu/rbg/code/wordprobs, `questions.json`: `iIndex`, `sQuestion`, `lEquations`, `lSolutions`.
DRAW-1K's release holds it again with its annotations (`kushman.json`); a file that is called so, or after the set, is
this set whatever its fields.  No licence is stated.
"""

import re
from pathlib import PurePosixPath

from stepforge.records import Problem
from stepforge.sources import _json
from stepforge.sources._base import SOURCES, Context, RawRecord, Source
from stepforge.sources._word_equations import FIELDS, KEYS, problem

LICENCE = "unknown"
NAMED = re.compile(r"kushman|alg514", re.IGNORECASE)
_OTHER_SETS = frozenset({"Template", "Alignment", "lAlignments", "lQueryVars"})  # DRAW-1K, MAWPS


def _recognises(path: str, head: bytes) -> bool:
    keys = _json.keys_in(head)
    return keys >= KEYS and (not keys & _OTHER_SETS or NAMED.search(PurePosixPath(path).name) is not None)


def _problem(raw: RawRecord, context: Context) -> Problem:
    return problem("alg514", LICENCE, raw, context)


SOURCES.register(
    Source(
        name="alg514",
        title="ALG514",
        licence=LICENCE,
        url="http://groups.csail.mit.edu/rbg/code/wordprobs/",
        recognises=_recognises,
        records=_json.records,
        problem=_problem,
        files="`questions.json`; `kushman.json` of DRAW-1K",
        fields=FIELDS,
    )
)
