"""A set of problems with planted copies of six kinds and renumbered variants, the same for the same seed.

The originals are those of GSM8K, SVAMP, MATH and OlymMATH where a folder holds them, each many times with other names,
things and numbers, and problems made from sentences here; many are near to others in words and are no copies.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple


def words_of(text: str) -> list[str]:
    return text.split()


COPIES = ("exact", "reformatted", "typing_error", "word_edit", "wrapped", "partial")
VARIANT = "renumbered"

NAMES = words_of("""
    Ada Bo Chen Dora Eli Fay Gus Hana Ida Jo Kim Lea Mia Nia Ola Pia Quinn Rosa Sven Tara Uma Vera Wes Xena Yara Zoe
    Omar Luis Priya Ravi Akira Noor Pavel Greta Hugo Ines Jonas Klara Liam Maya
""")
THINGS = words_of("""
    apples marbles tickets pages coins eggs pencils books shells stamps cookies bottles chairs flowers stickers
    boxes candles oranges buttons cards bricks lamps shirts plates ropes nails maps toys cups seeds
""")
PLACES = words_of("""
    market school library farm station museum bakery garden park harbour workshop office theatre hotel
""")
SENTENCES = (
    "{n} has {a} {t} and keeps them in {b} boxes.",
    "At the {p}, {n} buys {a} {t} for ${b} each.",
    "{n} gives {a} of the {t} to {m} and loses {b} more on the way to the {p}.",
    "Every week {n} sells {a} {t} at the {p}, and {m} sells {b} times as many.",
    "A box of {t} weighs {a} grams, while an empty box weighs {b} grams.",
    "The {p} opens for {a} hours a day and serves {b} visitors an hour.",
    "{n} reads {a} pages before lunch and {m} reads {b} pages after it.",
    "On the way to the {p}, {n} walks {a} km at a speed of {b} km per hour.",
    "{m} earns ${a} an hour and works {b} hours a week at the {p}.",
    "There are {a} rows with {b} chairs in every row of the {p}.",
    "{n} mixes {a} litres of water with {b} litres of juice.",
    "A rope of {a} metres is cut into pieces of {b} centimetres for the {t}.",
    "The price of the {t} rises by {a}% and then falls by {b}%.",
    "Let $x$ be the number of {t}, so that ${a}x + {b} = {c}$.",
    "The function is defined by $f(x) = \\frac{{{a}x + {b}}}{{{c}}}$ for all real $x$.",
    "The sides of the field near the {p} are {a} m and {b} m long.",
    "{n} is {a} years old, and in {b} years {m} will be three times as old.",
    "Of the {t}, {a} are red, {b} are blue and the rest are green.",
    "Each of the {a} children at the {p} draws {b} pictures of {t}.",
    "A train leaves the {p} at a speed of {a} km per hour and needs {b} minutes for the next stop.",
)
QUESTIONS = (
    "How many {t} does {n} have in the end?",
    "How much money does {m} have left?",
    "What is the total number of {t} at the {p}?",
    "How long does it take {n} to finish?",
    "What fraction of the {t} belongs to {m}?",
    "Find the value of $x$ that satisfies the condition.",
    "What is the average per day over {c} days?",
    "By what percentage does the number of {t} change?",
)
PREFIXES = (
    "Solve the following problem:",
    "Please read the task below carefully and give a complete solution.",
    "You are a helpful tutor who explains every idea with patience. A student sends you this exercise and wants help:",
    "Question:",
    "I found this in an old workbook of my grandmother and could not stop wondering about it for the whole weekend:",
    "Here is a problem from last year's contest. Show all of your work.\n\n",
    "### Instruction\nAnswer the question and explain your reasoning.\n### Input\n",
    "The radio host smiled, cleared his throat and slowly read the puzzle of the day to everyone listening at home:",
)
SUFFIXES = (
    "Think step by step and put the final answer in \\boxed{}.",
    "Give only the number.",
    "Answer:",
    "Please explain how you got there so that even a younger pupil with little training can follow along easily.",
    "My cousin says that this is easy, but nobody at our table managed to solve it before dessert arrived.",
    "Let's think step by step.",
)
SYNONYMS = {
    "buys": "purchases", "total": "overall", "gives": "hands", "has": "owns", "find": "determine", "many": "numerous",
    "sells": "trades", "every": "each", "large": "big", "small": "little", "left": "remaining", "walks": "strolls",
    "how": "exactly how", "compute": "calculate", "value": "quantity", "earns": "makes", "needs": "requires",
}  # fmt: skip
INSERTED = words_of("""
    really also just then simply probably usually certainly therefore quite now indeed
