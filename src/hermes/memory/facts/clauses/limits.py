"""When, and how far, a statement holds: "on weekends", "in winter", "part-time", "also".

What is limited so is told with its limit, and stands beside what holds otherwise: a barista on
weekends may be a nurse.
"""

from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.slots import Words, spell

_TIMES = frozenset(
    "weekend weekends weekday weekdays mornings afternoons evenings nights night mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays spring springs summer summers autumn autumns "
    "fall winter winters week season term holidays".split()
)
_AT = frozenset("on in during at over".split())
_PARTLY = frozenset("part-time half-time sometimes occasionally seasonally partly".split())
_BESIDE = frozenset("also too additionally besides".split())
_AHEAD = frozenset("turn move relocate join start begin return".split())


def limit_of(frame: Frame) -> str:
    """The words that say when or how far a clause holds, or nothing."""
    if frame.tense != "present" or frame.verb in _AHEAD:
        return ""
    partly = [t.low for t in frame.words if t.low in _PARTLY]
    if "part time" in spell(frame.rest).lower():
        partly.append("part-time")
    told = [f"{s.prep} {spell(s.words)}" for s in frame.slots if s.prep in _AT and _recurs(s.words)]
    if frame.lead and frame.lead[0].low in _AT and _recurs(frame.lead[1:]):
        told.append(spell(frame.lead).lower())
    return " ".join([*partly, *told])


def is_beside(frame: Frame) -> bool:
    """Whether a clause leaves room for others of its kind: "I also work at a bakery"."""
    return bool(limit_of(frame)) or any(t.low in _BESIDE for t in frame.words)


def _recurs(words: Words) -> bool:
    named = [t.low for t in words if t.tag not in {"DET", "ADJ", "PUNCT"}]
    return bool(named) and named[0] in _TIMES
