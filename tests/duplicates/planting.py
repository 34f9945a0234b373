"""Small sets with planted copies, made in another way than those of `bench`: frames of words that mean nothing, slips
of neighbouring keys, cuts at any letter, words exchanged for any others, formulas rewritten by hand."""

import random
import string
from typing import NamedTuple

from stepforge.duplicates import Builder, Entry, LinkKind, find

SYLLABLES = ["ba", "co", "di", "fu", "ga", "he", "jo", "ki", "lu", "ma", "ne", "po", "ra", "si", "to", "vu", "we", "za"]
NEIGHBOURS = {"a": "s", "e": "r", "i": "o", "o": "p", "t": "y", "n": "m", "s": "d", "r": "t", "l": "k", "h": "j"}
FORMS = """\
A cyclist rides {0} km uphill in {1} minutes and returns along the same road in {2} minutes. \
What is the mean speed of the whole trip in km per hour?
In the triangle $ABC$ we have $AB = {0}$, $BC = {1}$ and $\\angle ABC = {2}^\\circ$. \
Find the area of the triangle and the radius of its circumscribed circle.
Determine all integers $n$ such that $\\frac{{n^2 + {0}}}{{n + {1}}}$ is divisible by ${2}$, \
and prove that there are no others below 1,000.
The polynomial $p(x) = x^3 - {0}x^2 + {1}x - {2}$ has three positive roots. \
Compute the sum of the squares of these roots without solving the equation.
An urn contains {0} white, {1} black and {2} grey stones; two are drawn without replacement. \
With what probability do they have the same colour?
已知等差数列的首项为{0}，公差为{1}，求该数列前{2}项的和，并说明理由，再求它的第{1}项与首项之比。
A bakery sells rolls at {0} cents, loaves at {1} cents. On Monday the baker took in {2} dollars, \
having sold twice as many rolls as loaves. How many loaves were sold?
Let $f(t) = {0}\\sin({1}t) + {2}$ describe the height of the tide in metres, $t$ in hours after midnight. \
When is the water highest for the first time, and how high does it stand then?
""".splitlines()


class Planted(NamedTuple):
    kind: str
    text: str
    of: int | None


def nonsense(draw: random.Random, words: int) -> str:
    return " ".join("".join(draw.choices(SYLLABLES, k=draw.randrange(1, 4))) for _ in range(words))


def base(draw: random.Random, count: int) -> list[str]:
    """Problems of the forms above, each with words of its own as a part of the story."""
    found = []
    for i in range(count):
        numbers = [draw.randrange(2, 900) for _ in range(3)]
        found.append(f"{FORMS[i % len(FORMS)].format(*numbers)} ({nonsense(draw, draw.randrange(3, 9))})")
    return found


def slips(text: str, draw: random.Random) -> str:
    places = [
        i for i, c in enumerate(text) if c in NEIGHBOURS and text[i - 1 : i + 2].isalpha() and text[i - 1] != "\\"
    ]
    words = text[:]
    for i in sorted(draw.sample(places, min(3, len(places))), reverse=True):
        if "\\" in text[max(0, i - 10) : i]:
            continue  # an error in a command is an error in the formula
        words = words[:i] + NEIGHBOURS[words[i]] + words[i + 1 :]
    return words


def exchanged(text: str, draw: random.Random) -> str:
    words = text.split(" ")
    able = [i for i, w in enumerate(words) if w.isalpha() and w.isascii() and w.islower() and len(w) > 2]
    for i in draw.sample(able, min(2, len(able))):
        words[i] = nonsense(draw, 1)
    return " ".join(words)


def framed(text: str, draw: random.Random) -> str:
    before, after = nonsense(draw, draw.randrange(5, 20)), nonsense(draw, draw.randrange(5, 20))
    return draw.choice([f"{before}: {text}", f"{text} {after}", f"“{before}\n\n{text}\n\n{after}”"])


def cut(text: str, draw: random.Random) -> str:
    kept = round(len(text) * draw.uniform(0.65, 0.9))
    return text[:kept] if draw.random() < 0.5 else text[-kept:]


def rewritten(text: str, draw: random.Random) -> str:
    text = text.replace("\\frac{n^2", "{n²").replace("}{n", "}/{n") if "\\frac" in text else text
    text = text.replace("^\\circ", "°").replace("\\angle ", "∠").replace("1,000", "1000").replace("\\sin", "sin")
    text = text.replace("$", draw.choice(["", " $ ", "$"]))
    return draw.choice([text, text.replace(" ", "\n", 3), text.replace(",", " ,")])


def renumbered(text: str, draw: random.Random) -> str:
    out, changed = [], False
    for part in _digits(text):
        if part.isdigit() and (not changed or draw.random() < 0.5) and len(part) < 4 and part != "000":
            out.append(str(int(part) + draw.randrange(1, 50)))
            changed = True
        else:
            out.append(part)
    return "".join(out)


def _digits(text: str) -> list[str]:
    parts: list[str] = []
    for c in text:
        if parts and (c in string.digits) == (parts[-1][-1] in string.digits):
            parts[-1] += c
        else:
            parts.append(c)
    return parts


KINDS = {"exact": lambda t, _: t, "slips": slips, "exchanged": exchanged, "framed": framed, "cut": cut,
         "rewritten": rewritten, "renumbered": renumbered}  # fmt: skip


def planted(seed: int, count: int) -> list[Planted]:
    """`count` originals in the order of their arrival, then as many again, an equal share of each kind."""
    draw = random.Random(seed)
    originals = base(draw, count)
    rows = [Planted("original", text, None) for text in originals]
    order = draw.sample(range(count), count)
    for place, of in enumerate(order):
        kind = list(KINDS)[place % len(KINDS)]
        rows.append(Planted(kind, KINDS[kind](originals[of], draw), of))
    return rows


def links(texts: list[str]) -> dict[int, tuple[LinkKind, int]]:
    """Row to what it is and of which."""
    builder = Builder()
    for i, text in enumerate(texts):
        builder.add(Entry(f"{i:06d}", text))
    return {link.row: (link.kind, link.first) for link in find(builder.done()).links}
