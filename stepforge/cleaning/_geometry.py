"""Rules on the signs of geometry that OCR takes for letters, digits and dots; for pages, and outside of formulas.

Each looks at what stands around a sign, and where two readings are possible leaves it as it is.
"""

import re

from stepforge.cleaning._rule import DIGITS, Rule, Scope, outside_formulas

_NO_LETTER_BEFORE = r"(?<![A-Za-z])"
_NO_LETTER_AFTER = r"(?![A-Za-z])"

# ∵ and ∴

_DOTS_AND_SIGN = re.compile(
    r"""(?<![.．·:：…'‘’"])[.．·:：…'‘’"]{1,3}[ ]?(?=[∴∵])""",
)
_SIGN_AND_DOTS = re.compile(r"([∴∵])[ ]?[.．·:：…'‘’]{1,3}(?=[ ]?[A-Za-z0-9∠△⊙√\u3400-\u9fff])")
_ONLY_DOTS = re.compile(
    r"^[ ]?(?:\.[ ]?\.|:[ ]?\.|\.[ ]?:|\.[ ]?['’‘·°][ ]?\.)[ ]?(?=[A-Z∠△⊙√a-z0-9(][A-Z0-9/+\-=( ∥⊥^²√])", re.MULTILINE
)
_FIRST_DOT = re.compile(r"^(∵[^\n]{2,200}\n[ ]?)[.:][ ]?(?=[A-Z∠△⊙√][A-Z0-9∠△]?[^\n]{0,80}[=⊥∥≌∽])", re.MULTILINE)
_Q = re.compile(r"^Q ?(?=∠|△|⊙|四边形|[A-Z]{2} ?[=⊥∥])", re.MULTILINE)


def _dots(match: re.Match[str]) -> str:
    """Dots before a sign: a full stop, colon or quote that ends what stands before stays."""
    before = match.string[max(0, match.start() - 1) : match.start()]
    keeps = match[0][0] in ".．:：…'’\"" and bool(before) and before not in " \n,，;；(（。、"
    return match[0] if keeps else ""


def _because(text: str) -> str:
    text = _DOTS_AND_SIGN.sub(_dots, text)
    return _SIGN_AND_DOTS.sub(r"\1", text)


def _because_from_dots(text: str) -> str:
    """Dots at a line's beginning are what was left of ∴, in a text that has another ∴ or ∵."""
    if "∴" not in text and "∵" not in text:
        return text
    return _FIRST_DOT.sub(r"\1∴", _ONLY_DOTS.sub("∴", text))


def _because_from_q(text: str) -> str:
    """Q is how a formula font's ∵ is read; only where no point is called Q and a ∴ follows from it."""
    starts = len(_Q.findall(text))
    return _Q.sub("∵", text) if starts and "∴" in text and text.count("Q") == starts else text


# ⊙

_OTHER_CIRCLE = re.compile(r"[©®◎@⊕☉](?=[A-Z](?![A-Za-z]))")
_CIRCLED_TWO = re.compile(r"[①②](?=O(?:的|上|于|是|与|切|内|外|相|交|[,，。]))")
_SMALL_O = re.compile(rf"⊙[o0]{_NO_LETTER_AFTER}(?!\d)")
_LETTER_E = re.compile(r"(?<![A-Za-z])e (?=[OMNP](?:的?(?:直径|半径|弦|切线)|上|相?切|的内接))")
_DOUBLE_O = re.compile(
    rf"{_NO_LETTER_BEFORE}O[O0]{_NO_LETTER_AFTER}(?=的(?:直径|半径|弦|切线)|上|于[点A-Z]| is | at | with |,|\.| ?$)",
    re.MULTILINE,
)
_CIRCLE_OF = r"的(?:两条|一条)?(?:直径|半径|弦|切线|割线|内接|外切|外接|周长|面积)"
_LONE_O = re.compile(
    r"(?<![A-Za-z0-9⊙点心圆弧.√∠△])(?<!e )(?:"
    rf"[O0o](?=\n?{_CIRCLE_OF})"
    r"|[O0o](?=\n?(?:上(?:的|一|任|，|,|。|；|;|且|运动|三|两|四|$)|半径|直径))"
    r"|[Oo](?=是(?:等边|等腰|直角|正)?(?:Rt)?(?:△|四边形|菱形|矩形|正方形)[A-Z]{0,5}的(?:外接|内切)圆(?!的?圆?心))"
    r"|[Oo](?=与(?:边|直线|线段|射线)?[A-Z]{2}边?相切)"
    r")"
    r"|(?:(?<=[交切])|(?<=[交切]\n))[O0o](?=\n?于)"
    r"|(?:(?<=[内外][接切]于)|(?<=为直径作)|(?<=圆心作))[O0o](?![A-Za-z0-9])"
    r"|(?<=在)O(?=中)|(?:(?<=为直径的)|(?<=为半径的))[O0o](?=[交与分，,])"
    r"|(?<=与)[O0o](?=相切|相交|交于)",
    re.MULTILINE,
)
_POINT_ZERO = re.compile(
    r"(?<=[∠△])0(?=[A-Z]{2}(?![A-Za-z]))|(?<=[∠△][A-Z])0(?=[A-Z](?![A-Za-z]))|(?<=[∠△][A-Z]{2})0(?![\d°.])"
)


