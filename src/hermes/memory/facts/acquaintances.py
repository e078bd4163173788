"""Whom facts name in passing: "User's sister Leila lives in Shiraz" also says who Leila is.

Readers leave "User's sister is Leila" out beside it; the record of the user wants just that.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hermes.memory.facts.candidate import USER
from hermes.memory.facts.search import search_facts
from hermes.memory.kinship import KIN, find_kin
from hermes.store.base import Tx
from hermes.types import Fact, FactKind

MOST = 200  # facts that hold such a word


def list_acquaintances(tx: Tx, bank: str, known: Sequence[Fact]) -> list[Fact]:
    """Facts that say who someone is besides what they tell, told as saying only that.

    Those who are known as such already are not among them.
    """
    found = [fact for fact, _ in search_facts(tx, KIN, bank=bank, limit=MOST)]
    told = [fact.value.casefold() for fact in known if fact.kind is FactKind.RELATIONSHIP]
    return [e for e in _named(found) if not any(e.value.casefold() in each for each in told)]


def _named(facts: Iterable[Fact]) -> Iterator[Fact]:
    for fact in facts:
        named = None if fact.held or fact.ended else find_kin(fact.text)
        if named is not None:
            relation, name = named
            yield replace(
                fact,
                text=f"User's {relation} is {name}",
                kind=FactKind.RELATIONSHIP,
                subject=USER,
                attribute=relation,
                value=name,
                contradicts=(),
            )
