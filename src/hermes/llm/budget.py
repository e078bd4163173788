"""What calls to models cost, and when the day's money is spent. Values and decisions only.

A store keeps the charges through the small `Ledger` protocol; the meter (`meter.py`) applies this.
"""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol

from hermes.clock import from_datetime, to_datetime
from hermes.errors import Refused
from hermes.llm.base import Prices, Usage

MILLION = 1_000_000
FREE = Prices(0.0, 0.0)
# Where nobody told us a price: dearer than most models, so that a cap stops early and never late.
ASSUMED = Prices(input_usd=15.0, output_usd=75.0)


@dataclass(frozen=True, slots=True)
class Charge:
    """One call, paid for. `section` is the setting it was made under: `model`, `lightModel`.

    `guessed` says that the price or the tokens are not the endpoint's own.
    """

    at: int
    section: str
    model: str
    usage: Usage
    usd: float
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Spent:
    """The sum of some charges."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    usd: float = 0.0
    guessed: bool = False

    def plus(self, charge: Charge) -> "Spent":
        return Spent(
            calls=self.calls + 1,
            input_tokens=self.input_tokens + charge.usage.input_tokens,
            output_tokens=self.output_tokens + charge.usage.output_tokens,
            cached_tokens=self.cached_tokens + charge.usage.cached_tokens,
            usd=self.usd + charge.usd,
            guessed=self.guessed or charge.guessed,
        )

    @property
    def cache_share(self) -> float:
        """How much of what was sent the provider had kept: 0 to 1."""
        return self.cached_tokens / self.input_tokens if self.input_tokens else 0.0


@dataclass(frozen=True, slots=True)
class Cap:
    """What may be spent in a day, by the clock of `zone`; None is no limit."""

    usd_per_day: float | None = None
    tokens_per_day: int | None = None
    zone: tzinfo = UTC


NO_CAP = Cap()


class Ledger(Protocol):
    """Keeps charges. Durable where a store stands behind it."""

    def record_charge(self, charge: Charge) -> None:
        """Keep one charge."""

    def get_spent(self, section: str, since: int, until: int) -> Spent:
        """The sum of a section's charges from `since` up to, not including, `until`."""


def fill_prices(input_usd: float | None, output_usd: float | None) -> Prices | None:
    """Prices as told; a missing one of the two is assumed, and both missing are unknown."""
    if input_usd is None and output_usd is None:
        return None
    return Prices(
        ASSUMED.input_usd if input_usd is None else input_usd,
        ASSUMED.output_usd if output_usd is None else output_usd,
        guessed=input_usd is None or output_usd is None,
    )


def price(usage: Usage, prices: Prices | None) -> tuple[float, bool]:
    """US dollars for a call, and whether that is a guess.

    A cost that cannot be one (negative, endless, no number) counts as not told: once in the books
    it would lift the day's cap.
    """
    told = usage.cost_usd
    if told is not None and math.isfinite(told) and told >= 0:
        return told, False
    known = prices or ASSUMED
    cached_usd = known.input_usd if known.cached_usd is None else known.cached_usd
    write_usd = known.input_usd if known.cache_write_usd is None else known.cache_write_usd
    plain = max(0, usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens)
    total = (
        plain * known.input_usd
        + usage.cached_tokens * cached_usd
        + usage.cache_write_tokens * write_usd
        + usage.output_tokens * known.output_usd
    )
    is_free = known.input_usd == 0 and known.output_usd == 0
    return total / MILLION, not is_free and (prices is None or known.guessed or usage.estimated)


def day_bounds(at: int, zone: tzinfo) -> tuple[int, int]:
    """The start of the day that holds a moment, and the start of the next."""
    local = to_datetime(at).astimezone(zone)
    start = datetime(local.year, local.month, local.day, tzinfo=zone)
    return from_datetime(start), from_datetime(start + timedelta(days=1))


def render_usd(usd: float) -> str:
    """Money as it is told: whole cents, or to the hundredth of one where there is more to say."""
    exact = f"{usd:.4f}"
    return "$" + (exact[:-2] if exact.endswith("00") else exact)


def check_cap(spent: Spent, cap: Cap, section: str, *, until: int) -> None:
    """Raise `Refused` if the day's money or tokens are used up."""
    tokens = spent.input_tokens + spent.output_tokens
    if cap.usd_per_day is not None and spent.usd >= cap.usd_per_day:
        about = "about " if spent.guessed else ""
        used = f"{about}{render_usd(spent.usd)} of {render_usd(cap.usd_per_day)}"
    elif cap.tokens_per_day is not None and tokens >= cap.tokens_per_day:
        used = f"{tokens:,} of {cap.tokens_per_day:,} tokens"
    else:
        return
    guess = ""
    if spent.guessed:
        guess = (
            f" The cost is a guess; {section}.inputUsdPerMillion and outputUsdPerMillion mend it."
        )
    again = f"{to_datetime(until).astimezone(cap.zone):%Y-%m-%d at %H:%M %Z}"
    raise Refused(
        f"The day's budget of {section} is used up: {used}.",
        f"It starts again on {again}; raise {section}.dailyBudgetUsd to go on now.{guess}",
    )
