"""A real, small model as the judge, end to end.  Its judgement is poor; that it is asked, read and scored is not."""

import json

import pytest

from resources.llm.providers import PROVIDERS
from stepforge.records import JudgeVerdict, Score
from tests.dagster_project.test_judges import reply
from tests.pipeline import CommandLine, chain, write_set

MODELS = """
[providers.local]
kind = "local"

[models.gemma-3-270m]
provider = "local"
concurrency = 1
timeout_s = 600
deadline_s = 1200

[roles.judge]
model = "gemma-3-270m"
max_output_tokens = 400
temperature = 0.0
budget_usd = "0.01"
"""


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_local_model_judges_solutions_and_an_answer_and_a_rerun_needs_no_server(tmp_path, capsys, monkeypatch):
    missing = PROVIDERS["local"].installed()
    if missing:
        pytest.skip(f"the local model is not installed: {missing}")
    monkeypatch.setenv("STEPFORGE_MODELS", str(tmp_path / "models.toml"))
    replies = {"native/p0000:solve": reply(0), "native/p0001:solve": reply(1, answer="f(3)")}
    rows = [json.dumps({"task_id": task_id, "reply": text}) for task_id, text in replies.items()]
    (tmp_path / "replies.jsonl").write_text("\n".join(rows))
    line = CommandLine(tmp_path / "home", capsys)
    assert line("ingest", write_set(tmp_path / "contest", [chain(0), chain(1)]), "--batch", "b").code == 0
    assert line("system", "add", "file", "--replies", tmp_path / "replies.jsonl", "--partial").code == 0
    assert line("build").code == 0
    (tmp_path / "models.toml").write_text(MODELS)  # only now, so that the controls are not judged
    for stage in ("judge_verdicts", "scores"):
        said = line("build", "--stage", stage, "--system", "file")
        assert said.code == 0, said.err
    stored = line.home.store.stored("judge_verdicts", "file")
    asked = [v for v in stored.rows(JudgeVerdict) if v.judge == "judge"]
    assert sorted((v.task_id, v.rubric) for v in asked) == [
        ("native/p0000:solve", "steps"),
        ("native/p0001:solve", "answer"),
        ("native/p0001:solve", "steps"),
    ]
    assert not stored.pointer.dropped
    assert {v.model for v in asked} == {"gemma-3-270m"}
    assert all((v.right is None) is bool(v.undecided) for v in asked)
    assert all(len(v.step_scores) == 3 for v in asked if v.rubric == "steps" and v.right is not None)
    assert stored.pointer.models.paid_usd == "0"
    scored = {s.task_id for s in line.home.store.stored("scores", "file").rows(Score) if s.metric == "PQS"}
    assert scored == {v.task_id for v in asked if v.rubric == "steps" and v.right is not None}
    again = line("build", "--stage", "judge_verdicts", "--system", "file", "--replay-only")
    assert again.code == 0, again.err
    assert line.home.store.pointer("judge_verdicts", "file").data_version == stored.pointer.data_version
    with capsys.disabled():
        print("\n", [(v.rubric, v.right, v.step_scores, v.undecided, v.rationale[:80]) for v in asked])
