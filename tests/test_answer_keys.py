"""Answer keys in files of their own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.answer_keys import (
    KeyEntry,
    is_key_table,
    paper_of_key,
    papers_of,
    read_key,
    table_entries,
    text_entries,
    with_keys,
)
from stepforge.outcome import Outcome, unaccounted
from stepforge.records import Choice
from stepforge.vocabulary import AnswerKind, Disposition, ProblemType, Reason
from tests.make import document, problem


def asked(number, path="p.pdf", **given):
    about = document(path=path)
    made = problem(problem_id=f"paper/{path}-{number}", answer=None, **given)
    where = made.provenance.model_copy(update={"path": path, "locator": f"page:1/problem:{number}"})
    return made.model_copy(update={"provenance": where, "source": about.source})


def paper(*problems):
    return Outcome(list(problems), [], [p.problem_id for p in problems])


def key(text, path="answers.csv", papers=("p.pdf",), named=None):
    return read_key(
        document(path=path, document_id="k" * 64, source="answer-key"), text.encode(), [], papers, named or {}
    )


@pytest.mark.parametrize(
    ("name", "paper_name"),
    [
        ("answers.csv", ""),
        ("x/Answer Key.pdf", ""),
        ("2023-answers.csv", "2023"),
        ("2023.answers.txt", "2023"),
        ("amc_12a_key.pdf", "amc_12a"),
        ("2023答案.pdf", "2023"),
        ("参考答案.txt", ""),
        ("monkey.pdf", None),
        ("questions.csv", None),
    ],
)
def test_a_key_is_told_by_its_name(name, paper_name):
    assert paper_of_key(name) == paper_name


def test_a_table_is_a_key_by_its_columns():
    assert is_key_table(b"\xef\xbb\xbfNumber;Answer\n1;B\n")
    assert not is_key_table(b"question,number,answer\n")
    assert not is_key_table(b"id,answer\n")


@pytest.mark.parametrize(
    ("key_path", "named", "papers"),
    [
        ("a/answers.csv", {}, ("a/1.pdf", "a/2.pdf")),
        ("a/1-answers.csv", {}, ("a/1.pdf",)),
        ("keys/answers.csv", {}, ("a/1.pdf", "a/2.pdf", "b/1.pdf")),
        ("keys/k.csv", {"keys/k.csv": "b/1.pdf"}, ("b/1.pdf",)),
        ("a/3-answers.csv", {}, ()),
    ],
)
def test_a_key_is_of_the_paper_that_it_names_or_of_those_beside_it(key_path, named, papers):
    assert papers_of(key_path, ["a/1.pdf", "a/2.pdf", "b/1.pdf"], named) == papers


def test_rows_of_a_table_are_answers_and_broken_ones_are_named():
    text = 'number,answer,solution\n1,B,because\n02,"1,000",\nx,3,\n4,,\n5,6\n'
    first, second, *faults = table_entries(text.encode())
    assert (first, second) == (KeyEntry(1, "B", "because"), KeyEntry(2, "1,000"))
    assert [fault.split(": ")[0] for fault in faults] == ["row:3", "row:4", "row:5"]
    assert "'x' is no number" in faults[0]


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("1. B\n2. 3/4\n3. x = 1. 5", {1: "B", 2: "3/4", 3: "x = 1. 5"}),
        ("Answers\n1. B 2. C 3. D\n4、12", {1: "B", 2: "C", 3: "D", 4: "12"}),
        ("1-5 ABCDA\n6-8：B C D\n9. 7", dict(zip(range(1, 10), [*"ABCDABCD", "7"], strict=True))),
        ("(1) 3\n(2) 4", {1: "3", 2: "4"}),
        ("第1题 5\n第2题 6", {1: "5", 2: "6"}),
        ("1 B\n2 C\n10 D", {1: "B", 2: "C", 10: "D"}),
        ("1. 3.5\n2. 2.25", {1: "3.5", 2: "2.25"}),
        ("1.2\n2.4\n3.16", {1: "2", 2: "4", 3: "16"}),
        ("the value is 1.5 m\nand 2.5 m", {}),
        ("no answers here", {}),
    ],
)
def test_a_text_is_read_by_its_numbers(text, answers):
    assert {entry.number: entry.answer for entry in text_entries(text)} == answers


def test_answers_go_to_their_problems_typed_by_the_options():
    options = (Choice(label="A", text="1"), Choice(label="B", text="2"))
    problems = paper(asked(1, choices=options, problem_type=ProblemType.CHOICE), asked(2, solution=None), asked(3))
    filled, told = with_keys({"p.pdf": problems}, [key("number,answer,solution\n1,B,\n2,(1) 3 (2) 4,see\n")])
    first, second, third = filled["p.pdf"].kept
    assert (first.answer.kind, first.answer.text) == (AnswerKind.CHOICE, "B")
    assert (second.problem_type, second.answer.parts, second.solution) == (ProblemType.MULTI_STEP, ("3", "4"), "see")
    assert third.answer is None
    (whole,) = told.rejections
    assert (whole.reason, whole.disposition) == (Reason.ANSWER_KEY, Disposition.NOT_APPLICABLE)
    assert "2 answers to p.pdf" in whole.detail


def test_what_the_paper_says_itself_stays():
    own = asked(1).model_copy(update={"answer": problem().answer})
    filled, _ = with_keys({"p.pdf": paper(own)}, [key("number,answer\n1,999\n")])
    assert filled["p.pdf"].kept == [own]


def test_an_answer_without_a_problem_and_one_with_two_are_refused():
    both = {"a.pdf": paper(asked(1, "a.pdf"), asked(2, "a.pdf")), "b.pdf": paper(asked(1, "b.pdf"))}
    text = "number,answer,paper\n1,5,\n1,6,b.pdf\n2,7,a\n9,8,\n1,3,c.pdf\n"
    filled, told = with_keys(both, [key(text, papers=("a.pdf", "b.pdf"))])
    assert [p.answer and p.answer.text for p in filled["a.pdf"].kept] == [None, "7"]
    assert [p.answer and p.answer.text for p in filled["b.pdf"].kept] == ["6"]
    details = [r.detail for r in told.rejections if r.reason is Reason.UNMATCHED_ANSWER]
    assert len(details) == 3
    assert any("2 papers have a problem 1; name the paper" in d for d in details)
    assert any("no problem 9" in d for d in details)
    assert any("'c.pdf'" in d for d in details)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.text(max_size=5)), max_size=20),
    st.lists(st.integers(1, 20), max_size=10, unique=True),
)
def test_every_entry_leaves_with_a_verdict(rows, numbers):
    text = "number,answer\n" + "\n".join(f'{n},"{a.replace(chr(34), "").replace(chr(0), "")}"' for n, a in rows)
    problems = paper(*(asked(n) for n in numbers))
    filled, told = with_keys({"p.pdf": problems}, [key(text, "p-answers.csv")])
    assert len(filled["p.pdf"].kept) == len(numbers)
    assert len(set(told.input_ids)) == len(told.input_ids) == len(told.rejections)
    assert not unaccounted(told.input_ids, [], [r.record_id for r in told.rejections])


@given(st.text(alphabet="0123456789.-ABC() \n第题", max_size=200))
def test_any_text_is_read(text):
    numbers = [entry.number for entry in text_entries(text)]
    assert numbers == sorted(set(numbers))


def test_two_answers_to_one_problem_are_told_and_the_first_stays():
    papers = {"p.pdf": paper(asked(2), asked(3))}
    filled, fate = with_keys(papers, [key("number,answer\n2,5\n2,6\n3,7\n3,7.0\n")])
    assert [p.answer.text for p in filled["p.pdf"].kept] == ["5", "7"]
    told = [r.detail for r in fate.rejections if r.reason is Reason.UNMATCHED_ANSWER]
    assert any("problem 2 has the answer '5' of a key already" in detail for detail in told)
    assert all(r.disposition is Disposition.DROPPED for r in fate.rejections if r.reason is Reason.UNMATCHED_ANSWER)


def test_a_key_that_contradicts_its_paper_is_told():
    own = asked(2).model_copy(update={"answer": problem().answer})
    filled, fate = with_keys({"p.pdf": paper(own)}, [key("number,answer\n2,9\n")])
    assert filled["p.pdf"].kept == [own]
    assert any("has the answer '4' in the paper itself" in r.detail for r in fate.rejections)


def in_part(number, part):
    made = asked(number)
    where = made.provenance.model_copy(update={"locator": f"page:1/part:{part}/problem:{number}"})
    return made.model_copy(update={"problem_id": f"paper/{part}-{number}", "provenance": where})


def test_a_number_of_several_parts_is_joined_to_the_part_that_the_key_names_or_to_none():
    papers = {"p.pdf": paper(in_part(1, 1), in_part(1, 2), in_part(2, 2))}
    filled, told = with_keys(papers, [key("number,answer,part\n1,5,2\n1,6,\n2,7,\n3,8,x\n")])
    assert [p.answer and p.answer.text for p in filled["p.pdf"].kept] == [None, "5", "7"]
    details = [r.detail for r in told.rejections if r.reason is Reason.UNMATCHED_ANSWER]
    assert any("2 parts of p.pdf have a problem 1; name the part" in detail for detail in details)
    assert any("part: 'x' is no number" in detail for detail in details)


def test_a_solution_without_an_answer_contradicts_nothing():
    own = asked(1, solution=None).model_copy(update={"answer": problem().answer})
    whole = key("", papers=("p.pdf",))._replace(entries=(KeyEntry(1, "", "because"),))
    filled, told = with_keys({"p.pdf": paper(own)}, [whole])
    assert filled["p.pdf"].kept[0].solution == "because"
    assert [r.reason for r in told.rejections] == [Reason.ANSWER_KEY]
