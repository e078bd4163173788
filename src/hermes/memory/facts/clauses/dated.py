"""What falls on a day: deadlines, appointments, beginnings and ends, settled against the "
"message."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.clock import DAY_MS, to_datetime
from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses import values
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.days import Day, find_day, find_either, find_reckoned, is_reckoned
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.lexicon import EVENT_NOUNS
from hermes.memory.facts.clauses.slots import Words, spell
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.wording import others, render
from hermes.types import FactKind

SOON_MS = 7 * DAY_MS  # an event nearer than this is an errand, not a memory
_ERRANDS = frozenset(
    "meeting call lunch dinner coffee package parcel train bus standup breakfast date drinks "
    "errand "
    "delivery pizza movie sync 1:1 one-on-one chat retro planning refinement".split()
)
_SHIFTS = frozenset(
    "move push postpone delay shift reschedule extend slip bring schedule plan".split()
)
_ENDS = frozenset(
    "expire end start close begin finish launch ship open run lapse follow go arrive kick leave "
    "join turn last release happen land deliver".split()
)
_ASKS = frozenset(
    "want need require expect ask submit hand renew file finish deliver send pay complete "
    "register have be prepare write do return".split()
)
_PRIVATE = frozenset(
    "wedding appointment flight graduation holiday holidays vacation trip birthday "
    "funeral party offsite conference surgery visit 80th 70th 60th 50th 40th "
    "30th".split()
)
_PAPERS = tuple("abstract paper proposal application form visa report slides invoice".split())
_WEEKLY = frozenset("training class session lesson practice match game rehearsal scan jab".split())
_LIMIT_WORD = re.compile(r"(?i)\b(?:by|before|until|due|deadline)\b")
_TERMS = frozenset(
    "contract lease licence license subscription warranty visa insurance agreement certificate "
    "cert certs permit passport guarantee trial funding grant".split()
)
_DAY_WORDS = re.compile(
    r"\b(?:today|tonight|yesterday|this (?:morning|afternoon|evening)|eod|noon(?! on))\b",
    re.I,
)
_REPEATED = re.compile(
    r"\b(?:from now on|every|each|always|never|ever|\w+days|daily|weekly|monthly|quarterly|yearly|"
    r"annually|\w+day (?:morning|afternoon|evening|night)s|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)? ?(?:to|-|–|till|through) ?"
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\b",
    re.I,
)
_HOURS = frozenset("morning afternoon evening night noon midnight midday week sharp".split())
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NAMED_BY_DAY = re.compile(  # "the Friday group", "our delivery day is Thursday": each week's
    rf"(?i)\b(?:the|our|my|an?) {_WEEKDAY} (?!morning|afternoon|evening|night|noon|lunch|"
    rf"before|after|in|of|at|on|is|and|or|to|for|we|i|not|then|week)[a-z]+|"
    rf"\b\w+ day (?:is|'s)(?: now)? (?:on )?{_WEEKDAY}\b"
)
_MONTH_ONLY = re.compile(
    r"(?i)(?!tomorrow)(?:due )?(?:in |early |late |mid-?)?(?:next |this )?[a-z]+(?: \d{4})?"
)
_DATED_WORD = re.compile(r"(?i)\b(?:end|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week)\b")
_QUARTER = re.compile(r"(?i)(?:(?:for|in|by) )?q[1-4](?: \d{4})?")
_OVER = re.compile(r"(?i)\b(?:as of|since) (?:yesterday|last)\b")
_AIMS = frozenset("ship launch release deliver submit publish open".split())
_BOOKED = frozenset("book schedule plan set fix reserve confirm arrange slate".split())
_UNNAMED = frozenset("ours mine theirs yours his hers it this that one due before until by".split())
_LIMIT = re.compile(
    r"(?i)\b(?:by|before|until|end of|due|deadline|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
_RANGE = re.compile(
    r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* to (?:jan|feb|mar|apr|may|"
    r"jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
)
_ORDINAL = re.compile(
    r"(?i)\b([12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:birthday|anniversary|floor|edition|grade|time|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
)
_RELATIVE = re.compile(r"(?i)(?:next|this|the|tomorrow)\b")
_PLAIN = re.compile(r"^(?:the |our |my |an? |new |all )+", re.I)
_LINK = re.compile(r"\s+(?:on|by|at|in|until|before|for|to|is|due|the|from)$", re.I)


def is_undated(text: str) -> bool:
    """Said of every such day, of today, or of a stretch of months: no one day is meant."""
    named = (_REPEATED, _DAY_WORDS, _RANGE, _NAMED_BY_DAY)
    return any(pattern.search(text) for pattern in named)


def read_dates(frame: Frame, setting: Setting, text: str, *, before: str = "") -> list[Candidate]:
    """The dated fact a clause states, if it states one; `text` is the clause as written, `before`
    what was said before it in the same message."""
    told, day = day_told(frame, setting.day_from(text), text)
    if is_reckoned(text):
        day = find_reckoned(text, before, setting.at) or day
    dated = day is not None and any(map(str.isdigit, day.text))
    if frame.negated or is_undated(told if dated else text):
        return []
    vague = day is not None and (_MONTH_ONLY.fullmatch(day.text) or _QUARTER.fullmatch(day.text))
    if vague and not _LIMIT.search(text):
        return []
    if day is None or day.iso == f"{to_datetime(setting.at):%Y-%m-%d}":
        return []
    if re.search(
        rf"(?i)\b(?:until|till|from) (?:the )?(?:end of )?{re.escape(day.text)}", text
    ) or (re.match(r"(?i)until |till |from ", day.text)):
        ends = frame.verb in {"have", "expire", "end", "need"} or _is_term(frame)
        if not ends and not _is_occasion(frame):
            return []  # what lasts until a day, or from one on, is not due then
    return list(_of_frame(frame, setting, told, day))


def day_told(frame: Frame, at: int, text: str) -> tuple[str, Day | None]:
    """The day that the verb points at, and the words that tell it: what follows the verb, else
    what opens the clause, else a day that stands beside what the clause is about."""
    predicate = spell((*frame.group, *frame.rest)) if frame.group else text
    if frame.verb in _SHIFTS and " to " in predicate:
        predicate = predicate[predicate.rindex(" to ") + 1 :]
    subject = "" if _is_within_name(frame.subject.words) else spell(frame.subject.words)
    for told in (predicate, spell(frame.lead), f"{subject} {predicate}"):
        if told.strip() and (day := _day_set(told, at)) is not None:
            return told, day
    return text, None


def _day_set(told: str, at: int) -> Day | None:
    """The first day that is no part of a name, as "10 May" is of "the 10 May workshop"."""
    first = day = find_either(told, at)
    rest = told
    while day is not None and _is_named_by(rest[day.end :]):
        rest = rest[day.end :]
        day = find_either(rest, at)
    return day or first


def _is_named_by(after: str) -> bool:
    """Whether a thing follows that has its name of the day before it."""
    following = next(iter(tokenize(after)), None) if after[:1] == " " else None
    named = following is not None and following.tag == "NOUN"
    return named and following is not None and following.low not in _HOURS


def _is_within_name(subject: Words) -> bool:
    """Whether a subject has more in it than a thing and its day: "registration for the half
    marathon on 10 May", but not "my exam on 10 May"."""
    return sum(token.tag == "PREP" for token in subject) > 1


