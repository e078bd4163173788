"""A memory by its days: how much there was, and what was done, decided and learnt on each."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from hermes.clock import HOUR_MS, from_datetime, to_datetime
from hermes.store.base import SessionFilter, Tx
from hermes.store.base.events import EventFilter
from hermes.store.base.overview import Window
from hermes.types import Event, EventKind, Fact, FactKind, Session

MOST = 2_000  # of anything shown of a window
_DONE = (EventKind.TASK, EventKind.RESULT, EventKind.FAILURE)


@dataclass(frozen=True, slots=True)
class DayCount:
    """A day, in the zone of whoever looks, and how much there was on it."""

    day: date
    turns: int = 0
    facts: int = 0


@dataclass(slots=True)
class Day:
    """What happened on a day: conversations, what was done, decided and learnt."""

    day: date
    sessions: list[Session] = field(default_factory=list)
    done: list[Event] = field(default_factory=list)
    decided: list[Fact | Event] = field(default_factory=list)
    learnt: list[Fact] = field(default_factory=list)


def count_days(tx: Tx, window: Window, zone: ZoneInfo) -> list[DayCount]:
    """The days that had anything, oldest first."""
    turns = _by_day(tx.overview.count_turns(window, HOUR_MS), zone)
    facts = _by_day(tx.overview.count_facts(window, HOUR_MS), zone)
    days = sorted(turns.keys() | facts.keys())
    return [DayCount(day, turns.get(day, 0), facts.get(day, 0)) for day in days]


def list_days(tx: Tx, window: Window, zone: ZoneInfo) -> list[Day]:
    """The days of a window that had anything, newest first."""
    days: dict[date, Day] = {}

    def of(at: int) -> Day:
        day = local_day(at, zone)
        return days.setdefault(day, Day(day))

    for session in _sessions(tx, window):
        of(session.last_at).sessions.append(session)
    for said_at, fact in tx.overview.list_facts(window, MOST):
        day = of(said_at)
        (day.decided if fact.kind is FactKind.DECISION else day.learnt).append(fact)
    for event in _events(tx, window):
        day = of(event.at)
        (day.decided if event.kind == EventKind.DECISION else day.done).append(event)
    return [days[day] for day in sorted(days, reverse=True)]


def _sessions(tx: Tx, window: Window) -> Iterable[Session]:
    wanted = SessionFilter(
        window.bank,
        since_at=window.since_at,
        before_at=window.before_at,
        entity_id=window.entity_id,
    )
    return tx.conversations.list_sessions(wanted, MOST)


def _events(tx: Tx, window: Window) -> list[Event]:
    """Lines of the log of what was done and decided; they belong to no bank and no entity.

    A decision that was read from a conversation is there as a fact, on the day it was said: the
    line about it, of the day it was learnt, is left out.
    """
    if window.bank or window.entity_id is not None:
        return []
    kinds = (*_DONE, EventKind.DECISION)
    found = tx.events.list(EventFilter(window.since_at, window.before_at, kinds), MOST)
    return [event for event in found if not _is_of_fact(event)]


def _is_of_fact(event: Event) -> bool:
    return event.kind == EventKind.DECISION and event.ref.startswith("fact:")


def local_day(at: int, zone: ZoneInfo) -> date:
    return to_datetime(at).astimezone(zone).date()


def start_of(day: date, zone: ZoneInfo) -> int:
    """The first moment of a day."""
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=zone))


def end_of(day: date, zone: ZoneInfo) -> int:
    """The first moment that is no longer of a day."""
    return start_of(day + timedelta(days=1), zone)


def _by_day(hours: dict[int, int], zone: ZoneInfo) -> dict[date, int]:
    days: dict[date, int] = {}
    for at, count in hours.items():
        day = local_day(at, zone)
        days[day] = days.get(day, 0) + count
    return days
