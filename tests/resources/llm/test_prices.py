import tomllib
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from genai_prices import types
from genai_prices.data import providers as vendors
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from resources.llm.config import ModelsConfig
from resources.llm.prices import TABLE, PriceRow, Prices, usd
from resources.llm.providers import Usage
from tests.resources.llm.write_prices import BATCH_KNOWN_SINCE, FAMILIES, main, of, starts

PRICES = Prices.load()
TODAY = date(2026, 11, 30)
# Rows that count more than the package does for a long request in a batch, and why.  Never less.
DIFFERENT = {
    "gpt-5.4": "its cached input in a batch is published rounded (0.13) for short requests and unrounded for long ones",
    "gpt-5.5-pro": "no price of long requests in a batch is published; the package has the short one, we the factor",
}

counts = st.integers(0, 2_000_000)


@st.composite
def usages(draw):
    cached, written, audio, rest = (draw(st.integers(0, 400_000)) for _ in range(4))
    out = draw(counts)
    return Usage(cached + written + audio + rest, cached, out, draw(st.integers(0, out)), written, audio)


def row(**columns):
    base = {"models": ("m",), "input_usd_per_million": "1.25", "output_usd_per_million": "10"}
    return PriceRow.model_validate(base | columns)


def sample_name(name):
    return name[:-1] + ("26-01-02" if name.endswith("20*") else "01") if name.endswith("*") else name


# ---- the table, against the package that it is derived from


def days(model):
    """Days around each change of the price."""
    changes = [start for start in starts(model) if start]
    return sorted(
        {BATCH_KNOWN_SINCE, TODAY, *changes, *(d - timedelta(1) for d in changes), *(d + timedelta(1) for d in changes)}
    )


def theirs(model, usage, day, *, batch, with_written, with_audio):
    """Cost in picodollars by the package's own arithmetic."""
    counted = types.Usage(
        input_tokens=usage.tokens_in,
        cache_read_tokens=usage.cached,
        cache_write_tokens=usage.cache_written if with_written else None,
        input_audio_tokens=usage.audio if with_audio else None,
        cache_audio_read_tokens=0 if with_audio else None,
        output_tokens=usage.tokens_out,
    )
    prices = model.get_prices(
        datetime.combine(day, datetime.min.time(), UTC), {"processing": "batch"} if batch else None
    )
    return prices.calc_price(counted)["total_price"] * 10**12


@pytest.mark.parametrize(("vendor", "family"), [(v, f) for v, families in FAMILIES.items() for f in families])
@given(usage=usages(), pick=st.randoms(use_true_random=False))
def test_every_row_costs_what_genai_prices_says(vendor, family, usage, pick):
    model = of(vendor, family)
    day = pick.choice(days(model))
    prices = model.get_prices(datetime.combine(day, datetime.min.time(), UTC), None)
    with_written, with_audio = _has(prices, "cache_write_mtok"), _has(prices, "input_audio_mtok")
    if not with_written:
        usage = usage._replace(cache_written=0, tokens_in=usage.tokens_in - usage.cache_written)
    if not with_audio:
        usage = usage._replace(audio=0, tokens_in=usage.tokens_in - usage.audio)
    for name in FAMILIES[vendor][family]:
        price = PRICES.of(sample_name(name), day)
        assert price is not None
        for batch in (False, True) if day >= BATCH_KNOWN_SINCE else (False,):
            expected = theirs(model, usage, day, batch=batch, with_written=with_written, with_audio=with_audio)
            if family not in DIFFERENT:
                assert price.cost_pico(usage, batch=batch) == expected, (name, day, batch)


def _has(prices, column):
    return getattr(prices, column, None) is not None


@pytest.mark.parametrize(("vendor", "family"), [(v, f) for v, families in FAMILIES.items() for f in families])
def test_every_name_means_the_same_model_in_genai_prices(vendor, family):
    found = next(v for v in vendors if v.id == vendor)
    for name in FAMILIES[vendor][family]:
        meant = found.find_model(sample_name(name))
        assert meant is not None, name
        assert meant.id == family


def test_the_table_is_what_the_package_gives_today(capsys):
    main()
    assert capsys.readouterr().out == TABLE.read_text(encoding="utf-8")