def _of_frame(frame: Frame, setting: Setting, text: str, day: Day) -> Iterator[Candidate]:
    if frame.tense == "past" and "shift" not in frame.classes and frame.verb not in {"ask", "set"}:
        return
    if frame.tense == "past" and not _is_target(frame, day):
        return  # "the company moved to Teams on 5 January"
    if day.start_at < setting.at - DAY_MS or _OVER.search(text) or _disagrees(text, day):
        return
    topic = _topic(frame, day)
    if frame.verb == "meet" and values.is_person(frame.object):
        return
    if not topic or (_is_errand(topic) and not _is_with_someone(frame) and not _is_call(frame)):
        return
    if not _is_dated_verb(frame, text) and not _is_only_day(frame, day):
        return
    if topic.split()[0].lower() in _UNNAMED and topic.lower() != "due date":
        return  # "ours is due on the 9th": only who was there knows what
    soon = day.start_at - setting.at < SOON_MS
    private = _is_private(topic) or frame.verb == "marry"
    meets = _is_errand(topic) and not _is_call(frame)
    booked = frame.passive and frame.verb in {"book", "reserve", "arrange"}
    person = frame.subject.kind in {"person", "name"} and frame.verb in {"start", "leave", "join"}
    weekly = _WEEKLY & set(topic.lower().split()) and not _LIMIT_WORD.search(text)
    if soon and (private or weekly) and not setting.correction:
        return
    kind = FactKind.EVENT if private or person or meets or booked else FactKind.DEADLINE
    first = frame.verb in {"start", "begin", "open", "launch"}
    settled = find_day(text, setting.at, first=True) if first else day
    yield make(frame, topic, settled or day, kind)


def _is_target(frame: Frame, day: Day) -> bool:
    """ "the demo was pushed to 5 May": the day is where it went, not when that happened."""
    if frame.verb in {"ask", "set", "schedule", "plan"}:
        return True
    told = [slot for slot in frame.slots if slot.prep in {"to", "for", "until", "till", "by"}]
    if any(not slot.words for slot in told) and _RELATIVE.match(day.text):
        return True  # "slipped to next Monday": no word of it is the slot's
    return any(_words(day) & {t.low for t in slot.words} for slot in told)


