"""`models.toml`: providers, models, roles and budgets, one typed tree in which an unknown key is an error.

[providers.NAME]  how a provider is reached; the key itself comes from the environment
[models.NAME]     a model of a provider: how fast it may be asked, and its price if the table has none
[roles.NAME]      who a stage asks: a model with its parameters
[budget]          what a run may cost

`stepforge models init` writes a commented example.
"""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    StringConstraints,
    ValidationError,
    model_validator,
)

from resources.llm.calls import Call, Schema
from resources.llm.providers import PROVIDERS, ProviderSettings
from stepforge.asking import ModelRequest, Sampling
from stepforge.errors import BadInput, BadRequest

ENVIRONMENT = "STEPFORGE_MODELS"
FILE = "models.toml"
MAX_CACHED = 4096  # roles times overrides; a request that overrides the seed each time fills no memory
SHOWN_ERRORS = 5

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
ModelName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$")]
UsdPerMillion = Annotated[Decimal, Field(ge=0, le=100_000, decimal_places=6)]
Factor = Annotated[Decimal, Field(ge=0, le=10, decimal_places=4)]
Usd = Annotated[Decimal, Field(ge=0, le=10_000_000, decimal_places=12)]

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_KEY = re.compile(r"[\x21-\x7e]+")  # what an HTTP header can carry


class Mode(StrEnum):
    """How a role's requests travel: each by itself, or together through the provider's batch API at its lower price."""

    ONLINE = "online"
    BATCH = "batch"


def pico_per_token(usd_per_million: Decimal) -> int:
    """The same in picodollars (1e-12 USD) a token.  Raises: ValueError if that is no whole number: sums stay exact."""
    pico = usd_per_million * 10**6
    if pico != int(pico):
        raise ValueError(f"{usd_per_million} USD a million tokens is no whole number of picodollars a token")
    return int(pico)


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ModelSettings(_Table):
    """One model of a provider: its limits, and its own price where the table has none or another one."""

    provider: str = Field(description="name of a table [providers.NAME]")
    model: str = Field(default="", max_length=200, description="as the provider names it; the table's name if left out")
    concurrency: int = Field(default=8, ge=1, le=4096, description="calls in flight at once")
    requests_per_minute: int | None = Field(default=None, ge=1, le=10_000_000)
    tokens_per_minute: int | None = Field(default=None, ge=1, le=10_000_000_000)
    timeout_s: float = Field(default=120, gt=0, le=7200, description="of one try")
    deadline_s: float = Field(default=900, gt=0, le=86_400, description="of one call with all its tries and waits")
    attempts: int = Field(default=8, ge=1, le=50)
    input_usd_per_million: UsdPerMillion | None = None
    cached_input_usd_per_million: UsdPerMillion | None = Field(default=None, description="input price if left out")
    audio_input_usd_per_million: UsdPerMillion | None = Field(default=None, description="input price if left out")
    output_usd_per_million: UsdPerMillion | None = Field(default=None, description="reasoning is output")
    batch_factor: Factor = Field(default=Decimal(1), description="what a batch costs of that")

    @model_validator(mode="after")
    def _fits(self) -> "ModelSettings":
        if self.deadline_s < self.timeout_s:
            raise ValueError(f"deadline_s ({self.deadline_s:g}) is shorter than timeout_s ({self.timeout_s:g})")
        own = [name for name in self.model_fields_set if name.endswith("_usd_per_million") or name == "batch_factor"]
        if own and not {"input_usd_per_million", "output_usd_per_million"} <= self.model_fields_set:
            raise ValueError("an own price needs both input_usd_per_million and output_usd_per_million")
        for price in (getattr(self, name) for name in own if name != "batch_factor"):
            if price is not None:
                pico_per_token(price * self.batch_factor)
        return self


class RoleSettings(Sampling):
    """Who a stage asks: a model, the parameters that it is asked with, and what the role may cost in a run."""

    model_config = ConfigDict(allow_inf_nan=False)

    model: str = Field(description="name of a table [models.NAME]")
    mode: Mode = Mode.ONLINE
    budget_usd: Usd | None = Field(default=None, description="of one run")
    share: float = Field(default=1.0, gt=0, le=1, description="of the items, drawn by id; of a second judge")

    @property
    def sampling(self) -> Sampling:
        """The parameters alone."""
        return Sampling.model_construct(**{name: getattr(self, name) for name in Sampling.model_fields})