def test_every_row_says_its_source_and_the_table_its_day():
    assert all(row.source.startswith("https://") for row in PRICES.rows)
    assert PRICES.checked_on == tomllib.loads(TABLE.read_text("utf-8"))["checked_on"]
    assert len({name for row in PRICES.rows for name in row.models}) > 80


def test_the_page_about_models_names_the_day_of_the_table():
    page = Path(__file__).resolve().parents[3] / "docs" / "models.md"
    assert f"checked on {PRICES.checked_on}" in page.read_text("utf-8")


# ---- which price


def test_a_price_holds_from_its_first_day():
    before, after = PRICES.of("gemini-4-argon", date(2026, 11, 30)), PRICES.of("gemini-4-argon", date(2026, 12, 1))
    assert before is not None
    assert after is not None
    assert (before.online.input, after.online.input) == (2_000_000, 4_000_000)
    assert after.since == date(2026, 12, 1)


def test_a_snapshot_costs_what_its_model_does_and_a_cousin_does_not():
    assert PRICES.of("gpt-6-sol-2026-11-01", TODAY) == PRICES.of("gpt-6-sol", TODAY)
    assert PRICES.of("gpt-5", TODAY) != PRICES.of("gpt-5-mini", TODAY)
    assert PRICES.of("gpt-5-mini-2025-08-07", TODAY) == PRICES.of("gpt-5-mini", TODAY)


@pytest.mark.parametrize("name", ["", "gpt", "gpt-5-minimal", "gpt-7", "my-own", "gemini-flash-latest", "gpt-6-sol-x"])
def test_an_unknown_model_has_no_price_rather_than_a_guess(name):
    assert PRICES.of(name, TODAY) is None


@pytest.mark.parametrize(
    "rows",
    [
        [row(models=("a*",)), row(models=("ab*",))],
        [row(models=("a",)), row(models=("a",), input_usd_per_million="2")],
        [row(models=("a",), since="2026-01-01"), row(models=("b", "a"), since="2026-01-01")],
    ],
)
def test_two_rows_cannot_price_the_same_name(rows):
    with pytest.raises(ValueError, match=r"fit the same names|two prices"):
        Prices(tuple(rows), TODAY)


def test_a_model_is_unpriced_before_its_first_day():
    prices = Prices((row(models=("a",), since="2026-05-01"),), TODAY)
    assert prices.of("a", date(2026, 4, 30)) is None
    assert prices.of("a", date(2026, 5, 1)) is not None


@pytest.mark.parametrize(
    "wrong", [{"input_usd_per_million": "0.0000001"}, {"batch_factor": "0.3333", "output_usd_per_million": "0.000001"}]
)
def test_a_rate_that_is_no_whole_number_of_picodollars_is_refused(wrong):
    with pytest.raises(ValidationError):
        row(**wrong)


CONFIG = """
[providers.openai]
kind = "openai"
[models.gpt-5-mini]
provider = "openai"
[models.mine]
provider = "openai"
model = "gpt-5-mini"
input_usd_per_million = "1"
output_usd_per_million = "3"
batch_factor = "0.25"
[models.unknown]
provider = "openai"
"""


def test_a_price_of_ones_own_goes_before_the_table():
    config = ModelsConfig.parse(CONFIG, Path("models.toml"))
    table, own = (PRICES.of_configured(config, name, TODAY) for name in ("gpt-5-mini", "mine"))
    assert table == PRICES.of("gpt-5-mini", TODAY)
    assert own is not None
    usage = Usage(tokens_in=1_000_000, cached=500_000, tokens_out=1_000_000)
    assert usd(own.cost_pico(usage, batch=False)) == "4"
    assert usd(own.cost_pico(usage, batch=True)) == "1"
    assert PRICES.of_configured(config, "unknown", TODAY) is None


def test_a_model_on_this_machine_costs_nothing(monkeypatch):
    config = ModelsConfig.parse(CONFIG, Path("models.toml"))
    local = config.providers["openai"].model_copy(update={"kind": "local"})
    config = config.model_copy(update={"providers": {"openai": local}})
    price = PRICES.of_configured(config, "unknown", TODAY)
    assert price is not None
    assert price.cost_pico(Usage(10**9, 0, 10**9), batch=False) == 0


# ---- arithmetic


