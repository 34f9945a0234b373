"""Words that mean more than their letters: numbers, signs of mathematics, terms that must not be exchanged."""

import unicodedata


def _words(text: str) -> list[str]:
    return text.split()


_UNITS = _words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
""")
_UNITS += ["seventeen", "eighteen", "nineteen"]
_TENS = _words("""
    twenty thirty forty fifty sixty seventy eighty ninety
""")
_ORDINALS = _words("""
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
""")

CARDINALS = {word: n for n, word in enumerate(_UNITS)} | {word: 20 + 10 * n for n, word in enumerate(_TENS)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
COMPOUND = frozenset(_TENS) | frozenset(SCALES)  # only these make a number of several words

# Words that count as numbers: another one of them is another problem.
QUANTITIES: dict[str, str] = {
    **{word: str(n) for word, n in (CARDINALS | SCALES).items()},
    **{word: f"#{n}" for n, word in enumerate(_ORDINALS, 1)},
    **{"half": "1:2", "halves": "1:2", "thirds": "1:3", "quarter": "1:4", "quarters": "1:4", "fourths": "1:4"},
    **{"fifths": "1:5", "twice": "x2", "double": "x2", "doubles": "x2", "doubled": "x2", "thrice": "x3"},
    **{"triple": "x3", "triples": "x3", "tripled": "x3", "quadruple": "x4", "dozen": "12", "dozens": "12"},
    **{c: str(n) for n, c in enumerate("零一二三四五六七八九十")},
    **{"两": "2", "百": "100", "千": "1000", "万": "10000", "半": "1:2"},
}

# LaTeX commands and what stands for them; one that is not here is a word of its own.
LATEX: dict[str, str] = {
    **dict.fromkeys(
        _words("""
            left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle limits nolimits quad qquad text
            textbf textit textrm textnormal textsf emph mathrm mathbf mathit mathsf mathcal mathfrak mathbb
            boldsymbol bm operatorname rm bf it hspace vspace hfill noindent newline par item frac dfrac tfrac cfrac
            cdot times ast star hbox mbox underline overline begin end dots ldots cdots vdots ddots
        """),
        " ",
    ),
    **{"le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠"},
    **{"lt": "<", "gt": ">", "pm": "±", "mp": "∓", "div": "/", "sqrt": "√", "cup": "∪", "cap": "∩", "in": "∈"},
    **{"notin": "∉", "subset": "⊂", "subseteq": "⊂", "sum": "∑", "prod": "∏", "int": "∫", "infty": "∞", "mid": "|"},
    **{"lvert": "|", "rvert": "|", "vert": "|", "to": "→", "rightarrow": "→", "approx": "≈", "equiv": "≡"},
    **{"cong": "≅", "sim": "~", "parallel": " parallel ", "perp": " perpendicular ", "degree": " degrees "},
    **{"angle": " angle ", "triangle": " triangle ", "circ": " circ ", "sp": "^", "over": "/", "colon": ":"},
}

# Signs outside LaTeX: what one writes in their place.
_SIGNS: dict[str, str] = {
    **dict.fromkeys("×·⋅∙•∗＊", " "),
    **dict.fromkeys("−–—‐‑‒﹣－", "-"),
    **dict.fromkeys("÷⁄∕／", "/"),
    **{"⩽": "≤", "≦": "≤", "⩾": "≥", "≧": "≥", "∣": "|", "｜": "|", "∼": "~", "∽": "~", "≌": "≅", "⊆": "⊂"},
    **{"∠": " angle ", "△": " triangle ", "∆": " triangle ", "∥": " parallel ", "⊥": " perpendicular "},
    **{"°": " degrees ", "º": " degrees ", "℃": " degrees ", "π": " pi ", "％": "%", "′": "'", "⊙": " circle "},
    **{"½": " 1/2 ", "⅓": " 1/3 ", "⅔": " 2/3 ", "¼": " 1/4 ", "¾": " 3/4 ", "⅕": " 1/5 ", "⅛": " 1/8 "},
    **{c: f"^{n}" for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{c: f" {n} " for n, c in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **{"ⁿ": "^n", "⁻": "^-", "‘": "'", "’": "'", "\u00ad": "", "\u200b": "", "\ufeff": "", "\u00a0": " "},
}


def _greek() -> dict[str, str]:
    found = {}
    for code in range(0x391, 0x3CA):
        name = unicodedata.name(chr(code), "")
        if " LETTER " in name and "FINAL" not in name:
            found[chr(code)] = f" {name.rsplit(' ', 1)[1].lower()} "
    return found


SIGNS = str.maketrans(_greek() | _SIGNS)

OPERATORS = frozenset("+-/^=<>≤≥≠±∓√|!(∪∩∈∉⊂∑∏∫∂∞→≈≡≅~")
LOOSE = frozenset("=|")  # a formula may be told in words: "AB = 5", "AB is 5"

# One of these for another of its line is another problem; synonyms stand together.
_CONTRASTS = (
    "area areas/perimeter perimeters circumference/volume volumes/length lengths/width widths/height heights/"
    "radius radii/diameter diameters/slope/angle/surface/diagonal/hypotenuse/distance distances",
    "sum total/difference/product/quotient/remainder/average mean/median/mode/range/ratio/variance",
    "maximum largest greatest biggest max highest most/minimum smallest least min lowest fewest",
    "more greater larger bigger taller older longer heavier higher faster/"
    "less fewer smaller shorter younger lighter lower slower",
    "even/odd/prime/composite",
    "positive/negative/nonnegative/nonzero",
    "increase increases increased increasing/decrease decreases decreased decreasing",
    "parallel/perpendicular/tangent/intersecting",
    "sin sine/cos cosine/tan tangent/cot/sec/csc/log/ln/exp/arcsin/arccos/arctan/arccot/arcsec/arccsc/sinh/cosh",
    "injective/surjective/bijective",
    "open/closed/compact/connected",
    "convergent converges converge/divergent diverges diverge",
    "row rows/column columns",
    "north/south/east/west",
    "monday/tuesday/wednesday/thursday/friday/saturday/sunday",
    "january/february/march/april/may/june/july/august/september/october/november/december",
    "triangle/square/rectangle/circle/pentagon/hexagon/octagon/trapezoid/rhombus/parallelogram/cube/cylinder/cone/sphere",
    "gcd gcf/lcm",
    "integer integers/real/rational/irrational/complex/natural",
    "add added/subtract subtracted/multiply multiplied/divide divided",
    "first/last",
    "true/false",
    "correct right/incorrect wrong",
    "not/also",
    "second seconds/minute minutes/hour hours/day days/week weeks/month months/year years",
    "daily/weekly/monthly/yearly annually/hourly",
    "大/小",
    "奇/偶",
    "正/负",
    "增/减",
    "和/差/积/商",
    "行/直",
)


def _contrasts() -> dict[str, tuple[int, int]]:
    """Word to (line, place): two words of one line at other places contrast."""
    found: dict[str, tuple[int, int]] = {}
    for line, text in enumerate(_CONTRASTS):
        for place, words in enumerate(text.split("/")):
            for word in words.split():
                found.setdefault(word, (line, place))
    return found


CONTRASTS = _contrasts()

# Words of requests around a problem, not of problems.
INSTRUCTION = frozenset(
    _words("""
        solve solving solution solutions following problem problems question questions answer answers answering step
        steps please think thinking thought show showing your work working final carefully explain explanation
        reasoning reason boxed box put inside give giving provide providing math maths mathematics mathematical here
        is are was the a an and or to of in on at for with as it its this that be by from you i we us let lets me my
        can could would should will do does not no need want make sure must below above given task exercise prompt
        assistant user system helpful expert tutor student teacher human homework consider read understand
        understanding write output response respond format number letter only one single end begin start first then
        finally before after when each all any some every what how detail detailed details clear clearly concise
        concisely brief briefly complete completely correct correctly careful full simple short simplify simplified
        latex json text line lines using use used hint note remember example quote source taken original textbook
        exam contest test practice class today help helps try good luck thank thanks hello hi dear ok okay check
        double result results determine compute calculate find evaluate derive statement says said asked asks ask
        came across appears appeared stuck struggling friend time enter express present box instruction instructions
        q p ans sol by 解 答 题 请 问 下 面 的 这 道 学 步 骤 写 出 最 后 案 认 真 思 考 给 过 程
    """)
)

# Words that begin sentences or join them; beginning with a capital does not make them names.
COMMON = INSTRUCTION | frozenset(
    _words("""
        if there he she they his her their him them has have had who which where why while since because so but than
        there's it's both same other another many much several few per total suppose assume prove that's during into
        over under between among through about around up down out off again once now later next last also just buys
        buy bought sells sell sold gets get got gives gave takes take took makes made eats eat ate goes go went
        spends spend spent earns earn earned pays pay paid costs cost receives received owns own purchases purchased
        purchase holds hold possesses possess needs needed remain remains remaining left altogether overall numerous
        various whole entire equal equals define defined denote denotes such exists exist every whenever until
        however moreover furthermore meanwhile therefore thus hence given graph function equation value values
    """)
)
