import hashlib
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.home import Home
from resources.llm.calls import Schema
from resources.llm.config import Mode, ModelsConfig, ModelSettings, RoleSettings
from resources.llm.providers import ProviderSettings
from stepforge.asking import ModelRequest, Sampling, user
from stepforge.errors import BadInput, BadRequest

PATH = Path("/somewhere/models.toml")
GOOD = """
[providers.openai]
kind = "openai"
[providers.here]
kind = "openai"
base_url = "http://127.0.0.1:8000/v1"
[models.gpt-5-mini]
provider = "openai"
concurrency = 64
requests_per_minute = 500
tokens_per_minute = 200000
timeout_s = 120
deadline_s = 900
attempts = 6
[models.small]
provider = "here"
model = "Qwen/Qwen3-8B"
input_usd_per_million = "0.07"
output_usd_per_million = 0.25
[roles.judge]
model = "gpt-5-mini"
temperature = 0.0
max_output_tokens = 2048
seed = 7
stop = ["END"]
mode = "batch"
budget_usd = "20.00"
[roles.solver]
model = "small"
[budget]
run_usd = "100.00"
"""
SECRET = "sk-planted-secret"  # noqa: S105 - looked for where it must not be


def config(text=GOOD):
    return ModelsConfig.parse(text, PATH)


def request(role="judge", **fields):
    return ModelRequest(request_id="r1", role=role, messages=(user("1 + 1?"),), **fields)


def test_a_file_is_read_with_its_types_and_its_defaults():
    found = config()
    assert found.models["gpt-5-mini"].requests_per_minute == 500
    assert found.models["small"].requests_per_minute is None
    assert found.roles["judge"].mode is Mode.BATCH
    assert found.roles["solver"].mode is Mode.ONLINE
    assert found.budget.run_usd == Decimal("100.00")


def test_money_written_as_a_number_is_as_exact_as_money_written_as_text():
    assert config().models["small"].output_usd_per_million == Decimal("0.25")


def test_a_call_has_the_roles_model_by_the_providers_own_name():
    call = config().resolve(request("solver"))
    assert (call.provider, call.model_name, call.model) == ("here", "small", "Qwen/Qwen3-8B")
    assert config().resolve(request()).model == "gpt-5-mini"


def test_what_a_request_says_of_its_sampling_goes_before_the_roles():
    said = Sampling(temperature=0.7, stop=("X",))
    merged = config().resolve(request(sampling=said)).sampling
    assert merged == Sampling(temperature=0.7, max_output_tokens=2048, seed=7, stop=("X",))
    assert config().resolve(request()).sampling.temperature == 0.0


def test_a_schema_travels_with_the_call():
    schema = Schema("Answer", {"type": "object"})
    assert config().resolve(request(), schema).schema is schema


@given(
    st.builds(
        Sampling,
        temperature=st.none() | st.floats(0, 2),
        top_p=st.none() | st.floats(0.1, 1),
        max_output_tokens=st.none() | st.integers(1, 10**6),
        seed=st.none() | st.integers(0, 2**31),
        reasoning_effort=st.none() | st.sampled_from(["low", "high"]),
        stop=st.lists(st.text(min_size=1, max_size=3), max_size=2).map(tuple),
    )
)
def test_every_parameter_is_the_requests_where_it_says_one_and_the_roles_elsewhere(said):
    found = config()
    base = found.roles["judge"].sampling
    for _ in range(2):  # the second time from memory
        merged = found.resolve(request(sampling=said)).sampling
        for name in Sampling.model_fields:
            own = getattr(said, name)
            assert getattr(merged, name) == (getattr(base, name) if own in (None, ()) else own), name


def test_an_unknown_role_is_answered_with_the_roles_that_there_are_and_the_file():
    with pytest.raises(
        BadRequest, match=r"no role 'jugde' in /somewhere/models.toml; there are: judge, solver"
    ) as said:
        config().resolve(request("jugde"))
    assert "add [roles.jugde]" in str(said.value)


