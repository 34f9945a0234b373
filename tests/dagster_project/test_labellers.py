"""Three labelling models through the whole pipeline and over real sockets."""

import json

import pytest

from stepforge.records import Problem
from stepforge.vocabulary import LabelMethod, Reason
from tests.judges.scripted import REFUSES, JudgeServer
from tests.pipeline import CommandLine, chain, write_set
from tests.wire import Fault, Script

MODELS = """
[providers.wire]
kind = "openai"
base_url = "{url}"
api_key_env = "WIRE_KEY"
"""
VOTER = """
[models.voter-{k}]
provider = "wire"
timeout_s = 5
attempts = 2
input_usd_per_million = "1"
output_usd_per_million = "2"
[roles.labeller_{k}]
model = "voter-{k}"
max_output_tokens = 400
"""
SUBJECTS = {"voter-1": "Algebra", "voter-2": "Algebra", "voter-3": "Logic"}


def labels(subject, **said):
    capabilities = ["calculation", "modeling"]
    whole = {"subject": subject, "image_relevance": None, "knowledge_concepts": [], "capabilities": capabilities}
    return json.dumps({**whole, **said})


def by_model(subjects):
    return lambda asked: labels(subjects[json.loads(asked.body)["model"]])


@pytest.fixture
def home(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("WIRE_KEY", "sk-planted-labels")
    monkeypatch.setenv("STEPFORGE_MODELS", str(tmp_path / "models.toml"))
    line = CommandLine(tmp_path / "home", capsys)
    rows = [chain(i) for i in range(3)]
    rows[2]["subject"] = "Number Theory"
    assert line("ingest", write_set(tmp_path / "contest", rows), "--batch", "small").code == 0
    return line


@pytest.fixture
def configure(tmp_path):
    def write(url, voters=(1, 2, 3)):
        text = MODELS.format(url=url) + "".join(VOTER.format(k=k) for k in voters)
        (tmp_path / "models.toml").write_text(text)

    return write


@pytest.fixture
def voters():
    with JudgeServer() as server:
        server.reset(by_model(SUBJECTS))
        yield server


def build(line):
    return line("build", "--batch", "small", "--to", "labelled_problems")


def stored(line):
    rows = line.home.store.stored("labelled_problems", "small").rows(Problem)
    return {problem.source_id: problem for problem in rows}


def votes(problem, field):
    return [(vote.value, str(vote.method), vote.votes) for vote in problem.labels if vote.field == field]


def test_without_labellers_the_rules_label_and_say_so(home):
    assert build(home).code == 0
    problem = stored(home)["p0000"]
    assert votes(problem, "subject") == [("Arithmetic", "rules", ())]
    assert problem.difficulty is not None


def test_a_majority_of_three_labels_what_the_source_does_not_and_nobody_is_asked_twice(home, configure, voters):
    assert build(home).code == 0
    configure(voters.url)
    said = build(home)  # the roles are new: the stage is stale
    assert said.code == 0, said.err
    problems = stored(home)
    assert problems["p0000"].subject == "Algebra"
    assert votes(problems["p0000"], "subject") == [("Algebra", "vote", ("Algebra", "Algebra", "Logic"))]
    assert votes(problems["p0002"], "subject") == [("Number Theory", "source", ())]
    assert {str(capability) for capability in problems["p0000"].capabilities} == {"calculation", "modeling"}
    assert len(voters.asked) == 9
    assert {asked.schema for asked in voters.asked} == {"LabelsReply"}
    assert "sk-planted-labels" not in said.out + said.err
    assert home("build", "--batch", "small", "--stage", "labelled_problems").code == 0
    assert len(voters.asked) == 9  # replies are stored


def test_a_tie_and_a_refusal_leave_the_label_open_for_people(home, configure, voters):
    configure(voters.url)
    subjects = {"voter-1": "Algebra", "voter-2": "Statistics", "voter-3": "Logic"}

    def says(asked):
        model = json.loads(asked.body)["model"]
        return REFUSES if model == "voter-3" else labels(subjects[model])

    voters.reset(says)
    assert build(home).code == 0
    problem = stored(home)["p0001"]
    assert problem.subject is None
    assert votes(problem, "subject") == [(None, "vote", ("Algebra", "Statistics", ""))]
    assert {vote.method for vote in problem.labels if vote.field == "capability"} == {LabelMethod.VOTE}


def test_two_labellers_are_no_majority_of_three(home, configure, voters):
    configure(voters.url, voters=(1, 2))
    said = build(home)
    assert said.code == 2
    assert "roles.labeller_3" in said.err
    assert voters.asked == []


def test_a_provider_that_is_down_puts_the_problems_aside_and_the_next_build_asks_again(home, configure, wire, voters):
    wire.script(Script(shares={Fault.UNAVAILABLE: 1.0}))
    configure(wire.openai_url)
    assert build(home).code == 0
    pointer = home.home.store.pointer("labelled_problems", "small")
    assert pointer.dropped == {str(Reason.MODEL_PROVIDER_ERROR): 3}
    configure(voters.url)  # the provider's address bears on no reply
    assert build(home).code == 0
    assert home.home.store.pointer("labelled_problems", "small").dropped == {}
    assert len(stored(home)) == 3
