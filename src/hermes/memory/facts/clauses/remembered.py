"""What the user asked to remember, in their words, when nothing else reads it."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.frame import parse
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.tools import SAME_PURPOSE
from hermes.memory.facts.clauses.verbs import FORMS, third
from hermes.types import FactKind

_OWNED = re.compile(
    r"(?P<subject>[^,:;]{1,60}?)'s\s+(?P<attribute>[\w -]{2,40}?)\s+(?:is|are)\s+(?P<value>.+)"
)
_MINE = re.compile(r"my\s+(?P<attribute>[\w -]{2,40}?)\s+(?:is|are)\s+(?P<value>.+)", re.I)
_LABEL = re.compile(r"(?P<attribute>[A-Za-z][\w /'-]{1,40}?)\s*:\s+(?P<value>.+)")
_OFTEN = r"always|never|usually|often|rarely|hardly ever|sometimes|only|really|also|still|just"
_IS = re.compile(
    r"(?:(?:the|our|my)\s+)?(?P<subject>[\w'’./@#-]+(?:\s[\w'’./@#-]+){0,4}?)\s+"
    rf"(?:(?P<often>{_OFTEN})\s+)?"
    r"(?P<verb>is|are|was|were|uses?|runs?|has|have|lives?|needs?|requires?|owns?|must|should|can|will|"
    r"works?|likes?|wants?|does|do)\s+(?P<value>.+)",
    re.I,
)
_ENDS = re.compile(r"(?<=\w) no longer\b", re.I)
_NOW = re.compile(r"(?<=\w) (?:now|nowadays|these days|from now on)(?=$| )")
# What ties a sentence to this person's world; without it, it is a proverb.
_VAGUE = re.compile(
    r"(?:it|this|that|these|those|to|when|how|what|why|if|he|she|they|staying)\b|i (?:was|felt|"
    r"said|told|asked|had)\b",
    re.I,
)
_ANCHOR = re.compile(r"^[Tt]he\b|\b(?:I|[Mm]y|[Ww]e|[Oo]ur|us|me)\b|(?<!^)\b[A-Z]|\d|@|://")
_TODO = re.compile(
    r"(?:to\s+)?(?:buy|call|send|check|pick|book|fix|do|finish|reply|ask|tell|text|remind|water|feed|pay)\b",
    re.I,
)


_UNCHANGED = frozenset(
    """can could will would should must may might had did was never always often usually still just
    also only now went got left took made bought moved started told said kept""".split()
)


def find_remembered(body: str) -> Iterator[Candidate]:
    """The statement as it stands, if it says something of the user's world."""
    plain = " ".join(body.replace("’", "'").split()).strip(" .,!")
    if _VAGUE.match(plain) or not 3 <= len(plain.split()) <= 40 or _TODO.match(plain):
        return
    if _ANCHOR.search(plain) and _says_something(plain):
        yield replace(by_shape(plain), text=in_third_person(plain))


def _says_something(plain: str) -> bool:
    """ "the repo things", "the meeting tomorrow": a name for a matter, and nothing told of it."""
    if _LABEL.match(plain) or any(map(str.isdigit, plain)):
        return True
    words = tuple(tokenize(plain))
    return bool(parse(words).verb) or any(word.tag in {"AUX", "BE", "HAVE"} for word in words)


def by_shape(text: str) -> Candidate:
    """Subject, attribute and value by the shape of a sentence alone; any sentence has one."""
    plain, ends = _ENDS.subn("", text.replace("’", "'").rstrip("."))
    return replace(_by_shape(text, _NOW.sub("", plain)), ended=bool(ends))


def _by_shape(text: str, plain: str) -> Candidate:
    if found := _OWNED.match(plain):
        return _shaped(text, found["subject"], found["attribute"].lower(), found["value"])
    if found := _MINE.match(plain) or _LABEL.match(plain):
        return _shaped(text, USER, found["attribute"].lower(), found["value"])
    if (found := _IS.match(plain)) and not _VAGUE.match(found["subject"]):
        often = f"{found['often']} {found['verb']} " if found["often"] else ""
        return _shaped(text, found["subject"], found["verb"].lower(), often + found["value"])
    return Candidate(text, FactKind.OTHER, USER, "note", text)


def _shaped(text: str, subject: str, attribute: str, value: str) -> Candidate:
    subject = re.sub(r"^(?:the|my|our)\s+", "", subject.strip(), flags=re.I)
    if subject.lower() in {"user", "i", "we", "i'd", "we'd"}:
        subject = USER
    purpose = SAME_PURPOSE.get(attribute)
    kind = FactKind.ENVIRONMENT if purpose else FactKind.OTHER
    return Candidate(text, kind, subject, purpose or attribute, value.strip(" ."))


def in_third_person(text: str) -> str:
    """The statement as one about the user."""
    told = re.sub(r"^(?:I am|I'm)\b", "User is", text)
    told = re.sub(r"^(?:I have|I've)\b", "User has", told)
    told = re.sub(r"^I'd\b", "User would", told)
    told = re.sub(
        rf"^I ((?:(?:{_OFTEN}) )?)([a-z]+)\b",
        lambda said: f"User {said[1]}{_of_user(said[2])}",
        told,
    )
    told = re.sub(r"^my\b", "User's", told, flags=re.I)
    told = re.sub(r"\bmy\b", "the user's", told, flags=re.I)
    told = re.sub(r"\b(?:I am|I'm)\b", "the user is", told)
    return told[:1].upper() + told[1:]


def _of_user(verb: str) -> str:
    """ "hate" as it is said of another; what does not change then stays."""
    if verb in _UNCHANGED or "'" in verb:
        return verb
    if verb.endswith(("ed", "ly")) and FORMS.get(verb, ("", ""))[1] != "VB":
        return verb
    return third(verb)
