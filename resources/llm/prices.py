"""What tokens cost: a dated table, and exact arithmetic in whole picodollars (1e-12 USD).

The table `prices.toml` was right on the day that it names, and no table stays so: a price in models.toml comes before
it. A model that neither knows is unpriced: its cost is None, not 0, and it cannot have a budget.
"""

import tomllib
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from resources.llm.calls import Call
from resources.llm.config import Factor, ModelsConfig, ModelSettings, UsdPerMillion, pico_per_token
from resources.llm.providers import Usage

TABLE = Path(__file__).with_name("prices.toml")
FREE_KIND = "local"  # the model runs on this machine
MAX_CACHED = 4096


class Rates(NamedTuple):
    """Picodollars a token of each kind."""

    input: int
    cached: int
    cache_written: int
    audio: int
    output: int
    reasoning: int


@dataclass(frozen=True)
class Price:
    """What a model costs from a day on, for a request that is sent by itself and for one of a batch; `long_*` if more
    than `long_above_tokens_in` tokens go in, then for all of its tokens."""

    model: str
    since: date | None
    online: Rates
    batch: Rates
    long_above_tokens_in: int | None = None
    long_online: Rates | None = None
    long_batch: Rates | None = None

    def cost_pico(self, usage: Usage, *, batch: bool) -> int:
        """Cost of a reply in picodollars, exact; never below 0, whatever the provider counted."""
        went_in, cached, out, reasoning, written, audio = (max(0, count) for count in usage)
        rates = self._rates(batch, long=self.long_above_tokens_in is not None and went_in > self.long_above_tokens_in)
        return (
            max(0, went_in - cached - written - audio) * rates.input
            + cached * rates.cached
            + written * rates.cache_written
            + audio * rates.audio
            + max(0, out - reasoning) * rates.output
            + reasoning * rates.reasoning
        )

    def at_most_pico(self, tokens_in: int, tokens_out: int, *, audio: int = 0, batch: bool) -> int:
        """What a call costs at most, in picodollars, that sends no more than `tokens_in` tokens, `audio` of them sound,
        and gets no more than `tokens_out`."""
        ranges = [self._rates(batch, long=False)]
        if self.long_above_tokens_in is not None and tokens_in > self.long_above_tokens_in:
            ranges.append(self._rates(batch, long=True))
        return max(
            max(0, tokens_in - audio) * max(r.input, r.cached, r.cache_written)
            + audio * max(r.input, r.cached, r.cache_written, r.audio)
            + tokens_out * max(r.output, r.reasoning)
            for r in ranges
        )

    def _rates(self, batch: bool, *, long: bool) -> Rates:
        if long and self.long_online is not None and self.long_batch is not None:
            return self.long_batch if batch else self.long_online
        return self.batch if batch else self.online


_NOTHING = Rates(0, 0, 0, 0, 0, 0)
FREE = Price("local", None, _NOTHING, _NOTHING)


