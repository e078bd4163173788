"""When, and how far, a statement holds: "on weekends", "in winter", "part-time", "also".

What is limited so is told with its limit, and stands beside what holds otherwise: a barista on
weekends may be a nurse.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.split import Clause
from hermes.memory.facts.clauses.wording import others
from hermes.types import FactKind

_TIMES = frozenset(
    "weekend weekends weekday weekdays mornings afternoons evenings nights night mondays tuesdays "
    "wednesdays thursdays fridays saturdays sundays spring springs summer summers autumn autumns "
    "fall winter winters week season term holidays".split()
)
_AT = frozenset("on in during at over".split())
_PARTLY = frozenset("part-time half-time sometimes occasionally seasonally partly".split())
_BESIDE = frozenset("also too additionally besides".split())
_WHEN = frozenset({"when", "whenever", "while"})
_LASTING = frozenset({FactKind.IDENTITY, FactKind.PREFERENCE, FactKind.ENVIRONMENT, FactKind.OTHER})
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


def with_occasion(
    found: Sequence[Candidate], frame: Frame, clauses: Sequence[Clause], index: int, sentence: str
) -> list[Candidate]:
    """What a clause states, told with the one beside it that says when: "I eat fish when I visit
    my parents", "when I travel, I use a Chromebook"."""
    beside = _occasion(clauses, index)
    if beside is None or frame.tense != "present":
        return list(found)
    words = [t for n, t in enumerate(beside.tokens) if n or t.low not in _WHEN]
    joint = beside.tokens[0].low if len(words) < len(beside.tokens) else beside.joint
    both = (clauses[index], beside)
    quote = sentence[min(each.start for each in both) : max(each.end for each in both)]
    return [
        replace(each, text=f"{each.text} {joint} {others(words)}", quote=quote, single=False)
        if each.kind in _LASTING and not each.quote
        else each
        for each in found
    ]


def _occasion(clauses: Sequence[Clause], index: int) -> Clause | None:
    after = clauses[index + 1] if index + 1 < len(clauses) else None
    if after is not None and after.joint in _WHEN:
        return after
    before = clauses[0] if index == 1 else None
    led = before is not None and before.tokens[0].low in _WHEN and clauses[1].joint in {",", ""}
    return before if led else None


def _recurs(words: Words) -> bool:
    named = [t.low for t in words if t.tag not in {"DET", "ADJ", "PUNCT"}]
    return bool(named) and named[0] in _TIMES
