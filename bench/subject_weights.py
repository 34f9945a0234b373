"""The weights of `stepforge/labels/_subject_weights.py`, fitted anew: a logistic regression on one half of MV-MATH,
MATH and GSM8K, over the groups of words that stand there.

    python bench/subject_weights.py          # how far the fitted weights are from those of the module
    python bench/subject_weights.py --print  # and the rows

The halves are those of `bench/difficulty.py`: nothing of the unseen half is read here.
"""

import argparse
import hashlib
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from stepforge.labels._subject_weights import ALWAYS, IMAGE_OPTIONS, ONE_IMAGE, SEVERAL_IMAGES, SUBJECTS, WORDS
from stepforge.labels._texts import image_options, spaced
from stepforge.labels.subject import MAX_CHARS

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
OTHERS, SHARE, BALANCE, C = 1600, 0.4, 0.8, 0.3  # rows of MATH and GSM8K, their weight, how far evened out, L2

_SOLID = re.compile(r"\b(?:cube|sphere|cone|cylinder|prism|pyramid|tetrahedr|volume|surface area)", re.I)
_PLANE = re.compile(r"coordinate|slope|parabola|ellipse|hyperbola|[xy]\$?-axis|\bvertex of the graph", re.I)
_MOTION = re.compile(r"\brotat|reflect|translat|dilat|symmetr", re.I)
_FIGURE = re.compile(r"triangle|rectangle|circle|angle|perimeter|radius|polygon|square (?:has|is)|area of", re.I)
_CHANCE = re.compile(r"probab|\bdice\b|\bdie\b|average|\bmean\b|median|\bmode\b", re.I)


class Example(NamedTuple):
    """A text with its subject."""

    question: str
    solution: str
    images: int
    subject: str


def seen(question: str) -> bool:
    """Whether the row is of the half on which the weights are fitted."""
    return int(hashlib.sha256(f"mvmath half:{question}".encode()).hexdigest()[:8], 16) / 16**8 < 0.5


def subject_of_math(kind: str, question: str) -> str | None:
    """The subject that a type of MATH stands for; None for those that are left out."""
    if kind in ("Geometry", "Prealgebra") and _SOLID.search(question):
        return "Solid Geometry"
    if kind == "Geometry":
        motion = "Transformation Geometry" if _MOTION.search(question) else "Metric Geometry"
        return "Analytic Geometry" if _PLANE.search(question) else motion
    if kind in ("Algebra", "Intermediate Algebra"):
        return "Analytic Geometry" if _PLANE.search(question) else "Algebra"
    if kind == "Counting & Probability":
        return "Statistics" if _CHANCE.search(question) else "Combinatorics"
    if kind == "Prealgebra":
        figure = "Metric Geometry" if _FIGURE.search(question) else "Arithmetic"
        return "Statistics" if _CHANCE.search(question) else figure
    return "Arithmetic" if kind == "Number Theory" else None


def examples() -> tuple[list[Example], list[Example]]:
    """Of MV-MATH, and of the others."""
    rows = json.loads((DATA / "mvmath" / "MV-MATH.json").read_text("utf-8"))
    own = [
        Example(r["question"], r["analysis"] or "", len(r["input_image"]), r["subject"])
        for r in rows
        if seen(r["question"])
    ]
    math = [json.loads(line) for line in (DATA / "math" / "test.jsonl").read_text("utf-8").splitlines()]
    others = [
        Example(r["problem"], r["solution"], 0, subject)
        for r in math
        if seen(r["problem"]) and (subject := subject_of_math(r["type"], r["problem"]))
    ]
    words = [json.loads(line) for line in (DATA / "gsm8k" / "test.jsonl").read_text("utf-8").splitlines()]
    others += [Example(r["question"], r["answer"], 0, "Arithmetic") for r in words[::4] if seen(r["question"])]
    random.Random(0).shuffle(others)
    return own, others[:OTHERS]


def features(example: Example, solution: str) -> list[float]:
    """1 for words of the question, one half for those of the solution alone, and the structure."""
    asked, solved = spaced(example.question[:MAX_CHARS]), spaced(solution[:MAX_CHARS])
    groups = [words.split(",") for words, _ in WORDS]
    met = [
        1.0 if any(word in asked for word in group) else 0.5 if any(word in solved for word in group) else 0.0
        for group in groups
    ]
    options = image_options(example.question) >= 2
    return [*met, float(example.images == 1), float(example.images >= 2), float(options)]


def main() -> None:
    """Fit and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--print", action="store_true", dest="rows")
    options = parser.parse_args()
    own, others = examples()
    frequency = Counter(example.subject for example in others)
    even = len(others) / len(frequency)
    weight = [1.0] * len(own) + [SHARE * (even / frequency[e.subject]) ** BALANCE for e in others]
    every = own + others
    rows = [features(e, e.solution) for e in every] + [features(e, "") for e in every]
    model = LogisticRegression(C=C, max_iter=3000).fit(
        np.array(rows), [e.subject for e in every] * 2, sample_weight=weight + [w / 2 for w in weight]
    )
    order = [list(model.classes_).index(subject) for subject in SUBJECTS]
    fitted = np.rint(10 * np.concatenate([model.coef_, model.intercept_[:, None]], axis=1)[order]).astype(int).T
    there = np.array([*(w for _, w in WORDS), ONE_IMAGE, SEVERAL_IMAGES, IMAGE_OPTIONS, ALWAYS])
    same = np.mean(fitted == there)
    print(f"{fitted.size} weights on {len(own)} + {len(others)} texts; {same:.1%} as in the module, "
          f"largest difference {np.abs(fitted - there).max()} tenths")  # fmt: skip
    if options.rows:
        for (words, _), row in zip(WORDS, fitted, strict=False):
            print(f"{words}: {', '.join(map(str, row))}")


if __name__ == "__main__":
    main()
