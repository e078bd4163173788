"""Facts beside messages: found by words, meaning and entities, and only if they are believed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock
from hermes.memory.entities.names import spelling_key
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine
from hermes.store.base import Store, Tx
from hermes.types import Entity, Fact, FactKind, Kind


def keep(store: Store, at: int, text: str, entity: str = "", **fields: object) -> Fact:
    """Keep a fact, and the entity it mentions."""

    def write(tx: Tx) -> Fact:
        number, short = tx.facts.reserve()
        plain = Fact(number, short, "default", text, FactKind.OTHER, recorded_at=at, subject="user")
        fact = replace(plain, **fields)  # type: ignore[arg-type]
        tx.facts.add(fact, subject_key=fact.subject)
        if entity:
            key = spelling_key(entity)
            made = tx.entities.add(Entity(0, "default", entity), [(key, entity)], at)
            tx.entities.mention_in_fact(fact.id, [(made.id, key)])
        return fact

    return store.write(write)


@pytest.fixture
def engine(store: Store, clock: FixedClock) -> Iterator[Engine]:
    opened = Engine(store, clock, embedder=WordEmbedder())
    yield opened
    opened.close()


def found(engine: Engine, query: str, as_of: int | None = None) -> list[str]:
    items, _ = engine.search(query, bank="default", kinds=(Kind.FACT,), as_of=as_of)
    return [item.text for item in items]


def test_a_fact_is_found_by_its_words(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User is allergic to walnuts")
    kept = keep(store, clock.now(), "User plays the oboe")
    items, _ = engine.search("what do I play, the oboe?", bank="default")
    assert items[0].ref == f"fact:{kept.number}"
    assert items[0].kind is Kind.FACT
    assert "lexical" in {each.by for each in items[0].found}


def test_a_fact_is_found_by_its_meaning(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User plays the oboe")
    index_pending(store, WordEmbedder(), clock)
    items, _ = engine.search("the the the", bank="default", kinds=(Kind.FACT,))
    assert "semantic" in {each.by for each in items[0].found}


def test_a_fact_is_found_by_whom_it_mentions(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    keep(store, clock.now(), "She prefers tea", entity="Maria Lopez")
    keep(store, clock.now(), "He prefers coffee", entity="Jon Berg")
    items, _ = engine.search("Gift for Maria Lopez?", bank="default")
    assert [item.text for item in items] == ["She prefers tea"]
    assert [each.by for each in items[0].found] == ["entity"]


def test_what_is_no_longer_believed_is_not_recalled(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    now = clock.now()
    new = keep(store, now, "User lives in Lisbon now")
    keep(store, now, "User lives in Porto", superseded_by=new.id)
    keep(store, now, "User lives in Faro", retracted_at=now)
    keep(store, now, "User lives in Evora", held=True)
    assert found(engine, "where does the user live, lives in?") == ["User lives in Lisbon now"]


def test_as_of_gives_what_was_believed_then(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    then = clock.now() - 10 * DAY_MS
    keep(store, then, "User lives in Porto", retracted_at=then + 5 * DAY_MS)
    keep(store, then + 5 * DAY_MS, "User lives in Lisbon")
    assert found(engine, "user lives", as_of=then + DAY_MS) == ["User lives in Porto"]
    assert found(engine, "user lives", as_of=then + 6 * DAY_MS) == ["User lives in Lisbon"]


def test_facts_of_another_bank_stay_there(store: Store, clock: FixedClock, engine: Engine) -> None:
    keep(store, clock.now(), "User plays the oboe", bank="other")
    assert found(engine, "oboe") == []