class PriceRow(BaseModel):
    """One row of the table, as written: US dollars a million tokens.  What is left out costs what uncached input
    (cached, written, audio) or output (reasoning) costs; without a batch factor a batch costs what online calls do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    models: tuple[Annotated[str, Field(min_length=1)], ...] = Field(
        min_length=1, description="names; a trailing * makes a prefix"
    )
    since: date | None = Field(default=None, description="first day; None for a model's first price")
    input_usd_per_million: UsdPerMillion
    cached_input_usd_per_million: UsdPerMillion | None = None
    cache_write_usd_per_million: UsdPerMillion | None = None
    audio_input_usd_per_million: UsdPerMillion | None = None
    output_usd_per_million: UsdPerMillion
    reasoning_usd_per_million: UsdPerMillion | None = None
    batch_factor: Factor = Decimal(1)
    batch_cached_input_usd_per_million: UsdPerMillion | None = Field(
        default=None, description="where reading the cache is not reduced by the same factor"
    )
    long_above_tokens_in: int | None = Field(default=None, ge=1)
    long_input_factor: Factor = Field(default=Decimal(1), description="of all that goes in")
    long_output_factor: Factor = Decimal(1)
    source: str = ""

    @cached_property
    def price(self) -> Price:
        """The row in picodollars a token."""
        plain, long = (Decimal(1), Decimal(1)), (self.long_input_factor, self.long_output_factor)
        return Price(
            self.models[0],
            self.since,
            online=self._rates(*plain, batch=False),
            batch=self._rates(*plain, batch=True),
            long_above_tokens_in=self.long_above_tokens_in,
            long_online=self._rates(*long, batch=False),
            long_batch=self._rates(*long, batch=True),
        )

    def _rates(self, into: Decimal, out: Decimal, *, batch: bool) -> Rates:
        factor = self.batch_factor if batch else Decimal(1)
        plain, output = self.input_usd_per_million, self.output_usd_per_million
        cached = _first(self.cached_input_usd_per_million, plain) * factor
        if batch:
            cached = _first(self.batch_cached_input_usd_per_million, cached)
        return Rates(
            pico_per_token(plain * factor * into),
            pico_per_token(cached * into),
            pico_per_token(_first(self.cache_write_usd_per_million, plain) * factor * into),
            pico_per_token(_first(self.audio_input_usd_per_million, plain) * factor * into),
            pico_per_token(output * factor * out),
            pico_per_token(_first(self.reasoning_usd_per_million, output) * factor * out),
        )

    @model_validator(mode="after")
    def _is_exact(self) -> "PriceRow":
        _ = self.price  # raises where a rate is no whole number of picodollars
        return self


def _first(value: Decimal | None, otherwise: Decimal) -> Decimal:
    return otherwise if value is None else value


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    checked_on: date
    source: str
    prices: tuple[PriceRow, ...]


class Prices:
    """A price table.  checked_on: the day on which it was right."""

    def __init__(self, rows: tuple[PriceRow, ...], checked_on: date) -> None:
        self.checked_on = checked_on
        self.rows = rows
        named: dict[str, dict[date, Price]] = defaultdict(dict)
        for row in rows:
            for name in row.models:
                if (row.since or date.min) in named[name]:
                    raise ValueError(f"{name} has two prices from {row.since or 'the beginning'} on")
                named[name][row.since or date.min] = row.price
        dated = {name: sorted(prices.items()) for name, prices in named.items()}
        self._exact = {name: prices for name, prices in dated.items() if not name.endswith("*")}
        self._prefixes = {name[:-1]: prices for name, prices in dated.items() if name.endswith("*")}
        for one in self._prefixes:
            for other in self._prefixes:
                if one != other and other.startswith(one):
                    raise ValueError(f"{one}* and {other}* fit the same names")
        self._found: dict[tuple[str, date], Price | None] = {}

    @classmethod
    def load(cls, path: Path = TABLE) -> "Prices":
        """The table in `path`, by default the one that comes with Stepforge."""
        table = _Table.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        return cls(table.prices, table.checked_on)

    def of(self, model: str, on: date) -> Price | None:
        """What the model costs on that day, by its own name or else by the one prefix that fits; None if unknown."""
        if (model, on) not in self._found:
            if len(self._found) >= MAX_CACHED:
                self._found.clear()
            self._found[model, on] = self._find(model, on)
        return self._found[model, on]

    def of_configured(self, config: ModelsConfig, model_name: str, on: date) -> Price | None:
        """What the model `model_name` of models.toml costs: the price written there, nothing if it runs here, or else
        what the table says."""
        settings = config.models[model_name]
        own = _own(settings)
        if own is not None:
            return own
        if config.providers[settings.provider].kind == FREE_KIND:
            return FREE
        return self.of(settings.model or model_name, on)

    def of_call(self, config: ModelsConfig, call: Call, on: date) -> Price | None:
        """What the call's model costs."""
        return self.of_configured(config, call.model_name, on)

    def _find(self, model: str, on: date) -> Price | None:
        dated = self._exact.get(model) or next((d for p, d in self._prefixes.items() if model.startswith(p)), [])
        place = bisect_right([since for since, _ in dated], on)
        return dated[place - 1][1] if place else None


@lru_cache(maxsize=256)
def _own(settings: ModelSettings) -> Price | None:
    if settings.input_usd_per_million is None or settings.output_usd_per_million is None:
        return None
    return PriceRow(
        models=(settings.model or "own",),
        input_usd_per_million=settings.input_usd_per_million,
        cached_input_usd_per_million=settings.cached_input_usd_per_million,
        audio_input_usd_per_million=settings.audio_input_usd_per_million,
        output_usd_per_million=settings.output_usd_per_million,
        batch_factor=settings.batch_factor,
    ).price


def usd(pico: int) -> str:
    """Picodollars as an exact decimal number of US dollars, for people."""
    return f"{Decimal(pico).scaleb(-12).normalize():f}"
