"""The only source of time and of names made from time.

Every time in Hermes is an `int`: milliseconds since 1970-01-01 UTC, in fields that end in `_at`.
"""

import secrets
import threading
import time
from datetime import UTC, datetime, tzinfo
from typing import Protocol

SECOND_MS = 1_000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

EARLIEST_AT = -2_208_988_800_000  # 1900-01-01
LATEST_AT = 4_102_444_800_000  # 2100-01-01


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the epoch, never less than the last answer."""


class SystemClock:
    """The machine's clock, held still where the machine steps back."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def now(self) -> int:
        with self._lock:
            self._last = max(self._last, time.time_ns() // 1_000_000)
            return self._last


class FixedClock:
    """A clock for tests and replays: it moves when it is told to."""

    def __init__(self, start: int | str = "2026-01-05T09:00:00+00:00") -> None:
        self._now = parse_time(start) if isinstance(start, str) else start

    def now(self) -> int:
        return self._now

    def advance(self, ms: int) -> None:
        self._now += ms


def new_session_id(at: int) -> str:
    """A name that sorts by time and reads as one: `20260105-090000-3fa9c1d2`."""
    return f"{to_datetime(at):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}"


def parse_time(text: str) -> int:
    """ISO 8601 to milliseconds; a time without a zone is taken as UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return from_datetime(moment)


def from_datetime(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def to_datetime(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, tz=UTC)


def wall_time(at: int, zone: tzinfo) -> int:
    """What the clock on the wall shows then, as if it were UTC's: whose day it is decides a date.

    Days are kept as midnight UTC of the day that was named, wherever that was.
    """
    offset = to_datetime(at).astimezone(zone).utcoffset()
    return at + (round(offset.total_seconds() * 1000) if offset else 0)


def render_time(at: int, zone: tzinfo = UTC) -> str:
    """ISO 8601 to the second: `2026-01-05T09:00:00Z`, or with how far the zone is from that."""
    if zone is not UTC:
        return to_datetime(at).astimezone(zone).isoformat(timespec="seconds")
    return f"{to_datetime(at).replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def render_time_ms(at: int) -> str:
    """ISO 8601 in UTC to the millisecond: it sorts as text and loses nothing.

    Not by `strftime`, which leaves the noughts off a year before 1000.
    """
    return f"{to_datetime(at).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"