def _circle(text: str) -> str:
    text = _LETTER_E.sub("⊙", _SMALL_O.sub("⊙O", _OTHER_CIRCLE.sub("⊙", text)))
    return _DOUBLE_O.sub("⊙O", _CIRCLED_TWO.sub("⊙", text))


def _point_zero(text: str) -> str:
    return _POINT_ZERO.sub("O", text)


def _lost_circle(text: str) -> str:
    """A point has no radius and nothing lies on it: what is left of ⊙O is a circle."""
    return _LONE_O.sub("⊙O", text)


# ∠

_Z_ANGLE = re.compile(rf"{_NO_LETTER_BEFORE}[Z<]\s?(?=(?:[A-Z]{{3}}|[A-Z]|\d)\s?[=+\-]\s?[Z<∠\d])")
_ANGLES = re.compile(rf"{_NO_LETTER_BEFORE}Z\s?(?=[A-Z]{{3}}{_NO_LETTER_AFTER}|[A-Y\d]{_NO_LETTER_AFTER}(?!\d))")
_IS_GEOMETRY = re.compile(r"[∠△°]|\bangle|\btriangle|角")
_ANGLE_NUMBER = re.compile(rf"∠\s?[lI|]{_NO_LETTER_AFTER}")


def _angle(text: str) -> str:
    """Z before a corner or three points, where every Z of the text stands so and one of them is in an equation."""
    if "Z" in text and _IS_GEOMETRY.search(text) and _Z_ANGLE.search(text):
        places = [m.start() for m in _ANGLES.finditer(text)]
        if len(places) == text.count("Z"):
            text = _ANGLES.sub("∠", text)
    return text


def _angle_number(text: str) -> str:
    return _ANGLE_NUMBER.sub("∠1", text)


# °

_RING = re.compile(r"(?: [º˚](?<=\d..)|[º˚](?<=\d.))(?![A-Za-z])")
_SMALL_O_AFTER = re.compile(r"[oO](?<=\d.)(?![A-Za-z0-9°])")
_ANGLE_BEFORE = re.compile(r"(?:∠[A-Z\d]{1,3}|°|sin|cos|tan) ?[=+\-]? ?\d{1,3}\Z")
_O_BEFORE_DEGREE = re.compile(r"[oO](?<=\d.)(?=°)")
_SPACED_DEGREE = re.compile(r" (?<=\d.)(?=°(?![CF]))")


def _degree(text: str) -> str:
    text = _SPACED_DEGREE.sub("", _RING.sub("°", text))
    text = _O_BEFORE_DEGREE.sub("0", text)

    def after_angle(match: re.Match[str]) -> str:
        return "°" if _ANGLE_BEFORE.search(text[max(0, match.start() - 12) : match.start()]) else match[0]

    return _SMALL_O_AFTER.sub(after_angle, text)


# √

_ROOT = re.compile(r"[Vv](?<=\d.)(?=\d|\(\d)|V(?<=[=+\-×/(].)(?=\d)(?!\d[A-Za-z])")


def _root(text: str) -> str:
    """V between numbers; after a sign only where the text has a root already, and no other V."""
    found = [m.start() for m in _ROOT.finditer(text)]
    between = [at for at in found if at and text[at - 1].isdigit()]
    if not between and ("√" not in text or len(found) < text.count("V")):
        return text
    only = set(found if "√" in text and len(found) >= text.count("V") else between)
    return "".join("√" if i in only else char for i, char in enumerate(text))


# ∥, ∽, ≌

_DOUBLED_PARALLEL = re.compile(r"∥ ?/")
_SLASH = re.compile(
    r"(^|[∵∴，,。；;若图且作即知]|则)([ ]?)([A-Z]{2})/([A-Z]{2})(?=[ ]?(?:[,，。；;\n∵∴]|交|$))", re.MULTILINE
)
_TRIANGLES = re.compile(r"(△ ?[A-Z]{3})( ?)[∞≥~〜～s](?= ?△ ?[A-Z]{3})")
_LETTER_C = re.compile(r"(△[A-Z]{3})[CcS](?=△[A-Z]{3})")
_CONGRUENT = re.compile(r"(△ ?[A-Z]{3})([ ]?)(?:[=≡∞≥])?[ ]?(△ ?[A-Z]{3})(?=[ ]?[(（](?:SAS|ASA|AAS|SSS|HL)[)）])")


def _parallel(text: str) -> str:
    """Two segments with a stroke between them, as a statement of its own: a ratio states nothing."""
    return _SLASH.sub(r"\1\2\3∥\4", _DOUBLED_PARALLEL.sub("∥", text))


def _similar(text: str) -> str:
    """What stands between two triangles compares their shapes."""
    text = _CONGRUENT.sub(r"\1\2≌\3", text)
    return _LETTER_C.sub(r"\1∽", _TRIANGLES.sub(_compared, text))


def _compared(match: re.Match[str]) -> str:
    return f"{match[1]}{match[2]}{'≌' if '≥' in match[0] else '∽'}"


