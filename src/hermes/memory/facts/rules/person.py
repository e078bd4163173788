"""Shapes that rules about the user as a person share."""

import re

from hermes.memory.facts.candidate import USER, Candidate
from hermes.types import FactKind

NOW = (
    r"(?:\s+(?:currently|now|actually|also|still|really|just|officially|basically|"
    r"technically|mostly|originally|already|mainly|primarily|only|usually|literally|"
    r"finally))*"
)
HAVE = r"(?:\s+have)?"


def identity_fact(attribute: str, value: str, text: str, **flags: bool) -> Candidate:
    """What the user is; one value at a time, unless said otherwise."""
    return Candidate(
        text,
        FactKind.IDENTITY,
        USER,
        attribute,
        value,
        single=flags.get("single", True),
        ended=flags.get("ended", False),
    )


def third_person(verb_phrase: str) -> str:
    """ "take calls" → "takes calls"."""
    verb, _, rest = verb_phrase.partition(" ")
    if re.search(r"(?:s|sh|ch|x|o)$", verb):
        return f"{verb}es {rest}".strip()
    return f"{verb}s {rest}".strip()


def their(text: str) -> str:
    """The user's own words about themselves, as said of them."""
    for mine, theirs in (("my", "their"), ("our", "their"), ("I", "they"), ("me", "them")):
        text = re.sub(rf"\b{mine}\b", theirs, text)
    return text
