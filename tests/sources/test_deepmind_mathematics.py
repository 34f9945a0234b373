"""DeepMind Mathematics: modules as text files, question and answer in turn."""

import pytest

from stepforge.sources import recognise
from stepforge.vocabulary import AnswerKind, Difficulty, ProblemType
from tests.sources.published import accepts
from tests.sources.reading import read

LINES = "Solve -42*r + 27*c = -1167 and 130*r + 4*c = 372 for r.\n4\nWhat is the derivative of 2*w**3?\n6*w**2\n"


def problems(text, path="mathematics_dataset-v1.0/train-easy/algebra__linear_2d.txt"):
    outcome = read(path, text)
    assert outcome.rejections == []
    return outcome.kept


def test_two_lines_are_a_problem_of_the_module():
    first, second = problems(LINES)
    assert first.source_id.startswith("algebra__linear_2d-")
    assert (first.subject, first.knowledge_concepts, first.difficulty) == ("algebra", ("linear_2d",), Difficulty.EASY)
    assert accepts(first, "r = 4")
    assert accepts(second, "6w^2")


@pytest.mark.parametrize(
    ("question", "answer", "right", "wrong"),
    [
        ("Is 5 a factor of 15?", "True", "true", "False"),
        ("Solve x**2 - 2*x - 3 = 0.", "-1, 3", "x = 3 or x = -1", "3"),
        ("What is 1/3 - 1/2?", "-1/6", "-1/6", "1/6"),
        ("How many minutes are there between 11:50 AM and 2:10 PM?", "140", "140", "141"),
    ],
)
def test_an_answer_is_of_the_kind_of_its_module(question, answer, right, wrong):
    (problem,) = problems(f"{question}\n{answer}\n")
    assert accepts(problem, right)
    assert not accepts(problem, wrong)


def test_options_in_small_letters_are_choices():
    (problem,) = problems(
        "Which is the closest to 1/2?  (a) -3  (b) 2  (c) 0.3\nc\n", "interpolate/comparison__closest.txt"
    )
    assert (problem.problem_type, problem.answer.kind, problem.answer.text) == (
        ProblemType.CHOICE,
        AnswerKind.CHOICE,
        "C",
    )
    assert [(c.label, c.text) for c in problem.choices] == [("A", "-3"), ("B", "2"), ("C", "0.3")]
    assert problem.difficulty is None
    assert accepts(problem, "c")
    assert not accepts(problem, "b")


def test_a_file_is_known_by_the_name_of_a_module():
    assert recognise("extrapolate/numbers__round_number_big.txt", LINES.encode()) == "deepmind_mathematics"
    assert recognise("README.txt", LINES.encode()) is None
    assert recognise("notes__more.txt", LINES.encode()) is None


def test_lines_that_do_not_pair_are_named():
    outcome = read("algebra__linear_1d.txt", LINES + "What is left?")
    assert len(outcome.kept) == 2
    assert "row:3: line 5: a question without an answer" in outcome.rejections[0].detail
    (rejection,) = read("algebra__linear_1d.txt", "What is left?\n\n").rejections
    assert "answer: the line is empty" in rejection.detail
    (bad,) = read("algebra__linear_1d.txt", b"What is \xff?\n3\n" + b"a?\n1\n" * 200).rejections[:1]
    assert "line 1" in bad.detail
