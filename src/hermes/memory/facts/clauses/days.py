"""The day a few words name, seen from the time of the message."""

import re
from calendar import monthrange
from dataclasses import dataclass

from hermes.clock import DAY_MS, from_datetime, to_datetime
from hermes.memory.recall.when import TimeSpan, find_times, resolve_date

_MONTH = re.compile(
    r"(?<=\d )(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\b"
)
_MONTH_FIRST = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"(?= \d{1,2}(?:st|nd|rd|th)?(?:[,.;!?)]|$| (?:at|as|and|for|in|not|now|instead|is|was|\d{4})))"
)
_PAST_SPAN = re.compile(r"(?i)\b(?:last|past|previous)\b")
_FROM_TO = re.compile(  # "24-25 September": it begins on the 24th
    r"(?i)\b(\d{1,2})((?:st|nd|rd|th)?(?: ?[-–] ?| (?:to|till|until|and) (?:the )?)\d{1,2})"
    r"(?=(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
_BARE = re.compile(r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)\b|[A-Z][a-z]{2,8}\b")
_COUNTED = re.compile(
    r"(?:in\s+)?(?:about\s+)?(\d+|an?|one|two|three|four|five|six)\s+(week|month)s?\b"
)
_COUNT = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_TOO_LONG = frozenset(("season", "year"))
_FORTNIGHT = re.compile(  # "Monday fortnight": people differ, too
    r"(?i)\s*(?:fortnight|week\b)"
)
_ONES = "first second third fourth fifth sixth seventh eighth ninth".split()
_TEENS = (
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
    "nineteenth"
).split()
_SPELLED = {word: day for day, word in enumerate([*_ONES, *_TEENS, "twentieth"], start=1)}
_SPELLED |= {"thirtieth": 30, "thirty first": 31}
_SPELLED |= {f"twenty {word}": 20 + day for day, word in enumerate(_ONES, start=1)}
_SPELLED_DAY = re.compile(
    rf"(?i)\b({'|'.join(sorted(_SPELLED, key=len, reverse=True)).replace(' ', '[ -]')}) of "
    r"(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
_CLOCK = re.compile(  # an hour is no day
    r"(?i)\b(?:(?:at|before|after|by|from|until|till|since) )?"
    r"(?:\d{1,2}(?::\d\d)? ?[ap]m\b|\d{1,2}:\d\d\b|noon\b)"
)
_OF_MONTH = re.compile(r"(?i)\b([12]?\d|3[01])(?:st|nd|rd|th) (?:of )?(this|next) month\b")
_SAME_WEEK = re.compile(r"(?i)\bnext (?:mon|tue|wed|thu|fri|sat|sun)[a-z]*")
_END_OF_WEEK = re.compile(r"(?i)\bend of (?:this |next |the )?week\b")
_YEAR = re.compile(r"(?i)\b(?:20\d\d|next year)\b")
_INSTEAD_OF = re.compile(r"(?i)\b(?:instead of|rather than)\b[^,;.!?\n]*")
_SINCE = re.compile(r"(?i)\bsince (?:about |around |the )*$")
_YEAR_AHEAD_MS = 300 * DAY_MS  # a day that was just gone by is not meant for next year
_WEEKEND_MS = 2 * DAY_MS
_OPEN_MS = 40 * 366 * DAY_MS  # "since 5:00", "after May": no end was told, so there is no last day
_BEGINS = re.compile(r"(?i)(?:^|.*\b)(?:from|as of|starting(?: in| on| from)?|effective|since)\s+$")
_LEAD = re.compile(r"(?i)^(?:(?:from|as of|of|starting|since|in|on|the)\s+)*")
_WEEKDAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_RECKONED = re.compile(  # "the Wednesday before": before the day that was named, not before today
    rf"(?i)\bthe (?:(?P<weekday>{'|'.join(_WEEKDAYS)})day|day) (?P<side>before|after)\b"
    r"(?! (?:next|tomorrow|yesterday))(?: (?:that|it|then)\b)?"
)
_NAMED_WITHIN = 300  # letters before it that may name the day
_AHEAD = re.compile(  # "a week from tomorrow", "two weeks after 4 May"
    rf"(?i)\b(?P<count>\d{{1,2}}|{'|'.join(_COUNT)}|two) (?P<unit>day|week|fortnight|month)s? "
    r"(?P<side>from|after|before) (?!now\b)(?:the )?(?=\w)"
)
_RANGED = re.compile(r"(?i)\b(?:to|until|till|and)\b|\d\s?[-–]\s?\d")


@dataclass(frozen=True, slots=True)
class Day:
    """A day as ISO text, the words that name it, and where they start.

    `later` is the day a week on, where people differ on which of the two was meant; `told` are
    words to say it in where those that name it lean on others.
    """

    iso: str
    start_at: int
    text: str
    start: int
    end: int
    later: str = ""
    told: str = ""


def find_day(text: str, at: int, *, past: bool = False, first: bool = False) -> Day | None:
    """The day the text names; of a longer time its last day, or its first if that is asked."""
    found = find_either(text, at, past=past, first=first)
    return None if found is None or found.later else found


def find_either(text: str, at: int, *, past: bool = False, first: bool = False) -> Day | None:
    """As `find_day`, but "next Friday" on a Tuesday, too: the nearer, with the `later` one."""
    if counted := None if past else _counted_ahead(text, at):
        return counted
    written = text
    text = _RECKONED.sub(lambda found: " " * len(found.group()), _plain(text, at, past=past))
    span = _past(text, at) if past else _future(text, at)
    if span is None or (span.grain in _TOO_LONG and "end" not in span.text.lower()):
        return None
    if _FORTNIGHT.match(text[span.end :]) or (not past and _is_gone(text, span, at, first=first)):
        return None
    if not (past or first) and span.end_at - span.start_at > _OPEN_MS:
        return None
    moment = span.start_at if past or first else _due_at(span, at)
    later = f"{to_datetime(moment + 7 * DAY_MS):%Y-%m-%d}" if _is_disputed(span, at) else ""
    day = f"{to_datetime(moment):%Y-%m-%d}"
    words = written[span.start : span.end]
    words = words if words.casefold() == span.text.casefold() else span.text
    return Day(day, moment, words, span.start, span.end, later)


def _counted_ahead(text: str, at: int) -> Day | None:
    """ "a week from tomorrow": so long after, or before, a day that is named right behind it."""
    found = _AHEAD.search(text)
    day = find_either(text[found.end() :], at) if found else None
    if found is None or day is None or day.start or day.later:
        return None
    moment = _moved(day.start_at, _number(found["count"]), found["unit"], found["side"])
    words = text[found.start() : found.end() + day.end]
    return Day(
        f"{to_datetime(moment):%Y-%m-%d}", moment, words, found.start(), found.end() + day.end
    )


def _number(count: str) -> int:
    return _COUNT.get(count.lower()) or int(count)


def _moved(moment: int, count: int, unit: str, side: str) -> int:
    step = -count if side.lower() == "before" else count
    if unit.lower() == "month":
        return _months_after(moment, step)
    return moment + step * DAY_MS * {"day": 1, "week": 7, "fortnight": 14}[unit.lower()]


def is_reckoned(text: str) -> bool:
    """Whether a day is told from another one: "the Wednesday before"."""
    return _RECKONED.search(text) is not None


def find_reckoned(text: str, before: str, at: int) -> Day | None:
    """The day that is told from the one named with it, or else last in the words before it."""
    found = _RECKONED.search(text)
    if found is None:
        return None
    follows = text[found.end() :].strip(" .,;!)")
    day = find_day(follows, at) if follows else _last_named(before[-_NAMED_WITHIN:], at)
    if day is None or (follows and day.start):
        return None  # "the Wednesday before the launch": only who knows that day can tell
    step = -1 if found["side"].lower() == "before" else 1
    moment = day.start_at + step * DAY_MS
    wanted = found["weekday"]
    while wanted and to_datetime(moment).weekday() != _WEEKDAYS.index(wanted.lower()):
        moment += step * DAY_MS
    words = found.group().removesuffix(" that").removesuffix(" it").removesuffix(" then")
    told = "" if follows else f"{words} {day.iso}"
    iso = f"{to_datetime(moment):%Y-%m-%d}"
    return Day(iso, moment, found.group(), found.start(), found.end(), told=told)


def _last_named(text: str, at: int) -> Day | None:
    """The last day that a text names, if the last time it names is one day."""
    spans = find_times(_plain(text, at, past=False), at, prefer="future")
    last = spans[-1] if spans else None
    if last is None or last.end_at - last.start_at > DAY_MS or _is_disputed(last, at):
        return None
    moment = last.end_at - 1
    return Day(f"{to_datetime(moment):%Y-%m-%d}", moment, last.text, last.start, last.end)


def _plain(text: str, at: int, *, past: bool) -> str:
    """The text with its days in digits and without hours, each word where it stood."""
    text = _SPELLED_DAY.sub(_in_digits, text)
    text = _OF_MONTH.sub(lambda found: _in_month(found, at), text)
    text = _MONTH.sub(lambda found: found.group().title(), text)
    text = _MONTH_FIRST.sub(lambda found: found.group().title(), text)
    for other in (_CLOCK, _INSTEAD_OF):
        text = other.sub(lambda found: " " * len(found.group()), text)
    return text if past else _FROM_TO.sub(_first_of, text)


def _is_disputed(span: TimeSpan, at: int) -> bool:
    """ "next Friday" on a Tuesday: people differ on which one that is."""
    same_week = to_datetime(at).isocalendar()[:2] == to_datetime(span.start_at).isocalendar()[:2]
    return same_week and bool(_SAME_WEEK.search(span.text))


def _is_gone(text: str, span: TimeSpan, at: int, *, first: bool) -> bool:
    """ "since 1 April", "due 20 September" in October: no day of next year was meant."""
    if span.start_at <= at:
        return False
    ranged = _RANGED.search(text)  # "from 15 December to 5 January"
    since = _SINCE.search(text[: span.start]) or span.text.lower().startswith("since")
    ahead = span.start_at - at > _YEAR_AHEAD_MS and any(map(str.isdigit, span.text))
    return bool(since) or (ahead and not first and not _YEAR.search(text) and not ranged)


def find_beginning(text: str, at: int) -> Day | None:
    """The first day of what is told to hold from a day on: "from August on", "as of 3 March"."""
    day = find_day(text, at, first=True)
    if day is None or _RANGED.search(day.text):
        return None
    before = text[: day.end].removesuffix(_LEAD.sub("", text[day.start : day.end]))
    ranged = re.match(r"(?i)\s*(?:to|until|till|[-–])\s", text[day.end :])
    return day if _BEGINS.match(before) and not ranged else None


def _in_digits(found: re.Match[str]) -> str:
    """ "the twenty fourth of May" as "24 May", where it stood."""
    day = _SPELLED[found[1].lower().replace("-", " ")]
    return f"{day} ".rjust(len(found.group()))


def _in_month(found: re.Match[str], at: int) -> str:
    """ "the 18th this month" as "18 May", where it stood."""
    month = at if found[2].lower() == "this" else _months_after(at, 1)
    return f"{found[1]} {to_datetime(month):%B}".ljust(len(found.group()))


def _first_of(found: re.Match[str]) -> str:
    return " " * len(found[2]) + found[1]


def _past(text: str, at: int) -> TimeSpan | None:
    return next(iter(find_times(text, at, prefer="past")), None)


def _future(text: str, at: int) -> TimeSpan | None:
    """Read as a deadline; a bare "the 20th" or "April" is given the word that makes it a date."""
    if found := resolve_date(text, at):
        return found
    lead = _BARE.match(text)
    if not lead:
        return None
    word = "on " if any(char.isdigit() for char in lead.group()) else "in "
    found = resolve_date(word + text, at)
    return found if found and found.start == 0 else None


def _due_at(span: TimeSpan, at: int) -> int:
    counted = None if _PAST_SPAN.search(span.text) else _COUNTED.search(span.text.lower())
    if counted:
        count = _COUNT.get(counted[1]) or int(counted[1])
        return at + count * 7 * DAY_MS if counted[2] == "week" else _months_after(at, count)
    if _END_OF_WEEK.search(span.text):
        return span.end_at - 1 - _WEEKEND_MS  # of the week in which people work
    return span.end_at - 1


def _months_after(at: int, count: int) -> int:
    """The same day so many months on, or the last of a month that has no such day."""
    moment = to_datetime(at)
    years, month = divmod(moment.month - 1 + count, 12)
    year = moment.year + years
    day = min(moment.day, monthrange(year, month + 1)[1])
    return from_datetime(moment.replace(year=year, month=month + 1, day=day))