class BudgetSettings(_Table):
    """What may be spent."""

    run_usd: Usd | None = Field(default=None, description="by all roles in one run")


def _reachable(settings: ProviderSettings) -> ProviderSettings:
    """`settings` if they hold no secret.  The messages never repeat what was written: it may be a key."""
    if settings.api_key_env is not None and not _VARIABLE.fullmatch(settings.api_key_env):
        raise ValueError("api_key_env is the name of an environment variable, not a key")
    if settings.base_url is not None:
        try:
            url = urlsplit(settings.base_url)
            good = url.scheme in ("http", "https") and bool(url.hostname) and not re.search(r"\s", settings.base_url)
            bare = not (url.username or url.password or url.query or url.fragment) and "@" not in url.netloc
        except ValueError:
            good = bare = False
        if not good:
            raise ValueError("base_url must be a http:// or https:// address")
        if not bare:
            raise ValueError("base_url must hold no user, password or query; a key is named with api_key_env")
    return settings


class _Resolved(NamedTuple):
    provider: str
    model_name: str
    model: str
    sampling: Sampling


class ModelsConfig(_Table):
    """All of `models.toml`."""

    providers: dict[Name, Annotated[ProviderSettings, AfterValidator(_reachable)]] = {}
    models: dict[ModelName, ModelSettings] = {}
    roles: dict[Name, RoleSettings] = {}
    budget: BudgetSettings = BudgetSettings()
    _path: Path | None = PrivateAttr(default=None)
    _resolved: dict[tuple[str, Sampling | None], _Resolved] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _names_lead_somewhere(self) -> "ModelsConfig":
        for name, model in self.models.items():
            if model.provider not in self.providers:
                raise ValueError(_dangling(f"models.{name}.provider", "providers", model.provider, self.providers))
        for name, role in self.roles.items():
            if role.model not in self.models:
                raise ValueError(_dangling(f"roles.{name}.model", "models", role.model, self.models))
        return self

    @classmethod
    def load(cls, path: Path) -> "ModelsConfig":
        """The configuration in `path`; one without roles if there is no such file.  Raises: BadInput, which names the
        file, the key and the keys that there are, and repeats no value that might be a secret."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            content = b""
        return cls.parse(content, path)

    @classmethod
    def parse(cls, content: bytes | str, path: Path) -> "ModelsConfig":
        """The configuration that `content` is; `path` is where it stands, for messages.  Raises: BadInput."""
        try:
            written = tomllib.loads(content if isinstance(content, str) else content.decode("utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            what = error if isinstance(error, tomllib.TOMLDecodeError) else "it is not UTF-8 text or nested too deeply"
            raise BadInput(f"{path} is no TOML: {what}") from None
        try:  # through JSON, because only there strict types still take a list for a tuple and a text for a decimal
            config = cls.model_validate_json(json.dumps(written, default=str), strict=True)
        except ValidationError as error:
            raise BadInput(f"{path}: {_told(error)}") from None
        for name, provider in config.providers.items():
            if provider.kind not in PROVIDERS:
                known = ", ".join(kind.name for kind in PROVIDERS)
                raise BadInput(f"{path}: providers.{name}.kind: there is no such kind of provider; there are: {known}")
        config._path = path
        return config

    @classmethod
    def single(
        cls,
        provider: ProviderSettings,
        model: str,
        *,
        roles: Sequence[str] = ("solver",),
        limits: Mapping[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        run_usd: Decimal | None = None,
    ) -> "ModelsConfig":
        """One model of one provider for all `roles`.  limits: keys of [models.NAME]; parameters: of [roles.NAME]."""
        return cls(
            providers={provider.kind: provider},
            models={model: ModelSettings.model_validate({"provider": provider.kind, **(limits or {})})},
            roles={role: RoleSettings.model_validate({"model": model, **(parameters or {})}) for role in roles},
            budget=BudgetSettings(run_usd=run_usd),
        )

    @property
    def path(self) -> Path | None:
        """The file that it was read from."""
        return self._path

    def role(self, name: str) -> RoleSettings:
        """The role.  Raises: BadRequest, which says what roles there are and where one is written."""
        try:
            return self.roles[name]
        except KeyError:
            raise BadRequest(self._no_role(name)) from None

    def model_of(self, role: str) -> ModelSettings:
        """The model that the role asks.  Raises: BadRequest for an unknown role."""
        return self.models[self.role(role).model]

    def resolve(self, request: ModelRequest, schema: Schema | None = None) -> Call:
        """The call that `request` means: its role's model and parameters, with what the request says otherwise.
        Raises: BadRequest for an unknown role."""
        known = self._resolved.get((request.role, request.sampling)) or self._resolve(request.role, request.sampling)
        return Call(request, known.provider, known.model_name, known.model, known.sampling, schema)

    def role_version(self, role: str) -> str:
        """16 hex digits over what in the role's configuration may change a reply: the model as its provider knows it,
        and the parameters; neither limits nor budgets nor keys.  Raises: BadRequest for an unknown role."""
        known = self._resolve(role, None)
        said = known.sampling.model_dump(mode="json", exclude_defaults=True)  # so that a new parameter changes nothing
        content = json.dumps([known.model, said], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def key_variable(self, provider: str) -> str | None:
        """The environment variable that holds the provider's key.  A server of one's own gets no key that was not named
        for it: the vendor's would go to a stranger."""
        settings = self.providers[provider]
        if settings.api_key_env is not None or settings.base_url is not None:
            return settings.api_key_env
        return PROVIDERS[settings.kind].default_key_env

    def secret(self, provider: str) -> SecretStr | None:
        """The provider's key from the environment; None if none is named or it is not set.  Raises: BadRequest if what
        is set cannot be a key."""
        variable = self.key_variable(provider)
        value = os.environ.get(variable, "").strip() if variable else ""
        if not value:
            return None
        if not _KEY.fullmatch(value):
            raise BadRequest(f"{variable} holds blanks or characters that no key has; set it anew")
        return SecretStr(value)

    def missing_key(self, provider: str) -> str | None:
        """What to do about a key that the provider needs and that is not set; None if nothing is."""
        variable = self.key_variable(provider)
        if variable is None or self.secret(provider) is not None:
            return None
        return f"its key is not set; put it into the environment variable {variable}"

    def _resolve(self, role: str, override: Sampling | None) -> _Resolved:
        settings = self.role(role)
        model = self.models[settings.model]
        resolved = _Resolved(
            model.provider, settings.model, model.model or settings.model, _merged(settings.sampling, override)
        )
        if len(self._resolved) < MAX_CACHED:
            self._resolved[role, override] = resolved
        return resolved

    def _no_role(self, name: str) -> str:
        asked = f"there is no role {name[:100]!r}"
        if self._path is None:
            return f"{asked}; there are: {', '.join(sorted(self.roles)) or 'none'}"
        if self.roles:
            return f"{asked} in {self._path}; there are: {', '.join(sorted(self.roles))}; add [roles.{name[:100]}]"
        lacks = "has no [roles.NAME]" if self._path.exists() else "does not exist"
        return f"{asked}: {self._path} {lacks}; write an example with: stepforge models init"


