"""A Hugging Face data set folder: card, shards, images in the rows."""

import pytest

from stepforge.sources import head_of, recognise
from stepforge.sources._card import parse_card
from stepforge.vocabulary import ProblemType
from tests.sources.reading import read
from tests.sources.test_streams import parquet

CARD = """---
license: cc-by-4.0
language:
- zh
configs:
- config_name: default
  data_files:
  - split: train
    path: data/train-*
  - split: test
    path: [data/test-*, "more/**/t.parquet"]
dataset_info:
  features:
  - name: images
    sequence: image
  - name: problem
    dtype: string
---
# A set
"""
ROW = {
    "id": 4,
    "problem": "Find <image> and <image>.",
    "options": ["1", "2"],
    "ground_truth": "B",
    "solution": "So.",
    "images": [{"bytes": b"one", "path": "1.png"}, {"bytes": b"two", "path": None}],
}


def folder(card=CARD):
    return {"repo/README.md": card.encode()}.get


def test_a_shard_that_the_card_names_is_read_with_its_images_and_the_cards_licence():
    data = parquet([ROW, ROW | {"id": 5, "images": []}])
    path = "repo/data/train-00000-of-00001.parquet"
    assert recognise(path, head_of(data), folder()) == "huggingface"
    first, second = read(path, data, "huggingface", beside=folder(), licence="unknown").kept
    assert (first.problem_id, first.licence, first.language) == ("huggingface/repo:4", "CC-BY-4.0", "zh")
    assert first.question == "Find <image_1> and <image_2>."
    assert [i.name for i in first.images] == ["1.png", "images_2"]
    assert (first.problem_type, first.answer.text, first.solution) == (ProblemType.CHOICE, "B", "So.")
    assert second.images == ()


def test_a_file_that_the_card_does_not_name_is_not_claimed():
    data = parquet([{"problem": "q", "x": 1}])
    assert recognise("repo/data/other.parquet", head_of(data), folder()) is None
    assert recognise("elsewhere/data/train-0.parquet", head_of(data), folder()) is None
    assert recognise("repo/more/deep/t.parquet", head_of(data), folder()) == "huggingface"
    assert recognise("repo/data/train-0.parquet", head_of(parquet([{"title": "x"}])), folder()) is None


def test_a_card_without_patterns_speaks_of_all_data_files_and_a_plain_readme_of_none():
    assert recognise("repo/a.csv", b"problem,x\nq,1\n", folder("---\nlicense: mit\n---\n")) == "huggingface"
    assert recognise("repo/a.csv", b"problem,x\nq,1\n", folder("# Read me\n---\nlicense: mit\n---\n")) is None


def test_a_set_with_a_source_of_its_own_is_read_by_that():
    rows = b'{"question": "How many?", "answer": "2+2=<<2+2=4>>4\\n#### 4"}'
    assert recognise("repo/data/train-0.jsonl", rows, folder()) == "gsm8k"


def test_a_row_without_a_question_says_what_to_do():
    (refused,) = read("repo/data/t.json", '[{"text": "q"}]', "huggingface", beside=folder()).rejections
    assert "(columns: text)" in refused.detail
    assert "mapping.toml" in refused.detail


def test_numbered_image_columns_and_an_index_are_read():
    row = {"question": "?", "choices": ["x", "y"], "answer_index": 1, "image_1": "a.png", "image_2": "b.png"}
    (problem,) = read("repo/t.parquet", parquet([row]), "huggingface", beside=folder()).kept
    assert ([i.name for i in problem.images], problem.answer.text) == (["a.png", "b.png"], "B")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\n",
        "---\n[\n---\n",
        "---\n- a\n---\n",
        "---\nfoo: 1\n---\n",
        "---\n" + "[" * 5000 + "\n---\n",
        "---\nlicense: !!python/object/apply:os.system [ls]\n---\n",
    ],
)
def test_what_is_no_card_is_none(text):
    assert parse_card(text.encode()) is None


def test_a_card_of_odd_values_is_read_as_far_as_it_goes():
    card = parse_card(b"---\nlicense: [a, b]\nlanguage: 3\nconfigs: [1, {data_files: {a: b}}, {data_files: x*}]\n---\n")
    assert (card.licence, card.language, card.patterns) == (None, None, ("x*",))


def test_a_number_for_an_answer_beside_options_is_refused_unless_a_mapping_says_what_it_counts():
    data = parquet([{"question": "Find the degree.", "choices": ["0", "4", "1", "6"], "answer": 1}])
    outcome = read("repo/data/train-0.parquet", data, "huggingface", beside=folder())
    assert outcome.kept == []
    assert '[answer] is = "index0"' in outcome.rejections[0].detail
