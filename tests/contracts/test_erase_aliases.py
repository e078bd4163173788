"""A name that a message told goes with the message, unless another one tells it, too."""

import pytest

from hermes.memory.entities.aliases import learn_aliases
from hermes.memory.erase.apply import apply_plan
from hermes.memory.erase.plan import make_plan, parse_target
from hermes.memory.erase.tombs import ENTITY, Marker
from hermes.store.base import Store, Tx
from hermes.types import Entity, EntityKind
from talk import NOW, keep, messages_of, turn

TOLD = "Katarina Weber, also known as Kat, leads Atlas."


def _learn(store: Store) -> int:
    def learn(tx: Tx) -> int:
        known = Entity(0, "default", "Katarina Weber", EntityKind.PERSON)
        number = tx.entities.add(known, [("katarina weber", "Katarina Weber")], NOW).id
        for message in messages_of(store):
            tx.entities.mention_in_message(message.id, [(number, "katarina weber")])
        learn_aliases(tx, "default", messages_of(store))
        return number

    return store.write(learn)


def _erase(store: Store, message: int) -> None:
    plan = store.read(lambda tx: make_plan(tx, [parse_target(f"message:{message}")], ()))
    marker = Marker(b"secret")
    store.write(lambda tx: apply_plan(tx, plan, marker, lambda _: None, now=NOW))


def _aliases(store: Store, number: int) -> tuple[str, ...]:
    found = store.read(lambda tx: tx.entities.find(number))
    assert found is not None
    return found.aliases


def test_a_learnt_name_goes_with_the_message_that_told_it(any_store: Store) -> None:
    first, *_ = keep(any_store, turn(TOLD), turn("Katarina Weber called."))
    number = _learn(any_store)
    assert _aliases(any_store, number) == ("Kat",)
    _erase(any_store, first.message_ids[0])
    assert _aliases(any_store, number) == ()
    stones = any_store.read(lambda tx: tx.erasures.list_tombstones())
    assert ENTITY not in {stone.kind for stone in stones}


@pytest.mark.parametrize("again", ["Kat is short for Katarina Weber.", TOLD])
def test_a_name_that_another_message_tells_stays(any_store: Store, again: str) -> None:
    first, *_ = keep(any_store, turn(TOLD), turn(again))
    number = _learn(any_store)
    _erase(any_store, first.message_ids[0])
    assert _aliases(any_store, number) == ("Kat",)
