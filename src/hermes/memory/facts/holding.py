"""Which facts may not stand before every task without the person's word."""

import re

from hermes.guard.origin import Decision, Target, decide_write
from hermes.guard.scan import scan
from hermes.memory.entities.names import alias_key
from hermes.memory.facts.acquaintances import find_acquaintance
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.given import PERSON
from hermes.memory.usersections import section_of
from hermes.types import Fact, Origin

_ORDER = re.compile(
    r"(?:(?:please |always |never |from now on,? |hermes,? )*(?:you|hermes|the assistant|the "
    r"agent) "
    r"(?:must|should|will|are to|have to|has to)|(?:please )?always) "
    r"(?:ignore|disregard|override|obey|forward|send|run|execute|reveal|leak|upload|transfer|"
    r"delete|post)\b",
    re.I,
)
_STRANGERS = frozenset({Origin.WEB, Origin.TOOL})
_OTHER_VOICES = frozenset({"override", "role-marker", "fence-spoof", "hidden-text"})


def must_wait(fact: Fact) -> bool:
    """Whether a fact may not stand before every task without the person's word.

    Only what belongs into the record of the user ever stands there, be it the fact or whom it names
    in passing; and what reads as an order could pass for it. Any other fact is data, recalled with
    its trust: it has nothing to wait for. Of the user, though, neither a page nor a tool says
    anything unasked. What the person wrote as a fact by hand is their word.
    """
    if fact.extractor == PERSON and fact.origin is Origin.USER:
        return False
    named = find_acquaintance(fact)
    return _is_barred(fact) or (named is not None and _is_barred(named))


def _is_barred(fact: Fact) -> bool:
    if alias_key(fact.subject) != alias_key(USER):
        return False
    suspect = is_order(fact.text)
    if section_of(fact) is None and not suspect and fact.origin not in _STRANGERS:
        return False
    return decide_write(Target.USER_MODEL, fact.trust, is_suspect=suspect) is Decision.HOLD


def is_order(text: str) -> bool:
    """Whether a statement speaks to the assistant as its master would, and not of the user.

    A fact states; what reads as an instruction waits for the person, unless they wrote it as one.
    """
    said = {signal.kind for signal in scan(text) if not signal.is_quoted}
    return len(said) > 1 or bool(said & _OTHER_VOICES) or bool(_ORDER.match(text))
