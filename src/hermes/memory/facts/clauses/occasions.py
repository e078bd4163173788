"""Standing wishes that say when: every Sunday, whenever something is wrong, on Mondays instead."""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.change import Change
from hermes.memory.facts.clauses.orders import order_of, preference
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.memory.facts.clauses.verbs import CLASSES, third
from hermes.memory.facts.clauses.wording import others

_PERIOD = (
    r"(?:every|each) (?:(?:other|second|single|first|last|two|three|\d+(?:st|nd|rd|th)?) )?(?:day|"
    r"week|month|quarter|year|morning|evening|night|weekday|weekend|hour|afternoon|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)
_OF_ONE_THING = r"(?:that|which|where|who|with|when)\b|for (?:the|a|this)\b"
_RECURS = re.compile(
    r"(?i)(?:(?:can|could|would|will) (?:you|u) (?:please )?|i(?:'d| would) (?:like|love|want) you "
    r"to |i (?:want|need) you to |from now on,? )?(?P<deed>(?:do|send|give|write|post|remind|ping|"
    r"check|update|message|email|text|show|tell|report|summari[sz]e|make|run|generate|prepare|"
    r"draft|collect|review)\b(?=.*\b(?:me|us|my|our)\b)"
    rf"(?: (?!{_OF_ONE_THING})\S+){{1,12}}? {_PERIOD}.*)"
)
_REPEATED = (
    r"(?:report|summar(?:y|ies)|digest|updates?|reminders?|newsletter|briefing|recap|"
    r"notifications?|alerts?|check-?ins?|overview|reports)"
)
_INSTEAD = re.compile(
    rf"(?i)(?:make|put|send|move|do|switch|post|deliver|give)(?: me)? (?P<what>(?:the|my|our|that)"
    rf"(?: \w+){{0,3}}? {_REPEATED}|(?:the|my|our) {_REPEATED}) (?P<how>.{{3,50}}?) instead"
)
_RULE = re.compile(
    r"(?i)(?:and |also |but )?(?P<when>(?:if|whenever|when) (?P<case>.+?))(?:,? (?:then )?you "
    r"(?:should |must |always |need to |have to )?|, (?:then |always |just |please |pls )*)"
    r"(?P<deed>(?:always |never |don'?t |do not )?(?P<verb>[a-z]+)\b.*)"
)
_ANY_CASE = re.compile(
    r"(?i)\b(?:something|anything|someone|somebody|anyone|anybody|in doubt|unsure|not sure|"
    r"don'?t know|can'?t find|every time|ever)\b"
)
_THIS_TIME = re.compile(
    r"(?i)\b(?:today|tonight|tomorrow|this (?:time|week|one|evening|morning|weekend)|for now|"
    r"you(?:'re| are)? (?:done|finished|ready|free)|have time|get a chance|possible|need more)\b"
)


def told_of_hermes(said: str) -> str:
    """ "in everything you write for me", told of Hermes."""
    told = others(tokenize(said)) if said else ""
    told = re.sub(r"(?i)\byou (\w+)", lambda f: f"Hermes {third(f[1])}", told)
    return re.sub(r"(?i)\byou\b", "Hermes", re.sub(r"(?i)\byour\b", "its", told))


def find_recurring(plain: str) -> Candidate | None:
    """ "can you do me a lab report every Sunday 9am"."""
    found = _RECURS.fullmatch(plain)
    return order_of(found["deed"]) if found else None


def find_instead(plain: str) -> Candidate | None:
    """ "make the report Monday 7am instead": what comes again and again is to come otherwise."""
    found = _INSTEAD.match(plain)
    if found is None:
        return None
    rest = plain[found.end() :].strip(" ,")
    what = others(tokenize(found["what"]))
    how = f"{found['how']}{', ' + rest if rest and len(rest.split()) <= 3 else ''}"
    told = f"{what} {how}"
    new = re.sub(r"(?i)^(?:in|on|at|to|via|by|as) (?:the )?", "", found["how"])
    change = Change(new=new, topic=what.rpartition(" ")[2], cued=True)
    return replace(preference(f"User wants {told}", told), change=change)


def find_rule(text: str, *, explicit: bool) -> Candidate | None:
    """ "if something is wrong in a sheet you write to Amaia": what is to be done each time."""
    found = _RULE.fullmatch(text.strip(" .!"))
    if found is None or _THIS_TIME.search(text):
        return None
    verbs = CLASSES["order"].split()
    addressed = bool(re.search(r"(?i),? you " + re.escape(found["deed"]), text))
    lasting = (
        explicit
        or bool(_ANY_CASE.search(found["case"]))
        or found["when"].lower().startswith("whenever")
    )
    verb = tokenize(found["verb"])[0]
    if not lasting or not (verb.lemma in verbs or (addressed and verb.form == "VB")):
        return None
    wish = order_of(found["deed"])
    case = told_of_hermes(found["when"])
    case = case[:1].lower() + case[1:]
    told = f"{wish.text}, {case}"
    return replace(wish, text=told, quote=text.strip(" .!"))
