"""Whether a reading is a sentence: what breaks off, starts twice or runs two into one is left.

One place for all readers, and for the small marks that they leave behind.
"""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.tokens import tokenize
from hermes.types import FactKind

LONGEST = 32  # words

_DAY = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d\)")
_TWICE_DATED = re.compile(r"( \((?:on |due )?\d{4}-\d\d-\d\d\))(?= \(\d{4}-)")
_BREAKS_OFF = re.compile(
    r"(?i)\b(?:and|or|but|the|an?|with|of|into|onto|during|between|via|per|is|are|was|"
    r"because|although|unless|whether|while|their|than|which|if|when|to|my|our|your|so)$"
)
_DANGLES = re.compile(
    r"\b(?:and|or|but|the|an?|with|without|of|into|onto|during|between|via|per|because|although|"
    r"unless|whether|while|than|my|our|your|their)$"
)
_PARTICIPLE = re.compile(r"(?i)\w+ing\b")
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
_SHOUTED = re.compile(r"\b[^\W\d_a-z]+\b")
_FEWEST_SHOUTED = 4  # words: "I LOVE IT" is no way to write
_LONGEST_ACRONYM = 3
_NAMED = frozenset("name location workplace employer school hometown".split())
_SPACED = re.compile(r"\s+(?=[,;.](?:\s|$))")


def is_garbled(candidate: Candidate) -> bool:
    """Whether its words are no sentence that a stranger could follow."""
    text = _DAY.sub("", candidate.text).rstrip(" .,!")
    if len(text.split()) > LONGEST or _STARTS_AGAIN.search(text):
        return True
    return bool(_BREAKS_OFF.search(text) or _OF_ITSELF.match(text)) or _has_two_verbs(text)


def is_cut(candidate: Candidate, said: str) -> bool:
    """Whether it is a part of a sentence: it waits for a word more, or tells of a thing what only
    goes with the words before it ("max retries is 8 with backoff, starting at 30s")."""
    text = _DAY.sub("", candidate.text).rstrip(" .,!")
    does = _PARTICIPLE.match(candidate.quote)
    if does and said.partition(candidate.quote)[0].rstrip().endswith(","):
        return f" is {does.group().lower()}" in text and not text.startswith(("User", "Asked"))
    contrasted = text.endswith(" without") and " with " in text  # "… and 2.1 s without"
    return _DANGLES.search(text) is not None and not contrasted


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


def unshouted(candidate: Candidate, said: str) -> Candidate:
    """As it is written by whoever does not type in capitals throughout; names keep one."""
    if any(map(str.islower, said)) or len(said.split()) < _FEWEST_SHOUTED:
        return candidate
    named = candidate.attribute in _NAMED or candidate.kind is FactKind.RELATIONSHIP
    name = set(candidate.value.split()) if named else set[str]()

    def plain(found: re.Match[str]) -> str:
        word = found.group()
        if word in name:
            return word.capitalize() if len(word) > _LONGEST_ACRONYM else word
        return word.lower()

    text, value = (_SHOUTED.sub(plain, each) for each in (candidate.text, candidate.value))
    return replace(candidate, text=text, value=value)


def _with_front(text: str, quote: str) -> str:
    """ "in August we have holidays", "mondays I'm at uni": when it holds is part of it."""
    found = _FRONT.match(quote)
    if found is None or found["front"].casefold() in text.casefold() or _DAY.search(text):
        return text
    return f"{text}, {found['front'][0].lower()}{found['front'][1:]}"
