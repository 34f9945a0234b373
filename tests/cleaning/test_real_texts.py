"""What cleanup does to texts that are sound: nothing but what is listed here."""

import json
import re

import pytest

from stepforge.cleaning import clean_text
from stepforge.cleaning._validity import is_sound
from tests.shared_data import shared

# One form of a character for another, and white space: the mathematics is the same
_FORMS = str.maketrans({"☉": "⊙", "\u200b": ""} | {chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)})

# What is changed beyond that, in all fields read here: each is an error of the source's own, or written less clearly
CORRECTIONS = {
    "math": {"thin_space_thousands"},  # `10,\!000`
    "geolaux": {
        "degree_sign",  # ∠EAF=9O°
        "because_from_q",  # Q∠BAD与∠BED互补
        "circle_sign",  # AB是e O的直径
        "similar_sign",  # △DEG~△DAB
    },
    "wemath": {"unit_powers"},  # 6cm2
}


def _lines(name):
    return [json.loads(line) for line in shared(name).read_text(encoding="utf-8").splitlines()]


def _array(name):
    return json.loads(shared(name).read_text(encoding="utf-8"))


def gsm8k():
    return [row["question"] for row in _lines("gsm8k/test.jsonl")]


def math():
    return [row[field] for row in _lines("math/test.jsonl") for field in ("problem", "solution")]


def mvmath():
    return [row[field] for row in _array("mvmath/MV-MATH.json") for field in ("question", "analysis")]


def geolaux():
    rows = _array("geolaux/GeoLaux_minidata.json").values()
    return [row[field] for row in rows for field in ("problem_text", "solution")]


def olymmath():
    return [row["problem"] for name in ("EASY", "HARD") for row in _lines(f"olymmath/OlymMATH-EN-{name}.jsonl")]


def wemath():
    return [row["question"] for row in _array("wemath/testmini.json")]


def _plain(text):
    return re.sub(r"\s", "", text.translate(_FORMS))


@pytest.mark.parametrize(
    ("texts", "at_least", "every"),
    [
        (gsm8k, 1319, 1),
        (geolaux, 460, 1),
        (olymmath, 200, 1),
        (wemath, 1200, 1),
        (math, 6900, 10),
        (mvmath, 2800, 10),
        pytest.param(math, 6900, 1, marks=pytest.mark.slow),
        pytest.param(mvmath, 2800, 1, marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_no_mathematics_of_a_real_text_is_changed_even_if_it_came_from_a_page(texts, at_least, every):
    read = texts()
    assert len(read) >= at_least
    read = read[::every]
    rules, changed = set(), 0
    for text in read:
        cleaned, trace = clean_text("question", text, from_page=True)
        assert clean_text("question", cleaned, from_page=True) == (cleaned, [])
        if "$" in text or "\\" in text:
            assert is_sound(cleaned) or not is_sound(text), text
        if _plain(cleaned) != _plain(text):
            changed += 1
            rules |= {step.rule for step in trace if _plain(step.before) != _plain(step.after)}
    assert rules <= CORRECTIONS.get(texts.__name__, set())
    assert changed <= max(1, 0.02 * len(read))


def test_most_real_latex_is_sound_so_that_the_guard_has_something_to_guard():
    found = [text for text in math()[::10] if "$" in text]
    assert sum(map(is_sound, found)) > 0.9 * len(found)
