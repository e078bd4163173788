"""Whether a reading is a sentence: what breaks off, starts twice or runs two into one is left.

One place for all readers, and for the small marks that they leave behind.
"""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.tokens import tokenize

LONGEST = 32  # words

_DAY = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d\)")
_TWICE_DATED = re.compile(r"( \((?:on |due )?\d{4}-\d\d-\d\d\))(?= \(\d{4}-)")
_BREAKS_OFF = re.compile(
    r"(?i)\b(?:and|or|but|the|an?|with|of|is|are|was|because|their|than|which|if|when|to|my|our|"
    r"your|so)$"
)
_STARTS_AGAIN = re.compile(
    r"(?i)\bno,? not\b|\b(?:i mean|no wait|wait no|scratch that|or rather)\b|"
    r"\b(?:is|are|was|has) (?:is|are|was|has)\b|\bdoesn't \.|\ban? (?:the|them|they)\b|"
    r"\buses (?:even|just|only|also)\b|^User is \w+ing\b.* are (?:all|both)\b"
)
_OF_ITSELF = re.compile(r"(?i)^(\w[\w ]*?) is (?:now |officially |still )*\1$")
_RUNS_ON = re.compile(r"(?i)(?<=\w) (?:this is|thats|that's) \w+(?: \w+)?$")
_FINITE = frozenset("is are was were has does".split())
_JOINING = frozenset("that which who what how to than as not bc cuz coz cos".split())
_FRONT = re.compile(
    r"(?i)(?:(?:and|so|but|also|btw|then)[, ]+)*(?P<front>(?:in|during) (?:the )?(?:january|"
    r"february|march|april|may|june|july|august|september|october|november|december|spring|summer|"
    r"autumn|winter|week|mornings?|afternoons?|evenings?)|at (?:home|work|school|uni)|"
    r"as a side job|(?:on )?(?:weekends|weekdays|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days))\b,? (?=(?:i|we|he|she|it|they|the|my|our)\b)"
)
_SPACED = re.compile(r"\s+(?=[,;.](?:\s|$))")


def is_garbled(candidate: Candidate) -> bool:
    """Whether its words are no sentence that a stranger could follow."""
    text = _DAY.sub("", candidate.text).rstrip(" .,!")
    if len(text.split()) > LONGEST or _STARTS_AGAIN.search(text):
        return True
    return bool(_BREAKS_OFF.search(text) or _OF_ITSELF.match(text)) or _has_two_verbs(text)


def _has_two_verbs(text: str) -> bool:
    """Whether a second verb comes with nothing to join it: "does for themselves helps them"."""
    verbs = 0
    for token in tokenize(text.partition(": ")[2] or text):
        if token.low in _JOINING or token.tag in {"PUNCT", "WH", "CONJ", "PRON"}:
            verbs = 0
        elif token.form == "VZ" or token.low in _FINITE:
            verbs += 1
        if verbs > 1:
            return True
    return False


def tidied(candidate: Candidate) -> Candidate:
    """Without what ran on behind it, and the marks that were left over."""
    text = _TWICE_DATED.sub("", _SPACED.sub("", candidate.text))
    text = _with_front(_RUNS_ON.sub("", text), candidate.quote)
    return candidate if text == candidate.text else replace(candidate, text=text)


def _with_front(text: str, quote: str) -> str:
    """ "in August we have holidays", "mondays I'm at uni": when it holds is part of it."""
    found = _FRONT.match(quote)
    if found is None or found["front"].casefold() in text.casefold() or _DAY.search(text):
        return text
    return f"{text}, {found['front'][0].lower()}{found['front'][1:]}"
