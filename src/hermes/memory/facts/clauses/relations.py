"""What someone is to the user, with all that says which one: "piano teacher", "older sister".

A modifier is part of what somebody is: the eye doctor is not the doctor. Only what every one of
them could be called ("my new boss", "my dear aunt") says nothing of who is meant.
"""

from collections.abc import Sequence

from hermes.memory.facts.clauses.lexicon import KIN_MANY, KIN_PLURAL, PETS
from hermes.memory.facts.clauses.tokens import Token

_SAYS_NOTHING = frozenset(
    "new current present own dear lovely sweet wonderful amazing awesome great line direct "
    "immediate actual very beloved darling two three four five six both several".split()
)
_FORMER = frozenset("old former previous last ex".split())
_STILL = KIN_MANY | PETS  # an old friend, or an old dog, still is one
_TRADES = frozenset(
    "business law practice company firm office studio agency shop store bakery restaurant startup "
    "start-up clinic trade trading surgery brewery workshop consultancy".split()
)
_MODIFIERS = frozenset({"NOUN", "ADJ", "NAME", "VERB"})


def relation_at(words: Sequence[Token], index: int) -> str:
    """What the noun at a place names, with its modifiers: "piano teacher" of "my piano teacher".

    Nothing where business and love look the same: "I run a bakery with my partner Jonas".
    """
    head = KIN_PLURAL.get(words[index].low, words[index].low)
    if [t.low for t in words[index + 1 : index + 3]] == ["in", "law"]:
        head = f"{head}-in-law"
    start = index
    while start and _is_modifier(words[start - 1]):
        start -= 1
    told = [t.low if t.tag != "NAME" else t.text for t in words[start:index]]
    told = [word for word in told if word not in _SAYS_NOTHING and not _is_still(word, head)]
    if head == "partner" and _TRADES & set(told):
        return "business partner"
    if head == "partner" and not told:
        before = {t.low for t in words[:index]}
        return "" if before & _TRADES and before & {"with", "and"} else head
    return " ".join([*told, head])


def head_of(relation: str) -> str:
    """The noun of a relation: "teacher" of "piano teacher"."""
    return relation.rpartition(" ")[2]


def _is_modifier(token: Token) -> bool:
    return token.tag in _MODIFIERS and (token.tag != "VERB" or token.form == "VG")


def _is_still(word: str, head: str) -> bool:
    return word in _FORMER and head in _STILL
