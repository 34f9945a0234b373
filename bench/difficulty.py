"""Labels by rules against MV-MATH's own: difficulty, subject, image relevance and question type; knowledge concepts
against We-Math's.

    python bench/difficulty.py                                  # the shared data
    python bench/difficulty.py --mvmath MV-MATH.json --wemath testmini.json

The rules were made on one half of each set: the rows with sha256("mvmath half:" + question) (for We-Math "wemath half:"
and the group's ID) below one half of its range; numbers are given for that half and for the other, unseen one.  The
naive rule says the commonest label of the first half.  Difficulty is by length, clustered over all rows together (it
sees no label), over the unseen half by itself, and at the paper's cut points; by milestones, of the steps that the
rules make.
"""

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix, f1_score

from stepforge.labels.difficulty import cut_points, level_of, milestone_level, weighted_length
from stepforge.labels.image_relevance import relevance_of
from stepforge.labels.knowledge_concepts import CONCEPTS, concepts_of
from stepforge.labels.question_type import type_of
from stepforge.labels.subject import subject_of
from stepforge.metrics.length_difficulty import levels as plain_levels
from stepforge.metrics.length_difficulty import weighted_length as plain_length
from stepforge.records import Problem, Provenance
from stepforge.steps.milestones import milestones
from stepforge.steps.segment import solution_steps
from stepforge.vocabulary import ProblemType

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LEVELS = {"Low": "easy", "Medium": "medium", "High": "hard"}
RELEVANCE = {"1": "mutually_dependent", "0": "independent"}
TYPES = {"choice": "choice", "single-step": "free_form", "multi-step": "multi_step"}
NONE = "(none)"

Row = dict[str, Any]


def is_seen(prefix: str, key: str) -> bool:
    """Whether the row is of the half on which the rules were made."""
    return int(hashlib.sha256(f"{prefix}:{key}".encode()).hexdigest()[:8], 16) / 16**8 < 0.5


def tell(title: str, truth: Sequence[str], said: Sequence[str | None]) -> None:
    """One line: how far the two agree."""
    told = [str(one) if one is not None else NONE for one in said]
    accuracy, kappa = accuracy_score(truth, told), cohen_kappa_score(truth, told)
    f1 = f1_score(truth, told, labels=sorted(set(truth)), average="macro", zero_division=0)
    print(f"  {title:44} n {len(truth):5}  accuracy {accuracy:.3f}  macro F1 {f1:.3f}  kappa {kappa:+.3f}")


def confusion(truth: Sequence[str], said: Sequence[str], names: Sequence[str]) -> None:
    """Rows: the set's label; columns: the rule's."""
    print(f"  {'':14}" + "".join(f"{name:>10}" for name in names))
    for name, counts in zip(names, confusion_matrix(truth, said, labels=list(names)), strict=True):
        print(f"  {name:14}" + "".join(f"{count:10}" for count in counts))


def halves(
    name: str, rows: Sequence[Row], truth: Callable[[Row], str], said: Callable[[Row], str | None], seen: Sequence[bool]
) -> None:
    """A rule and the naive one, on both halves."""
    commonest = Counter(truth(row) for row, mine in zip(rows, seen, strict=True) if mine).most_common(1)[0][0]
    print(name)
    for title, half in (("seen half", True), ("unseen half", False)):
        part = [row for row, mine in zip(rows, seen, strict=True) if mine is half]
        tell(f"rules, {title}", [truth(row) for row in part], [said(row) for row in part])
        tell(f"naive ({commonest[:16]}), {title}", [truth(row) for row in part], [commonest for _ in part])


def milestone_counts(rows: Sequence[Row]) -> list[int]:
    """Milestones that the rules make of each solution."""
    problems = [
        Problem(
            problem_id=f"p/{k:05d}", source="p", source_id=str(k), language="en", question=row["question"],
            problem_type=ProblemType.FREE_FORM, answer=None, solution=row["analysis"] or None, licence="MIT",
            provenance=Provenance(document_id="", path="", locator="", method="json"),
        )
        for k, row in enumerate(rows)
    ]  # fmt: skip
    made = milestones(problems, solution_steps(problems).kept)
    counts = Counter(milestone.problem_id for milestone in made.kept)
    return [counts[problem.problem_id] for problem in problems]


