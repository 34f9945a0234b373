import pytest

from resources.home import Home
from resources.llm.config import Mode, ModelsConfig
from resources.llm.prices import Prices
from resources.llm.providers import PROVIDERS
from tests.wire import Fault, Script, WireServer

SECRET = "sk-planted-secret"  # noqa: S105 - looked for where it must not be
CONFIG = """
[providers.wire]
kind = "openai"
base_url = "{url}"
api_key_env = "WIRE_KEY"
[providers.openai]
kind = "openai"
[models."gpt-5-mini"]
provider = "wire"
concurrency = 3
requests_per_minute = 5000
timeout_s = 20
attempts = 1
[models.mine]
provider = "openai"
input_usd_per_million = "0.5"
output_usd_per_million = "1.5"
[models.nobody-knows]
provider = "openai"
[roles.solver]
model = "gpt-5-mini"
temperature = 0.0
max_output_tokens = 4096
mode = "batch"
budget_usd = "3.50"
[roles.judge]
model = "mine"
[budget]
run_usd = "7.25"
"""


@pytest.fixture(scope="module")
def server():
    with WireServer(Script(api_key=SECRET)) as running:
        yield running


@pytest.fixture
def wire(server):
    server.reset(Script(api_key=SECRET))
    return server


@pytest.fixture
def configured(cli, wire, monkeypatch):
    monkeypatch.setenv("WIRE_KEY", SECRET)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    cli.root.mkdir()
    (cli.root / "models.toml").write_text(CONFIG.format(url=wire.openai_url))
    return cli


def line(text, start):
    return next(line for line in text.splitlines() if line.startswith(start))


def test_without_a_file_the_command_says_how_to_write_one_and_what_kinds_there_are(cli):
    said = cli("models")
    assert said.code == 0
    assert "models.toml does not exist; write an example with: stepforge models init" in said.out
    for kind in PROVIDERS:
        assert kind.name in said.out


def test_roles_models_and_providers_are_shown_with_prices_limits_and_budgets(configured):
    said = configured("models")
    assert said.code == 0
    solver = line(said.out, "solver")
    assert all(
        word in solver for word in ("gpt-5-mini", "batch", "temperature = 0.0", "max_output_tokens = 4096", "3.50")
    )
    model = next(line for line in said.out.splitlines() if line.startswith("gpt-5-mini") and "at once" in line)
    assert all(
        word in model for word in ("3 at once", "5,000 requests/min", "20 s a try", "0.25 / 2", "0.125 / 1", "table")
    )
    assert "0.5 / 1.5" in line(said.out, "mine")
    assert "own" in line(said.out, "mine")
    assert "unknown" in line(said.out, "nobody-knows")
    assert "budget of a run: 7.25 USD" in said.out
    assert str(Prices.load().checked_on) in said.out


def test_a_key_is_said_to_be_set_or_not_and_never_shown(configured):
    said = configured("models")
    assert "WIRE_KEY: set" in line(said.out, "wire")
    assert "OPENAI_API_KEY: not set" in line(said.out, "openai")
    assert SECRET not in said.out + said.err


def test_a_mistake_in_the_file_is_one_line_that_names_the_key_and_not_its_value(configured):
    path = configured.root / "models.toml"
    path.write_text(path.read_text() + f'[providers.more]\nkind = "openai"\napi_key = "{SECRET}"\n')
    said = configured("models")
    assert said.code == 2
    assert said.err.startswith("error: ")
    assert "providers.more.api_key: unknown key; known are: kind" in said.err
    assert SECRET not in said.out + said.err


def test_the_example_is_written_once_and_can_be_read(cli):
    assert cli("models", "init").code == 0
    path = Home(cli.root).models_file
    config = ModelsConfig.load(path)
    assert set(config.roles) == {"solver"}  # a judge is asked as soon as it is there: nobody pays for one unawares
    prices = Prices.load()
    assert all(prices.of_configured(config, name, prices.checked_on) is not None for name in config.models)
    assert all(role.max_output_tokens for role in config.roles.values() if role.budget_usd is not None)
    path.write_text(path.read_text() + "# mine\n")
    again = cli("models", "init")
    assert again.code == 2
    assert "exists and stays as it is" in again.err
    assert path.read_text().endswith("# mine\n")


def test_every_key_of_the_example_that_is_commented_out_is_a_key(cli):
    assert cli("models", "init").code == 0
    path = Home(cli.root).models_file
    lines = path.read_text().splitlines()
    assert sum(text.startswith("# ") and " = " in text for text in lines) >= 8
    commented = [text.startswith("# [") or (text.startswith("# ") and " = " in text) for text in lines]
    path.write_text("\n".join(text[2 * is_key :] for text, is_key in zip(lines, commented, strict=True)))
    config = ModelsConfig.load(path)
    assert config.roles["solver"].mode is Mode.BATCH
    assert {"judge", "second_judge", "alignment_judge"} < set(config.roles)
    assert config.providers["openai"].base_url is not None


def test_a_ping_asks_the_model_once_and_says_what_it_cost(configured, wire):
    said = configured("models", "ping", "solver")
    assert said.code == 0, said.err
    assert "gpt-5-mini answers" in said.out
    assert "USD" in said.out
    assert wire.totals().paid == 1
    assert SECRET not in said.out + said.err


def test_every_ping_is_a_new_question(configured, wire):
    assert configured("models", "ping", "solver").code == 0
    assert configured("models", "ping", "solver").code == 0
    assert (wire.totals().paid, wire.totals().paid_twice) == (2, 0)


def test_a_ping_with_a_wrong_key_says_so_without_showing_it(configured, monkeypatch):
    monkeypatch.setenv("WIRE_KEY", SECRET + "-wrong")
    said = configured("models", "ping", "solver")
    assert said.code == 2
    assert "401" in said.err
    assert SECRET not in said.out + said.err


def test_a_ping_of_a_provider_that_is_down_ends_with_the_reason(configured, wire):
    wire.script(Script(api_key=SECRET, shares={Fault.UNAVAILABLE: 1.0}))
    said = configured("models", "ping", "solver")
    assert said.code == 2
    assert "503" in said.err
    assert "Traceback" not in said.err


def test_a_ping_without_the_key_says_which_variable_to_set(configured):
    said = configured("models", "ping", "judge")
    assert said.code == 2
    assert "OPENAI_API_KEY" in said.err


def test_a_ping_of_an_unknown_role_names_the_roles(configured):
    said = configured("models", "ping", "jugde")
    assert said.code == 2
    assert "there are: judge, solver" in said.err
