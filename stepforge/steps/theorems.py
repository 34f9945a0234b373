"""Named theorems and rules of school and contest mathematics, in English and Chinese, found by their names."""

import re
from typing import NamedTuple


class Theorem(NamedTuple):
    """A rule with its names; `pattern` finds it in text of either language."""

    english: str
    chinese: str
    pattern: re.Pattern[str]


def _theorem(english: str, chinese: str, pattern: str) -> Theorem:
    return Theorem(english, chinese, re.compile(pattern, re.IGNORECASE))


# Special before general: the first that is found names the step
THEOREMS = (
    _theorem("SAS", "边角边（SAS）", r"\bSAS\b|边角边|两边(?:对应成比例且|及其?)夹角"),
    _theorem("ASA", "角边角（ASA）", r"\bASA\b|角边角"),
    _theorem("AAS", "角角边（AAS）", r"\bAAS\b|角角边"),
    _theorem("SSS", "边边边（SSS）", r"\bSSS\b|边边边"),
    _theorem("HL", "斜边直角边（HL）", r"[(（ ]HL[)） ]|斜边[、，]?直角边"),
    _theorem("Pythagorean theorem", "勾股定理", r"勾股|Pythagor"),
    _theorem("law of cosines", "余弦定理", r"余弦定理|(?:law of cosines|cosine (?:law|rule))"),
    _theorem("law of sines", "正弦定理", r"正弦定理|(?:law of sines|sine (?:law|rule))"),
    _theorem("inscribed angle theorem", "圆周角定理", r"圆周角|inscribed angle|Thales"),
    _theorem("perpendicular chord theorem", "垂径定理", r"垂径|perpendicular chord"),
    _theorem("tangent length theorem", "切线长定理", r"切线长|tangent (?:segment|length)"),
    _theorem(
        "tangent and radius are perpendicular", "切线的性质", r"切线的性质|propert(?:y|ies) of (?:a |the )?tangent"
    ),
    _theorem("midline theorem", "中位线定理", r"中位线|mid-?(?:line|segment)"),
    _theorem("median to the hypotenuse", "直角三角形斜边中线定理", r"斜边(?:上的)?中线|median to the hypotenuse"),
    _theorem(
        "angle sum of a triangle",
        "三角形内角和定理",
        r"三角形(?:的)?内角和|angle sum|sum of (?:the )?(?:interior )?angles",
    ),
    _theorem("exterior angle theorem", "三角形外角定理", r"外角(?:定理|的?性质|等于)|exterior angle"),
    _theorem(
        "similar triangles",
        "相似三角形",
        r"∽|\\sim\b(?!eq)|相似|similar(?:ity)? (?:of )?triangles?|triangles? .{0,40}similar",
    ),
    _theorem("congruent triangles", "全等三角形", r"≌|≅|\\cong\b|全等|congruent (?:triangles?)|congruence"),
    _theorem("three lines coincide in an isosceles triangle", "等腰三角形三线合一", r"三线合一"),
    _theorem("angle bisector theorem", "角平分线性质", r"角平分线(?:的)?(?:性质|定理)|angle bisector theorem"),
    _theorem("perpendicular bisector", "垂直平分线性质", r"垂直平分线|中垂线|perpendicular bisector"),
    _theorem("intercept theorem", "平行线分线段成比例", r"平行线分线段|intercept theorem"),
    _theorem("Ptolemy's theorem", "托勒密定理", r"托勒密|Ptolem"),
    _theorem("Ceva's theorem", "塞瓦定理", r"塞瓦|\bCeva"),
    _theorem("Menelaus' theorem", "梅涅劳斯定理", r"梅涅劳斯|Menelaus"),
    _theorem("power of a point", "圆幂定理", r"圆幂|割线定理|相交弦|power of (?:a |the )?point"),
    _theorem("Vieta's formulas", "韦达定理", r"韦达|根与系数|\bVieta"),
    _theorem("quadratic formula", "求根公式", r"求根公式|quadratic formula"),
    _theorem("discriminant", "判别式", r"判别式|discriminant"),
    _theorem("AM-GM inequality", "均值不等式", r"均值不等式|基本不等式|\bAM-?GM\b"),
    _theorem("Cauchy-Schwarz inequality", "柯西不等式", r"柯西|Cauchy"),
    _theorem("Jensen's inequality", "琴生不等式", r"琴生|\bJensen"),
    _theorem("triangle inequality", "三角不等式", r"三角(?:形)?不等式|两边之和大于|triangle inequality"),
    _theorem("Fermat's little theorem", "费马小定理", r"费马小|Fermat's? (?:little )?theorem"),
    _theorem("Euler's theorem", "欧拉定理", r"欧拉定理|Euler's (?:theorem|formula|totient)"),
    _theorem("Chinese remainder theorem", "中国剩余定理", r"中国剩余|Chinese remainder"),
    _theorem("pigeonhole principle", "抽屉原理", r"抽屉原理|鸽巢|pigeon-?hole"),
    _theorem("mathematical induction", "数学归纳法", r"归纳法|\binduct(?:ion|ive)"),
    _theorem("proof by contradiction", "反证法", r"反证|contradict"),
    _theorem("binomial theorem", "二项式定理", r"二项式定理|binomial theorem"),
    _theorem("inclusion-exclusion", "容斥原理", r"容斥|inclusion.{1,3}exclusion"),
    _theorem("Heron's formula", "海伦公式", r"海伦|\bHeron"),
    _theorem("Shoelace formula", "鞋带公式", r"\bShoelace"),
    _theorem("difference of squares", "平方差公式", r"平方差|difference of (?:two )?squares"),
    _theorem("complete the square", "配方法", r"配方|complet(?:e|ing) the square"),
    _theorem("substitution of equals", "等量代换", r"等量代换|substitution of equals"),
)


def named_rule(text: str, language: str) -> str | None:
    """The first listed theorem that `text` names, in the name of that language; None if it names none."""
    for theorem in THEOREMS:
        if theorem.pattern.search(text):
            return theorem.chinese if language == "zh" else theorem.english
    return None
