"""A fact told again with what has come in the place of its value, where the words bear it out.

The text of a fact is what somebody said. Only one thing may be made of it: the same sentence with
another value, and only if what was said names the same thing and tells of a change of that. Whether
it does is for `may_retell` alone; where it does not, the old fact stays as it was and what was said
is, at most, kept as it was said. Nothing here knows a store.
"""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import Change
from hermes.memory.facts.clauses.days import find_day
from hermes.memory.facts.compare import is_same_value, said_words, stems
from hermes.memory.facts.sorts import (
    is_predicate,
    names_itself,
    same_thing,
    sorts_of,
    thing_of,
)
from hermes.types import Fact, FactKind

_OF_NO_MONTH = re.compile(r"(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_UNIT = re.compile(r"[\d.,:]+\s?(?P<unit>\D.*)?")
_NAMES_BOTH = re.compile(r"not\s.+\sbut\s", re.IGNORECASE)
_STAMPED = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d\)")
_ONE_DAY = re.compile(r"\b(?:next|this|coming) \w+day\b", re.IGNORECASE)
_WORKING = frozenset({FactKind.ENVIRONMENT, FactKind.DECISION})
_CHOSEN = _WORKING | {FactKind.PREFERENCE}
_PLACES = frozenset({"location", "employer", "role"})  # one moves to another of them
_WANTS = "User wants Hermes to "
_ENDED = "No longer: "


def may_retell(fact: Fact, candidate: Candidate) -> bool:
    """Whether what a candidate tells to have come may stand in the place of a fact's value.

    The sentence names the same thing, or the old value in full and as no bare number; old and new
    are of one sort; and what only went somewhere has not become that place.
    """
    change, new = candidate.change, candidate.change.new or candidate.value
    if is_part_gone(fact, candidate) or names_itself(sorts_of(new) & sorts_of(fact.value)):
        return True
    named = _is_named_in_full(fact, change.gone)
    if fact.kind is FactKind.RELATIONSHIP and not _is_of_relation(fact, candidate):
        return False  # "I swapped Anna for Ben": but not as a sister
    if change.topic and not stems(same_thing(change.topic)) <= about(fact) | stems(new):
        return False
    if not named and not _is_of_one_sort(fact, candidate, new):
        return False
    return named or not change.moved or _may_move(fact, new)


def is_part_gone(fact: Fact, candidate: Candidate) -> bool:
    """ "from Fedora to Debian" beside "a ThinkPad X1 with Fedora": one thing of several told.

    A name of what is worked with; or a number of the same things, "30 days, not 14".
    """
    change = candidate.change
    if not (change.gone and change.new and change.own and tells(candidate)):
        return False
    if is_same_value(fact.value, change.gone) or stems(change.gone) == stems(fact.value):
        return False
    if change.topic and not stems(same_thing(change.topic)) <= about(fact):
        return False
    if change.gone.isdigit():
        return _counted(change) is not None and bool(_part(change).search(fact.text))
    named = change.gone[:1].isupper() and fact.kind in _WORKING
    return named and _part(change).search(fact.text) is not None


def is_retold(candidate: Candidate, fact: Fact) -> bool:
    """Whether a reading is better told as a statement about the thing it changes.

    It leans on it, names what is gone ("is not 15 April but 6 May"), or tells less than the fact.
    """
    change = candidate.change
    if candidate.leaning or is_part_gone(fact, candidate):
        return True
    if change.new and _NAMES_BOTH.match(candidate.value):
        return True
    named = change.topic or change.new in candidate.value
    told = bool(named and change.new) and change.gone in candidate.text
    return told and candidate.attribute.startswith("said:")


def retold(candidate: Candidate, fact: Fact) -> Candidate:
    """A reading that changes a fact, as a statement about the same thing.

    Every word of its text was said with the change, or stands in the fact outside what is gone;
    where another would be needed, it is kept as it was said.
    """
    slot = replace(
        candidate, subject=fact.subject, attribute=fact.attribute, single=fact.single, leaning=False
    )
    slot = replace(slot, kind=fact.kind)
    if is_part_gone(fact, candidate):
        made = _with_part(slot, fact)
    elif _is_end(candidate):
        text = candidate.text or f"{_ENDED}{fact.text}"
        return replace(slot, text=text, value=fact.value, ended=True)
    else:
        made = _with_value(slot, fact)
    is_said = is_borne_out(made.text, candidate, fact)
    return made if is_said else replace(made, text=candidate.text or candidate.quote)


def only_unsays(candidate: Candidate) -> bool:
    """ "Forget what I said about Ghent", and no more: nobody says that it is no longer so."""
    change = candidate.change
    made = candidate.leaning and not candidate.text
    return change.unsaid and not change.new and (made or candidate.text.startswith(_ENDED))


def is_borne_out(text: str, candidate: Candidate, fact: Fact) -> bool:
    """Whether no word of a text is neither said nor one of the fact's own outside its value."""
    gone = candidate.change.gone if is_part_gone(fact, candidate) else fact.value
    own = said_words(_whole(gone).sub(" ", fact.text))
    said = said_words(f"{candidate.quote} {candidate.text} {candidate.change.topic}")
    return set(said_words(_STAMPED.sub("", text))) <= {*own, *said}


def about(fact: Fact) -> frozenset[str]:
    """The words for what a fact is a value of, as it was told and as it is filed."""
    told = f"{fact.text} {fact.subject} {quote_of(fact)}"
    return stems(told) | stems(same_thing(fact.attribute)) | stems(same_thing(told))


