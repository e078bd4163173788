"""Facts that others took the place of, by their words: where no fact believed now holds them."""

from hermes.memory.recall.task import telling_words
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.ranking import plan
from hermes.types import Fact

CONSIDERED = 200


def list_closed(tx: Tx, words: str, limit: int) -> list[Fact]:
    """Facts that were replaced and hold the telling words, newest first; no deleted ones."""
    gone = list_gone(tx, words)
    return [fact for fact in gone if fact.superseded_by and fact.retracted_at is None][:limit]


def list_gone(tx: Tx, words: str, bank: str = "") -> list[Fact]:
    """Facts that were replaced or deleted and hold telling words, newest first."""
    planned = plan(tx.facts.texts, telling_words(words), TextScope(bank), CONSIDERED)
    found = tx.facts.get_many(planned.candidates).values()
    gone = [fact for fact in found if fact.superseded_by or fact.retracted_at is not None]
    return sorted(gone, key=lambda fact: -fact.number)
