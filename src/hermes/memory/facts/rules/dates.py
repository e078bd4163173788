"""The day a few words name, seen from the time of the message."""

from dataclasses import dataclass
from datetime import timedelta

from hermes.clock import to_datetime
from hermes.memory.recall.when.find import find_times

_DAYS_LONG = ("week", "month", "quarter", "season", "year", "weekend")


@dataclass(frozen=True, slots=True)
class Day:
    """A day as ISO text, the words that name it, and where they start."""

    iso: str
    start_at: int
    text: str
    start: int
    end: int


def find_day(text: str, at: int, *, past: bool = False) -> Day | None:
    """The first day the text names, if it says a day; of a longer time, the last day."""
    for span in find_times(text, at, prefer="past" if past else "future"):
        if span.grain in {"season", "year"} and not span.text.lower().startswith("end"):
            continue
        moment = to_datetime(span.start_at)
        if span.grain in _DAYS_LONG and not past:
            moment = to_datetime(span.end_at) - timedelta(days=1)
        return Day(f"{moment:%Y-%m-%d}", span.start_at, span.text, span.start, span.end)
    return None