def exact(row, usage, *, batch):
    """Cost in US dollars from the columns as written, in rationals."""
    long = row.long_above_tokens_in is not None and usage.tokens_in > row.long_above_tokens_in
    into = Fraction(row.long_input_factor) if long else 1
    out = Fraction(row.long_output_factor) if long else 1
    factor = Fraction(row.batch_factor) if batch else 1
    plain = Fraction(row.input_usd_per_million)
    cached = plain if row.cached_input_usd_per_million is None else Fraction(row.cached_input_usd_per_million)
    cached *= factor
    if batch and row.batch_cached_input_usd_per_million is not None:
        cached = Fraction(row.batch_cached_input_usd_per_million)
    written = plain if row.cache_write_usd_per_million is None else Fraction(row.cache_write_usd_per_million)
    audio = plain if row.audio_input_usd_per_million is None else Fraction(row.audio_input_usd_per_million)
    output = Fraction(row.output_usd_per_million)
    reasoning = output if row.reasoning_usd_per_million is None else Fraction(row.reasoning_usd_per_million)
    rest = usage.tokens_in - usage.cached - usage.cache_written - usage.audio
    total = (rest * plain + usage.cache_written * written + usage.audio * audio) * factor * into
    total += usage.cached * cached * into
    total += ((usage.tokens_out - usage.reasoning) * output + usage.reasoning * reasoning) * factor * out
    return total / 10**6


money = st.decimals(0, 100, places=3)
written_rows = st.builds(
    row,
    input_usd_per_million=money,
    cached_input_usd_per_million=st.none() | money,
    cache_write_usd_per_million=st.none() | money,
    audio_input_usd_per_million=st.none() | money,
    output_usd_per_million=money,
    reasoning_usd_per_million=st.none() | money,
    batch_factor=st.sampled_from(["0.5", "0.25", "1"]).map(Decimal),
    batch_cached_input_usd_per_million=st.none() | money,
    long_above_tokens_in=st.none() | st.integers(1, 1_000_000),
    # a long request is never cheaper a token
    long_input_factor=st.sampled_from(["1", "2"]).map(Decimal),
    long_output_factor=st.sampled_from(["1", "1.5"]).map(Decimal),
)


@given(written_rows, usages(), st.booleans())
def test_a_cost_is_exact_to_the_picodollar(written, usage, batch):
    assert Fraction(written.price.cost_pico(usage, batch=batch), 10**12) == exact(written, usage, batch=batch)


@given(st.sampled_from(PRICES.rows), st.lists(usages(), max_size=20))
def test_the_sum_of_costs_is_the_cost_of_the_sum(written, batch_of_usages):
    price = written.price
    if price.long_above_tokens_in is not None:
        return  # there the size of a single request decides
    total = Usage(*(sum(column) for column in zip(*batch_of_usages, strict=True))) if batch_of_usages else Usage()
    assert sum(price.cost_pico(u, batch=False) for u in batch_of_usages) == price.cost_pico(total, batch=False)


@given(st.sampled_from([r for r in PRICES.rows if r.batch_factor == Decimal("0.5")]), usages())
def test_a_batch_costs_half_of_the_same_calls_with_nothing_cached(written, usage):
    usage = usage._replace(cached=0, tokens_in=usage.tokens_in - usage.cached)
    assert 2 * written.price.cost_pico(usage, batch=True) == written.price.cost_pico(usage, batch=False)


@given(written_rows, usages(), counts, counts, st.booleans())
def test_the_worst_case_is_never_exceeded(written, usage, more_in, more_out, batch):
    bound = written.price.at_most_pico(
        usage.tokens_in + more_in, usage.tokens_out + more_out, audio=usage.audio, batch=batch
    )
    assert bound >= written.price.cost_pico(usage, batch=batch)


@given(st.sampled_from(PRICES.rows), st.tuples(*[st.integers(-(10**9), 10**9)] * 6), st.booleans())
def test_whatever_a_provider_counts_a_cost_is_never_negative(written, numbers, batch):
    assert written.price.cost_pico(Usage(*numbers), batch=batch) >= 0


@given(st.integers(0, 10**24))
def test_picodollars_are_written_exactly(pico):
    assert Decimal(usd(pico)) * 10**12 == pico
    assert "E" not in usd(pico)