def test_without_a_file_there_are_no_roles_and_the_error_tells_how_to_write_one(tmp_path):
    none = ModelsConfig.load(tmp_path / "models.toml")
    assert none.roles == {}
    with pytest.raises(BadRequest, match=r"models.toml does not exist; write an example with: stepforge models init"):
        none.resolve(request())


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("timeout_s = 120", "timeout = 120"), r"models.gpt-5-mini.timeout: unknown key; known are: provider, model, "),
        (("seed = 7", "sede = 7"), r"roles.judge.sede: unknown key; known are: temperature, top_p, "),
        (("run_usd", "run_eur"), r"budget.run_eur: unknown key; known are: run_usd"),
        (("[budget]", "[budgets]"), r"budgets: unknown key; known are: providers, models, roles, budget"),
        (('provider = "here"', 'provider = "their"'), r"models.small.provider: there is no \[providers.their\]"),
        (('model = "small"', 'model = "smal"'), r"roles.solver.model: there is no \[models.smal\]; there are: gpt-5-"),
        (('"batch"', '"bathc"'), r"roles.judge.mode: Input should be 'online' or 'batch'"),
        (("concurrency = 64", "concurrency = 0"), r"models.gpt-5-mini.concurrency: .* greater than or equal to 1"),
        (("concurrency = 64", 'concurrency = "64"'), r"concurrency: Input should be a valid integer"),
        (("concurrency = 64", "concurrency = true"), r"concurrency: Input should be a valid integer"),
        (("timeout_s = 120", "timeout_s = 1200"), r"deadline_s \(900\) is shorter than timeout_s \(1200\)"),
        (("timeout_s = 120", "timeout_s = nan"), r"timeout_s: Input should be a finite number"),
        (("temperature = 0.0", "temperature = 2.5"), r"temperature: Input should be less than or equal to 2"),
        (('"100.00"', '"-1"'), r"budget.run_usd: Input should be greater than or equal to 0"),
        (('"100.00"', '"NaN"'), r"budget.run_usd: Input should be a finite number"),
        (('input_usd_per_million = "0.07"\n', ""), r"models.small: an own price needs both"),
        (('"0.07"', '"0.07"\nbatch_factor = "0.33"'), None),
        (('"0.07"', '"0.000001"\nbatch_factor = "0.5"'), r"is no whole number of picodollars a token"),
        (("[roles.solver]", '[roles."a role"]'), r"roles.a role: a name has letters, digits"),
        (("[roles.solver]", '[roles."../x"]'), r"roles.../x: a name has letters, digits"),
        (('kind = "openai"', 'kind = "opena"'), r"providers.openai.kind: there is no such kind .* openai"),
        (("seed = 7", "seed = 7\nseed = 8"), r"models.toml is no TOML: .* line 25"),
    ],
)
def test_a_mistake_is_named_with_file_key_and_what_would_be_right(change, says):
    assert change[0] in GOOD
    text = GOOD.replace(*change, 1)
    if says is None:
        assert config(text) != config()
        return
    with pytest.raises(BadInput, match=says) as said:
        config(text)
    assert str(PATH) in str(said.value)
    assert "\n" not in str(said.value)


def test_several_mistakes_are_told_at_once_and_the_rest_counted():
    text = GOOD + "\n".join(f"[roles.r{i}]\nmodel = 3" for i in range(8))
    with pytest.raises(BadInput, match=r"roles.r0.model: .*; roles.r4.model: .*; and 3 more$"):
        config(text)


@pytest.mark.parametrize(
    "planted",
    [
        f'[providers.openai]\nkind = "openai"\napi_key = "{SECRET}"',
        f'[providers.openai]\nkind = "openai"\napi_key_env = "{SECRET}"',
        f'[providers.openai]\nkind = "openai"\nbase_url = "https://user:{SECRET}@host/v1"',
        f'[providers.openai]\nkind = "openai"\nbase_url = "https://{SECRET}@host/v1"',
        f'[providers.openai]\nkind = "openai"\nbase_url = "https://host/v1?key={SECRET}"',
        f'[providers.openai]\nkind = "openai"\nbase_url = "{SECRET}"',
        f'[providers.openai]\nkind = "{SECRET}"',
        f'[providers.openai]\nkind = "openai"\nbatch = "{SECRET}"',
        f'[budget]\nrun_usd = "{SECRET}"',
        f'secret = "{SECRET}"',
        f'[budget]\nrun_usd = "{SECRET}',
    ],
)
def test_a_key_written_into_the_file_is_refused_and_not_repeated(planted):
    with pytest.raises(BadInput) as said:
        config(planted)
    assert SECRET not in str(said.value)
    assert said.value.__cause__ is None


