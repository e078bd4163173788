"""What every store promises of the traces of what is removed: entities, quotes, tombstones."""

from hermes.memory.facts.audit import Act, enter, support
from hermes.store.base import Store, Tx
from hermes.store.base.erase import TextKind, Tombstone
from hermes.types import Entity, EntityKind, Fact, FactKind, FactSource
from talk import NOW, keep, turn


def _add_entity(tx: Tx, name: str) -> int:
    entity = Entity(0, "default", name, EntityKind.PERSON)
    return tx.entities.add(entity, [(name.casefold(), name)], NOW).id


def test_only_entities_that_nothing_mentions_are_dropped(any_store: Store) -> None:
    (message,) = keep(any_store, turn("Ada wrote to Grace"))[0].message_ids

    def fill(tx: Tx) -> tuple[int, int]:
        ada, grace = _add_entity(tx, "Ada"), _add_entity(tx, "Grace")
        tx.entities.mention_in_message(message, [(ada, "ada")])
        return ada, grace

    ada, grace = any_store.write(fill)
    assert any_store.write(lambda tx: tx.erasures.drop_unmentioned([ada, grace])) == 1
    assert any_store.read(lambda tx: tx.entities.find(grace)) is None
    assert any_store.read(lambda tx: tx.entities.find(ada)) is not None
    assert any_store.write(lambda tx: tx.erasures.drop_unmentioned([grace, 99])) == 0


def test_a_quote_goes_from_the_history_with_its_message(any_store: Store) -> None:
    first, second = keep(any_store, turn("I live in Lisbon", "Lisbon it is, the quixotic one"))[
        0
    ].message_ids

    def believe(tx: Tx) -> int:
        fact, number = tx.facts.reserve()
        source = FactSource("I live in Lisbon", first, session_id="s1", at=NOW)
        text = "User lives in Lisbon"
        given = Fact(fact, number, "default", text, FactKind.OTHER, NOW, sources=(source,))
        enter(tx, given, Act("test", NOW))
        more = FactSource("the quixotic one", second, session_id="s1", at=NOW)
        support(tx, given, more, Act("test", NOW))
        return fact

    fact = any_store.write(believe)
    any_store.write(lambda tx: tx.erasures.remove_messages([second]))
    changes = any_store.read(lambda tx: tx.facts.list_changes(fact))
    assert [change.action for change in changes] == ["add"]
    rows = any_store.read(lambda tx: tx.erasures.list_texts(TextKind.FACT, after=0, limit=10))
    assert not any("quixotic" in text for row in rows for text in row.texts)


def test_the_time_of_a_tombstone_moves_on_and_never_back(any_store: Store) -> None:
    def add(at: int) -> None:
        stone = Tombstone(b"d" * 32, "phrase", at, 2)
        any_store.write(lambda tx: tx.erasures.add_tombstones([stone]))

    for at in (5, 9, 7):
        add(at)
    (stone,) = any_store.read(lambda tx: tx.erasures.list_tombstones())
    assert (stone.at, stone.words) == (9, 2)
