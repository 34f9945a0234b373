"""Real problems for papers to be assembled from: text, options, answer, solution and figures."""

import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from _plain_math import NotPlain, plain

MAX_CHARS = 520
MARK = re.compile(r"<image_\d+>")
CAPTION = re.compile(r"(?<=\n)\s*(?:Figure|Fig\.?)\s*\(?\d\)?\s*(?=\n|$)")
OPTION = re.compile(r"^\s*([A-E])[.．、:]\s*", re.MULTILINE)
BOX = re.compile(r"\\boxed\s?\{((?:[^{}]|\{[^{}]*\})*)\}")


class Item(NamedTuple):
    """One problem as its source has it, formulas as Unicode text.  figures: image files; in_options: one an option."""

    key: str
    language: str
    question: str
    options: tuple[str, ...]
    answer: str
    solution: str
    figures: tuple[Path, ...] = ()
    in_options: bool = False
    parts: tuple[str, ...] = ()


def half_of(key: str) -> str:
    """`rules` or `unseen`, by the last bit of the key's SHA-256."""
    return ("rules", "unseen")[hashlib.sha256(key.encode()).digest()[-1] & 1]


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.replace("$", "").split("\n"))
    return "\n".join(line for line in lines if line)


def _plain(text: str) -> str | None:
    try:
        return _tidy(plain(text))
    except NotPlain:
        return None


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _math(data: Path) -> Iterator[Item]:
    for row in _json_lines(data / "math/test.jsonl"):
        question, solution = _plain(row["problem"]), _plain(row["solution"])
        box = BOX.findall(row["solution"])
        answer = _plain(f"${box[-1]}$") if box else None
        if question and solution and answer and "[asy]" not in row["problem"] + row["solution"]:
            yield Item(f"math/{row['idx']}", "en", question, (), answer, solution)


def _gsm8k(data: Path) -> Iterator[Item]:
    for i, row in enumerate(_json_lines(data / "gsm8k/test.jsonl")):
        solution, _, answer = row["answer"].partition("####")
        yield Item(
            f"gsm8k/{i}", "en", _tidy(row["question"]), (), answer.strip(), _tidy(re.sub(r"<<.*?>>", "", solution))
        )


def _olymmath(data: Path) -> Iterator[Item]:
    for name in ("EASY", "HARD"):
        for row in _json_lines(data / f"olymmath/OlymMATH-EN-{name}.jsonl"):
            question, answer = _plain(row["problem"]), _plain(f"${row['answer'].strip('$')}$")
            if question and answer:
                yield Item(f"olymmath/{row['unique_id']}", "en", question, (), answer, "")


def _mvmath(data: Path, images: list[Path]) -> Iterator[Item]:
    """Its texts, with figures of another set where its own stand: two or three of one problem, or one an option."""
    rows = json.loads((data / "mvmath/MV-MATH.json").read_text("utf-8"))
    for row in rows:
        key = f"mvmath/{row['problem_id']}"
        rng = random.Random(key)
        text = row["question"]
        n = len(MARK.findall(text))
        at = OPTION.search(text)
        in_options = at is not None and n == len(OPTION.findall(text)) and "<image" not in text[: at.start()]
        if n > 3 and not in_options:
            continue
        stem, tail = (text[: at.start()], text[at.start() :]) if at else (text, "")
        stem, body = _plain(CAPTION.sub("", MARK.sub("", stem))), _plain(MARK.sub("", tail)) if not in_options else ""
        labels = [m[1] for m in OPTION.finditer(tail)]
        if not stem or body is None or len(stem) < 40 or labels != list("ABCDE"[: len(labels)]):
            continue
        if any(len(line) < 4 for line in stem.split("\n")):
            continue  # what is left of a figure's own caption
        options = tuple(" ".join(o.split()) for o in OPTION.split(body)[2::2]) if body else ("",) * len(labels)
        if labels and not in_options and (len(options) != len(labels) or not all(options)):
            continue
        answer = _plain(row["answer"]) or ""
        yield Item(key, "en", stem, options, answer, "", tuple(rng.sample(images, n)), in_options)


def _geolaux(data: Path) -> Iterator[Item]:
    for row in json.loads((data / "geolaux/GeoLaux_minidata.json").read_text("utf-8")).values():
        image = data / f"geolaux/mini_original_images/{row['original_image_name']}.png"
        question = _tidy(row["problem_text"])
        options = tuple(re.sub(r"^[A-E][.．、]\s*", "", option).strip() for option in row["choices"])
        answer = "" if row["number_answer"] == "null" else row["number_answer"]
        values = [bare(option) for option in options]
        if options and bare(answer) in values:
            answer = "ABCDE"[values.index(bare(answer))]
        elif options:
            continue
        if image.is_file() and not re.search(r"[\ue000-\uf8ff$\\]", question):
            yield Item(
                f"geolaux/{row['original_image_name']}",
                "zh",
                question,
                options,
                answer,
                _tidy(row["solution"]),
                (image,),
            )


def _composed(items: list[Item], rng: random.Random) -> Iterator[Item]:
    """Two short problems as the sub-questions of one."""
    short = [i for i in items if not i.options and not i.figures and len(i.question) < 200 and i.answer]
    for a, b in zip(short[::2], short[1::2], strict=False):
        if rng.random() < 0.5:
            yield Item(
                f"{a.key}+{b.key}",
                a.language,
                f"Answer both parts.\n(1) {a.question}\n(2) {b.question}",
                (),
                f"(1) {a.answer} (2) {b.answer}",
                "",
                parts=(a.answer, b.answer),
            )


def bare(text: str) -> str:
    """The text without blanks."""
    return "".join(text.split())


def items_of(data: Path, half: str, n: int) -> list[Item]:
    """n problems of a half: half of them Chinese with figures, the others English, of four sets and composed ones."""
    rng = random.Random(11)
    chinese = [i for i in _geolaux(data) if half_of(i.key) == half]
    images = sorted((data / "geolaux/mini_original_images").glob("*.png"))
    english = []
    for found, share in ((_gsm8k(data), 18), (_olymmath(data), 12), (_mvmath(data, images), 40), (_math(data), 60)):
        pool = [i for i in found if half_of(i.key) == half and len(i.question) <= MAX_CHARS]
        rng.shuffle(pool)
        some = [i for i in pool if i.in_options][:5]
        english += some + [i for i in pool if not i.in_options][: share * n // 200 - len(some)]
    more = english[-36 * n // 200 :]
    pool = [i for i in _gsm8k(data) if half_of(i.key) == half]
    rng.shuffle(pool)
    english = english[: -36 * n // 200] + list(_composed(pool[-120:], rng))[: 16 * n // 200] + more
    unique = {i.key: i for i in chinese}  # one of those that share a figure
    return [*list(unique.values())[: n // 2], *english][:n]
