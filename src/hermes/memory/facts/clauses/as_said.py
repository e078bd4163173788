"""A clause taken as it stands, where no reader has a form for what it says.

Readers know forms; people know more of them. Whether such a clause is worth keeping is not judged
here: the gate does, and it asks more of it than of what a reader knew. What a stranger could not
understand by itself is left: a clause about "it" or "them" with nobody named before.
"""

import re

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.apply import clause_value
from hermes.memory.facts.clauses.customs import Setting
from hermes.memory.facts.clauses.dated import day_told, is_undated
from hermes.memory.facts.clauses.days import find_beginning, find_day
from hermes.memory.facts.clauses.ellipsis import Around, capital, complete
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.riders import whose
from hermes.memory.facts.clauses.slots import spell
from hermes.memory.facts.clauses.wording import others, render
from hermes.types import FactKind

LONGEST = 26  # words; what is longer tells a story
LONGEST_FRAGMENT = 14

_WHO = frozenset({"user", "team", "person", "own", "name", "thing"})
_CONTENT = frozenset({"NOUN", "NAME", "NUM", "ADDR", "ADJ", "VERB"})
_POLITE = frozenset("please pls plz kindly".split())
_POINTS = frozenset(
    "it this that these those he she they his her hers their theirs there here which who what "
    "one ones something someone both him them same ours mine theirs yours".split()
)
_WANTS = frozenset("need want hope guess wish think see look".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_WEEKDAY = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day|\bend of\b|\bfirst\b")
_THINGS = frozenset("state host build test code cache queue store log plan process".split())
_THE_DAY = re.compile(r"\bon the \d{1,2}(?:st|nd|rd|th)\b(?! of| [A-Z])")
_SEALED = re.compile(r"(?i), ?(?:that'?s )?(?:decided|settled|final|agreed)\b")
_DENIES = frozenset("do don't dont never not".split())


def read_as_said(
    frame: Frame, setting: Setting, text: str, around: Around | None = None
) -> list[Candidate]:
    """The clause in the third person, or in its own words where that cannot be done well."""
    if not frame.verb:
        return _fragment(frame, setting, text, around or Around())
    if len(frame.words) > LONGEST:
        return []
    subject = frame.subject
    if subject.kind == "none" and frame.group[0].form in {"VB", ""}:
        if _is_noun(frame):
            return _fragment(frame, setting, text, around or Around())
        return _bare(frame, setting, text)
    if subject.kind == "you" and frame.verb == "be":
        return []  # "you are a pirate": nothing of the user's
    unnamed = subject.kind == "person" and not subject.owner and not subject.name
    if subject.kind not in _WHO or unnamed:
        return _in_own_words(frame, setting, text)
    if _says_nothing(frame):
        return []
    said, value = render(frame), clause_value(frame)
    return [dated(said, value or said, frame, setting, text, f"said:{frame.verb}")]


def _is_noun(frame: Frame) -> bool:
    """ "state in s3", "Go, Kubernetes on AWS", "rent 9k": no order, but a thing."""
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI"}]
    first, following = words[0], [t.low for t in words[1:2]]
    counted = any(t.tag == "NUM" or (len(t.text) == 1 and t.text.isupper()) for t in words[1:2])
    if counted and not any(t.tag in {"NOUN", "ADJ", "PREP"} for t in words[2:3]):
        return True  # but "list 10 metrics"
    return following == [","] or (first.low in _THINGS and following in (["in"], ["on"], ["at"]))


def _says_nothing(frame: Frame) -> bool:
    """ "we agreed", "I saw it", "I'm always here for you", "ours is due": nobody knows what."""
    subject = frame.subject
    if subject.kind == "thing" and subject.words and subject.words[0].low in _POINTS:
        return True
    if frame.verb in {"be", "have"} and frame.tense == "past":
        return True  # how it was
    if "decide" in frame.classes and subject.kind in {"own", "thing"} and not frame.passive:
        return subject.words[-1] not in frame.words  # "…, agreed with the board": that it holds
    if not frame.rest:
        return not frame.passive or subject.kind == "thing"
    if "say" in frame.classes and subject.kind not in {"user", "team"}:
        return True  # what others say is theirs
    if frame.rest[0].low == "one" and len(frame.rest) > 1 and frame.rest[1].tag == "PREP":
        return True  # "borrowing one from Jo"
    if len(frame.rest) == 1 and frame.rest[0].tag in {"PRON", "OBJ"}:
        return True
    return subject.kind == "user" and any(t.low in {"you", "your"} for t in frame.rest)


def _bare(frame: Frame, setting: Setting, text: str) -> list[Candidate]:
    """No subject: an order."""
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI"}]
    plain = [t for t in words if t.low not in _POLITE]
    if not plain or plain[0].lemma in _WANTS or plain[0].low == "own":
        return []
    if plain[0].low == "correct" and not any(t.tag in {"DET", "POSS", "OBJ"} for t in plain[1:2]):
        return []  # "correct", "correct answer": it agrees
    order = others(plain)
    order = order[:1].lower() + order[1:] if plain[0].tag == "VERB" else order
    mark = ": " if plain[0].low in _DENIES or plain[0].form != "VB" else " to "
    return [dated(f"User asks{mark}{order}", spell(frame.words), frame, setting, text, "asks")]


def _in_own_words(frame: Frame, setting: Setting, text: str) -> list[Candidate]:
    """ "anything above 5k goes to Harriet": whole as it is, unless it speaks of what is not named.

    What addresses the assistant is told as said.
    """
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI", "CONJ"}]
    if not words or words[0].low in _POINTS or frame.subject.kind in {"it", "person", "who"}:
        return []
    if not frame.subject.words or any(t.low in _POINTS for t in frame.subject.words):
        return []
    if frame.subject.kind == "you" or words[0].tag == "WH":
        return [dated(f"User says: {text}", text, frame, setting, text, "says")]
    return [dated(capital(others(words)), text, frame, setting, text, "says")]


def _fragment(frame: Frame, setting: Setting, text: str, around: Around) -> list[Candidate]:
    """ "my laptop: ThinkPad T14", "no emojis": no verb, but what stands around it completes it."""
    words = [t for t in frame.words if t.tag not in {"INTJ", "EMOJI"}]
    if any(t.low in {"me", "us", "it"} for t in words):
        return []  # a verb was not seen as one
    if not 0 < len(words) <= LONGEST_FRAGMENT or not any(t.tag in _CONTENT for t in words):
        return []
    if all(t.text.startswith(("@", "#")) or t.tag == "PUNCT" for t in words):
        return []
    said = complete(words, around)
    if not said:
        return []
    return [dated(said, spell(words), frame, setting, text, "said")]


def dated(
    said: str, value: str, frame: Frame, setting: Setting, text: str, attribute: str
) -> Candidate:
    kind, since = _kind(frame), None
    if setting.decided and (not frame.verb or _SEALED.search(text)):
        kind = FactKind.DECISION
    over = frame.tense in {"past", "perfect"} and bool(frame.verb)
    undated = frame.negated or over or is_undated(text)
    day = None if undated else day_told(frame, setting.day_from(text), text)[1]
    told = _THE_DAY.search(text) if over else None
    if told is not None and (past := find_day(told.group(), setting.at, past=True)):
        said = f"{said} ({past.iso})"
    if day is not None and (day.later or day.text in frame.subject.text):
        day = None  # "next Friday" may be two; "Q1 is October to December"
    exact = day is not None and any(map(str.isdigit, _YEAR.sub("", day.text)))
    exact = exact or bool(day is not None and _WEEKDAY.search(day.text))
    if day is not None and (begins := find_beginning(text, setting.at)) is not None:
        if begins.start_at > setting.at:  # weighed as what is to come; `changes` says that it lasts
            since, kind = begins.start_at, FactKind.EVENT
    elif day is not None and day.start_at > setting.at:
        said = f"{said} ({day.iso})" if exact else said  # "in October" is no day
        since, kind = day.start_at, FactKind.EVENT
    named = frame.verb == "be" and frame.subject.owner == "user"  # "my advisor is Ingeborg Vaas"
    subject = whose(frame.subject) if attribute.startswith("said:") and not named else USER
    return Candidate(said, kind, subject, attribute, value, valid_from=since)


def _kind(frame: Frame) -> FactKind:
    if frame.classes & {"like", "dislike", "prefer", "eat", "hobby"}:
        return FactKind.PREFERENCE
    if frame.classes & {"decide", "switch"} and frame.subject.kind == "team":
        return FactKind.DECISION
    if frame.subject.kind in {"thing", "own"}:
        return FactKind.ENVIRONMENT
    return FactKind.EVENT if frame.tense == "past" else FactKind.OTHER
