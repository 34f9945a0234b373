"""Systems that ask a model, through the whole pipeline and over real sockets."""

import json
import shutil
from decimal import Decimal

import pytest

from dagster_project.plan import plan
from resources.llm.store import ReplyFilter
from stepforge.records import Prediction
from tests.pipeline import CommandLine, chain, write_set
from tests.wire import BatchScript, Fault, Script

KEY = "sk-planted-8d1e7c55aa"

MODELS = """
[providers.wire]
kind = "openai"
base_url = "{url}"
api_key_env = "WIRE_KEY"

[models.mini]
provider = "wire"
concurrency = 4
timeout_s = 5
attempts = {attempts}
input_usd_per_million = "1"
output_usd_per_million = "2"
batch_factor = "0.5"

[roles.solver]
model = "mini"
max_output_tokens = 400
seed = 3
mode = "{mode}"
{extra}
"""


@pytest.fixture
def models(tmp_path, monkeypatch, wire):
    """Writes models.toml; the key is planted in the environment."""
    path = tmp_path / "models.toml"
    monkeypatch.setenv("WIRE_KEY", KEY)
    monkeypatch.setenv("STEPFORGE_MODELS", str(path))

    def write(mode="online", extra="", attempts=3):
        path.write_text(MODELS.format(url=wire.openai_url, mode=mode, extra=extra, attempts=attempts))

    write()
    return write


@pytest.fixture(scope="module")
def tasks_built(tmp_path_factory):
    """A home with one built batch, copied for each test."""
    root = tmp_path_factory.mktemp("tasks")
    line = CommandLine(root / "home")
    assert line("ingest", write_set(root / "contest", [chain(i) for i in range(3)]), "--batch", "small").code == 0
    assert line("build").code == 0
    return line.root


@pytest.fixture
def home(tmp_path, capsys, models, tasks_built):
    """A home with tasks and a system that asks the model; its predictions are not built yet."""
    shutil.copytree(tasks_built, tmp_path / "home")
    line = CommandLine(tmp_path / "home", capsys)
    said = line("system", "add", "mini", "--role", "solver")
    assert said.code == 0, said.err
    return line


def predictions(line):
    return line.home.store.stored("predictions", "mini")


def pointer(line, stage="predictions", partition="mini"):
    return line.home.store.pointer(stage, partition)


def stale(line):
    return plan(CommandLine(line.root).home)


def test_a_model_answers_every_task_once_and_a_rebuild_pays_nothing(home, wire):
    said = home("build")
    assert said.code == 0, said.err
    stored = predictions(home)
    rows = stored.rows(Prediction)
    assert wire.totals().paid == len(rows) == pointer(home, "benchmark_tasks", "small").rows_out > 0
    use = stored.pointer.models
    assert use.replies == len(rows)
    assert use.cost_usd == use.paid_usd
    assert Decimal(use.cost_usd) == sum(Decimal(row.cost_usd) for row in rows) > 0
    assert f"{len(rows)} requests" in said.out
    assert f'data-cost="{use.cost_usd}"' in (home.root / "report" / "index.html").read_text()
    assert home("build", "--stage", "predictions", "--system", "mini").code == 0
    again = pointer(home)
    assert wire.totals().arrived == len(rows)
    assert again.data_version == stored.pointer.data_version
    assert (again.models.cost_usd, again.models.paid_usd) == (use.cost_usd, "0")


def test_faults_of_the_provider_are_rejections_that_the_next_build_asks_again_alone(home, wire, models):
    models(attempts=1)
    wire.script(Script(seed=1, shares={Fault.SERVER_ERROR: 0.5}, good_after=1))
    said = home("build")
    assert said.code == 0, said.err
    first = pointer(home)
    lost = first.dropped["model_provider_error"]
    assert 0 < lost < first.rows_in
    assert first.rows_in == first.rows_kept + lost
    assert f"{lost} records of predictions wait for a model" in said.out
    assert next(s.why for s in stale(home)) == f"{lost} records wait for a model"
    arrived = wire.totals().arrived
    assert home("build").code == 0
    assert wire.totals().arrived == arrived + lost
    assert not pointer(home).dropped
    assert not stale(home)


