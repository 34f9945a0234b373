"""Repeated step: a step stands a second time, word for word (MAMath-Bench: complete repetition)."""

from random import Random

from stepforge.variants._base import Chain, Draft, defect, inserted
from stepforge.vocabulary import DefectKind


@defect(DefectKind.REPEATED)
def repeated(chain: Chain, rng: Random) -> list[Draft]:
    """A copy of a step right after it or further on, before the last step; the location is that of the copy."""
    source = rng.randrange(len(chain.steps) - 1)
    at = rng.randrange(source + 1, len(chain.steps))
    text = chain.steps[source]
    subtype = "immediate" if at == source + 1 else "later"
    return [Draft(subtype, (at,), inserted(chain.steps, at, text), text, text)]
