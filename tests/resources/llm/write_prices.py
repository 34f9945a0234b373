"""The price table, derived from the `genai-prices` package.  Run it after that package was updated:

python -m tests.resources.llm.write_prices > resources/llm/prices.toml

Which models it has and by what names they are known is decided here; every number comes from the package.
"""

import importlib.metadata
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from genai_prices.data import providers

# the day on which the package's authors last compared their numbers with the vendors' pages
CHECKED_ON = date(2026, 10, 15)
BATCH_KNOWN_SINCE = date(2026, 10, 14)
SOURCES = {
    "openai": "https://developers.openai.com/api/docs/pricing",
    "google": "https://ai.google.dev/gemini-api/docs/pricing",
}

# names of one price; `*` stands for a dated or numbered snapshot.  Not here: names that move (`…-latest`), models that
# do not write text, models that were shut down, and open weights, whose price is that of whoever serves them.
FAMILIES: dict[str, dict[str, tuple[str, ...]]] = {
    "openai": {
        "gpt-4o": ("gpt-4o", "gpt-4o-2024-08-06", "gpt-4o-2024-11-20"),
        "gpt-4o-2024-05-13": ("gpt-4o-2024-05-13",),
        "gpt-4o-mini": ("gpt-4o-mini", "gpt-4o-mini-2024-07-18"),
        "gpt-4.1": ("gpt-4.1", "gpt-4.1-2025-04-14"),
        "gpt-4.1-mini": ("gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"),
        "gpt-4.1-nano": ("gpt-4.1-nano", "gpt-4.1-nano-2025-04-14"),
        "o1": ("o1", "o1-2024-12-17"),
        "o1-pro": ("o1-pro", "o1-pro-2025-03-19"),
        "o3": ("o3", "o3-2025-04-16"),
        "o3-pro": ("o3-pro", "o3-pro-2025-06-10"),
        "o3-mini": ("o3-mini", "o3-mini-2025-01-31"),
        "o4-mini": ("o4-mini", "o4-mini-2025-04-16"),
        "gpt-5": ("gpt-5", "gpt-5-2025-08-07", "gpt-5-codex"),
        "gpt-5-pro": ("gpt-5-pro", "gpt-5-pro-2025-10-06"),
        "gpt-5-mini": ("gpt-5-mini", "gpt-5-mini-2025-08-07"),
        "gpt-5-nano": ("gpt-5-nano", "gpt-5-nano-20*"),
        "gpt-5.1": ("gpt-5.1", "gpt-5.1-2025-11-13", "gpt-5.1-codex", "gpt-5.1-codex-max"),
        "gpt-5.1-codex-mini": ("gpt-5.1-codex-mini",),
        "gpt-5.2": ("gpt-5.2", "gpt-5.2-2025-12-11"),
        "gpt-5.2-pro": ("gpt-5.2-pro", "gpt-5.2-pro-2025-12-11"),
        "gpt-5.3": ("gpt-5.3",),
        "gpt-5.3-codex": ("gpt-5.3-codex",),
        "gpt-5.4": ("gpt-5.4", "gpt-5.4-2026-03-05"),
        "gpt-5.4-pro": ("gpt-5.4-pro", "gpt-5.4-pro-2026-03-05"),
        "gpt-5.4-mini": ("gpt-5.4-mini", "gpt-5.4-mini-2026-03-17"),
        "gpt-5.4-nano": ("gpt-5.4-nano", "gpt-5.4-nano-2026-03-17"),
        "gpt-5.5": ("gpt-5.5", "gpt-5.5-2026-04-23", "gpt-5.5-2026-04-24"),
        "gpt-5.5-pro": ("gpt-5.5-pro", "gpt-5.5-pro-2026-04-23"),
        "gpt-5.6-luna": ("gpt-5.6-luna", "gpt-5.6-luna-20*"),
        "gpt-5.6-sol": ("gpt-5.6-sol", "gpt-5.6", "gpt-5.6-sol-20*"),
        "gpt-5.6-terra": ("gpt-5.6-terra", "gpt-5.6-terra-20*"),
        "gpt-6-astra": ("gpt-6-astra", "gpt-6-astra-20*"),
        "gpt-6-sol": ("gpt-6-sol", "gpt-6-sol-20*"),
        "gpt-6-luna": ("gpt-6-luna", "gpt-6-luna-20*"),
        "gpt-6.1-sol": ("gpt-6.1-sol", "gpt-6.1-sol-20*"),
        "gpt-6.1-terra": ("gpt-6.1-terra", "gpt-6.1-terra-20*"),
        "gpt-audio": ("gpt-audio", "gpt-audio-2025-08-28", "gpt-audio-1.5"),
        "gpt-audio-mini": ("gpt-audio-mini", "gpt-audio-mini-2025-10-06", "gpt-audio-mini-2025-12-15"),
    },
    "google": {
        "gemini-2.5-pro": ("gemini-2.5-pro", "gemini-2.5-pro-preview-0*"),
        "gemini-2.5-flash": ("gemini-2.5-flash", "gemini-2.5-flash-preview-09-2025"),
        "gemini-2.5-flash-lite": ("gemini-2.5-flash-lite", "gemini-2.5-flash-lite-preview-0*"),
        "gemini-3-flash-preview": ("gemini-3-flash-preview",),
        "gemini-3.1-pro-preview": ("gemini-3.1-pro-preview",),
        "gemini-3.1-flash-lite": ("gemini-3.1-flash-lite", "gemini-3.1-flash-lite-preview*"),
        "gemini-3.5-flash": ("gemini-3.5-flash", "gemini-3.5-flash-0*"),
        "gemini-3.5-flash-lite": ("gemini-3.5-flash-lite", "gemini-3.5-flash-lite-0*"),
        "gemini-3.6-flash": ("gemini-3.6-flash", "gemini-3.6-flash-0*"),
        "gemini-3.7-flash": ("gemini-3.7-flash", "gemini-3.7-flash-0*"),
        "gemini-3.8-flash": ("gemini-3.8-flash", "gemini-3.8-flash-0*"),
        "gemini-4-argon": ("gemini-4-argon", "gemini-4-argon-0*"),
    },
}  # fmt: skip