def tells(candidate: Candidate) -> bool:
    """Whether a reading is the one of the change, and not of what is told along with it."""
    change, own = candidate.change, stems(candidate.value)
    return candidate.leaning or bool(own & (stems(change.new) | stems(change.gone)))


def quote_of(fact: Fact) -> str:
    return fact.sources[0].quote if fact.sources else ""


def sorts_held(fact: Fact, *, of: frozenset[str]) -> frozenset[str]:
    """The sorts of value that a fact holds, beside a new one `of` some; a day, if it has one."""
    held = sorts_of(fact.value) or (sorts_of(quote_of(fact)) if of else frozenset())
    dated = _STAMPED.search(fact.text) or _ONE_DAY.search(fact.text)
    return held | {"date"} if dated else held


def _is_of_relation(fact: Fact, candidate: Candidate) -> bool:
    said = stems(same_thing(f"{candidate.quote} {candidate.text}"))
    return bool(stems(same_thing(fact.attribute)) & said)


def _is_named_in_full(fact: Fact, gone: str) -> bool:
    return not gone.isdigit() and bool(gone) and is_same_value(fact.value, gone)


def _is_of_one_sort(fact: Fact, candidate: Candidate, new: str) -> bool:
    """A day for a day, an hour for an hour, a name for a name: no place for a person's."""
    mine = sorts_of(new) or sorts_of(f"{candidate.change.topic} {new}")
    theirs = sorts_held(fact, of=mine)
    if mine or theirs:
        return bool(mine & theirs) or names_itself(mine)
    if fact.kind is FactKind.RELATIONSHIP or candidate.change.moved:
        return _is_name(new) == _is_name(fact.value)
    return True


def _may_move(fact: Fact, new: str) -> bool:
    """ "the queue moved to NATS", "I moved to York": but who a manager is does not go anywhere."""
    held = sorts_of(f"{fact.value} {quote_of(fact)}") | sorts_held(fact, of=sorts_of(new))
    if sorts_of(new) & held or names_itself(sorts_of(new)):
        return True
    if fact.attribute in _PLACES or (thing_of(new) and thing_of(new) == thing_of(fact.value)):
        return True
    is_what_it_is = re.search(rf"\b(?:is|are) an? {re.escape(fact.value)}", fact.text)
    return fact.kind in _CHOSEN and not is_what_it_is


def _is_name(value: str) -> bool:
    return any(word[:1].isupper() or word[:1].isdigit() for word in value.split())


def _is_end(candidate: Candidate) -> bool:
    """Whether it only says what is gone."""
    change = candidate.change
    if change.new:
        return False
    named = bool(change.gone) and stems(change.gone) <= stems(candidate.text)
    return not candidate.text or named


def _with_part(candidate: Candidate, fact: Fact) -> Candidate:
    part, new = _part(candidate.change), candidate.change.new
    text, value = part.sub(lambda _: new, fact.text), part.sub(lambda _: new, fact.value)
    value = _after(fact.value, text) if value == fact.value else value
    return replace(candidate, text=text, value=value)


def _with_value(candidate: Candidate, fact: Fact) -> Candidate:
    if fact.text.startswith(_WANTS) and candidate.text.startswith("User wants "):
        return candidate  # a wish is one as it stands
    value = candidate.change.new or candidate.value
    if sorts_of(fact.value) & {"date"}:
        return _with_day(candidate, fact, value)
    if candidate.change.new and not is_predicate(fact.value):
        text = _whole(fact.value).sub(lambda _: value, fact.text)
        if text != fact.text:
            return replace(candidate, text=text, value=value)
    text = candidate.text or candidate.quote
    if fact.text.startswith(_WANTS):
        text = text.replace("User asks to ", _WANTS)
    return replace(candidate, text=text, value=value)


def _with_day(candidate: Candidate, fact: Fact, value: str) -> Candidate:
    day = find_day(_in_month_of(value, fact.value), candidate.at or 0)
    iso = day.iso if day else value
    change, said = candidate.change, candidate.text or candidate.quote
    if change.topic and change.gone and change.gone in said:
        said = f"The {change.topic} is {value}"
    return replace(candidate, text=said if iso in said else f"{said} ({iso})", value=iso)


def _in_month_of(value: str, old: str) -> str:
    """ "moved to the 27th", of what was on 20 July: the month stays."""
    day = _OF_NO_MONTH.fullmatch(value.strip())
    return f"{old[:8]}{int(day[1]):02}" if day and _ISO.fullmatch(old) else value


def _counted(change: Change) -> str | None:
    """What a new number is one of, "days" of "30 days", which the old one must be of as well."""
    found = _UNIT.fullmatch(change.new)
    return found["unit"] if found else None


def _part(change: Change) -> re.Pattern[str]:
    """What is gone, where it stands by itself in the words of a fact, with its unit or number."""
    unit = _counted(change) if change.gone.isdigit() else None
    after = rf"\s?{re.escape(unit)}" if unit else ""
    if not unit and change.new[-1:].isdigit():
        after = r"(?: \d[\w.]*)?"  # of a Pixel 8
    return _whole(change.gone, after)


def _whole(words: str, after: str = "") -> re.Pattern[str]:
    """Words where they stand by themselves: no "Go" in "Google"."""
    return re.compile(rf"(?<![\w-]){re.escape(words)}{after}(?![\w-])")


def _after(value: str, text: str) -> str:
    """From where the first word of a value stands on, to the end of a text."""
    found = _whole(value.split(" ", maxsplit=1)[0]).search(text) if value else None
    return text[found.start() :] if found else text
