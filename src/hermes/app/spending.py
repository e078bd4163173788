"""What calls to models have cost, kept in the store: one cap over every part and process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date
from typing import TYPE_CHECKING

from hermes.clock import to_datetime
from hermes.errors import UserError
from hermes.llm.budget import Charge, Spent
from hermes.store.base.spending import SpendingLine

if TYPE_CHECKING:
    from hermes.app.root import App

_ALWAYS = ("", "9999-12-31")
ROLES = ("model", "lightModel", "fallbackModel")


@dataclass(frozen=True, slots=True)
class Cap:
    """What a role has cost today, and the most it may; None: as much as it will."""

    role: str
    spent_usd: float
    cap_usd: float | None


class StoreLedger:
    """The ledger of a profile, for chains of models; its days are those of UTC, as the caps' are.

    Whoever opens the same store shares it, in this process and in others.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    def record_charge(self, charge: Charge) -> None:
        usage = charge.usage
        line = SpendingLine(
            day=_day(charge.at),
            profile=self._app.paths.name,
            role=charge.section,
            model=charge.model,
            calls=1,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
            usd=charge.usd,
            guessed=charge.guessed,
        )
        self._app.store.write(lambda tx: tx.spending.add(line))

    def get_spent(self, section: str, since: int, until: int) -> Spent:
        """The sum over whole days: those that hold `since` and the last moment before `until`."""
        lines = _list(self._app, _day(since), _day(until - 1))
        return _sum(line for line in lines if line.role == section)


class SpendingActions:
    def __init__(self, app: App) -> None:
        self._app = app
        self.ledger = StoreLedger(app)

    def spent(self, day: str = "", *, role: str = "") -> Spent:
        """What one day cost, today's if none is named: in all, or in one role."""
        day = _checked(day) or _day(self._app.clock.now())
        lines = _list(self._app, day, day)
        return _sum(line for line in lines if role in ("", line.role))

    def caps(self) -> list[Cap]:
        """Today's spending in each role that has a model."""
        config = self._app.config
        sections = (config.model, config.light_model, config.fallback_model)
        return [
            Cap(role, self.spent(role=role).usd, section.daily_budget_usd)
            for role, section in zip(ROLES, sections, strict=True)
            if section.provider != "none"
        ]

    def by_day(self, since: str = "", until: str = "") -> list[SpendingLine]:
        """Every line between two days, both included, oldest first."""
        first, last = _ALWAYS
        return _list(self._app, _checked(since) or first, _checked(until) or last)

    def by_model(self, since: str = "") -> list[SpendingLine]:
        """The sum of each model in each role since a day, dearest first; `day` is the first one."""
        sums: dict[tuple[str, str], SpendingLine] = {}
        for line in self.by_day(since):
            key = line.role, line.model
            sums[key] = _plus(sums[key], line) if key in sums else line
        return sorted(sums.values(), key=lambda line: (-line.usd, -line.calls, line.model))


def _list(app: App, since_day: str, until_day: str) -> list[SpendingLine]:
    return app.store.read(lambda tx: tx.spending.list(app.paths.name, since_day, until_day))


def _day(at: int) -> str:
    return f"{to_datetime(at).astimezone(UTC):%Y-%m-%d}"


def _checked(day: str) -> str:
    try:
        return day and date.fromisoformat(day).isoformat()
    except ValueError:
        raise UserError(f"{day!r} is no day.", "Write it as 2026-01-31.") from None


def _plus(one: SpendingLine, other: SpendingLine) -> SpendingLine:
    return replace(
        one,
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        usd=one.usd + other.usd,
        guessed=one.guessed or other.guessed,
    )


def _sum(lines: Iterable[SpendingLine]) -> Spent:
    total = SpendingLine("", "", "", "")
    for line in lines:
        total = _plus(total, line)
    return Spent(
        calls=total.calls,
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        cached_tokens=total.cached_tokens,
        usd=total.usd,
        guessed=total.guessed,
    )
