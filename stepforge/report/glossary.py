"""The metrics that the page knows by name, with what each number means and the paper that defines it."""

import re
from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

from stepforge.vocabulary import DefectKind

MAMATH = "MAMath-Bench"
GEOLAUX = "GeoLaux"
MV_MATH = "MV-MATH"
WE_MATH = "We-Math"
AGENTIC = "AgenticMathBench"

CONTROLS = {
    "oracle": "answers from the references; anything below 1 (SRR and SMR: above 0) is a fault of the scorer",
    "null": "sends empty replies; anything above 0 (SMR: below 1) is a fault of the scorer",
}


class Metric(NamedTuple):
    """A named metric.  `aliases`: names under which rows may carry it, the preferred one first."""

    key: str
    label: str
    name: str
    higher_is_better: bool
    meaning: str
    paper: str
    aliases: tuple[str, ...]


FAA = Metric(
    "faa",
    "FAA",
    "final-answer accuracy",
    True,
    "Share of the problems a system could read whose final answer is equivalent to the reference; failures are wrong.",
    MAMATH,
    ("faa", "final_answer_accuracy"),
)
DETECTION = Metric(
    "detection",
    "Detection",
    "defect-detection accuracy",
    True,
    "Share of the perturbed chains whose defect is named with the right kind at exactly the right place.",
    MAMATH,
    ("detection", "detection_accuracy", "detection_acc"),
)
HEADLINE = (
    FAA,
    Metric(
        "ma",
        "MA",
        "milestone accuracy",
        True,
        "Share of the reference milestones that some unit of the reply matches; summed over all problems.",
        MAMATH,
        ("ma", "ma_micro", "milestone_accuracy"),
    ),
    Metric(
        "srr",
        "SRR",
        "step redundancy rate",
        False,
        "Share of a reply's units in excess of those that the reference needs or that match it.",
        MAMATH,
        ("srr", "srr_micro", "step_redundancy_rate"),
    ),
    Metric(
        "smr",
        "SMR",
        "step missing rate",
        False,
        "Share of the reference milestones that nothing in the reply matches: 1 − MA.",
        MAMATH,
        ("smr", "smr_micro", "step_missing_rate"),
    ),
    DETECTION,
)

# (term, meaning, paper) for what is no headline metric but stands on the page
TERMS = (
    (
        "Step length",
        "Number of steps of the reference solution, as the source counts them, else as segmented; in buckets of four "
        "steps, then 13-24, with longer solutions in a bucket of their own.",
        GEOLAUX,
    ),
    (
        "detection_location, detection_kind",
        "Partial credit beside detection: F1 of the places named, and the share of right kinds of those named.",
        MAMATH,
    ),
    ("MA_macro, SMR_macro, SRR_macro, SAR_macro", "The mean of the items, each weighing the same.", MAMATH),
    ("SAR", "Right sub-answers over all sub-answers of multi-part problems.", MV_MATH),
    (
        "lean_compile@k",
        "Probability that at least one of k formalizations of an item is accepted by Lean (unbiased pass@k).",
        AGENTIC,
    ),
    (
        "lean_align@k",
        "The same for formalizations that Lean shows to say what the reference says: equal by definition, or each "
        "proved from the other by a fixed list of tactics. What is not shown counts as not aligned; it is “undecided”.",
        AGENTIC,
    ),
    (
        "lean_align_judged@k, lean_align_both@k",
        "lean_align@k by the word of a judge, and by the judge and Lean together.",
        AGENTIC,
    ),
    (
        "correctness",
        "Share of the formalizations that a system calls what people called them: right, or wrong because it says "
        "something else or does not compile. Precision, recall and F1 are those of saying “wrong”.",
        AGENTIC,
    ),
    ("ACS", "Share of right final answers, of the solutions whose steps were judged.", GEOLAUX),
    (
        "PCS",
        "Share of solutions with a right answer and no wrong step, of those whose steps were judged.",
        GEOLAUX,
    ),
    ("PQS", "Quality of the process in [0, 1]: wrong steps weigh more the earlier they come.", GEOLAUX),
    (
        "false_positive",
        "Share of solutions with a right answer and a wrong step, of those whose steps were judged.",
        GEOLAUX,
    ),
    (
        "construction",
        "Share of solutions that build an auxiliary line, of problems whose reference builds one; construction_PCS: "
        "PCS of those that do.",
        GEOLAUX,
    ),
    ("ΔPCS", "delta_PCS: relative fall of PCS from problems of 1-4 steps to those of 13-24.", GEOLAUX),
    (
        "Capability",
        "Milestones are counted under the atomic capability of the reference step whose result they are.",
        AGENTIC,
    ),
    ("QCR", "Share of the multi-part problems with every sub-answer right.", MV_MATH),
    ("IK", "Insufficient knowledge: a sub-problem is wrong and so is the composite problem.", WE_MATH),
    ("IG", "Inadequate generalisation: every sub-problem is right, the composite problem is wrong.", WE_MATH),
    (
        "CM",
        "Complete mastery: the sub-problems (strict: all, loose: one at least) and the composite are right.",
        WE_MATH,
    ),
    (
        "RM",
        "Rote memorisation: the composite is right though sub-problems (strict: one, loose: all) are wrong.",
        WE_MATH,
    ),
)

