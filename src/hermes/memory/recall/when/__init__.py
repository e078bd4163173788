"""When a text speaks of: its times, resolved against the time it was said at.

Pure, linear and without a model. `find_asked` reads questions, `find_times` messages,
`resolve_date` deadlines, `parse_when` options of commands. How open points are settled is said in
`tense` (in January), `frame` (weeks, seasons), `dates` (05/07/2023), `relative` (last, ago) and
`parts` (early, late).
"""

from hermes.memory.recall.when.find import Known, find_times, parse_when, resolve_date
from hermes.memory.recall.when.span import Direction, Grain, Prefer, TimeSpan
from hermes.memory.recall.when.tense import SOON_MS, find_ahead, find_asked, find_past, read_tense

__all__ = [
    "SOON_MS",
    "Direction",
    "Grain",
    "Known",
    "Prefer",
    "TimeSpan",
    "find_ahead",
    "find_asked",
    "find_past",
    "find_times",
    "parse_when",
    "read_tense",
    "resolve_date",
]