CACHED = "cached_input_usd_per_million"
COLUMNS = {
    "input_usd_per_million": "input_mtok",
    CACHED: "cache_read_mtok",
    "cache_write_usd_per_million": "cache_write_mtok",
    "audio_input_usd_per_million": "input_audio_mtok",
    "output_usd_per_million": "output_mtok",
}


def of(provider: str, family: str) -> Any:
    """The package's entry."""
    models = next(p for p in providers if p.id == provider).models
    return next(m for m in models if m.id == family)


def starts(model: Any) -> list[date | None]:
    """Days from which the model has another price, the first being None."""
    prices = model.prices if isinstance(model.prices, list) else []
    return [None, *sorted(p.constraint.start_date for p in prices if p.constraint is not None)]


def _at(model: Any, day: date | None, *, batch: bool) -> dict[str, Any]:
    moment = datetime.combine(day or date(2000, 1, 1), datetime.min.time(), UTC)
    prices = model.get_prices(moment, {"processing": "batch"} if batch else None)
    return {ours: value for ours, theirs in COLUMNS.items() if (value := getattr(prices, theirs, None)) is not None}


def _base(value: Any) -> Decimal:
    return value.base if hasattr(value, "base") else value


def _factors(plain: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
    shares = {c: _base(batch[c]) / _base(plain[c]) for c in plain if _base(plain[c])}
    cached = shares.pop(CACHED, None)
    (whole,) = set(shares.values())
    found = {} if whole == 1 else {"batch_factor": whole}
    return found | ({} if cached in (None, whole) else {f"batch_{CACHED}": _base(batch[CACHED])})


def _long(plain: dict[str, Any]) -> dict[str, Any]:
    tiered = {c: v for c, v in plain.items() if hasattr(v, "tiers")}
    if not tiered:
        return {}
    ((start,),) = {tuple(t.start for t in v.tiers) for v in tiered.values()}
    shares = {c: v.tiers[0].price / v.base for c, v in tiered.items()}
    out = shares.pop("output_usd_per_million")
    (into,) = set(shares.values())
    return {"long_above_tokens_in": start, "long_input_factor": into, "long_output_factor": out}


def rows(provider: str, family: str) -> Iterator[dict[str, Any]]:
    """The rows of one model, oldest first; a change that touches none of our columns is none."""
    model, before = of(provider, family), None
    for day in starts(model):
        plain = _at(model, day, batch=False)
        batch = _at(model, max(day or BATCH_KNOWN_SINCE, BATCH_KNOWN_SINCE), batch=True)
        if (day or BATCH_KNOWN_SINCE) < BATCH_KNOWN_SINCE or day is None:  # batch prices were half then as now
            newest = _at(model, BATCH_KNOWN_SINCE, batch=False)
            factors = _factors(newest, batch)
        else:
            factors = _factors(plain, batch)
        row = {c: _base(v) for c, v in plain.items()} | factors | _long(plain)
        if row != before:
            yield ({"since": day} if day else {}) | row
        before = row


def _written(value: Any) -> str:
    return f'"{value.normalize():f}"' if isinstance(value, Decimal) else str(value)


def main() -> None:
    version = importlib.metadata.version("genai-prices")
    print(f"""\
# Prices of text models in US dollars a million tokens, derived from the package genai-prices {version}, whose authors
# compared it with the vendors' pages on the day below.  Prices change: one in models.toml comes before the one here.
#
# since                 first day of the price; without it, the model's first known price
# batch_factor          share of the price in the batch API; without it a batch is counted as dear as single calls
# batch_cached_…        what cached input costs in a batch, where that is no such share
# long_*                for all tokens of a request into which more than long_above_tokens_in go
# Reasoning tokens are output.  Written by tests/resources/llm/write_prices.py.
checked_on = {CHECKED_ON}
source = "genai-prices {version}\"""")
    for provider, families in FAMILIES.items():
        for family, names in families.items():
            for row in rows(provider, family):
                print("\n[[prices]]")
                print("models = [" + ", ".join(f'"{name}"' for name in names) + "]")
                for column, value in row.items():
                    print(f"{column} = {_written(value)}")
                print(f'source = "{SOURCES[provider]}"')


if __name__ == "__main__":
    main()
