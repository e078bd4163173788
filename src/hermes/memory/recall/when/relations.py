"""Outer composites: what prepositions make of a time.

Since, before, after, until, by; between and from–to; and the ones that only point ("in March").
"Since" ends now. "After" a past time ends now, after a future one it is open; "before" is open
towards the past. "By" starts now, unless its time has passed or what is told is over; what is "due"
then is due in it. "Up to" is no relation in "what was I up to last week".
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from hermes.clock import EARLIEST_AT, HOUR_MS, LATEST_AT
from hermes.memory.recall.when.frame import Frame
from hermes.memory.recall.when.numerals import any_of
from hermes.memory.recall.when.reading import (
    ANY_LEAD,
    DAY_LEAD,
    DETERMINER,
    Composite,
    Found,
    Reading,
    is_sound,
    longest,
    weaken,
)
from hermes.memory.recall.when.span import Period, Prefer
from hermes.memory.recall.when.vocabulary import Need, compile_pattern

Needs = frozenset[Need]
_PLAIN: Needs = frozenset(("lead", "capital"))
_YEAR: Needs = frozenset(("lead", "capital", "year"))
_DATE: Needs = frozenset(("lead", "capital", "date"))
# Which guarded readings each preposition allows: "on 5/7" is a date, "for 2000" need be no year.
LEADS: dict[str, Needs] = {
    "in": _YEAR,
    "of": _YEAR,
    "during": _YEAR,
    "throughout": _YEAR,
    "from": ANY_LEAD,
    "on": _DATE | DAY_LEAD,
    "at": _PLAIN,
    "around": _PLAIN,
    "about": _PLAIN,
    "circa": _YEAR,
    "over": _PLAIN,
    "for": _PLAIN,
}
VAGUE_LEADS = ("around", "about", "circa")

RELATIONS = {
    "since": "since ever_since seit depuis desde",
    "after": "after following nach apres despues_de depois_de dopo",
    "before": "before prior_to ahead_of vor avant antes_de antes_del prima_di prima_del",
    "until": "until till up_to bis jusqu'a hasta ate fino_a",
    "by": "by due_by no_later_than entro",
    "due": "due due_on due_date deadline deadline_is deadline_of",
}
KINDS = {
    name.replace("_", " "): kind for kind, names in RELATIONS.items() for name in names.split()
}
SIDES: dict[str, Prefer] = {"since": "past", "by": "future", "due": "future"}
_RELATION = compile_pattern(rf"(?P<name>{any_of(KINDS)}):?(?: |(?<=:))", ending="")
_UP = re.compile(
    r"(?:\b(?i:be|been|being|was|were|is|are|am|get|gets|got|getting|gotten)|(?i:['’](?:s|re|m)))"
    r"(?:\s+(?:(?i:i|you|he|she|we|they|everyone|everybody|(?:my|our|his|her|their)\s+\w+)"
    r"|[A-Z][\w-]*(?:\s+and\s+[A-Z][\w-]*)?))?(?:\s+(?i:all|both|even))?\s+$"
)
_UP_CHARS = 60
_LEAD = compile_pattern(rf"(?P<name>{any_of(LEADS)}) ", ending="")
_BETWEEN = compile_pattern(r"(?P<name>between|from) ", ending="")
_AND = compile_pattern(r" (?:and|-) ", ending="")
_TO = compile_pattern(r"(?:\s?-\s?| (?:to|through|thru|until|till|up to) )", ending="")


def read_relation(reading: Reading, at: int, frame: Frame) -> Found | None:
    """Since Monday, before the launch, by the end of June."""
    match = _RELATION.match(reading.folded, at)
    if match is None or (match["name"].startswith("up") and _is_up_to(reading, at)):
        return None
    kind = KINDS[" ".join(match["name"].split())]
    leads = ANY_LEAD | DAY_LEAD if kind in ("by", "due") else ANY_LEAD
    found = reading.related(match.end(), frame.but(prefer=_side_of(kind, frame)), leads)
    if found is None:
        return None
    period = RELATE[kind](found.period, frame)
    deadline = kind in ("by", "due") or (kind in ("until", "before") and frame.deadline)
    return Found(found.end, period, deadline) if is_sound(period) else None


def _is_up_to(reading: Reading, at: int) -> bool:
    """Whether "up to" is what somebody is busy with: "was I up to", "have been up to"."""
    return _UP.search(reading.text, max(0, at - _UP_CHARS), at) is not None


def _side_of(kind: str, frame: Frame) -> Prefer:
    if kind == "by" and frame.over:
        return "past"
    return SIDES.get(kind, frame.prefer)


def _since(period: Period, frame: Frame) -> Period:
    if period.start_at >= frame.now:
        return replace(period, end_at=LATEST_AT, direction="future")
    return replace(period, end_at=frame.now, direction="past")


def _after(period: Period, frame: Frame) -> Period:
    start = period.end_at
    if period.grain in ("hour", "minute"):
        if start - period.start_at <= HOUR_MS:
            start = period.start_at  # a time of the clock: "after 3pm" starts at three
        return replace(period, start_at=start, end_at=_day_of(period, frame).end_at)
    if start >= frame.now:
        return replace(period, start_at=start, end_at=LATEST_AT, direction="future")
    return replace(period, start_at=start, end_at=frame.now, direction="past")


def _before(period: Period, frame: Frame) -> Period:
    end = period.start_at
    if frame.deadline:
        start = frame.instant(frame.date_of(end - 1))
        return replace(period, start_at=start, end_at=end, grain="day", direction="future")
    if period.grain in ("hour", "minute"):
        return replace(period, start_at=_day_of(period, frame).start_at, end_at=end)
    direction = "past" if end <= frame.now else period.direction
    return replace(period, start_at=EARLIEST_AT, end_at=end, direction=direction)


def _until(period: Period, frame: Frame) -> Period:
    if frame.deadline:
        return period
    if period.end_at <= frame.now:
        return replace(period, start_at=EARLIEST_AT, direction="past")
    return replace(period, start_at=frame.now, direction="future")


def _by(period: Period, frame: Frame) -> Period:
    if frame.over and period.start_at < frame.now:
        end_at = min(period.end_at, frame.now)
        return replace(period, start_at=EARLIEST_AT, end_at=end_at, direction="past")
    return _until(period, frame)


def _due(period: Period, frame: Frame) -> Period:
    return replace(period, direction="past" if period.end_at <= frame.now else "future")


def _day_of(period: Period, frame: Frame) -> Period:
    return frame.day(frame.date_of(period.start_at))


RELATE: dict[str, Callable[[Period, Frame], Period]] = {
    "since": _since,
    "after": _after,
    "before": _before,
    "until": _until,
    "by": _by,
    "due": _due,
}


def read_between(reading: Reading, at: int, frame: Frame) -> Found | None:
    """Between 3 and 9 May, from May to July."""
    match = _BETWEEN.match(reading.folded, at)
    first = reading.related(match.end(), frame) if match else None
    if match is None or first is None:
        return None
    joint = _AND if match["name"] == "between" else _TO
    gap = joint.match(reading.folded, first.end)
    if gap is None:
        return first
    return _join(reading, (match.end(), gap.end()), frame) or first


def read_to(reading: Reading, at: int, first: Found, frame: Frame) -> Found | None:
    """May 3 to June 9, 2020 to 2022: what follows a time that has been read."""
    gap = _TO.match(reading.folded, first.end)
    if gap is None or first.period.grain in ("hour", "minute"):
        return None
    return _join(reading, (at, gap.end()), frame)


def _join(reading: Reading, starts: tuple[int, int], frame: Frame) -> Found | None:
    """From one time to another, each settling what the other leaves open."""
    first, second = (reading.related(at, frame) for at in starts)
    if first is None or second is None:
        return None
    if first.period.floating and not second.period.floating:
        year = frame.date_of(second.period.start_at).year
        first = reading.related(starts[0], frame.but(year=year)) or first
        if first.period.start_at > second.period.start_at:
            first = reading.related(starts[0], frame.but(year=year - 1)) or first
        if (
            first.period.start_at > second.period.start_at
        ):  # a weekday: "Monday to Friday last week"
            before = frame.moved(second.period.start_at).but(prefer="past")
            first = reading.related(starts[0], before) or first
    elif second.period.floating:
        second = reading.related(starts[1], frame.but(after=first.period.start_at)) or second
    certainty = min(first.period.certainty, second.period.certainty)
    end_at = second.period.end_at
    period = replace(first.period, end_at=end_at, direction="any", certainty=certainty)
    return Found(second.end, period) if is_sound(period) else None


def read_lead(reading: Reading, at: int, frame: Frame) -> Found | None:
    """In March, on Tuesday, during the sprint."""
    match = _LEAD.match(reading.folded, at)
    if match is None:
        return None
    start, leads = match.end(), LEADS[match["name"]]
    skipped = DETERMINER.match(reading.folded, start)
    found = longest(
        reading.phrase(place, frame, leads) or reading.event(place)
        for place in (start, skipped.end() if skipped else start)
    )
    if found and match["name"] in VAGUE_LEADS:
        return found._replace(period=weaken(_blurred(found.period, frame), 0.8))
    return found


def _blurred(period: Period, frame: Frame) -> Period:
    """Around a day the days beside it are meant as well."""
    if period.grain != "day" or frame.deadline:
        return period
    first, last = frame.date_of(period.start_at), frame.date_of(period.end_at)
    wide = frame.between(first - timedelta(days=1), last + timedelta(days=1), "day")
    return replace(period, start_at=wide.start_at, end_at=wide.end_at)


STARTS = tuple({re.split(r"\W", name)[0] for name in KINDS})
COMPOSITES: tuple[tuple[tuple[str, ...], Composite], ...] = (
    (STARTS, read_relation),
    (("between", "from"), read_between),
    (tuple(LEADS), read_lead),
)
