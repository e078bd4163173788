"""Facts found by meaning with a model of which no averages were fitted."""

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import FixedClock
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.memory.recall.fuse import SAID_FROM
from hermes.memory.recall.relevance import DOUBTFUL
from hermes.memory.record import record_turns
from hermes.store.base import Store, Tx
from hermes.store.vectors.coding import Floats
from hermes.types import Fact, FactKind, Kind, NewSession, Role, Turn, Utterance

SAID = ("the pump alarm rang twice", "kerensa starts in august", "bread is cheaper in winter")


class Synonyms(WordEmbedder):
    """Other words for the same are the same to it."""

    def _vector(self, text: str) -> Floats:
        for word, same in (("hound", "dog"), ("rests", "sleeps"), ("above", "upstairs")):
            text = text.replace(word, same)
        return super()._vector(text)


@pytest.mark.parametrize(
    ("task", "is_sure"), [("hound rests above", False), ("dog sleeps upstairs", True)]
)
def test_nearness_alone_is_not_told_as_sure(
    store: Store, clock: FixedClock, task: str, is_sure: bool
) -> None:
    embedder = Synonyms()
    turns = [Turn(NewSession(text), (Utterance(Role.USER, text),)) for text in SAID]
    record_turns(store, turns, clock.now())
    store.write(lambda tx: _keep(tx, "dog sleeps upstairs"))
    index_pending(store, embedder, clock)
    engine = Engine(store, clock, embedder=embedder)
    (fact,) = engine.search(task, bank="default", kinds=(Kind.FACT,))[0]
    engine.close()
    assert "semantic" in [each.by for each in fact.found]
    if is_sure:
        assert fact.relevance >= SAID_FROM
    else:
        assert fact.relevance == pytest.approx(DOUBTFUL)


def _keep(tx: Tx, text: str) -> None:
    number, short = tx.facts.reserve()
    fact = Fact(number, short, "default", text, FactKind.OTHER, recorded_at=1, subject="dog")
    tx.facts.add(fact, subject_key="dog")
