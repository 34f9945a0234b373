"""Repeated step: a step stands a second time, word for word (MAMath-Bench: complete repetition)."""

import re
from random import Random

from stepforge.steps.text import has_content
from stepforge.variants._base import Chain, Draft, defect, inserted
from stepforge.vocabulary import DefectKind

_SUBSTANCE = re.compile(r"[=＝<>≤≥≠≈⊥∥∽≌∴∵]|\\[a-z]+|[\u4e00-\u9fff]{4}|(?:[A-Za-z]{2,}\W+){4}")


@defect(DefectKind.REPEATED)
def repeated(chain: Chain, rng: Random) -> list[Draft]:
    """A copy of a step that says something, right after it or further on, before the last step; the location is that of
    the copy."""
    sources = [i for i, text in enumerate(chain.steps[:-1]) if has_content(text) and _SUBSTANCE.search(text)]
    if not sources:
        return []
    source = rng.choice(sources)
    at = rng.randrange(source + 1, len(chain.steps))
    text = chain.steps[source]
    subtype = "immediate" if at == source + 1 else "later"
    return [Draft(subtype, (at,), inserted(chain.steps, at, text), text, text)]
