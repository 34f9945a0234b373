"""Missing step: a step that a later one uses is gone (MAMath-Bench: incomplete logical transition)."""

from random import Random

from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect
from stepforge.vocabulary import DefectKind


@defect(DefectKind.MISSING)
def missing(chain: Chain, rng: Random) -> list[Draft]:
    """Removals of steps that others depend on, in random order; the location is where the step would stand."""
    used = sorted({index for edges in chain.depends_on for index in edges})
    rng.shuffle(used)
    return [
        Draft("removed_step", (i,), (*chain.steps[:i], *chain.steps[i + 1 :]), chain.steps[i], "")
        for i in used[:MOST_TRIES]
    ]
