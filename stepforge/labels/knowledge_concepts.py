"""Knowledge concepts: We-Math's hierarchy of 5 domains, 12 kinds of problem and 67 concepts of school geometry.

The names are We-Math's (https://github.com/We-Math/We-Math; its problems are CC BY-NC 4.0, and none is here).  By
rules: the words of a concept in the question; a concept of a shape needs the shape's name and what is asked of it.
A question outside of this school geometry has none.
"""

import re
from typing import NamedTuple

from stepforge.labels._base import LABELS, Label, member_of
from stepforge.records import Problem

MAX_CHARS = 4000
MAX_CONCEPTS = 3  # of one problem: We-Math's composites have two or three


class Concept(NamedTuple):
    """A concept with its place in the hierarchy and the words that speak for it; all of `all_of` must be there."""

    name: str
    domain: str
    kind: str
    all_of: tuple[re.Pattern[str], ...]


_SHAPE_WORDS = {
    "Cylinders": r"cylind|圆柱",
    "Cones": r"\bcones?\b|conical|圆锥",
    "Rectangular Cuboids": r"cub(?:oi|io)ds?|rectangular (?:prism|box|block|solid|container|tank)|长方体",
    "Cubes": r"\bcub(?:es?|ic)\b(?! (?:cm|m|dm|cent|dec|met|inch|f))|正方体",
    "Parallelograms": r"parallelogram|平行四边形",
    "Triangles": r"triang|△|三角形",
    "Trapezoids": r"trapez|梯形",
    "Circles": r"circ(?:le|ular)|圆(?![柱锥])",
    "Sectors": r"sector|扇形",
    "Rectangles": r"rectang(?:le|ular)(?! (?:cub|prism|box|block|solid|container|tank))|长方形|矩形",
    "Squares": r"squares?\b(?! (?:cm|m\b|dm|cent|dec|met|inch|f|unit|kilo))|正方形",
}
SHAPES = {name: re.compile(words, re.IGNORECASE) for name, words in _SHAPE_WORDS.items()}
_CENTRE = "Calculation of "
_PLANE, _SOLID, _MOVE = "Plane Figures", "Solid Figures", "Transformation and Motion of Figures"
_PLACE, _MEASURE = "Position and Direction", "Measurement"
# name with {} for the shape; domain; kind; what is asked; the shapes that have it
_OF_SHAPES = (
    (
        "Surface Area of {}",
        _SOLID,
        _CENTRE + _SOLID,
        r"surface area|lateral area|表面积|侧面积",
        ("Cylinders", "Rectangular Cuboids", "Cubes"),
    ),
    (
        "Volume and Capacity of {}",
        _SOLID,
        _CENTRE + _SOLID,
        r"volume|capacity|liters?\b|体积|容积",
        ("Cylinders", "Cones", "Rectangular Cuboids", "Cubes"),
    ),
    (
        "Expanded View of {}",
        _SOLID,
        "Understanding of Solid Figures",
        r"expanded view|unfold|\bnet\b|展开",
        ("Cylinders", "Rectangular Cuboids", "Cubes"),
    ),
    (
        "Area of {}",
        _PLANE,
        _CENTRE + _PLANE,
        r"(?<!surface )\barea|面积",
        ("Parallelograms", "Triangles", "Sectors", "Trapezoids", "Circles", "Rectangles", "Squares"),
    ),
    (
        "Perimeter of {}",
        _PLANE,
        _CENTRE + _PLANE,
        r"perimeter|fence|周长",
        ("Parallelograms", "Triangles", "Trapezoids", "Rectangles", "Squares"),
    ),
)
_SINGLE = (
    (
        "Circumference of Circles",
        _PLANE,
        _CENTRE + _PLANE,
        r"circumference|perimeter[^.?]{0,40}circ|圆[^，。]{0,6}周长",
    ),
    (
        "Sum of Interior Angles of Triangles",
        _PLANE,
        _CENTRE + _PLANE,
        r"triang[^.?]{0,120}(?:∠|angle)|(?:∠|angle)[^.?]{0,120}triang|三角形[^，。]{0,40}(?:角|∠)",
    ),
    (
        "Sum of Interior Angles of Other Polygons",
        _PLANE,
        _CENTRE + _PLANE,
        r"(?:penta|hexa|hepta|octa|quadrilat|polygon)\w*[^.?]{0,120}(?:∠|angle)|(?:∠|angle)[^.?]{0,120}(?:penta"
        r"|hexa|hepta|octa|polygon)|多边形[^，。]{0,40}角",
    ),
    (
        "Calculation and Comparison of Angles",
        _PLANE,
        _CENTRE + _PLANE,
        r"∠ ?\w+ (?:and|\(|[><])|measures? of ∠[^.?]{0,120}∠|measures? of (?:the )?angle|角的度数",
    ),
    (
        "Understanding Triangular Rulers",
        _PLANE,
        "Understanding of Plane Figures",
        r"triang(?:le|ular) (?:ruler|board|plate|set)|set square|三角[板尺]",
    ),
    (
        "Understanding and Representing Angles",
        _PLANE,
        "Understanding of Plane Figures",
        r"this angle|how many angles|vertex of the angle|(?:acute|obtuse|straight) angle\b",
    ),
    (
        "Distance Between Two Points",
        _PLANE,
        "Understanding of Plane Figures",
        r"shortest (?:path|route|distance|among)|the shortest|最短",
    ),
    (
        "Understanding Line Segments, Lines, and Rays",
        _PLANE,
        "Understanding of Plane Figures",
        r"how many line segments|a line segment|is a ray\b|extended indefinitely|射线",
    ),
    ("perpendicularity", _PLANE, "Understanding of Plane Figures", r"perpendicular|垂直"),
    ("Parallel", _PLANE, "Understanding of Plane Figures", r"\bparallel\b|平行(?!四)"),
    ("Understanding Sectors", _PLANE, "Understanding of Plane Figures", r"is a sector|arc length|sector"),
    (
        "Understanding Circles",
        _PLANE,
        "Understanding of Plane Figures",
        r"radius|diameter|cent(?:er|re)s? of|半径|直径",
    ),
    (
        "Observing Figures",
        _PLANE,
        "Understanding of Plane Figures",
        r"how many (?:small )?(?:squares|triangles|rectangles)|combined (?:shape|figure)",
    ),
    (
        "Observing Objects",
        _SOLID,
        "Understanding of Solid Figures",
        r"view(?:s|ed)? from|front view|top view|side view|from the (?:front|top|left|right|side)|三视图",
    ),
    (
        "Properties of Cylinders",
        _SOLID,
        "Understanding of Solid Figures",
        r"(?:rectangle|square|quadrilateral)[^.?]{0,120}rotat[^.?]{0,120}|base of the cylinder",
    ),
    (
        "Properties of Cones",
        _SOLID,
        "Understanding of Solid Figures",
        r"triangle[^.?]{0,120}(?:rotat|axis)[^.?]{0,120}|base of the cone",
    ),
    ("Axial Symmetry", _MOVE, "Basic Transformations of Figures", r"symmetr|reflect|对称"),
    ("Translation", _MOVE, "Basic Transformations of Figures", r"translat|mov(?:ed|ing) \w+ (?:grid|unit|square)|平移"),
    ("Rotation", _MOVE, "Basic Transformations of Figures", r"rotat|clockwise|旋转"),
    (
        "Combining and Dividing Solids",
        _MOVE,
        "Cutting and Combining of Figures",
        r"(?:cut|saw|divid|split|stack|combin|join)\w*[^.?]{0,120}(?:cub|solid|cylind|wood|prism"
        r"|block)|increase in surface",
    ),
    (
        "Division of Plane Figures",
        _MOVE,
        "Cutting and Combining of Figures",
        r"\bcut (?:out|off|along|from|into)|largest possible|after cutting|divided into",
    ),
    (
        "Combining Plane Figures",
        _MOVE,
        "Cutting and Combining of Figures",
        r"combined (?:to form|into)|composed of|put together|拼成",
    ),
    (
        "Tessellation of Figures",
        _MOVE,
        "Cutting and Combining of Figures",
        r"\btil(?:e|ing)\b|tessellat|gaps or overlaps|密铺",
    ),
    ("Folding Problems of Figures", _MOVE, "Cutting and Combining of Figures", r"\bfold|折"),
    (
        "Southeast, Southwest, Northeast, Northwest Directions",
        _PLACE,
        "Direction",
        r"(?:south|north)-?(?:east|west)|(?:东|西)[南北]",
    ),
    (
        "Cardinal Directions (East, South, West, North)",
        _PLACE,
        "Direction",
        r"\b(?:north|south|east|west)\b(?! by)(?!-?(?:east|west))|which direction|[东南西北]方",
    ),
    (
        "Determining the Positions of Objects Based on Direction, Angle, and Distance",
        _PLACE,
        "Route Map",
        r"(?:east|west|south|north) by (?:north|south|east|west)|\d+ ?°[^.?]{0,20}(?:east|west|south|north)",
    ),
    (
        "Describing Simple Routes Based on Direction and Distance",
        _PLACE,
        "Route Map",
        r"description of the route|\broute from|路线",
    ),
    (
        "Representing Positions Using Ordered Pairs",
        _PLACE,
        "Correspondence of Coordinates and Positions",
        r"coordinate|ordered pair|数对",
    ),
    (
        "Finding Positions Based on Ordered Pairs",
        _PLACE,
        "Correspondence of Coordinates and Positions",
        r"point \(\d+, ?\d+\)|\(\d+, ?\d+\) (?:is|corresponds|represents)",
    ),
    ("Front-Back Position", _PLACE, "Position", r"\b(?:in front of|behind)\b|前面|后面"),
    (
        "Up-Down Position",
        _PLACE,
        "Position",
        r"\b(?:above|below (?!figure)|upward|downward|directly (?:over|under))|上面|下面",
    ),
    ("Left-Right Position", _PLACE, "Position", r"to the (?:left|right)|(?:left|right) (?:of|side of)|左边|右边"),
    ("Understanding Angles (Using a Protractor)", _MEASURE, "Angles and Length", r"protractor|量角器"),
    (
        "Understanding Length (Using a Ruler)",
        _MEASURE,
        "Angles and Length",
        r"use a ruler|estimate the (?:height|length)|直尺|刻度尺",
    ),
    (
        "Conversion Rates and Calculations Between Area Units",
        _MEASURE,
        "Understanding and Conversion of Units",
        r"\bin square (?:deci)?meters|\(\s*\) ?d?m²|平方[分]?米",
    ),
    (
        "Conversion Rates and Calculations Between Volume Units (Including Liters and Milliliters)",
        _MEASURE,
        "Understanding and Conversion of Units",
        r"\bin cubic (?:deci)?meters|\(\s*\) ?d?m³|millilit|\bmL\b|立方[分]?米|毫升",
    ),
    (
        "Conversion Rates and Calculations Between Length Units",
        _MEASURE,
        "Understanding and Conversion of Units",
        r"= ?\( ?\) ?d?m\b|\bin (?:deci)?meters\b|换算",
    ),
)
# concepts that the bare name of a shape leads to, when nothing more is said
_PROPERTIES = (
    (
        "Properties and Understanding of {}",
        _PLANE,
        "Understanding of Plane Figures",
        ("Parallelograms", "Trapezoids", "Triangles", "Squares", "Rectangles"),
    ),
    ("Properties and Understanding of {}", _SOLID, "Understanding of Solid Figures", ("Rectangular Cuboids", "Cubes")),
)


