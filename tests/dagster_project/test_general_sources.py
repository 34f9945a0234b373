"""The general sources from end to end: a mapped folder, a Hugging Face data set, a contest with a key of its own."""

import csv
import io
import json

import pytest
from PIL import Image, ImageDraw

from stepforge.records import Problem, Rejection
from stepforge.vocabulary import Reason
from tests.pipeline import CommandLine
from tests.sources.test_crohme import INK
from tests.sources.test_streams import parquet

reportlab = pytest.importorskip("reportlab.pdfgen.canvas")


def png(text):
    image = Image.new("RGB", (320, 200), "white")
    ImageDraw.Draw(image).polygon([(20, 180), (300, 180), (160 + len(text), 20)], outline="black", width=3)
    ImageDraw.Draw(image).text((30, 30), text, fill="black")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def pdf(lines):
    out = io.BytesIO()
    canvas = reportlab.Canvas(out, pagesize=(595, 842), invariant=True)
    for number, line in enumerate(lines):
        canvas.drawString(72, 770 - 28 * number, line)
    canvas.save()
    return out.getvalue()


@pytest.fixture
def deliver(tmp_path, capsys):
    command = CommandLine(tmp_path / "home", capsys)

    def run(files, build=True):
        for name, data in files.items():
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        said = command("ingest", tmp_path / "in", "--batch", "b")
        if said.code or not build:
            return said
        built = command("build", "--to", "problems")
        assert built.code == 0, built.out + built.err
        stored = command.home.store.stored("problems", "b")
        return {p.source_id: p for p in stored.rows(Problem)}, stored.rejections(), command.home

    return run


def test_a_mapped_folder_with_figures_beside_and_inside_its_rows(deliver):
    inside = {"bytes": png("inside"), "path": None}
    mapping = 'name = "s"\n[fields]\nquestion = "q"\nanswer = "a"\nid = "i"\nimages = "p"\n'
    problems, rejections, home = deliver(
        {
            "mapping.toml": mapping,
            "rows.jsonl": json.dumps({"i": "1", "q": "?", "a": "2", "p": "figures/x.png"}),
            "more/rows.parquet": parquet([{"i": "2", "q": "?", "a": "3", "p": [inside]}]),
            "figures/x.png": png("beside"),
        }
    )
    assert set(problems) == {"s:1", "s:2"}
    assert rejections == []
    for problem in problems.values():
        (image,) = problem.images
        assert (image.width_px, image.height_px, image.media_type, image.error) == (320, 200, "image/png", None)
        assert home.blobs.get(image.sha256) in (png("beside"), inside["bytes"])


def test_a_wrong_mapping_is_refused_at_the_door(deliver):
    said = deliver({"set/mapping.toml": 'name = "s"\n[fields]\nquestoin = "q"\n', "set/rows.json": "[]"}, build=False)
    assert said.code == 2
    assert "set/mapping.toml: fields.question: Field required" in said.err
    assert "Traceback" not in said.err


def test_a_hugging_face_data_set_is_read_with_its_card(deliver):
    rows = [
        {"id": n, "problem": f"<image>Find {n}.", "answer": str(n), "image": {"bytes": png(str(n)), "path": f"{n}.png"}}
        for n in range(3)
    ]
    card = "---\nlicense: cc-by-4.0\nconfigs:\n- config_name: d\n  data_files:\n  - {split: t, path: data/t-*}\n---\n"
    problems, _, _ = deliver({"geo/README.md": card, "geo/data/t-0.parquet": parquet(rows)})
    assert set(problems) == {"geo:0", "geo:1", "geo:2"}
    assert {p.licence for p in problems.values()} == {"CC-BY-4.0"}
    assert all(p.images[0].width_px == 320 and p.images[0].sharpness for p in problems.values())


def test_a_contest_joins_the_key_in_its_own_file_to_its_paper(deliver):
    first = ["1. What is 1 + 1?", "2. What is 2 + 2?", "3. What is 3 + 3?"]
    second = ["1. What is 5 + 5?", "2. What is 6 + 6?"]
    out = io.StringIO()
    csv.writer(out).writerows([("number", "answer"), (1, "2"), (2, "4"), (9, "0")])
    problems, rejections, _ = deliver(
        {
            "contest.toml": '[answers]\n"keys/second.txt" = "papers/b.pdf"\n',
            "papers/a.pdf": pdf(first),
            "papers/b.pdf": pdf(second),
            "papers/a-answers.csv": out.getvalue(),
            "keys/second.txt": "1. 10\n2. 12\n",
        }
    )
    answers = {(p.provenance.path, p.question): p.answer and p.answer.text for p in problems.values()}
    assert answers == {
        ("papers/a.pdf", "What is 1 + 1?"): "2",
        ("papers/a.pdf", "What is 2 + 2?"): "4",
        ("papers/a.pdf", "What is 3 + 3?"): None,
        ("papers/b.pdf", "What is 5 + 5?"): "10",
        ("papers/b.pdf", "What is 6 + 6?"): "12",
    }
    reasons: dict[Reason, list[Rejection]] = {}
    for rejection in rejections:
        reasons.setdefault(rejection.reason, []).append(rejection)
    assert {reason: len(found) for reason, found in reasons.items()} == {
        Reason.ANSWER_KEY: 2,
        Reason.UNMATCHED_ANSWER: 1,
    }


def test_a_key_as_a_pdf_is_read_as_one(deliver):
    key = ["Answers to the paper of the spring round", *(f"{n}. {2 * n} metres" for n in range(1, 9))]
    problems, _, _ = deliver(
        {"paper.pdf": pdf([f"{n}. How long are {n} and {n} metres?" for n in range(1, 9)]), "answers.pdf": pdf(key)}
    )
    assert {p.question.split()[3]: p.answer.text for p in problems.values()} == {
        str(n): f"{2 * n} metres" for n in range(1, 9)
    }


def test_a_key_that_is_not_there_is_refused_at_the_door(deliver):
    said = deliver({"contest.toml": '[answers]\n"k.csv" = "a.pdf"\n', "a.pdf": pdf(["1. What?"])}, build=False)
    assert said.code == 2
    assert "'k.csv' is no file of the batch" in said.err


def test_ink_becomes_a_measured_figure(deliver):
    problems, _, _ = deliver({"a/x.inkml": INK})
    (problem,) = problems.values()
    assert problem.images[0].width_px == 1020
    assert problem.images[0].ink_share > 0
