"""`stepforge models`: which models are asked, what they cost, and whether they answer."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer
from upath import UPath

import resources.llm
from dagster_project.cli._console import say, table
from resources.atomic import write_atomic
from resources.home import Home
from resources.llm.config import Mode, ModelsConfig, ModelSettings, RoleSettings
from resources.llm.gateway import Gateway
from resources.llm.prices import Price, Prices
from resources.llm.providers import PROVIDERS
from stepforge.asking import ModelFailure, ModelReply, ModelRequest, Sampling, user
from stepforge.errors import BadRequest, PipelineError

EXAMPLE = Path(resources.llm.__file__).with_name("models.example.toml")
PING_TOKENS = 1024  # enough for a model that reasons first

ADDRESS = {"local": "this machine"}

models = typer.Typer(help="Models that stages and systems ask.", invoke_without_command=True)


class NoAnswer(PipelineError):
    """A model that was asked once did not answer."""


@models.callback()
def show(context: typer.Context) -> None:
    """Roles, models and providers as configured, with prices, limits, budgets, and which keys are set."""
    if context.invoked_subcommand is not None:
        return
    home = Home.from_environment()
    config, prices, today = home.models, Prices.load(), datetime.now(UTC).date()
    if config.roles:
        say(str(home.models_file))
        table(["role", "model", "mode", "parameters", "budget USD"], _roles(config), right=["budget USD"])
    else:
        lacks = "has no roles" if home.models_file.exists() else "does not exist"
        say(f"no model is configured: {home.models_file} {lacks}; write an example with: stepforge models init")
    if config.models:
        say("")
        columns = ["model", "asked as", "provider", "limits", "USD per million tokens in / out", "in a batch", "price"]
        table(columns, _models(config, prices, today))
    say("")
    table(["provider", "kind", "address", "key", "package"], _providers(config))
    if config.budget.run_usd is not None:
        say(f"budget of a run: {config.budget.run_usd} USD")
    say(
        f"the price table was checked on {prices.checked_on}; another price is written into models.toml "
        "(input_usd_per_million, output_usd_per_million), where it goes before the table"
    )


def _roles(config: ModelsConfig) -> Iterator[Sequence[object]]:
    for name, role in sorted(config.roles.items()):
        said = role.sampling.model_dump(mode="json", exclude_defaults=True)
        parameters = ", ".join(f"{key} = {value}" for key, value in said.items())
        yield name, role.model, role.mode, parameters or "the provider's", role.budget_usd


def _models(config: ModelsConfig, prices: Prices, today: date) -> Iterator[Sequence[object]]:
    for name, model in sorted(config.models.items()):
        price = prices.of_configured(config, name, today)
        own = model.input_usd_per_million is not None
        yield (
            name,
            model.model or name,
            model.provider,
            _limits(model),
            *_written(price),
            "own" if own else _age(price),
        )


def _limits(model: ModelSettings) -> str:
    rates = [(model.requests_per_minute, "requests/min"), (model.tokens_per_minute, "tokens/min")]
    told = [f"{limit:,} {unit}" for limit, unit in rates if limit is not None]
    return ", ".join([f"{model.concurrency} at once", *told, f"{model.timeout_s:g} s a try"])


def _written(price: Price | None) -> tuple[str, str]:
    if price is None:
        return "unknown", ""
    longer = f", dearer above {price.long_above_tokens_in:,}" if price.long_above_tokens_in else ""
    one, many = (f"{rates.input / 10**6:g} / {rates.output / 10**6:g}" for rates in (price.online, price.batch))
    return one + longer, many


def _age(price: Price | None) -> str:
    if price is None:
        return "none: add one, or have no budget"
    return f"since {price.since}" if price.since else "table"


def _providers(config: ModelsConfig) -> Iterator[Sequence[object]]:
    for name, provider in sorted(config.providers.items()):
        package = PROVIDERS[provider.kind].installed()
        yield (
            name,
            provider.kind,
            provider.base_url or ADDRESS.get(provider.kind, "the vendor's"),
            _key(config, name),
            package or "installed",
        )
    for kind in PROVIDERS:
        if all(provider.kind != kind.name for provider in config.providers.values()):
            key = kind.default_key_env or "none needed"
            yield "(not configured)", kind.name, "", key, kind.installed() or "installed"


def _key(config: ModelsConfig, provider: str) -> str:
    variable = config.key_variable(provider)
    if variable is None:
        return "none needed"
    return f"{variable}: {'set' if config.secret(provider) is not None else 'not set'}"


@models.command()
def init() -> None:
    """Write an example of models.toml, with every setting explained, where there is none yet."""
    path = Home.from_environment().prepare().models_file
    if path.exists():
        raise BadRequest(f"{path} exists and stays as it is; an example is in {EXAMPLE}")
    write_atomic(UPath(path), EXAMPLE.read_bytes())
    say(
        f"{path} written; next: edit it, set the keys that `stepforge models` names, then: stepforge models ping solver"
    )


@models.command()
def ping(role: Annotated[str, typer.Argument(help="Role of models.toml.")]) -> None:
    """Ask the model of a role one small question, which costs next to nothing: whether key, address and name work."""
    home = Home.from_environment().prepare()
    config, now = _online(home.models, role), datetime.now(UTC)
    # the time makes it a question that no store has seen
    request = ModelRequest(
        request_id="ping",
        role=role,
        messages=(user(f"Reply with the one word: ready. (It is {now.isoformat()}.)"),),
        sampling=Sampling(max_output_tokens=min(config.role(role).max_output_tokens or PING_TOKENS, PING_TOKENS)),
    )
    with Gateway(config, home.replies, home.blobs.get, run=f"ping {now.isoformat()}", stage="ping") as gateway:
        answered = gateway.ask_all([request])["ping"]
    if isinstance(answered, ModelFailure):
        raise NoAnswer(f"{answered.kind}: {answered.detail}")
    say(_told(answered))


def _told(reply: ModelReply) -> str:
    cost = "unknown cost" if reply.cost_usd is None else f"{reply.cost_usd} USD"
    took = "" if reply.latency_s is None else f", {reply.latency_s:.1f} s"
    return (
        f"{reply.provider} / {reply.model} answers {reply.text.strip()[:100]!r} "
        f"({reply.finish}; {reply.tokens_in} tokens in, {reply.tokens_out} out, {cost}{took})"
    )


def _online(config: ModelsConfig, name: str) -> ModelsConfig:
    """The same with that role asked at once."""
    role: RoleSettings = config.role(name)
    return config.model_copy(update={"roles": {name: role.model_copy(update={"mode": Mode.ONLINE})}})


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.add_typer(models, name="models")
