"""Calendar arithmetic around one asking time in one time zone.

Weeks start on Monday, a weekend is Saturday and Sunday, seasons are the meteorological ones of
the northern hemisphere (winter 2022 runs from December 2022 to February 2023). A date that does
not exist raises ValueError; the reader of the text takes that as "not a time".
"""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from hermes.clock import HOUR_MS, MINUTE_MS
from hermes.errors import UserError
from hermes.memory.recall.when.span import Direction, Grain, Period, Prefer

SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
# 29 February may be eight years away, around 2100; a date on a given weekday eleven, or twelve.
REACH_YEARS = 13


@lru_cache(maxsize=32)
def get_zone(name: str) -> tzinfo:
    """The IANA zone of that name; UTC needs no zone database."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        hint = "Use a name such as Europe/Berlin, America/New_York or UTC."
        raise UserError(f"There is no time zone called {name!r}.", hint) from error


@dataclass(frozen=True, slots=True)
class Frame:
    """The asking time, and how to settle what the words leave open.

    `year` settles a date without one; else it is the first on or after `after`; else the nearest
    on the side of `prefer`, which falls on `weekday` where that is told. `deadline` reads "by
    Friday" as Friday itself, `over` as all the time up to the last one.
    """

    now: int
    zone: tzinfo
    local: datetime
    prefer: Prefer = "past"
    year: int | None = None
    after: int | None = None
    deadline: bool = False
    over: bool = False
    weekday: int | None = None

    @property
    def today(self) -> date:
        return self.local.date()

    def but(self, **changes: object) -> "Frame":
        return replace(self, **changes)  # type: ignore[arg-type]

    def moved(self, at: int) -> "Frame":
        """The same frame, asked at another time."""
        return replace(self, now=at, local=datetime.fromtimestamp(at / 1000, self.zone))

    def instant(self, day: date, minutes: int = 0) -> int:
        """Milliseconds of a wall-clock time; one that a clock change skips lies past the gap."""
        day += timedelta(days=minutes // 1440)
        hour, minute = divmod(minutes % 1440, 60)
        moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.zone)
        return round(moment.timestamp() * 1000)

    def days(self, first: date, count: int, grain: Grain) -> Period:
        return self.between(first, first + timedelta(days=count), grain)

    def between(self, first: date, last: date, grain: Grain) -> Period:
        """From the start of `first` to the start of `last`."""
        return Period(self.instant(first), self.instant(last), grain)

    def day(self, day: date) -> Period:
        return self.days(day, 1, "day")

    def week(self, day: date) -> Period:
        """The Monday-to-Sunday week that holds a day."""
        return self.days(monday_of(day), 7, "week")

    def weekend(self, day: date) -> Period:
        """The weekend of the week that holds a day."""
        return self.days(monday_of(day) + timedelta(days=5), 2, "weekend")

    def months(self, year: int, month: int, count: int, grain: Grain) -> Period:
        """`count` months from the given one; `month` may lie outside 1–12 and carries over."""
        return self.between(first_of(year, month), first_of(year, month + count), grain)

    def month(self, year: int, month: int) -> Period:
        return self.months(year, month, 1, "month")

    def quarter(self, year: int, quarter: int) -> Period:
        return self.months(year, quarter * 3 - 2, 3, "quarter")

    def season(self, year: int, name: str) -> Period:
        return self.months(year, SEASON_STARTS[name], 3, "season")

    def years(self, year: int, count: int = 1) -> Period:
        return self.months(year, 1, 12 * count, "year")

    def hours(self, day: date, first: int, last: int) -> Period:
        """Part of a day between two hours; `last` may lie past midnight."""
        return Period(self.instant(day, first * 60), self.instant(day, last * 60), "hour")

    def clock(self, day: date, hour: int, minute: int | None) -> Period:
        start = self.instant(day, hour * 60 + (minute or 0))
        if minute is None:
            return Period(start, start + HOUR_MS, "hour")
        return Period(start, start + MINUTE_MS, "minute")

    def date_of(self, at: int) -> date:
        return datetime.fromtimestamp(at / 1000, self.zone).date()

    def has_weekday(self, day: date) -> bool:
        """Whether a day falls on the weekday that was told with it, if one was."""
        return self.weekday is None or day.weekday() == self.weekday

    def nearest(self, make: Callable[[int], Period], direction: Direction = "any") -> Period:
        """The occurrence of a yearly period that `year`, `after` or `prefer` points to."""
        if self.year is not None:
            return replace(make(self.year), direction=direction)
        found = self._occurrence(make)
        return replace(found, direction=direction, certainty=0.7, floating=True)

    def _occurrence(self, make: Callable[[int], Period]) -> Period:
        if self.after is not None:
            after = self.after
            return self._first(make, 1, lambda period: period.start_at >= after)
        if self.prefer == "future":
            return self._first(make, 1, lambda period: period.end_at > self.now)
        return self._first(make, -1, lambda period: period.start_at <= self.now)

    def _first(
        self, make: Callable[[int], Period], step: int, fits: Callable[[Period], bool]
    ) -> Period:
        base = self.today if self.after is None else self.date_of(self.after)
        for distance in range(-1, REACH_YEARS):
            try:
                period = make(base.year + step * distance)
            except ValueError:
                continue  # 29 February of a common year
            if fits(period) and self.has_weekday(self.date_of(period.start_at)):
                return period
        raise ValueError("no year fits")


def open_frame(now: int, zone: str, prefer: Prefer = "past") -> Frame:
    place = get_zone(zone)
    return Frame(now, place, datetime.fromtimestamp(now / 1000, place), prefer)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def first_of(year: int, month: int) -> date:
    """The first day of a month, counted on from January of `year`."""
    carried, index = divmod(month - 1, 12)
    return date(year + carried, index + 1, 1)


def shift_months(day: date, months: int) -> date:
    """The same day some months on, or the last day of a shorter month."""
    first = first_of(day.year, day.month + months)
    return first.replace(day=min(day.day, monthrange(first.year, first.month)[1]))


def season_of(day: date) -> tuple[int, str]:
    """The season a day lies in, and the year that season is named after."""
    if day.month <= 2:
        return day.year - 1, "winter"
    begun = [name for name, month in SEASON_STARTS.items() if month <= day.month]
    return day.year, begun[-1]
