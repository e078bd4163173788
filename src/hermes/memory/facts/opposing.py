"""Showing which facts cannot hold beside one that was put right by hand."""

from dataclasses import replace

from hermes.memory.facts.audit import Act, oppose
from hermes.memory.facts.believed import is_current, list_beside
from hermes.memory.facts.compare import is_same_value
from hermes.memory.facts.rivals import excludes
from hermes.store.base import Tx
from hermes.types import Fact


def oppose_rivals(tx: Tx, fact: Fact, act: Act, *, also: int | None = None) -> None:
    """Show what a fact that was put right by hand cannot hold beside; `also` is such a one."""
    if not is_current(fact) or fact.ended:
        return
    told = replace(act, reason="both stand by a change made by hand")
    beside = {other.id: other for other in list_beside(tx, fact, open_at=act.at)}
    # It may be about another subject: "Jonas owns Orion" after "Marta owns Orion".
    named = tx.facts.get_many([also]) if also is not None else {}
    beside |= {number: each for number, each in named.items() if is_current(each)}
    for other in beside.values():
        if other.id not in fact.contradicts and not other.ended:
            if other.id == also or _is_rival(fact, other):
                oppose(tx, fact, other, told)


def _is_rival(fact: Fact, other: Fact) -> bool:
    both = fact.single and other.single and excludes(fact, other)
    return both and not is_same_value(fact.value, other.value)
