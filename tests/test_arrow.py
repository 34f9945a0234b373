import io

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from stepforge.arrow import arrow_schema, content_hash, from_table, to_table
from stepforge.records import Document, LeanVerdict, Problem
from tests import make

TEXT = st.text(max_size=12)
PROBLEMS = st.lists(
    st.builds(
        make.problem,
        problem_id=TEXT.map(lambda t: f"s/{t}"),
        question=TEXT,
        solution=st.none() | TEXT,
        subject=st.none() | TEXT,
        images=st.lists(st.builds(make.image, name=TEXT, sharpness=st.none() | st.floats(0, 1e6)), max_size=2).map(
            tuple
        ),
        knowledge_concepts=st.lists(TEXT, max_size=2).map(tuple),
    ),
    max_size=6,
)


@given(PROBLEMS)
def test_rows_survive_a_table_and_parquet(problems):
    sink = io.BytesIO()
    pq.write_table(to_table(Problem, problems), sink)
    assert from_table(Problem, pq.read_table(sink)) == problems


@given(PROBLEMS, PROBLEMS)
def test_the_content_hash_is_of_the_rows_alone(first, second):
    whole = to_table(Problem, [*first, *second])
    sink = io.BytesIO()
    pq.write_table(to_table(Problem, first), sink, compression="none")
    expected = content_hash(Problem, to_table(Problem, first))
    assert content_hash(Problem, whole.slice(0, len(first))) == expected
    assert content_hash(Problem, pq.read_table(sink)) == expected
    chunks = pa.concat_tables([to_table(Problem, [p]) for p in first] or [to_table(Problem, [])])
    assert content_hash(Problem, chunks) == expected


def test_another_value_is_another_hash():
    one, other = make.problem(question="x"), make.problem(question="y")
    assert content_hash(Problem, to_table(Problem, [one])) != content_hash(Problem, to_table(Problem, [other]))


def test_the_time_of_arrival_does_not_change_the_hash_but_is_stored():
    early = make.document()
    late = early.model_copy(update={"arrived_at": early.arrived_at.replace(year=2027)})
    assert content_hash(Document, to_table(Document, [early])) == content_hash(Document, to_table(Document, [late]))
    assert from_table(Document, to_table(Document, [late])) == [late]


def test_a_description_is_kept_in_the_schema():
    field = arrow_schema(LeanVerdict).field("item_id")
    assert field.type == pa.string()
    assert arrow_schema(Document).field("document_id").metadata == {b"description": b"sha256 of the bytes"}


@given(PROBLEMS, PROBLEMS)
def test_equal_hashes_are_equal_rows(first, second):
    same = content_hash(Problem, to_table(Problem, first)) == content_hash(Problem, to_table(Problem, second))
    assert same == (first == second)
