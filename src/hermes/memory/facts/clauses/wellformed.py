"""Whether a reading is a sentence: what breaks off, starts twice or runs two into one is left.

One place for all readers, and for the small marks that they leave behind.
"""

import re
from dataclasses import replace

from hermes.memory.facts.candidate import Candidate

LONGEST = 32  # words

_DAY = re.compile(r" \((?:on |due )?\d{4}-\d\d-\d\d\)")
_TWICE_DATED = re.compile(r"( \((?:on |due )?\d{4}-\d\d-\d\d\))(?= \(\d{4}-)")
_BREAKS_OFF = re.compile(
    r"(?i)\b(?:and|or|but|the|an?|with|of|is|are|was|because|their|than|which|if|when|to|my|our|"
    r"your|so)$"
)
_STARTS_AGAIN = re.compile(
    r"(?i)\bno,? not\b|\b(?:i mean|no wait|wait no|scratch that|or rather)\b|"
    r"\b(?:is|are|was|has) (?:is|are|was|has)\b|\bdoesn't \.|\ban? (?:the|them|they)\b"
)
_OF_ITSELF = re.compile(r"(?i)^(\w[\w ]*?) is (?:now |officially |still )*\1$")
_RUNS_ON = re.compile(r"(?i)(?<=\w) (?:this is|thats|that's) \w+(?: \w+)?$")
_SPACED = re.compile(r"\s+(?=[,;.](?:\s|$))")


def is_garbled(candidate: Candidate) -> bool:
    """Whether its words are no sentence that a stranger could follow."""
    text = _DAY.sub("", candidate.text).rstrip(" .,!")
    if len(text.split()) > LONGEST or _STARTS_AGAIN.search(text):
        return True
    return bool(_BREAKS_OFF.search(text) or _OF_ITSELF.match(text))


def tidied(candidate: Candidate) -> Candidate:
    """Without what ran on behind it, and the marks that were left over."""
    text = _TWICE_DATED.sub("", _SPACED.sub("", candidate.text))
    text = _RUNS_ON.sub("", text)
    return candidate if text == candidate.text else replace(candidate, text=text)
