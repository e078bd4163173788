"""Whom a clause leaves unsaid: a "they" that may be two, an order that names nobody."""

from hermes.memory.entities import name_mentions
from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.split import Clause
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.talk import Talk
from hermes.types import FactKind

_ASKED_FOR = frozenset(
    "schedule book send suggest remind call tell ask show give put add use".split()
)
_POLITE = frozenset("please pls plz kindly".split())


def is_anyones(subject: Subject, talk: Talk) -> bool:
    """Whether "they" may be the one or the other: two names stand before it."""
    meant = talk.person
    if subject.noun != "they" or meant is None or meant.owner:
        return False
    if any(each.kind is FactKind.RELATIONSHIP and each.value == meant.name for each in talk.recent):
        return False
    before = talk.text[: max(talk.text.lower().find("they"), 0)]
    return len(set(name_mentions(before))) > 1


def is_order_to(clause: Clause) -> bool:
    """ "I'm no morning person, don't schedule anything before 10": said to the assistant; so is
    what is to be done to "me", or with a "please"."""
    words = [token for token in clause.tokens if token.tag not in {"ADV", "CONJ", "PUNCT"}]
    lows = [token.low for token in words[:3]]
    if lows and (lows[0] in _POLITE or (words[0].form == "VB" and lows[1:2] in (["me"], ["us"]))):
        return True
    denied = lows[:2] in (["do", "n't"], ["do", "not"], ["do", "nt"])
    return clause.joint in {",", "so"} and denied and lows[2:] != [] and lows[2] in _ASKED_FOR


def is_no_longer(frame: Frame) -> bool:
    """ "no longer on call": of the speaker, where nobody is named."""
    return [token.low for token in frame.group[:2]] == ["no", "longer"]
