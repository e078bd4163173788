"""Jobs that come round: each is asked for once its period has passed since it was last asked for.

The last time is kept in the store, so a restart repeats nothing. However far the clock jumps, a job
is asked for once: periods that were missed are not made up for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes.clock import DAY_MS, HOUR_MS
from hermes.store.base import Store, Tx

Often = Literal["hourly", "daily", "weekly", "monthly", "never"]
PERIOD_MS: dict[Often, int] = {
    "hourly": HOUR_MS,
    "daily": DAY_MS,
    "weekly": 7 * DAY_MS,
    "monthly": 30 * DAY_MS,
}


@dataclass(frozen=True, slots=True)
class Periodic:
    """A kind of job and how often it comes round; with `soon` the first time is at once."""

    kind: str
    often: Often
    soon: bool = False


class Cron:
    """The chore that asks for periodic jobs."""

    every_s = 30.0

    def __init__(self, periodic: Sequence[Periodic]) -> None:
        self._periodic = [each for each in periodic if each.often != "never"]

    def run(self, store: Store, now: int) -> None:
        if store.read(lambda tx: any(_is_open(tx, each, now) for each in self._periodic)):
            store.write(lambda tx: self._plan(tx, now))

    def _plan(self, tx: Tx, now: int) -> None:
        for each in self._periodic:
            if _is_open(tx, each, now):
                if _is_due(tx, each, now):
                    tx.jobs.add(each.kind, now=now)
                tx.jobs.set_planned(each.kind, now)


def _is_open(tx: Tx, each: Periodic, now: int) -> bool:
    """Whether there is something to note: it is due, is new, or the clock was set back."""
    last = tx.jobs.last_planned(each.kind)
    return last is None or last > now or _is_due(tx, each, now)


def _is_due(tx: Tx, each: Periodic, now: int) -> bool:
    last = tx.jobs.last_planned(each.kind)
    return each.soon if last is None else now - last >= PERIOD_MS[each.often]
