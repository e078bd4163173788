"""Shapes that rules about the user as a person share."""

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
