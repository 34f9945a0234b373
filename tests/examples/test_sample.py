"""The bundled sample says what its README says, and its mathematics is right."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image, UnidentifiedImageError

from stepforge.vocabulary import Reason
from tests.examples import expected
from tests.examples.arithmetic import value

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "contest"
RECORDS: list[dict[str, Any]] = json.loads((SAMPLE / "problems.json").read_text("utf-8"))["problems"]
SOUND = {p["id"]: p for p in RECORDS if not p["id"].startswith("broken-")}
BROKEN = {p["id"]: p for p in RECORDS if p["id"].startswith("broken-")}
WORD_LINES = (SAMPLE / "word_problems.jsonl").read_text("utf-8").splitlines()
WORD_PROBLEMS = [json.loads(line) for number, line in enumerate(WORD_LINES, 1) if number != 6]
REPLIES = [json.loads(line) for line in (SAMPLE.parent / "replies.jsonl").read_text("utf-8").splitlines()]
README = (SAMPLE / "README.md").read_text("utf-8")
ABSENT_FIGURE, TEXT_FIGURE, BLURRED_FIGURE = "lost-in-the-post.png", "not-an-image.png", "blurred.png"


def steps(problem: dict[str, Any]) -> list[str]:
    return [line for line in problem["solution"].split("\n") if not line.startswith("辅助线")]


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SAMPLE))  # the scripts share a drawing board
    spec = importlib.util.spec_from_file_location(name, SAMPLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figure_names() -> set[str]:
    listed = [name for p in RECORDS for name in p.get("images", [])]
    listed += [p["auxiliary"]["image"] for p in RECORDS if "auxiliary" in p]
    return {name.removeprefix("figures/") for name in listed}


def grey(name: str) -> Any:
    return np.asarray(Image.open(SAMPLE / "figures" / name).convert("L"), dtype=np.float64)


def close(a: float, b: float) -> bool:
    return abs(a - b) < 1e-9 * max(1.0, abs(b))


# --- answers ----------------------------------------------------------------------------------------------------------


def test_every_answer_is_recomputed_in_another_way():
    answered = {p["id"] for p in SOUND.values() if p["type"] not in ("proof", "statement")}
    assert answered == set(expected.NUMBERS) | set(expected.PARTS) | set(expected.TEXTS)


@pytest.mark.parametrize("problem_id", sorted(expected.NUMBERS))
def test_a_numeric_answer_equals_its_recomputed_value(problem_id: str):
    problem, wanted = SOUND[problem_id], expected.NUMBERS[problem_id]
    if problem["type"] == "choice":
        right = [k for k, text in problem["choices"].items() if text[0].isdigit() and close(value(text), wanted)]
        assert right == [problem["answer"]]
    else:
        assert close(value(problem["answer"]), wanted)


@pytest.mark.parametrize("problem_id", sorted(expected.PARTS))
def test_every_sub_answer_equals_its_recomputed_value(problem_id: str):
    parts = [value(part) for part in SOUND[problem_id]["answer"]]
    assert len(parts) in (2, 3)
    assert all(close(a, b) for a, b in zip(parts, expected.PARTS[problem_id], strict=True))


@pytest.mark.parametrize("problem_id", sorted(expected.TEXTS))
def test_an_answer_that_is_no_number_equals_its_recomputed_text(problem_id: str):
    assert SOUND[problem_id]["answer"] == expected.TEXTS[problem_id]


def test_every_plain_equation_in_a_solution_is_true():
    texts = [p["solution"] for p in SOUND.values()] + [p["answer"] for p in WORD_PROBLEMS]
    texts += [r["reply"] for r in REPLIES]
    checked, false = 0, []
    for text in texts:
        for left, right in re.findall(
            r"([\d(][\d+\-*/(). ]{0,60}) = \$?(\d+(?:[./]\d+)?)(?![\d,.]*[\w√π°(]| [-+*/])", text
        ):
            if re.search(r" [-+*/] ", left) and left.count("(") == left.count(")"):
                checked += 1
                false += [] if close(value(left), value(right)) else [f"{left} = {right}"]
    # one reply adds 42 and 45 wrongly and rounds a third; the equations of all solutions hold
    assert false == ["42 + 45 = 97", "97 / 3 = 32"]
    assert checked > 120


# --- the JSON set -----------------------------------------------------------------------------------------------------


def test_the_sample_has_enough_problems_in_both_languages():
    languages = Counter(p["language"] for p in SOUND.values())
    assert languages["zh"] >= 10
    assert languages["en"] + languages["zh"] + len(WORD_PROBLEMS) + len(expected.PAPER) + len(expected.SCAN) >= 60


def test_ids_and_questions_are_unique_but_for_the_duplicate():
    assert len({p["id"] for p in RECORDS}) == len(RECORDS)
    texts = Counter(" ".join(str(p["question"]).lower().split()) for p in RECORDS)
    assert [text for text, count in texts.items() if count > 1] == [
        " ".join(SOUND["alg-roots"]["question"].lower().split())
    ]
    assert SOUND["alg-roots"]["question"] != BROKEN["broken-duplicate"]["question"]


def test_every_image_mark_has_its_image():
    for problem in SOUND.values():
        text = problem["question"] + "".join(problem.get("choices", {}).values())
        marks = {int(k) for k in re.findall(r"<image_(\d+)>", text)}
        assert marks == set(range(1, len(problem.get("images", [])) + 1)), problem["id"]


def test_the_kinds_of_problem_that_the_chain_must_meet_are_there():
    several = [p for p in SOUND.values() if len(p.get("images", [])) > 1]
    assert Counter(p["image_relevance"] for p in several)["mutually_dependent"] >= 2
    assert any("<image_" in text for p in several for text in p.get("choices", {}).values())
    deductive = [p for p in SOUND.values() if "∵" in p.get("solution", "") and "∴" in p["solution"]]
    assert len(deductive) >= 6
    assert {p["auxiliary"]["complexity"] for p in deductive if "auxiliary" in p} == {"simple", "complex"}
    assert Counter(p["language"] for p in SOUND.values() if p["type"] == "proof") == {"en": 3, "zh": 2}


def test_each_group_is_one_composite_problem_with_its_sub_problems():
    groups: dict[str, set[str]] = {}
    for problem in SOUND.values():
        if "group" in problem:
            groups.setdefault(problem["group"]["id"], set()).add(problem["group"]["role"])
            assert problem["type"] == "choice"
            assert list(problem["choices"].values())[-1] == "No correct answer"
    assert groups == {"circle": {"composite", "sub_1", "sub_2"}, "tank": {"composite", "sub_1", "sub_2", "sub_3"}}


def test_stated_step_lengths_are_the_lines_of_the_solutions_and_fill_every_bucket():
    for problem in SOUND.values():
        assert problem.get("step_length", len(steps(problem))) == len(steps(problem)), problem["id"]
    lengths = [len(steps(p)) for p in SOUND.values()]
    for low, high in ((1, 4), (5, 8), (9, 12), (13, 24)):
        assert any(low <= n <= high for n in lengths)
    assert 3.5 < sum(lengths) / len(lengths) < 5


def test_lean_statements_are_single_theorems_without_imports():
    sources = [p["lean"] for p in RECORDS if "lean" in p]
    assert len(sources) >= 4
    assert all(source.startswith("theorem ") and "import" not in source for source in sources)
    assert len({source.split()[1] for source in sources}) == len(sources)
    assert sum("sorry" in source for source in sources) == 1


# --- word problems and replies ----------------------------------------------------------------------------------------


def test_calculator_marks_are_true_and_lead_to_the_final_number():
    assert len(WORD_PROBLEMS) == len(expected.WORD_PROBLEMS)
    for problem, wanted in zip(WORD_PROBLEMS, expected.WORD_PROBLEMS, strict=True):
        *lines, final = problem["answer"].split("\n")
        marks = [re.findall(r"<<([^=]+)=([\d.]+)>>", line) for line in lines]
        assert all(len(found) == 1 and close(value(found[0][0]), value(found[0][1])) for found in marks)
        assert final == f"#### {wanted}"
        assert close(value(marks[-1][0][1]), wanted)


def test_there_are_two_word_problems_for_each_number_of_steps():
    assert Counter(p["answer"].count("\n") for p in WORD_PROBLEMS) == dict.fromkeys(range(2, 7), 2)


def test_replies_quote_questions_of_the_sample_and_box_their_answer():
    questions = {p["question"] for p in [*SOUND.values(), *WORD_PROBLEMS]}
    assert all(r["question"] in questions and r["reply"].count("\\boxed{") == 1 for r in REPLIES)
    assert len({r["question"] for r in REPLIES}) == len(REPLIES) >= 12


def test_ten_replies_are_right_and_six_are_wrong():
    answers = {p["question"]: p["answer"] for p in SOUND.values() if "answer" in p}
    answers |= {p["question"]: p["answer"].rpartition("#### ")[2] for p in WORD_PROBLEMS}
    right = 0
    for reply in REPLIES:
        boxed = reply["reply"].partition("\\boxed{")[2].rpartition("}")[0]
        for latex, plain in (("\\text{ km}", ""), ("\\sqrt{3}", "√3"), ("\\{", ""), ("\\}", "")):
            boxed = boxed.replace(latex, plain)
        answer = answers[reply["question"]]
        listed = answer if isinstance(answer, list) else answer.strip("{}").split(", ")
        right += sorted(boxed.split(", ")) == sorted(listed)
    assert (right, len(REPLIES) - right) == (10, 6)


# --- paper and scan ---------------------------------------------------------------------------------------------------


def test_the_paper_has_a_sound_text_layer_with_questions_answers_and_solutions(monkeypatch: pytest.MonkeyPatch):
    problems = script("make_paper", monkeypatch).PROBLEMS
    document = pypdfium2.PdfDocument(SAMPLE / "paper.pdf")
    pages = [document[k].get_textpage().get_text_bounded().split("\r\n") for k in range(len(document))]
    assert len(pages) == 2
    for number, ((question, answer, solution), wanted) in enumerate(zip(problems, expected.PAPER, strict=True), 1):
        assert f"{number}. {question[0]}" in pages[0]
        assert f"{number}. {answer}" in pages[1]
        assert f"{number}. {solution[0]}" in pages[1]
        assert all(step in pages[1] for step in solution[1:])
        options = dict(re.findall(r"([A-D])\. (\S+)", question[-1]))
        assert close(value(options.get(answer, answer)), wanted)


def test_the_scanned_page_shows_right_answers(monkeypatch: pytest.MonkeyPatch):
    problems = script("make_scan", monkeypatch).PROBLEMS
    assert [value(answer) for _, answer, _ in problems] == expected.SCAN


# --- figures ----------------------------------------------------------------------------------------------------------


def test_figures_are_all_there_and_all_used_but_for_the_one_that_is_lost():
    present = {path.name for path in (SAMPLE / "figures").iterdir()}
    assert figure_names() - present == {ABSENT_FIGURE}
    assert present - figure_names() == set()


def test_figures_are_images_of_a_readable_size_but_for_the_text_file():
    with pytest.raises(UnidentifiedImageError):
        Image.open(SAMPLE / "figures" / TEXT_FIGURE)
    for name in sorted(figure_names() - {ABSENT_FIGURE, TEXT_FIGURE}):
        with Image.open(SAMPLE / "figures" / name) as image:
            assert 400 <= max(image.size) <= 700, name


def test_only_the_blurred_figure_is_blurred():
    def sharpness(name: str) -> float:
        g = grey(name)
        laplacian = g[:-2, 1:-1] + g[2:, 1:-1] + g[1:-1, :-2] + g[1:-1, 2:] - 4 * g[1:-1, 1:-1]
        return float(laplacian.var())

    others = figure_names() - {ABSENT_FIGURE, TEXT_FIGURE, BLURRED_FIGURE}
    assert 100 * sharpness(BLURRED_FIGURE) < min(sharpness(name) for name in others)


def test_an_auxiliary_figure_is_the_figure_with_more_ink():
    for problem in SOUND.values():
        if "auxiliary" in problem:
            before = grey(problem["images"][0].removeprefix("figures/"))
            after = grey(problem["auxiliary"]["image"].removeprefix("figures/"))
            assert (after <= before + 1).all(), problem["id"]
            assert (after < before - 100).sum() > 100, problem["id"]


@pytest.mark.parametrize("name", ["make_figures", "make_scan"])
def test_the_committed_images_are_what_their_script_draws(name: str, tmp_path: Path):
    target = tmp_path if name == "make_figures" else tmp_path / "scan.png"
    committed = SAMPLE / "figures" if name == "make_figures" else SAMPLE
    subprocess.run([sys.executable, SAMPLE / f"{name}.py", target], check=True, capture_output=True)
    drawn = sorted(path.name for path in tmp_path.iterdir() if path.name != TEXT_FIGURE)
    assert len(drawn) == (len(figure_names()) - 2 if name == "make_figures" else 1)
    for file in drawn:
        with Image.open(tmp_path / file) as fresh, Image.open(committed / file) as old:
            assert np.array_equal(np.asarray(fresh), np.asarray(old)), file


def test_the_committed_paper_is_what_its_script_typesets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    make_paper = script("make_paper", monkeypatch)
    if not any((Path(folder) / "DejaVuSans.ttf").is_file() for folder in make_paper.FONT_FOLDERS):
        pytest.skip("the font DejaVu Sans is not installed (Debian: apt install fonts-dejavu-core)")
    make_paper.typeset(tmp_path / "paper.pdf")
    assert (tmp_path / "paper.pdf").read_bytes() == (SAMPLE / "paper.pdf").read_bytes()


# --- licence and README -----------------------------------------------------------------------------------------------


def test_the_licence_is_stated_everywhere():
    settings = tomllib.loads((SAMPLE / "contest.toml").read_text("utf-8"))
    assert settings == {
        "name": "Stepforge sample contest",
        "licence": "CC0-1.0",
        "published_on": date(2026, 11, 1),
    }
    assert json.loads((SAMPLE / "problems.json").read_text("utf-8"))["licence"] == "CC0-1.0"
    assert "CC0-1.0" in README


def test_the_readme_lists_everything_broken_with_a_reason_that_exists():
    rows = re.findall(r"^\| `problems.json`, `([^`]+)` \|.*\| `(\w+)` \|$", README, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(BROKEN)
    assert all(reason in set(Reason) for _, reason in rows)
    with pytest.raises(json.JSONDecodeError):
        json.loads(WORD_LINES[5])
    assert f"{len(RECORDS)} records, {len(BROKEN)} of them broken" in README
    assert f"{len(REPLIES)} replies" in README


def test_the_sample_is_small():
    files = [path for path in SAMPLE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) < 3_000_000