def difficulty(rows: Sequence[Row], seen: Sequence[bool]) -> None:
    """All that is told about difficulty."""
    lengths = [weighted_length(row["question"], row["analysis"] or "") for row in rows]
    truth = [LEVELS[row["difficulty"]] for row in rows]
    cuts = cut_points(lengths)
    if cuts is None:
        raise SystemExit("fewer than three different lengths: there is nothing to cluster")
    by_length = dict(zip(map(id, rows), (level_of(length, cuts).value for length in lengths), strict=True))
    halves(
        f"difficulty by length, cut at {cuts[0]:.0f} and {cuts[1]:.0f}",
        rows,
        lambda row: LEVELS[row["difficulty"]],
        lambda row: by_length[id(row)],
        seen,
    )
    unseen = [k for k, mine in enumerate(seen) if not mine]
    confusion([truth[k] for k in unseen], [by_length[id(rows[k])] for k in unseen], tuple(LEVELS.values()))
    print("other readings of the two papers, on the unseen half")
    own = cut_points([lengths[k] for k in unseen])
    if own is not None:
        tell("clustered over that half alone", [truth[k] for k in unseen], [level_of(lengths[k], own) for k in unseen])
    at_paper = [level_of(lengths[k], (150.0, 500.0)) for k in unseen]
    tell("cut at the paper's 150 and 500", [truth[k] for k in unseen], at_paper)
    plain = plain_levels([plain_length(row["question"], row["analysis"] or "") for row in rows])
    if plain is not None:
        tell("k-means on plain words, no logarithm", [truth[k] for k in unseen], [plain.levels[k] for k in unseen])
    counted = milestone_counts(rows)
    tell("MAMath-Bench's milestone counts", [truth[k] for k in unseen], [milestone_level(counted[k]) for k in unseen])


def concepts(path: Path) -> None:
    """One-step problems of We-Math: the concept, and its kind and domain."""
    rows = [row for row in json.loads(path.read_text("utf-8")) if ";" not in row["knowledge concept"]]
    place = {concept.name: concept for concept in CONCEPTS}
    seen = [is_seen("wemath half", row["ID"]) for row in rows]

    def first(row: Row) -> str | None:
        return next(iter(concepts_of(row["question"])), None)

    halves("knowledge concept of We-Math's one-step problems, from the words alone (67)", rows,
           lambda row: str(row["knowledge concept"]).strip(), first, seen)  # fmt: skip
    unseen = [row for row, mine in zip(rows, seen, strict=True) if not mine]
    met = [first(row) for row in unseen]
    truth = [place[row["knowledge concept"].strip()] for row in unseen]
    for level in ("kind", "domain"):
        told = [None if name is None else getattr(place[name], level) for name in met]
        tell(f"rules, unseen half, {level}", [getattr(concept, level) for concept in truth], told)
    among = sum(t.name in concepts_of(row["question"]) for t, row in zip(truth, unseen, strict=True))
    print(f"  among the three that the rules give, unseen half: {among / len(unseen):.3f}")


def main() -> None:
    """Print agreement of every label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mvmath", type=Path, default=DATA / "mvmath" / "MV-MATH.json")
    parser.add_argument("--wemath", type=Path, default=DATA / "wemath" / "testmini.json")
    options = parser.parse_args()
    rows: list[Row] = json.loads(options.mvmath.read_text("utf-8"))
    seen = [is_seen("mvmath half", row["question"]) for row in rows]
    difficulty(rows, seen)
    halves("subject (11)", rows, lambda row: str(row["subject"]),
           lambda row: subject_of(row["question"], row["analysis"] or "", len(row["input_image"])), seen)  # fmt: skip
    halves("image relevance", rows, lambda row: RELEVANCE[row["image_relavance"]],
           lambda row: relevance_of(row["question"], len(row["input_image"])), seen)  # fmt: skip
    halves("question type, from the question alone", rows, lambda row: TYPES[row["answer_type"]],
           lambda row: type_of(row["question"]), seen)  # fmt: skip
    concepts(options.wemath)


if __name__ == "__main__":
    main()
