"""Facts by their words, best first: the same planner and score as for messages."""

from hermes.memory.recall.task import telling_words
from hermes.store.base import Tx
from hermes.store.base.texts import TextScope
from hermes.store.ranking import plan, rescore
from hermes.types import Fact

CONSIDERED = 200


def search_facts(
    tx: Tx, query: str, *, bank: str = "", limit: int = 20
) -> list[tuple[Fact, float]]:
    """Facts believed now that hold the telling words of a question, with their scores."""
    planned = plan(tx.facts.texts, telling_words(query), TextScope(bank), CONSIDERED)
    found = {
        number: fact
        for number, fact in tx.facts.get_many(planned.candidates).items()
        if fact.retracted_at is None and fact.superseded_by is None
    }
    scores = rescore(tx.facts.texts, {number: f.text for number, f in found.items()}, planned)
    best = sorted(found.values(), key=lambda fact: (-scores[fact.id], -fact.number))
    return [(fact, scores[fact.id]) for fact in best[:limit]]
