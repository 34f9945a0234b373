"""Labels of problems where the source gives none: the subject, by keywords (MV-MATH's eleven subjects)."""

import re
from collections.abc import Sequence

from stepforge.outcome import Outcome, Tick, no_tick
from stepforge.records import Problem

# Subject -> words that speak for it. Counted without overlap; the most hits win, ties go to the earlier subject.
_KEYWORDS: dict[str, str] = {
    "Solid Geometry": """
        cube, cuboid, prism, pyramid, sphere, cylinder, cone, volume of, 正方体,
        长方体, 棱柱, 棱锥, 圆柱, 圆锥, 体积""",
    "Analytic Geometry": """
        coordinate, parabola, ellipse, hyperbola, slope, x-axis, y-axis, 坐标, 抛物线, 椭圆, 双曲线, 斜率""",
    "Transformation Geometry": """
        rotate, rotation, reflect, translation, symmetry, symmetric, fold, 旋转, 平移, 对称, 折叠, 翻折""",
    "Metric Geometry": """
        triangle, angle, circle, rectangle, square, parallelogram, trapezoid, perimeter, area of, radius,
        diameter, perpendicular, chord, △, ∠, ⊥, 三角形, 四边形, 圆, 矩形, 正方形, 面积, 周长""",
    "Combinatorics": """
        how many ways, permutation, combination, arrange, choose, 排列, 组合, 种方法""",
    "Statistics": """
        mean, median, average, probability, dice, 概率, 平均数, 中位数, 方差""",
    "Logic": """
        truth, liar, knight, logically, 推理, 真话, 假话""",
    "Algebra": """
        equation, solve for, polynomial, function, inequality, roots, sequence, factor, prime, divisor,
        remainder, integer, 方程, 函数, 不等式, 数列, 因式, 整数, 余数""",
    "Arithmetic": """
        how many, how much, cost, price, total, each, per day, dollars, 多少, 元, 一共, 每""",
}


def _pattern(words: str) -> re.Pattern[str]:
    every = [word.strip() for word in words.split(",")]
    return re.compile("|".join(rf"\b{re.escape(w)}" if w.isascii() else re.escape(w) for w in every), re.IGNORECASE)


_PATTERNS = {subject: _pattern(words) for subject, words in _KEYWORDS.items()}


def subject_of(question: str) -> str | None:
    """Subject with the most keyword hits in the question; None if there is no hit."""
    hits = {subject: len(pattern.findall(question)) for subject, pattern in _PATTERNS.items()}
    best = max(hits, key=lambda s: hits[s])
    return best if hits[best] else None


def labelled_problems(problems: Sequence[Problem], tick: Tick = no_tick) -> Outcome[Problem]:
    """Every problem with a subject where one can be told; labels of the source are left as they are."""
    kept = []
    for problem in problems:
        subject = problem.subject or subject_of(problem.question)
        kept.append(problem if subject == problem.subject else problem.model_copy(update={"subject": subject}))
        tick(1)
    return Outcome(kept, [], [p.problem_id for p in problems])
