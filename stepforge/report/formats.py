"""Numbers as they are read."""

from decimal import Decimal

from stepforge.records import ReportRow
from stepforge.report import tables

DASH = "–"


def percent(value: float | None) -> str:
    """A share in per cent with one decimal; a dash where there is none."""
    known = tables.finite(value)
    return DASH if known is None else f"{100 * known:.1f}"


def points(value: float | None) -> str:
    """A difference of shares in percentage points, with its sign; a dash where there is none."""
    known = tables.finite(value)
    return DASH if known is None else f"{100 * known:+.1f}".replace("-", "−")


def p_value(value: float | None) -> str:
    """A p-value with three decimals, or that it is smaller."""
    known = tables.finite(value)
    if known is None:
        return DASH
    return "< 0.001" if known < 0.001 else f"{known:.3f}"


def count(number: int) -> str:
    """A count with its thousands marked."""
    return f"{number:,}"


def score_text(value: float | None, *, is_count: bool) -> str:
    """A share in per cent, a count as it is; a dash where there is none."""
    known = tables.finite(value)
    return f"{known:,.0f}" if is_count and known is not None else percent(known)


def span(low: float | None, high: float | None) -> str:
    """`[70.5, 75.6]`; a dash where an end is not known."""
    if tables.finite(low) is None or tables.finite(high) is None:
        return DASH
    return f"[{percent(low)}, {percent(high)}]"


def interval_text(row: ReportRow | None) -> str:
    """The interval of a row; a dash where none is known."""
    return DASH if row is None else span(row.low, row.high)


def notes_text(row: ReportRow) -> str:
    """What stands behind a score: its number of items and those that failed, were undecided or out of reach."""
    counts = ((row.failures, "failed"), (row.undecided, "undecided"), (row.not_accessible, "not accessible"))
    return " · ".join([f"n {count(row.n)}", *(f"{count(number)} {what}" for number, what in counts if number)])


def dollars(amount: Decimal) -> str:
    """US dollars to the cent; what is less than a cent in full, with at most four digits that count."""
    if not amount or amount >= Decimal("0.01"):
        return f"{amount:,.2f}"
    return f"{Decimal(f'{amount:.3e}').normalize():f}"