def _merged(base: Sampling, override: Sampling | None) -> Sampling:
    if override is None:
        return base
    said = {k: v for k, v in override.__dict__.items() if v is not None and v != ()}
    return base.model_copy(update=said) if said else base


def _dangling(key: str, section: str, name: str, known: Mapping[str, Any]) -> str:
    return f"{key}: there is no [{section}.{name[:100]}]; there are: {', '.join(known) or 'none'}"


_SECTIONS: dict[str, type[BaseModel]] = {
    "providers": ProviderSettings,
    "models": ModelSettings,
    "roles": RoleSettings,
    "budget": BudgetSettings,
}


def _told(error: ValidationError) -> str:
    """All that is wrong in one line, without the values."""
    found = error.errors(include_input=False, include_url=False)
    told = [_told_one(tuple(map(str, e["loc"])), e["type"], e["msg"]) for e in found[:SHOWN_ERRORS]]
    more = f"; and {len(found) - SHOWN_ERRORS} more" if len(found) > SHOWN_ERRORS else ""
    return "; ".join(told) + more


def _told_one(loc: tuple[str, ...], kind: str, message: str) -> str:
    key = ".".join(loc)
    if kind == "extra_forbidden":
        table = _SECTIONS[loc[0]] if len(loc) > 1 else ModelsConfig
        return f"{key}: unknown key; known are: {', '.join(table.model_fields)}"
    if loc and loc[-1] == "[key]":
        return (
            f"{key.removesuffix('.[key]')}: a name has letters, digits, '.', '_' and '-' (a model's also '/', ':', '@')"
        )
    text = message.removeprefix("Value error, ")
    return f"{key}: {text}" if key else text
