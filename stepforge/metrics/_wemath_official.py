"""The numbers of We-Math's own scorers: `four_dimensional_metrics.py` and `accuracy.py`.

As they have it: the option is read by `official_letter`; rates and score divide by 525; a group without its first
sub-problem is not there at all; a question of which there is no row is neither right nor wrong.  Differs: where no
composite is solved, the rote-memorisation rate is None (their code stops with a division by zero).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from stepforge.metrics._wemath_rows import Composite, Part, WeMathRow, composite, official_letter
from stepforge.metrics.wemath import OFFICIAL_N, State, state

_NAMES = {
    State.IG: "InadequateGeneralization",
    State.IK: "InsufficientKnowledge",
    State.CM: "CompleteMastery",
    State.RM: "RoteMemorization",
}


def official(rows: Sequence[WeMathRow]) -> Mapping[str, object]:
    """Counts, rates, both result rows as printed (percent with two decimals), the number of responses without an
    option, and the groups in no category."""
    groups = _groups(rows)
    states = {
        strict: {name: state(group.group(), strict=strict) for name, group in groups.items()}
        for strict in (True, False)
    }
    counts = _counts({strict: Counter(of.values()) for strict, of in states.items()})
    rates = {f"{name}_rate": _rate(name, counts) for name in counts}
    return {
        "records": len(rows),
        "extraction_none": sum(_letter(row) is None for row in rows if row.response is not None),
        "counts": counts,
        "rates": rates,
        "four_dimensional_metrics": _printed(counts, rates),
        "accuracy": _accuracy(groups),
        "groups_in_no_category": sorted(
            (name for name in groups if states[True][name] is None and states[False][name] is None), key=_by_numbers
        ),
    }


def _by_numbers(name: str) -> tuple[list[int], str]:
    """2steps_4 before 2steps_31."""
    return [int(digits) for digits in re.findall(r"\d{1,9}", name)], name


def _letter(row: WeMathRow) -> str | None:
    return official_letter(row.response) if row.response is not None else None


def _groups(rows: Sequence[WeMathRow]) -> dict[str, Composite]:
    questions: dict[str, list[tuple[tuple[int | None, int | None], Part]]] = defaultdict(list)
    for row in rows:
        right = row.right if row.response is None else _letter(row) == row.answer
        questions[row.group].append((row.place(), Part(right, tuple((name, row.domain) for name in row.concept))))
    return {name: composite(members) for name, members in questions.items()}


def _counts(found: Mapping[bool, Counter[State | None]]) -> dict[str, int]:
    counts = {_NAMES[one]: found[True][one] for one in (State.IG, State.IK)}
    for one in (State.CM, State.RM):
        counts |= {f"{_NAMES[one]}_loose": found[False][one], f"{_NAMES[one]}_strict": found[True][one]}
    return counts


def _rate(name: str, counts: Mapping[str, int]) -> str | None:
    if not name.startswith("RoteMemorization"):
        return f"{counts[name] / OFFICIAL_N:.2%}"
    solved = counts[name] + counts[name.replace("RoteMemorization", "CompleteMastery")]
    return f"{counts[name] / solved:.2%}" if solved else None


def _printed(counts: Mapping[str, int], rates: Mapping[str, str | None]) -> dict[str, str | None]:
    row: dict[str, str | None] = {}
    for setting in ("strict", "loose"):
        lost = 0.5 * counts["InadequateGeneralization"]
        lost += counts[f"RoteMemorization_{setting}"] + counts["InsufficientKnowledge"]
        row[f"Score ({setting.title()})"] = f"{(OFFICIAL_N - lost) / OFFICIAL_N:.2%}"
        for name in ("InsufficientKnowledge", "InadequateGeneralization", "CompleteMastery", "RoteMemorization"):
            key = name if name in counts else f"{name}_{setting}"
            rate = rates[f"{key}_rate"]
            row[f"{name} ({setting.title()})"] = None if rate is None else f"{rate} ({counts[key]})"
    return row


def _accuracy(groups: Mapping[str, Composite]) -> dict[str, str | None]:
    """Means over sub-problems, over composites of two and of three steps, and over the concepts of each domain."""
    joined = [group for group in groups.values() if group.subs and group.subs[0] is not None]
    subs = [sub for group in joined for sub in group.subs if sub is not None]
    of_concept: dict[str, list[Part]] = defaultdict(list)
    concepts_of: dict[str, set[str]] = defaultdict(set)
    for sub in subs:
        for concept, domain in sub.concepts:
            of_concept[concept].append(sub)
            if domain is not None:
                concepts_of[domain].add(concept)
    means = {concept: _mean(part.right for part in parts) for concept, parts in of_concept.items()}
    found = {
        "One-step(S1)": _mean(sub.right for sub in subs),
        **{
            name: _mean(group.whole.right for group in joined if group.whole and len(group.subs) == steps)
            for name, steps in (("Two-step(S2)", 2), ("Three-step(S3)", 3))
        },
        **{domain: _mean(means[c] for c in sorted(concepts)) for domain, concepts in sorted(concepts_of.items())},
    }
    return {name: None if value is None else f"{value:.2%}" for name, value in found.items()}


def _mean(values: Iterable[float | bool | None]) -> float | None:
    given = [float(value) for value in values if value is not None]
    return sum(given) / len(given) if given else None
