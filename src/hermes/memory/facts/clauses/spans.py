"""From when until when something is so, where both days are told: it is over by itself then."""

import re
from dataclasses import replace

from hermes.clock import DAY_MS
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.days import Day, find_day
from hermes.types import FactKind

_SPAN = re.compile(
    r"(?i)\bfrom (?P<first>[^,;.!?]{3,30}?) (?:until|till|to|through) (?P<last>[^,;.!?]{3,40})"
)
_WEEKDAY = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_LEAD = re.compile(r"(?i)(?:(?:from|on|in|the|until|till|end|of|next|this|by)\s+)*")
_NO_SPAN = re.compile(  # what goes from one day to another, or is so each year
    r"(?i)\b(?:mov|push|shift|postpon|reschedul|bring|brought|chang|delay|slip)\w*|"
    r"\b(?:always|never|every|each|usually)\b"
)
_STAMP = re.compile(r" \((?:on |due |said )?\d{4}-\d\d(?:-\d\d)?(?: or \d{4}-\d\d-\d\d)?\)$")


def spanned(candidate: Candidate, at: int) -> Candidate:
    """ "Olek is on leave from Monday until the end of April", with both days."""
    found = _SPAN.search(candidate.quote)
    of_a_day = candidate.attribute.startswith(("deadline:", "event:"))
    if (
        found is None
        or of_a_day
        or _NO_SPAN.search(candidate.quote)
        or found["first"] not in candidate.text
    ):
        return candidate
    if all(_WEEKDAY.fullmatch(found[part].split()[0]) for part in ("first", "last")):
        return candidate  # "from Monday to Friday": every week
    first = _day(found["first"], at, first=True)
    last = _day(found["last"], at, first=False)
    if first is None or last is None or last.start_at < first.start_at:
        return candidate
    begins = _midnight(first.start_at)
    ends = _midnight(last.start_at) + DAY_MS
    told = _STAMP.sub(f" ({first.iso} to {last.iso})", candidate.text)
    kind = FactKind.OTHER if candidate.kind is FactKind.EVENT else candidate.kind  # it lasts
    return replace(candidate, text=told, kind=kind, valid_from=begins, valid_to=ends)


def _day(words: str, at: int, *, first: bool) -> Day | None:
    """The day that these words begin with."""
    day = find_day(words, at, first=first) or find_day(words.title(), at, first=first)
    return day if day is not None and words[: day.start].strip().lower() in {"", "the"} else None


def _midnight(moment: int) -> int:
    return moment - (moment % DAY_MS)
