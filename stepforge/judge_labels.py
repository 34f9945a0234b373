"""Judges against people, and against each other: which items people are shown, and how far the labels agree.

Source: AgenticMathBench, appendix F.1.2 (100 sampled items, scored by judge and people alike) and F.1.3 (a second judge
on the same items), tables 13 and 14; GeoLaux, table 2 (steps and whole solutions).
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from stepforge.judges import RUBRICS, Case, shown
from stepforge.judges._rules import JUDGE as RULES
from stepforge.judging import judgement_id
from stepforge.metrics.agreement import Estimate, judge_agreement
from stepforge.panel import SECOND
from stepforge.records import HumanLabel, ImageRef, JudgeVerdict

HUMAN = "human"
REPLY, STEP = "reply", "step"


class SampleItem(NamedTuple):
    """One item for people to label: its texts, and nothing that tells the system or what a judge said."""

    item: str
    rubric: str
    source: str
    shown: Mapping[str, str | list[str]]
    images: tuple[ImageRef, ...]

    def as_row(self) -> dict[str, object]:
        """As a line of the file that people fill in; the figures by their names in the content store."""
        figures = {f"<image_{k}>": image_file(image) for k, image in enumerate(self.images, start=1)}
        return {**self._asdict(), "images": figures, "label": None}


def image_file(image: ImageRef) -> str:
    """Name of a file for the figure."""
    return f"{image.sha256}.{(image.media_type or 'image/png').rsplit('/', 1)[-1]}"


def sample(
    verdicts: Sequence[JudgeVerdict], cases: Mapping[tuple[str, str], Case], rubric: str, n: int, *, seed: int
) -> list[SampleItem]:
    """At most `n` items that a judge decided, drawn by a hash of seed and item, in turn from each source, each item
    once; sorted by item, so that the order tells nothing.  A greater `n` adds items and takes none away.
    cases: by system and TASK|SAMPLE."""
    by_source: dict[str, dict[str, Case]] = defaultdict(dict)
    for verdict in verdicts:
        case = cases.get((verdict.system, judgement_id(verdict.task_id, verdict.sample)))
        asked = verdict.rubric == rubric and verdict.judge not in (SECOND, RULES) and verdict.model is not None
        if asked and verdict.right is not None and case is not None:
            by_source[case.task.source].setdefault(verdict.item, case)

    def rank(item: str) -> bytes:
        return hashlib.sha256(f"{seed}|{item}".encode()).digest()

    drawn = [
        (place, source, item)
        for source, items in by_source.items()
        for place, item in enumerate(sorted(items, key=rank))
    ]
    of = RUBRICS[rubric]
    return [
        SampleItem(item, rubric, source, shown(of, case := by_source[source][item]), of.figures_of(case))
        for _, source, item in sorted(sorted(drawn)[:n], key=lambda entry: entry[2])
    ]


class AgreementRow(NamedTuple):
    """How far one judge agrees with a person or another judge, by reply or by step.  Accuracy is plain agreement;
    precision, recall and F1 take what `against` says for the truth, and "right" for yes."""

    rubric: str
    level: str  # reply or step
    judge: str  # a role, or human:NAME
    against: str  # human, human:NAME, or the other judge's role
    n: int
    accuracy: Estimate
    precision: Estimate
    recall: Estimate
    f1: Estimate
    kappa: Estimate


class _Said(NamedTuple):
    """What one rater says of an item: of the whole, and of each step."""

    right: bool
    steps: tuple[bool, ...]


Raters = Mapping[str, Mapping[str, _Said]]  # by rater and item


def agreement_rows(
    verdicts: Sequence[JudgeVerdict], labels: Sequence[HumanLabel], *, seed: int = 0, resamples: int = 1000
) -> list[AgreementRow]:
    """Every judge model against people (all of their labels together), the first against the second, and people against
    each other, by rubric; only the items that both decided, of the rubric `steps` by step, too.  Without labels and a
    second judge there are none."""
    rows: list[AgreementRow] = []
    for rubric in sorted({v.rubric for v in verdicts}):
        judges = _judges(rubric, verdicts)
        people = _people(rubric, labels)
        for name, said, against, other in _pairs(judges, people):
            for level, take in _LEVELS.items():
                judged, truth = take(said, other)
                if judged:
                    key = f"{seed}|{rubric}|{level}|{name}|{against}"
                    found = judge_agreement(judged, truth, key=key, resamples=resamples)
                    values = (found[metric] for metric in ("accuracy", "precision", "recall", "F1", "kappa"))
                    rows.append(AgreementRow(rubric, level, name, against, len(judged), *values))
    return rows


def _pairs(judges: Raters, people: Raters) -> Iterator[tuple[str, Sequence[tuple[str, _Said]], str, Raters]]:
    """Who is compared with whom: name, what it said, name and sayings of those it is held against."""
    for name, said in sorted(judges.items()):
        if people:
            yield name, list(said.items()), HUMAN, people
    for name in sorted(judges.keys() - {SECOND}) if SECOND in judges else []:
        yield name, list(judges[name].items()), SECOND, {SECOND: judges[SECOND]}
    for one, other in combinations(sorted(people), 2):
        yield f"{HUMAN}:{one}", list(people[one].items()), f"{HUMAN}:{other}", {other: people[other]}


def _judges(rubric: str, verdicts: Sequence[JudgeVerdict]) -> Raters:
    found: dict[str, dict[str, _Said]] = defaultdict(dict)
    for verdict in verdicts:
        if verdict.rubric == rubric and verdict.right is not None and verdict.model is not None:
            steps = tuple(score == 1 for score in verdict.step_scores)
            found[verdict.judge][verdict.item] = _Said(verdict.right, steps)
    return found


def _people(rubric: str, labels: Sequence[HumanLabel]) -> Raters:
    found: dict[str, dict[str, _Said]] = defaultdict(dict)
    for label in labels:
        if label.rubric == rubric:
            found[label.annotator][label.item] = _Said(label.right, tuple(score == 1 for score in label.step_scores))
    return found


Taken = tuple[list[bool], list[bool]]


def _by_reply(said: Sequence[tuple[str, _Said]], others: Raters) -> Taken:
    pairs = [(mine.right, its[item].right) for item, mine in said for its in others.values() if item in its]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _by_step(said: Sequence[tuple[str, _Said]], others: Raters) -> Taken:
    """Step by step; an item whose steps two raters count differently is left out."""
    both = [(mine.steps, its[item].steps) for item, mine in said for its in others.values() if item in its]
    pairs = [pair for mine, its in both if len(mine) == len(its) for pair in zip(mine, its, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs]


_LEVELS: Mapping[str, Callable[[Sequence[tuple[str, _Said]], Raters], Taken]] = {REPLY: _by_reply, STEP: _by_step}
