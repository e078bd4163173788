"""Words of a chat that are no part of what it states: "btw", "(34 lol)", "…, dont ask".

A fact is told in the third person, to be read months later. What only fills, laughs or waves off
is cut out of it, and what the speaker said of their own in an aside is told of the user. What is
quoted stays: "never say lol" is about that very word.
"""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.lexicon import MOMENTARY

_QUOTED = re.compile(r"(?<!\w)(?P<mark>[\"'`“‘])[^\"'`”’]+[\"'`”’](?!\w)")
_NAMED = re.compile(
    r"(?i)\b(?:says?|saying|said|write|writes|writing|use|uses|using|type|typing|words?|calls?|"
    r"called|named?|means?|abbreviations?|slang|like|or|and|no|the|than)$"
)
_FILLING = re.compile(
    r"(?P<before>\S*)(?:,|(?<=[\w)]))? (?:btw|fyi|lol|lmao|rofl|haha+|hehe|tbh|ngl|pls|plz)\b"
    r"(?=[,.;:)!]|\s|$)"
)
_FILLED_ASIDE = re.compile(r"\s?\((?:btw|lol|lmao|haha+|hehe|jk|tbh)\)")
_DISMISSING = (
    r"(?:do ?n['’]?t (?:ask|judge(?: me)?|@ me)|long story|sue me|fight me|"
    r"no idea why|idk why|don't know why)"
)
_DISMISSED = re.compile(
    rf"(?i)(?:\s\({_DISMISSING}\)|,\s{_DISMISSING})(?=\)| \((?:said|on|due) |$)"
)
_MOOD = re.compile(
    rf"(?i),? (?:kinda|sorta|kind of|sort of) (?:{'|'.join(sorted(MOMENTARY))})"
    r"(?= \((?:said|on|due) |$)"
)
_SHOUTED = re.compile(r"\s?!+(?=[\s,)])")
_OWN_ASIDE = re.compile(r"\s\((?P<said>[^()]*)\)")
_DENIES = re.compile(r"(?i)\b(?:not|never|no|\w+n['’]?t)\b")
_YEARS = re.compile(r"(?<=\d )yrs?\b")
_OF_SPEAKER = re.compile(r"(?<![\w'’./-])(?:my|our|me)(?![\w'’./-])")
_SPEAKS = re.compile(
    r"(?<![\w'’./-])(?:I|i|we|We)(?:['’](?:m|ve|ll|d|re))?(?![\w'’./-])|\bim\b|\bive\b"
)
_TURNED = {"my": "the user's", "our": "the user's", "me": "the user"}
_REPORTED = re.compile(r"(?i)\b(?:says|answered|asked|asks): ")


def without_chatter(candidate: Candidate) -> Candidate:
    """The candidate told plainly; its value, too, where that is the end of its words."""
    text = plainly(candidate.text)
    if text == candidate.text:
        return candidate
    return replace(candidate, text=text, value=_cut(candidate.value) or candidate.value)


def plainly(text: str) -> str:
    """The text of a fact without the words of a chat."""
    return _of_user(_cut(text)) or text


def speaks_itself(text: str) -> bool:
    """Whether the speaker still says "I" or "we" in what is told of them."""
    return not _REPORTED.search(text) and bool(_SPEAKS.search(_QUOTED.sub("", plainly(text))))


def without_mood(text: str) -> str:
    """ "I'm an analyst at Fjordkraft, kinda bored": how one feels about it says nothing of it."""
    return _MOOD.sub("", text)


def _cut(text: str) -> str:
    if _QUOTED.search(text):
        return text
    text = _FILLING.sub(_unfilled, _FILLED_ASIDE.sub("", _OWN_ASIDE.sub(_unspoken, text)))
    text = without_mood(_DISMISSED.sub("", text))
    return _YEARS.sub("years", _SHOUTED.sub("", text)).strip(" ,;")


def _unspoken(aside: re.Match[str]) -> str:
    """ "(at raclette, I know)" says nothing of it; "(i wont)" may deny it, and stays."""
    spoken = _SPEAKS.search(aside["said"]) and not _DENIES.search(aside["said"])
    return "" if spoken else aside.group()


def _unfilled(found: re.Match[str]) -> str:
    named = _NAMED.search(found["before"])
    return found.group() if named or not found["before"] else found["before"]


def _of_user(text: str) -> str:
    if _QUOTED.search(text) or _REPORTED.search(text):
        return text
    return _OF_SPEAKER.sub(lambda found: _TURNED[found.group()], text)