def _concepts() -> tuple[tuple[Concept, ...], tuple[Concept, ...]]:
    asked = [
        Concept(name.format(shape), domain, kind, (re.compile(words, re.IGNORECASE), SHAPES[shape]))
        for name, domain, kind, words, of in _OF_SHAPES
        for shape in of
    ]
    single = [Concept(name, domain, kind, (re.compile(words, re.IGNORECASE),)) for name, domain, kind, words in _SINGLE]
    bare = [
        Concept(name.format(shape), domain, kind, (SHAPES[shape],))
        for name, domain, kind, of in _PROPERTIES
        for shape in of
    ]
    return (*single, *asked), tuple(bare)


SAID, BARE = _concepts()
CONCEPTS = (*SAID, *BARE)


def concepts_of(question: str) -> tuple[str, ...]:
    """Concepts whose words stand in the question, at most three: first those of a shape and what is asked of it, then
    the ones named last, since what is asked for comes at the end.  Without any, those of the shapes that are named."""
    text = question[:MAX_CHARS]
    last: dict[re.Pattern[str], int] = {}  # where the last match of some words ends; -1 without one

    def ends_of(words: re.Pattern[str]) -> int:
        if words not in last:
            last[words] = max((m.end() for m in words.finditer(text)), default=-1)
        return last[words]

    for known in (SAID, BARE):
        met = []
        for concept in known:
            ends = [ends_of(words) for words in concept.all_of]
            if min(ends) >= 0:
                met.append((-len(concept.all_of), -max(ends), concept.name))
        if met:
            return tuple(name for _, _, name in sorted(met)[:MAX_CONCEPTS])
    return ()


def _by_rules(problem: Problem, _levels: object) -> tuple[str, ...]:
    text = problem.question[:MAX_CHARS]
    if not problem.images and not any(shape.search(text) for shape in SHAPES.values()):
        return ()  # words such as "in front of" or "north" in a story are no geometry
    return concepts_of(text)


LABELS.register(
    Label(
        name="knowledge_concept",
        attribute="knowledge_concepts",
        stated=lambda problem: problem.knowledge_concepts,
        by_rules=_by_rules,
        known=member_of(tuple(concept.name for concept in CONCEPTS)),
        value=tuple,
        many=True,
    )
)
