"""Whom a clause leaves unsaid: a "they" that may be two, an order that names nobody."""

from hermes.memory.facts.clauses.frame import Frame
from hermes.memory.facts.clauses.referents import list_referents
from hermes.memory.facts.clauses.split import Clause
from hermes.memory.facts.clauses.subjects import Subject
from hermes.memory.facts.clauses.talk import Talk
from hermes.memory.facts.clauses.tokens import Token
from hermes.types import FactKind

_ASKED_FOR = frozenset(
    "schedule book send suggest remind call tell ask show give put add use".split()
)
_POLITE = frozenset("please pls plz kindly".split())


def is_anyones(subject: Subject, talk: Talk) -> bool:
    """Whether the pronoun may be another than the last person: "they" are several, "she" is no
    brother, and two names may stand before it."""
    meant = talk.person
    if meant is None or subject.noun == "they":
        return True
    known = (each for each in talk.recent if each.kind is FactKind.RELATIONSHIP)
    kin = [each.attribute for each in known if meant.name and each.value == meant.name]
    who = " ".join([meant.noun, meant.name, *kin])
    fitting = list_referents(subject.noun, talk.text[: talk.place])
    return bool(fitting) and not (len(fitting) == 1 and _is_among(who, fitting[0]))


def _is_among(who: str, told: str) -> bool:
    return bool(set(who.lower().split()) & set(told.lower().split()))


def is_order_to(clause: Clause) -> bool:
    """ "I'm no morning person, don't schedule anything before 10": said to the assistant; so is
    what is to be done to "me", or with a "please"."""
    words = [token for token in clause.tokens if token.tag not in {"ADV", "CONJ", "PUNCT"}]
    lows = [token.low for token in words[:3]]
    deed = [token for token in words if token.low != "never"][:2]
    if lows and (lows[0] in _POLITE or _is_done_to_user(deed) or _is_of_writing(deed)):
        return True
    denied = lows[:2] in (["do", "n't"], ["do", "not"], ["do", "nt"])
    return clause.joint in {",", "so"} and denied and lows[2:] != [] and lows[2] in _ASKED_FOR


def _is_done_to_user(words: list[Token]) -> bool:
    return [token.form for token in words[:1]] == ["VB"] and words[-1].low in {"me", "us"}


def _is_of_writing(words: list[Token]) -> bool:
    """ "I like bullet points, never sign off with 'best'": whoever answers does so."""
    return [token.low for token in words] == ["sign", "off"]


def is_no_longer(frame: Frame) -> bool:
    """ "no longer on call": of the speaker, where nobody is named."""
    return [token.low for token in frame.group[:2]] == ["no", "longer"]