def test_a_key_comes_from_the_environment_and_shows_nowhere(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f" {SECRET}\n")
    found = config()
    key = found.secret("openai")
    assert key is not None
    assert key.get_secret_value() == SECRET
    for shown in (
        repr(key),
        str(key),
        repr(found),
        str(found),
        found.model_dump_json(),
        repr(found.resolve(request())),
    ):
        assert SECRET not in shown
    assert found.missing_key("openai") is None


def test_a_key_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert config().secret("openai") is None
    assert "OPENAI_API_KEY" in (config().missing_key("openai") or "")


def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET} \u2713")
    with pytest.raises(BadRequest, match="OPENAI_API_KEY") as said:
        config().secret("openai")
    assert SECRET not in str(said.value)


def test_a_server_of_ones_own_is_not_sent_the_vendors_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("MY_KEY", "mine")
    assert config().secret("here") is None
    assert config().missing_key("here") is None
    named = config(GOOD.replace('8000/v1"', '8000/v1"\napi_key_env = "MY_KEY"')).secret("here")
    assert named is not None
    assert named.get_secret_value() == "mine"


CHANGES = {  # what of a role and its model may change a reply
    RoleSettings: {
        "temperature": (0.5, True),
        "top_p": (0.5, True),
        "max_output_tokens": (99, True),
        "seed": (8, True),
        "reasoning_effort": ("low", True),
        "stop": (("STOP",), True),
        "mode": (Mode.ONLINE, False),
        "share": (0.5, False),
        "budget_usd": (Decimal(1), False),
        "model": ("small", True),
    },
    ModelSettings: {
        "model": ("gpt-5-mini-2025-08-07", True),
        "provider": ("here", False),
        "concurrency": (3, False),
        "requests_per_minute": (3, False),
        "tokens_per_minute": (3, False),
        "timeout_s": (3.0, False),
        "deadline_s": (901.0, False),
        "attempts": (3, False),
        "input_usd_per_million": (Decimal(1), False),
        "cached_input_usd_per_million": (Decimal(1), False),
        "audio_input_usd_per_million": (Decimal(1), False),
        "output_usd_per_million": (Decimal(1), False),
        "batch_factor": (Decimal("0.5"), False),
    },
}


@pytest.mark.parametrize("kind", CHANGES)
def test_every_key_is_known_to_change_the_role_version_or_not(kind):
    assert set(CHANGES[kind]) == set(kind.model_fields)


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, keys in CHANGES.items() for key in keys])
def test_a_role_version_changes_with_what_may_change_a_reply_and_with_nothing_else(kind, key):
    value, changes = CHANGES[kind][key]
    before = config()
    table, name = ("roles", "judge") if kind is RoleSettings else ("models", "gpt-5-mini")
    entries = getattr(before, table)
    assert getattr(entries[name], key) != value
    after = before.model_copy(update={table: {**entries, name: entries[name].model_copy(update={key: value})}})
    after._resolved.clear()
    assert (after.role_version("judge") != config().role_version("judge")) is changes


def test_a_role_version_is_the_same_in_every_process():
    content = '["gpt-5-mini", {"max_output_tokens": 2048, "seed": 7, "stop": ["END"], "temperature": 0.0}]'
    assert config().role_version("judge") == hashlib.sha256(content.encode()).hexdigest()[:16]


def test_overrides_that_never_repeat_fill_no_memory():
    found = config()
    for seed in range(5000):
        assert found.resolve(request(sampling=Sampling(seed=seed))).sampling.seed == seed
    assert len(found._resolved) <= 4096


def test_the_home_reads_the_file_that_the_environment_names(tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text(GOOD)
    assert Home(tmp_path / "home").models.roles == {}
    monkeypatch.setenv("STEPFORGE_MODELS", str(tmp_path / "own.toml"))
    assert sorted(Home(tmp_path / "home").models.roles) == ["judge", "solver"]


def test_a_file_with_a_byte_order_mark_is_read_and_one_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "models.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert ModelsConfig.load(path).roles.keys() == config().roles.keys()
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="no TOML"):
        ModelsConfig.load(path)


def test_a_single_model_for_tests_serves_the_roles_named():
    found = ModelsConfig.single(
        ProviderSettings(kind="openai", base_url="http://127.0.0.1:1/v1"),
        "m",
        roles=("solver", "judge"),
        limits={"concurrency": 3},
        parameters={"max_output_tokens": 5},
        run_usd=Decimal(1),
    )
    call = found.resolve(request("judge"))
    assert (call.model, call.sampling.max_output_tokens, found.model_of("judge").concurrency) == ("m", 5, 3)
