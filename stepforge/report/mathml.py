"""LaTeX to MathML, which browsers draw by themselves.  Reads untrusted text: run in a worker.

The converter (latex2mathml) is not trusted with its output either: of its tree only elements and attributes of MathML
that draw something are kept, and the tree is written anew, so that no text can become markup.
"""

import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from stepforge.report.mathematics import MAX_FORMULA_CHARS, Formula
from stepforge.report.safety import printable

MAX_ELEMENTS = 4000
MAX_DEPTH = 60  # the deepest of MATH's 19,905 formulas has 13
MAX_MARKUP_CHARS = 60_000

# Definitions may grow without bound; the others name things outside the formula, or hide and colour text.
_REFUSED = re.compile(
    r"\\(?:newcommand|renewcommand|def|let|require|href|url|class|style|cssId|includegraphics|input)\b"
)
_LENGTH = re.compile(r"-?\d{1,2}(?:\.\d{1,4})?(?:em|ex|pt|px)|0")
_WORD = re.compile(r"[a-z]{1,12}(?: [a-z]{1,12}){0,19}")
_FLAG = re.compile(r"true|false")
_SMALL = re.compile(r"[-+]?\d{1,2}")

_ELEMENTS = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"}
    | {"munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd", "mstyle"}
    | {"mpadded", "mphantom", "menclose"}
)
_ATTRIBUTES = {
    "display": re.compile("inline|block"),
    "mathvariant": _WORD,
    "notation": _WORD,
    "columnalign": _WORD,
    "columnlines": _WORD,
    "rowlines": _WORD,
    "form": re.compile("prefix|infix|postfix"),
    "scriptlevel": _SMALL,
    "linethickness": _LENGTH,
    **dict.fromkeys(("width", "height", "depth", "lspace", "rspace", "voffset", "minsize", "maxsize"), _LENGTH),
    **dict.fromkeys(("stretchy", "fence", "accent", "accentunder", "displaystyle", "largeop", "movablelimits"), _FLAG),
    **dict.fromkeys(("separator", "symmetric"), _FLAG),
}
_NAMED_WIDTHS = {"negativethinmathspace": "-0.167em", "negativemediummathspace": "-0.222em"}
_LEAVES = frozenset({"mi", "mn", "mo", "mtext", "ms"})


def mathml(formula: Formula) -> str | None:
    """The formula as a `<math>` element, ready to stand in HTML; None where it is too long, defines commands of its own
    or is no LaTeX that the converter knows."""
    latex = formula.latex
    if not latex.strip() or len(latex) > MAX_FORMULA_CHARS or _REFUSED.search(latex):
        return None
    from latex2mathml.converter import Converter  # noqa: PLC0415 - its symbol table takes 0.1 s to read

    try:
        tree = Converter(display="block" if formula.display else "inline").convert_to_element(latex)
    except Exception:  # noqa: BLE001 - whatever the converter stumbles over: the text is shown as it is written
        return None
    clean = reduced(tree)
    return None if clean is None else written(clean)


def reduced(tree: ET.Element) -> ET.Element | None:
    """A copy with the elements and attributes of MathML alone; None if it is too large or too deep, or holds anything
    else.  Texts have their character references resolved (the converter writes them as text), and hold only characters
    that a page can."""
    root = ET.Element("math")
    waiting = [(tree, root, 1)]
    count = 0
    while waiting:
        source, copy, depth = waiting.pop()
        count += 1
        if source.tag not in _ELEMENTS or depth > MAX_DEPTH or count > MAX_ELEMENTS:
            return None
        copy.attrib.update(_attributes(source))
        if source.tag in _LEAVES and source.text:
            copy.text = printable(html.unescape(source.text))
        for child in source:
            waiting.append((child, ET.SubElement(copy, str(child.tag)), depth + 1))
    return root if tree.tag == "math" else None


def _attributes(element: ET.Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        kept = _NAMED_WIDTHS.get(value, value)
        if name in _ATTRIBUTES and _ATTRIBUTES[name].fullmatch(kept):
            yield name, kept


def written(tree: ET.Element) -> str | None:
    """The tree as markup for HTML; None if it is too long."""
    text = ET.tostring(tree, encoding="unicode", short_empty_elements=False)
    return text if len(text) <= MAX_MARKUP_CHARS else None
