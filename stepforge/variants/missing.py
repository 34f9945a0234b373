"""Missing step: a step that the next one uses is gone (MAMath-Bench: incomplete logical transition)."""

from random import Random

from stepforge.variants._base import MOST_TRIES, Chain, Draft, defect
from stepforge.vocabulary import DefectKind


@defect(DefectKind.MISSING)
def missing(chain: Chain, rng: Random) -> list[Draft]:
    """Removals of steps that the next one cannot do without and that stand first or use the one before, so that they
    could stand nowhere else; in random order.  The location is where the step would stand."""
    used = [i for i in range(len(chain.steps) - 1) if i in chain.links[i + 1] and (i == 0 or i - 1 in chain.links[i])]
    rng.shuffle(used)
    return [
        Draft("removed_step", (i,), (*chain.steps[:i], *chain.steps[i + 1 :]), chain.steps[i], "")
        for i in used[:MOST_TRIES]
    ]
