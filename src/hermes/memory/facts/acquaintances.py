"""Whom facts name in passing: "User's sister Leila lives in Shiraz" also says who Leila is.

Readers leave "User's sister is Leila" out beside it; the record of the user wants just that.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.guard.origin import is_tainted
from hermes.memory.facts.candidate import USER
from hermes.memory.facts.search import search_facts
from hermes.memory.kinship import KIN, find_kin
from hermes.memory.pending import was_approved
from hermes.store.base import Tx
from hermes.types import Fact, FactKind

MOST = 200  # facts that hold such a word


def list_acquaintances(tx: Tx, bank: str, known: Sequence[Fact]) -> list[Fact]:
    """Facts that say who someone is besides what they tell, told as saying only that.

    Those who are known as such already are not among them, nor whom only others name, unless the
    person approved of what they say.
    """
    found = [fact for fact, _ in search_facts(tx, KIN, bank=bank, limit=MOST)]
    named = filter(None, (find_acquaintance(fact) for fact in found if _may_stand(tx, fact)))
    told = [fact.value.casefold() for fact in known if fact.kind is FactKind.RELATIONSHIP]
    return [e for e in named if not any(e.value.casefold() in each for each in told)]


def _may_stand(tx: Tx, fact: Fact) -> bool:
    return not fact.held and (not is_tainted(fact.trust) or was_approved(tx, fact))


def find_acquaintance(fact: Fact) -> Fact | None:
    """What a fact says of who someone is to the user, besides what it tells."""
    named = None if fact.ended else find_kin(fact.text)
    if named is None:
        return None
    relation, name = named
    return replace(
        fact,
        text=f"User's {relation} is {name}",
        kind=FactKind.RELATIONSHIP,
        subject=USER,
        attribute=relation,
        value=name,
        contradicts=(),
    )
