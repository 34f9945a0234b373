"""A folder with a `mapping.toml`."""

import json
from datetime import date

import pytest

from stepforge.sources import BadMapping, head_of, parse_mapping, recognise
from stepforge.vocabulary import AnswerKind, Difficulty, ProblemType, Reason
from tests.sources.reading import read
from tests.sources.test_streams import parquet

MINIMAL = 'name = "exams"\n[fields]\nquestion = "q"\nanswer = "a"\nid = "i"\n'


def folder(mapping, name="set/mapping.toml"):
    files = {name: mapping.encode()}
    return files.get


def reading(data, mapping=MINIMAL, path="set/rows.jsonl"):
    data = data.encode() if isinstance(data, str) else data
    beside = folder(mapping)
    assert recognise(path, head_of(data), beside) == "mapped"
    return read(path, data, "mapped", beside=beside)


def one(row, mapping=MINIMAL, **given):
    outcome = reading(json.dumps(row, ensure_ascii=False), mapping, **given)
    assert outcome.rejections == []
    return outcome.kept[0]


def refusal(row, mapping):
    (refused,) = reading(json.dumps(row), mapping).rejections
    return refused.detail


def test_dotted_paths_constants_and_values_make_a_problem():
    mapping = r"""
        name = "exams"
        [fields]
        question = "prompt.0.text"
        answer = ["missing", "meta.final\\.answer"]
        solution = "meta.why"
        images = ["picture", "more"]
        choices = "meta.options"
        id = "uid"
        subject = "topic"
        difficulty = "level"
        published_on = "date"
        knowledge_concepts = "tags"
        [constants]
        language = "fr"
        licence = "CC-BY-4.0"
        grade = "9"
        [values.subject]
        alg = "algebra"
        [values.difficulty]
        "1" = "easy"
    """
    row = {
        "uid": 17,
        "prompt": [{"text": "Trouver <image> et <image>."}],
        "meta": {"final.answer": "B", "why": "Car.", "options": {"A": "1", "B": "2"}},
        "picture": "a.png",
        "more": ["b.png", "c.png"],
        "topic": "alg",
        "level": "1",
        "date": "2024-05-06T07:00:00",
        "tags": ["x", "y"],
    }
    problem = one(row, mapping)
    assert (problem.problem_id, problem.language, problem.licence) == ("mapped/exams:17", "fr", "CC0-1.0")
    assert problem.question == "Trouver <image_1> et <image_2>.\n<image_3>"
    assert [i.name for i in problem.images] == ["a.png", "b.png", "c.png"]
    assert (problem.problem_type, problem.answer.text, problem.solution) == (ProblemType.CHOICE, "B", "Car.")
    assert (problem.subject, problem.grade, problem.difficulty) == ("algebra", "9", Difficulty.EASY)
    assert (problem.published_on, problem.knowledge_concepts) == (date(2024, 5, 6), ("x", "y"))


@pytest.mark.parametrize(
    ("form", "answer", "kind", "text"),
    [
        ("", "3/4", AnswerKind.NUMBER, "3/4"),
        ('kind = "text"', "3/4", AnswerKind.TEXT, "3/4"),
        ('after = "####"', "one #### two #### 5", AnswerKind.NUMBER, "5"),
        ("boxed = true", "so \\boxed{1} or \\boxed{\\frac{1}{2}}", AnswerKind.NUMBER, "\\frac{1}{2}"),
    ],
)
def test_the_answer_is_taken_as_the_mapping_says(form, answer, kind, text):
    found = one({"i": "1", "q": "?", "a": answer}, f"{MINIMAL}[answer]\n{form}\n").answer
    assert (found.kind, found.text) == (kind, text)


@pytest.mark.parametrize(
    ("form", "answer", "letter"), [("index0", 0, "A"), ("index1", 2, "B"), ("index1", "2", "B"), ("letter", "C", "C")]
)
def test_an_option_may_be_named_by_its_number(form, answer, letter):
    mapping = MINIMAL.replace('id = "i"', 'id = "i"\nchoices = "o"') + f'[answer]\nis = "{form}"\n'
    row = {"i": "1", "q": "?", "a": answer, "o": ["x", "y", "z"]}
    assert one(row, mapping).answer.text == letter
    assert "none of the 3 options" in refusal(row | {"a": 9}, mapping)