def _disagrees(text: str, day: Day) -> bool:
    """Whether the text names another day, too: "on Monday in two weeks, 23rd"."""
    named = {int(number) for number in _ORDINAL.findall(text)}
    told = to_datetime(day.start_at).day
    return bool(named) and not named & {told, told + 1}  # "before the 30th" is the 29th


def read_dated_phrase(frame: Frame, setting: Setting, text: str) -> list[Candidate]:
    """ "the wedding on June 28", said of a calendar; "alert on p99, owner Ilkka, due 30 April"."""
    lows = {t.low for t in frame.words}
    if (
        not lows & (EVENT_NOUNS | _PRIVATE | {"due"})
        or _REPEATED.search(text)
        or _DAY_WORDS.search(text)
    ):
        return []
    day = find_day(text, setting.at)
    if frame.words[-1].tag in {"VERB", "BE", "AUX", "PREP"} or frame.words[-1].low == "means":
        return []  # "invoice from feb 20 means": it breaks off
    if day is None or len(frame.words) > 14 or day.start_at <= setting.at:
        return []
    topic = _clean(re.split(r"(?i),| due | on | by ", text.replace(day.text, ""))[0], day)
    if (
        not topic
        or topic.split()[0].lower() in _UNNAMED
        or _is_errand(topic)
        or (day.start_at - setting.at < SOON_MS and "due" not in lows)
    ):
        return []
    kind = FactKind.EVENT if _is_private(topic) else FactKind.DEADLINE
    return [make(frame, topic, day, kind)]


def make(frame: Frame, topic: str, day: Day, kind: FactKind) -> Candidate:
    said = render(_to_the_point(frame)) if frame.verb else others(list(frame.words))
    said = re.sub(r",? now$", "", said[:1].upper() + said[1:])
    said = said.replace(day.text, day.told) if day.told else said
    prefix = "event" if kind is FactKind.EVENT else "deadline"
    label = "On" if kind is FactKind.EVENT else "Due"
    shown = day.iso[:7] if _is_month(day) else day.iso  # "in November" is no day
    shown += f" or {day.later}" if day.later else ""
    text = f"{said} ({label.lower()} {shown})"
    value = f"{day.iso} or {day.later}" if day.later else day.iso
    return Candidate(
        text, kind, USER, f"{prefix}:{topic.lower()}", value, single=True, valid_from=day.start_at
    )


def _to_the_point(frame: Frame) -> Frame:
    """Without what follows from it: "…, so you'll see a lot of me"."""
    so = next((n for n, t in enumerate(frame.rest) if n and t.low == "so"), len(frame.rest))
    return replace(frame, rest=frame.rest[:so])


def read_aim(frame: Frame, setting: Setting, text: str) -> list[Candidate]:
    """ "we want to ship 4.0 on 3 May": what a team sets itself is no mere wish."""
    aims = frame.modal in {"want", "aim"} and frame.subject.kind == "team"
    return read_dates(frame, setting, text) if aims and frame.verb in _AIMS else []


def _is_month(day: Day) -> bool:
    """Whether a month was named and nothing nearer; the end of one is its last day."""
    return bool(_MONTH_ONLY.fullmatch(day.text)) and not _DATED_WORD.search(day.text)


def _is_private(topic: str) -> bool:
    """Whether it is a wedding or a trip itself, and not a visa for one."""
    thing = re.split(r"(?i) (?:for|of|in|on|at|to|from|with)\b", topic.lower())[0]
    return bool(_PRIVATE & set(thing.split()[-2:])) and not thing.endswith(_PAPERS)


def _is_errand(topic: str) -> bool:
    words = set(topic.lower().split())
    return bool(words & _ERRANDS) and not words & {"board", "due"}


def _is_call(frame: Frame) -> bool:
    """ "the call closes 15 January": one for proposals, by no phone."""
    return frame.subject.noun == "call" and frame.verb in {"close", "open", "end"}


def _is_with_someone(frame: Frame) -> bool:
    """ "the meeting with the council is on Thursday": who says with whom means to be there."""
    lows = [t.low for t in frame.subject.words]
    return frame.verb == "be" and "with" in lows[1:-1] and bool(_ERRANDS & set(lows[:3]))