""")
NUMBER_WORDS = words_of("""
    two three four five six seven eight nine ten eleven twelve
""")

NUMBER = re.compile(r"(?<![\w.,])\d{1,4}(?![\w]|[.,]\d)")
NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", re.IGNORECASE)
CAPITAL_NAME = re.compile(
    r"\b(Janet|Josh|James|Wendi|Kylar|Toulouse|Carla|John|Eliza|Toula|Mary|Tom|Sam|Anna|Ben|Lucy|Mark|Jack|Jill|Emma|"
    r"Paul|Bob|Jerry|Marco|Kevin|Robin|Adam|Steve|David|Allan|Frank|Rachel|Philip|Danny|Edward|Dave|Haley|Lewis)\b"
)
OBJECT = re.compile(r"\b(apples|marbles|books|cookies|eggs|cards|pencils|flowers|pages|tickets|boxes|cakes|toys)\b")


class Row(NamedTuple):
    """A problem of the set.  kind: original, one of COPIES, or VARIANT; of: row id of the original."""

    id: str
    question: str
    kind: str
    of: str | None


def _number(draw: random.Random, old: int) -> int:
    new = old
    while new == old:
        new = draw.randrange(2, max(20, 3 * old))
    return new


def renumbered(text: str, draw: random.Random, share: float) -> str:
    """The text with other numbers, at least one; the text itself if it has none."""
    spots = [*NUMBER.finditer(text), *NUMBER_WORD.finditer(text)]
    if not spots:
        return text
    chosen = [spot for spot in spots if draw.random() < share] or [draw.choice(spots)]
    for spot in sorted(chosen, key=lambda s: -s.start()):
        word = spot[0].lower()
        other = [w for w in NUMBER_WORDS if w != word]
        new = str(_number(draw, int(word))) if word.isdigit() else draw.choice(other)
        text = text[: spot.start()] + new + text[spot.end() :]
    return text


def _real(folder: Path) -> list[str]:
    found: list[str] = []
    for name, field in (("gsm8k/test.jsonl", "question"), ("math/test.jsonl", "problem")):
        path = folder / name
        if path.exists():
            with path.open(encoding="utf-8") as lines:
                found += [json.loads(line)[field] for line in lines]
    for name in ("OlymMATH-EN-EASY.jsonl", "OlymMATH-EN-HARD.jsonl"):
        path = folder / "olymmath" / name
        if path.exists():
            with path.open(encoding="utf-8") as lines:
                found += [json.loads(line)["problem"] for line in lines]
    return [text for text in dict.fromkeys(found) if len(text.split()) >= 5]


def _made(draw: random.Random) -> str:
    n, m = draw.sample(NAMES, 2)
    values = {"n": n, "m": m, "t": draw.choice(THINGS), "p": draw.choice(PLACES)}

    def filled(form: str) -> str:
        numbers = {k: draw.randrange(2, 400) for k in "abc"}
        return form.format(**values, **numbers)

    chosen = draw.sample(SENTENCES, draw.randrange(2, 5))
    return " ".join([*map(filled, chosen), filled(draw.choice(QUESTIONS))])


def _varied(text: str, draw: random.Random) -> str:
    names, things = draw.sample(NAMES, 20), draw.sample(THINGS, 13)
    text = CAPITAL_NAME.sub(lambda m: names[sum(m[0].encode()) % len(names)], text)
    text = OBJECT.sub(lambda m: things[sum(m[0].encode()) % len(things)], text)
    return renumbered(text, draw, 1.0)


def originals(count: int, draw: random.Random, folder: Path | None) -> list[str]:
    """Different problems; half of them by sentences from here, the rest by real ones."""
    real = _real(folder) if folder else []
    found: dict[str, None] = dict.fromkeys(real[: count // 2])
    with_numbers = [text for text in real if NUMBER.search(text)]
    while len(found) < count:
        if with_numbers and draw.random() < 0.5:
            found[_varied(draw.choice(with_numbers), draw)] = None
        else:
            found[_made(draw)] = None
    return list(found)


def _typing_error(word: str, draw: random.Random) -> str:
    at = draw.randrange(len(word) - 1)
    how = draw.randrange(4)
    letter = draw.choice("abcdefghijklmnopqrstuvwxyz")
    if how == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if how == 1:
        return word[:at] + word[at + 1 :]
    return word[:at] + letter + word[at + (how == 2) :]


def typing_error(text: str, draw: random.Random) -> str:
    words = text.split(" ")
    able = [k for k, word in enumerate(words) if len(word) >= 4 and word.isalpha()]
    for k in draw.sample(able, min(len(able), draw.randrange(1, 5))):
        words[k] = _typing_error(words[k], draw)
    return " ".join(words)


def word_edit(text: str, draw: random.Random) -> str:
    words = text.split(" ")
    for _ in range(draw.randrange(1, 4)):
        able = [k for k, w in enumerate(words) if w.isalpha() and w.islower() and w not in NUMBER_WORDS]
        if not able:
            break
        known = [k for k in able if words[k] in SYNONYMS]
        k, how = draw.choice(known or able), draw.randrange(3)
        if how == 0 and known:
            words[k] = SYNONYMS[words[k]]
        elif how == 1:
            del words[k]
        else:
            words.insert(k, draw.choice(INSERTED))
    return " ".join(words)


def wrapped(text: str, draw: random.Random) -> str:
    before, after = draw.choice(PREFIXES), draw.choice(SUFFIXES)
    how = draw.randrange(4)
    if how == 0:
        return f"{before} {text}"
    if how == 1:
        return f"{text}\n{after}"
    if how == 2:
        return f'{before} "{text}" {after}'
    return f"{before}\n> " + text.replace("\n", "\n> ") + f"\n\n{after}"


def partial(text: str, draw: random.Random) -> str:
    sentences = re.split(r"(?<=[.?!])\s+", text)
    share = draw.uniform(0.6, 0.9)
    if len(sentences) >= 4 and draw.random() < 0.34:
        k = draw.randrange(len(sentences))
        return " ".join(sentences[:k] + sentences[k + 1 :])
    words = text.split(" ")
    kept = max(4, round(share * len(words)))
    return " ".join(words[:kept] if draw.random() < 0.5 else words[-kept:])


def _thousands(text: str) -> str:
    return re.sub(r"(?<![\d.,])\d{4,6}(?![\d.,])", lambda m: f"{int(m[0]):,}", text)


REFORMS: tuple[Callable[[str], str], ...] = (
    lambda text: re.sub(r"\$([^$]+)\$", r"\\(\1\\)", text) if text.count("$") % 2 == 0 else text,
    lambda text: re.sub(r"\\frac\{([\w ]+)\}\{([\w ]+)\}", r"\1/\2", text),
    lambda text: text.replace("\\cdot", "*").replace("\\times", "×"),
    lambda text: text.replace(". ", ".\n"),
    lambda text: text.replace(" ", "  "),
    lambda text: text.lower() if "\\" not in text else text,
    lambda text: text.upper() if "\\" not in text else text,
    lambda text: text.replace("?", "").replace(";", ","),
    lambda text: text.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789"}) if "\\" not in text else text,
    lambda text: text.replace("'", "’").replace('"', "“"),
    lambda text: text.replace("\\left", "").replace("\\right", "").replace("\\dfrac", "\\frac"),
    lambda text: text.replace("^2", "²") if "\\" not in text else text,
    _thousands,
)


def reformatted(text: str, draw: random.Random) -> str:
    for change in draw.sample(REFORMS, draw.randrange(2, 6)):
        text = change(text)
    return text


PLANTS: dict[str, Callable[[str, random.Random], str]] = {
    "exact": lambda text, _draw: text,
    "reformatted": reformatted,
    "typing_error": typing_error,
    "word_edit": word_edit,
    "wrapped": wrapped,
    "partial": partial,
    VARIANT: lambda text, draw: renumbered(text, draw, draw.choice((0.3, 1.0))),
}


def planted(count: int, seed: int, folder: Path | None, base_share: float = 0.34) -> Iterator[Row]:
    """`count` rows: originals, and of each kind as many copies, in an order that says nothing."""
    draw = random.Random(seed)
    base = originals(round(count * base_share), draw, folder)
    each = (count - len(base)) // len(PLANTS)
    rows: list[tuple[str, str, int | None]] = [(text, "original", None) for text in base]
    taken = set(base)
    for kind, plant in PLANTS.items():
        able = [k for k, text in enumerate(base) if kind != VARIANT or NUMBER.search(text)]
        for k in draw.sample(able, min(each, len(able))):
            text = plant(base[k], draw)
            while kind == VARIANT and text in taken:  # by chance the numbers of another row
                text = plant(base[k], draw)
            taken.add(text)
            rows.append((text, kind, k))
    places = list(range(len(rows)))
    draw.shuffle(places)
    for place, k in sorted((place, k) for k, place in enumerate(places)):
        text, kind, of = rows[k]
        yield Row(f"{place:07d}", text, kind, None if of is None else f"{places[of]:07d}")