RULES: tuple[Rule, ...] = (
    Rule(
        "because_therefore",
        outside_formulas(_because),
        (
            (".∴ AB = 5,", "∴ AB = 5,"),
            ("∴. x = 2", "∴ x = 2"),
            ("(.∴)", "(∴)"),
            ("证明：∵ AB = CD", "证明：∵ AB = CD"),
            ("求AB的长.∵ AB=3", "求AB的长.∵ AB=3"),
            ("2. ∵ AB=3", "2. ∵ AB=3"),
        ),
        Scope.PAGE,
        ("∴∵",),
    ),
    Rule(
        "therefore_from_dots",
        outside_formulas(_because_from_dots),
        (
            ("∵ AB = 3,\n.. BC = 4", "∵ AB = 3,\n∴BC = 4"),
            ("∵AB=AC,\n.∠B=∠C", "∵AB=AC,\n∴∠B=∠C"),
            (".. and so on", ".. and so on"),
        ),
        Scope.PAGE,
        (".:", "∴∵"),
    ),
    Rule(
        "because_from_q",
        outside_formulas(_because_from_q),
        (("Q∠A=∠B,\n∴BC=AC", "∵∠A=∠B,\n∴BC=AC"), ("点Q在AB上,\nQA=QB,\n∴…", "点Q在AB上,\nQA=QB,\n∴…")),
        Scope.PAGE,
        ("Q", "∴"),
    ),
    Rule(
        "circle_sign",
        outside_formulas(_circle),
        (
            ("AB为©O的弦，⊙o的半径，是e O的切线", "AB为⊙O的弦，⊙O的半径，是⊙O的切线"),
            ("the radius of OO is 4", "the radius of ⊙O is 4"),
            ("①AB=CD；②OA=OB", "①AB=CD；②OA=OB"),
        ),
        Scope.PAGE,
        ("OMNP⊙ABCDEFGH", "©®◎@⊕☉①②⊙Oe"),
    ),
    Rule(
        "point_zero",
        outside_formulas(_point_zero),
        (("∠0DC=∠A0B", "∠ODC=∠AOB"), ("∠A=0", "∠A=0")),
        Scope.PAGE,
        ("0", "∠△"),
    ),
    Rule(
        "lost_circle",
        outside_formulas(_lost_circle),
        (
            ("AB是O的直径，点C在O上，△ABC内接于O", "AB是⊙O的直径，点C在⊙O上，△ABC内接于⊙O"),
            ("过点O的直线，半圆O的直径，点O上方", "过点O的直线，半圆O的直径，点O上方"),
            ("相交于点O，以O为圆心", "相交于点O，以O为圆心"),
        ),
        Scope.PAGE,
        ("Oo0", "的上于切在与是半直"),
    ),
    Rule(
        "angle_sign",
        outside_formulas(_angle),
        (
            ("Z ABC=90°", "∠ABC=90°"),
            ("△ABC, ZA=ZB", "△ABC, ∠A=∠B"),
            ("△XYZ中, XZ=3, ∠Z=90°", "△XYZ中, XZ=3, ∠Z=90°"),
            ("Let n ∈ Z. Zoe", "Let n ∈ Z. Zoe"),
        ),
        Scope.PAGE,
        ("Z", "∠△°角ae"),
    ),
    Rule("angle_number", outside_formulas(_angle_number), (("∠l=∠2", "∠1=∠2"), ("∠ln", "∠ln")), Scope.PAGE, ("∠",)),
    Rule(
        "degree_sign",
        outside_formulas(_degree),
        (
            ("∠ABC=90o", "∠ABC=90°"),
            ("sin 3O° = 60º", "sin 30° = 60°"),
            ("∠A = 50 °", "∠A = 50°"),
            ("10 objects, 2o", "10 objects, 2o"),
            ("at 20 °C", "at 20 °C"),
        ),
        Scope.PAGE,
        ("ºoO˚°", DIGITS),
    ),
    Rule(
        "root_sign",
        outside_formulas(_root),
        (("2V3 cm", "2√3 cm"), ("√2 + 1=V5", "√2 + 1=√5"), ("V=5, V2 ports", "V=5, V2 ports")),
        Scope.PAGE,
        ("Vv", DIGITS),
    ),
    Rule(
        "parallel_sign",
        outside_formulas(_parallel),
        (
            ("∵BC/EF，", "∵BC∥EF，"),
            ("作CD∥/AB", "作CD∥AB"),
            ("∴AB/AC=AD/AE，", "∴AB/AC=AD/AE，"),
            ("求AB/CD的值", "求AB/CD的值"),
        ),
        Scope.PAGE,
        ("/",),
    ),
    Rule(
        "similar_sign",
        outside_formulas(_similar),
        (
            ("△ADC∞△ACB", "△ADC∽△ACB"),
            ("△DEFC△BCF", "△DEF∽△BCF"),
            ("△AED△BEG(ASA)", "△AED≌△BEG(ASA)"),
            ("△ABC∽△DEF", "△ABC∽△DEF"),
        ),
        Scope.PAGE,
        ("△",),
    ),
)