def test_a_budget_leaves_what_it_does_not_cover_for_a_build_with_a_greater_one(home, wire, models):
    models(extra='budget_usd = "0.003"')
    said = home("build")
    assert said.code == 0, said.err
    first = pointer(home)
    assert first.dropped["model_over_budget"] > 0
    assert Decimal(first.models.paid_usd) <= Decimal("0.003")
    models(extra='budget_usd = "10"')
    assert home("build").code == 0
    assert not pointer(home).dropped
    assert wire.totals().paid_twice == 0


def test_builds_of_one_name_have_one_budget(home, models):
    models(extra='budget_usd = "0.003"')
    assert home("build", "--run", "spring").code == 0
    paid = Decimal(pointer(home).models.paid_usd)
    assert home("build", "--run", "spring").code == 0
    assert 0 < paid + Decimal(pointer(home).models.paid_usd) <= Decimal("0.003")


def test_another_parameter_makes_the_replies_stale_and_another_limit_does_not(home, models):
    assert home("build").code == 0
    models(attempts=9)
    assert not stale(home)
    models(extra="temperature = 0.5")
    assert next((s.stage, s.why) for s in stale(home)) == ("predictions", "system_settings changed")


def test_a_replay_needs_no_network_and_says_what_it_lacks(home, wire):
    said = home("build", "--replay-only")
    assert said.code == 2
    assert "no reply is stored for role solver, model mini" in said.err
    assert wire.totals().arrived == 0
    assert home("build").code == 0
    wire.script(Script(shares={Fault.SERVER_ERROR: 1.0}))
    assert home("build", "--stage", "predictions", "--system", "mini", "--replay-only").code == 0


def test_a_batch_is_awaited_polled_and_taken_in_at_its_own_price(home, wire, models):
    models(mode="batch")
    wire.script(Script(batches=(BatchScript(polls=2),)))
    said = home("build")
    assert said.code == 0, said.err
    n = pointer(home).rows_in
    assert pointer(home).dropped == {"model_awaiting_batch": n}
    assert "running" in home("jobs", "list").out
    assert home("build").code == 0  # nothing new is sent while the job is open
    assert len(home.home.replies.jobs()) == 1
    for _ in range(3):
        polled = home("jobs", "poll")
        assert polled.code == 0, polled.err
    assert home("build").code == 0
    assert not pointer(home).dropped
    assert (wire.totals().paid, wire.totals().paid_twice) == (n, 0)
    rows = predictions(home).rows(Prediction)
    expected = sum((row.tokens_in + 2 * row.tokens_out) * Decimal("0.5") / 10**6 for row in rows)
    assert Decimal(pointer(home).models.cost_usd) == expected > 0


def test_an_unknown_role_is_refused_when_the_system_is_added_and_told_when_it_is_built(home, tmp_path):
    said = home("system", "add", "other", "--role", "nobody")
    assert said.code == 2
    assert "there is no role 'nobody'" in said.err
    (tmp_path / "models.toml").write_text("")
    said = home("build")
    assert said.code == 2
    assert "there is no role 'solver'" in said.err
    neither = home("system", "add", "x")
    assert neither.code == 2
    assert "--replies FILE, or --role ROLE" in neither.err


def test_the_key_is_nowhere_in_the_home_and_in_nothing_that_is_printed(home, wire):
    wire.script(Script(seed=5, shares={Fault.UNAUTHORIZED: 0.3, Fault.SERVER_ERROR: 0.2}))
    said = home("build")
    shown = [said.out, said.err, home("models").out, home("replies", "list").out, home("doctor").out]
    shown.append(home("lineage", "predictions", "--system", "mini").out)
    shown.append(home("rejections", "--stage", "predictions", "--system", "mini").out)
    assert pointer(home).dropped
    assert not [text for text in shown if KEY in text]
    files = [path for path in home.root.rglob("*") if path.is_file()]
    assert len(files) > 50
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_each_stored_reply_names_the_prompt_that_asked_for_it(home):
    assert home("build").code == 0
    replies = list(home.home.replies.replies(ReplyFilter()))
    assert {r.prompt_id for r in replies} == {"ask_task_en/v1"}
    assert len({r.prompt_sha256 for r in replies}) == 1
    assert json.loads(home("replies", "show", replies[0].key[:16]).out)