def test_csv_json_and_parquet_are_read_alike():
    rows = [{"i": f"{n}", "q": f"What is {n}?", "a": str(n)} for n in range(5)]
    lines = "i;q;a\n" + "\n".join(f"{r['i']};{r['q']};{r['a']}" for r in rows)
    datas = {
        "rows.json": json.dumps(rows).encode(),
        "rows.jsonl": "\n".join(map(json.dumps, rows)).encode(),
        "rows.csv": lines.encode(),
        "deep/er/rows.parquet": parquet(rows),
    }
    kept = {name: [p.question for p in reading(data, path=f"set/{name}").kept] for name, data in datas.items()}
    assert set(map(tuple, kept.values())) == {tuple(r["q"] for r in rows)}


def test_images_in_parquet_rows_are_embedded():
    row = {"i": "1", "q": "?", "a": "1", "p": [{"bytes": b"one", "path": "x/1.png"}, {"bytes": b"two", "path": None}]}
    mapping = MINIMAL.replace('id = "i"', 'id = "i"\nimages = "p"')
    (problem,) = reading(parquet([row]), mapping, "set/rows.parquet").kept
    assert [i.name for i in problem.images] == ["x/1.png", "p_2"]
    assert all(i.sha256 for i in problem.images)
    assert problem.question == "?\n<image_1>\n<image_2>"


def test_rows_inside_an_object_are_named():
    text = json.dumps({"version": 2, "data": [{"i": "1", "q": "?", "a": "1"}]})
    assert len(reading(text, 'records = "data"\n' + MINIMAL, "set/rows.json").kept) == 1


def test_a_row_without_a_question_names_path_and_fields():
    assert "nothing at q (fields: i, a)" in refusal({"i": 1, "a": 2}, MINIMAL)


def test_without_an_id_the_key_is_a_hash_of_the_content():
    first, again = (one({"q": "?", "a": n}) for n in (1, 2))
    assert first.source_id == again.source_id
    assert first.source_id.startswith("exams:")


def test_the_nearest_mapping_counts_and_only_for_the_files_that_it_covers():
    outer, inner = MINIMAL, 'files = ["*.csv"]\n' + MINIMAL
    files = {"mapping.toml": outer.encode(), "in/mapping.toml": inner.encode()}
    rows = b'{"question": "q", "answer": "1"}'
    assert recognise("a.json", rows, files.get) == "mapped"
    assert recognise("in/a.json", rows, files.get) != "mapped"
    assert recognise("in/deep/a.csv", rows, files.get) == "mapped"
    assert recognise("mapping.toml", outer.encode(), files.get) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "not valid TOML"),
        (MINIMAL.replace("exams", "my exams"), "name: "),
        ('name = "x"\n', "fields: "),
        (MINIMAL.replace("question", "qestion"), "fields.question: Field required (keys: question, answer"),
        (MINIMAL + 'colour = "c"\n', "fields.colour: "),
        (MINIMAL + '[answer]\nkind = "numeric"\n', "answer.kind: "),
        (MINIMAL + '[answer]\nafter = "x"\nboxed = true\n', "answer: "),
        (MINIMAL + '[constants]\npublished_on = "soon"\n', "constants.published_on: "),
        (MINIMAL + '[values.colour]\na = "b"\n', "values: "),
        ("files = 3\n" + MINIMAL, "files: "),
    ],
)
def test_a_mistake_in_the_mapping_names_file_and_key(text, says):
    with pytest.raises(BadMapping, match=r"set/mapping\.toml: ") as caught:
        parse_mapping(text.encode(), "set/mapping.toml")
    assert says in str(caught.value)
    (refused,) = reading('{"q": 1}', text).rejections
    assert refused.reason is Reason.UNREADABLE_DOCUMENT
    assert says in refused.detail


def test_a_letter_may_stand_in_brackets_or_be_a_small_one():
    mapping = MINIMAL + '\nchoices = "o"\n[answer]\nis = "letter"\n'
    assert [one({"q": "q", "a": a, "o": ["1", "2"]}, mapping).answer.text for a in ("b", "(B)", "B.")] == ["B"] * 3


def test_a_number_that_no_option_says_is_not_taken_for_the_answer():
    mapping = MINIMAL + '\nchoices = "o"\n'
    assert "if it is an option's number" in refusal({"q": "q", "a": 1, "o": ["3", "4"]}, mapping)
    assert one({"q": "q", "a": "2", "o": ["1 cm", "2 cm"]}, mapping).answer.text == "2"