_DEFECTS = frozenset(str(kind) for kind in DefectKind)
_WE_MATH_TOKENS = frozenset({"wemath", "ik", "ig", "cm", "rm", "s1", "s2", "s3"})

_CONTAMINATION = ("rouge_l", "overlap_", "original_answer_rate", "perturbation_", "time_split_")


def canonical(name: str) -> str:
    """The name in lower case with one underscore between its words."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def pick(metric: Metric, present: Collection[str]) -> str | None:
    """The name in `present` that carries `metric`: the first alias that occurs; None if none does."""
    by_canonical = {canonical(name): name for name in sorted(present, reverse=True)}
    return next((by_canonical[alias] for alias in metric.aliases if alias in by_canonical), None)


def is_we_math(name: str) -> bool:
    """Whether a metric's name is one of We-Math's states, scores or sub-problem accuracies."""
    tokens = canonical(name).split("_")
    return not _WE_MATH_TOKENS.isdisjoint(tokens) or is_count(name) or ("we", "math") in pairwise(tokens)


def is_contamination(name: str) -> bool:
    """Whether a metric tells how far a benchmark may have been known before: overlap of replies with the reference,
    scores before and after a perturbation or a date."""
    return canonical(name).startswith(_CONTAMINATION)


def is_lean(name: str) -> bool:
    """Whether a metric is one of a real Lean's verdicts: `lean_compile@1`, `lean_align@4`, …"""
    return name.startswith(("lean_compile@", "lean_align@"))


def is_correctness(name: str) -> bool:
    """Whether a metric is one of correctness judgment: `correctness`, `correctness_f1`, …"""
    return name == "correctness" or name.startswith("correctness_")


def is_count(name: str) -> bool:
    """Whether a metric counts groups and is no share."""
    return canonical(name) == "groups_incomplete"


def detection_kind(name: str) -> str | None:
    """`wrong` from `detect_wrong`, `detection_wrong` or `detection_accuracy_wrong`; None for another name."""
    found = re.fullmatch(r"detect(?:ion)?_(?:acc(?:uracy)?_)?([a-z]+)", canonical(name))
    return found[1] if found and found[1] in _DEFECTS else None


def we_math_label(name: str) -> str:
    """`CM strict` from `we_math_cm_strict`."""
    if is_count(name):
        return "Incomplete groups (count)"
    words = [w for w in canonical(name).split("_") if w not in {"we", "math", "wemath"}]
    return " ".join(w.upper() if w in _WE_MATH_TOKENS else w for w in words) or name