def _is_dated_verb(frame: Frame, text: str) -> bool:  # noqa: PLR0911 - one case after the other
    """A verb that ties a thing to a day."""
    if frame.modal in {"must", "have", "need"} and re.search(r"\b(?:by|before|until)\b", text):
        return frame.subject.kind != "you"
    has_by = bool(re.search(r"\b(?:by|before|until|due|no later than|at the latest)\b", text, re.I))
    if frame.verb in _SHIFTS or (frame.passive and frame.verb in _BOOKED):
        return frame.slot("to", "for", "until", "on") is not None
    if frame.subject.kind in {"own", "thing", "name", "it"} and frame.verb in _ENDS | {"be"}:
        tied = _is_occasion(frame) or _is_with_someone(frame)
        return frame.verb in _ENDS or tied or "due" in text.lower()
    comes = frame.verb in {"come", "arrive"} and frame.tense in {"present", "future", "progressive"}
    if comes and frame.subject.kind in {"own", "thing"}:
        return True  # "the fitters come on 20 July"
    if frame.subject.kind in {"person", "name"} and frame.verb in {
        "start",
        "leave",
        "join",
        "turn",
    }:
        return True
    if has_by and (frame.verb in _ASKS or frame.modal in {"must", "have", "need", "should"}):
        return frame.subject.kind != "you"
    if frame.verb == "have" and frame.slot("until") is not None and frame.slot("to") is not None:
        return True
    if frame.verb in {"have", "get"} and frame.subject.kind in {"user", "team", "person"}:
        return any(t.low in EVENT_NOUNS for t in frame.object)
    if frame.subject.kind in {"team", "user"} and frame.verb in {
        "go",
        "launch",
        "ship",
        "meet",
        "release",
        "sunset",
        "start",
        "marry",
        "move",
    }:
        return frame.tense in {"present", "future", "progressive"}
    return False


def _is_only_day(frame: Frame, day: Day) -> bool:
    """ "install is 27 May", "due date is 13 november": all that is said of a thing is its day."""
    named = frame.verb == "be" and frame.subject.kind in {"own", "thing", "name"}
    rest = frame.rest[: len(frame.rest) - len(frame.tail)]  # "…, in person in Rotterdam"
    said = [t.low for t in rest if t.tag not in {"PREP", "DET", "PUNCT", "ADV"}]
    exact = any(map(str.isdigit, day.text)) or is_reckoned(day.text)
    return named and bool(said) and exact and set(said) <= _words(day)


def _words(day: Day) -> set[str]:
    return {word.strip(".,").lower() for word in day.text.split()}


def _is_term(frame: Frame) -> bool:
    """ "the support contract runs until 31 December": it ends then."""
    runs = frame.verb in {"run", "last", "hold", "be"} and frame.tense == "present"
    return runs and bool(_TERMS & {t.low for t in frame.subject.words})


def _is_occasion(frame: Frame) -> bool:
    lows = {t.low for t in frame.subject.words}
    return bool(lows & (EVENT_NOUNS | _PRIVATE)) or frame.subject.kind == "it"


def _topic(frame: Frame, day: Day) -> str:  # noqa: PLR0911 - one case after the other
    """What it is that falls on the day."""
    subject = frame.subject
    if (
        frame.verb in _SHIFTS
        and not frame.passive
        and (frame.object or subject.kind in {"user", "team", "none", "person"})
    ):
        words: Words = frame.object
        extra = next((s.words for s in frame.slots if s.prep == "of" and s.words), ())
        return _clean(spell((*words, *extra)), day)
    if subject.kind in {"own", "thing", "name"}:
        name = spell([t for t in subject.words if t.tag not in {"DET", "POSS"}])
        state = _state(frame, day)
        return _clean(f"{name} {state}".strip(), day)
    if subject.kind == "person" and frame.verb in {"start", "leave", "join", "turn"}:
        return f"{subject.name or subject.noun} {frame.verb}s"
    if subject.kind == "it":
        return ""
    wanted = frame.slot("for") if frame.verb == "ask" else None
    if frame.verb == "have" and not frame.object and (task := frame.slot("to")) is not None:
        return _clean(spell(task.words), day)
    words = wanted.words if wanted else frame.object
    if not words and frame.verb in {"go", "launch", "ship", "release", "marry"}:
        return "go live" if frame.verb == "go" else frame.verb
    if frame.verb == "go":
        return "go live"
    if not words or values.points_elsewhere(words):
        return ""
    return _clean(spell(words), day)


def _state(frame: Frame, day: Day) -> str:
    """ "feature complete" of "has to be feature complete by Friday"."""
    if frame.verb != "be" and frame.modal:
        return ""
    words = [t for t in frame.object if t.low not in {"due", "live", "ready", "done", "on"}]
    state = spell(words)
    said, named = state.lower(), day.text.lower()
    return "" if named in said or said in named or any(t.tag == "NUM" for t in words) else state


def _clean(topic: str, day: Day) -> str:
    topic = topic.replace(day.text, " ")
    topic = re.sub(r"(?i)^(?:the )?(?:new )?deadline (?:for|of) ", "", topic.strip())
    topic = re.sub(r"(?i) deadline$", "", topic.strip())
    topic = _LINK.sub("", _PLAIN.sub("", topic.strip(" ,-")))
    return re.sub(r"\s+", " ", topic).strip(" ,-")[:60]
