"""A name that a message told goes with the message, unless another one tells it, too."""

import pytest

from hermes.memory.entities.aliases import learn_aliases
from hermes.memory.entities.keeping import merge_entities, names_of
from hermes.memory.erase.apply import apply_plan
from hermes.memory.erase.plan import make_plan, parse_target
from hermes.memory.erase.tombs import ENTITY, Marker
from hermes.store.base import Store, Tx
from hermes.types import Entity, EntityKind, NewSession, Role, Trust, Turn, Utterance
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


@pytest.mark.parametrize(
    "said",
    [
        Utterance(Role.ASSISTANT, "Kat is short for Katarina Weber, I think."),
        Utterance(Role.USER, "Kat is short for Katarina Weber.", trust=Trust.LOW),
    ],
)
def test_what_no_name_is_learnt_from_takes_none_along(any_store: Store, said: Utterance) -> None:
    spoken = Turn(NewSession(id="s1"), (Utterance(Role.USER, "Katarina Weber called."), said))
    ids = keep(any_store, spoken)[0].message_ids
    known = Entity(0, "default", "Katarina Weber", EntityKind.PERSON, aliases=("Kat",))
    number = any_store.write(lambda tx: tx.entities.add(known, names_of(known), NOW)).id
    any_store.write(lambda tx: tx.entities.mention_in_message(ids[0], [(number, "katarina weber")]))
    _erase(any_store, ids[1])
    assert _aliases(any_store, number) == ("Kat",)


def test_a_name_that_came_by_a_merge_stays_while_it_is_said(any_store: Store) -> None:
    told, *_ = keep(any_store, turn("Katarina Weber called, and Kat came."), turn(TOLD))
    last = messages_of(any_store)[-1].id

    def merge(tx: Tx) -> int:
        both = [Entity(0, "default", name, EntityKind.PERSON) for name in ("Katarina Weber", "Kat")]
        keep_, other = [tx.entities.add(each, names_of(each), NOW) for each in both]
        tx.entities.mention_in_message(told.message_ids[0], [(keep_.id, "katarina weber")])
        return merge_entities(tx, keep_, other, NOW).id

    number = any_store.write(merge)
    _erase(any_store, last)
    assert _aliases(any_store, number) == ("Kat",)


@pytest.mark.parametrize("left", ["Everyone calls her Kat.", "Kat called."])
def test_a_name_that_nothing_says_any_more_goes(any_store: Store, left: str) -> None:
    first, *_ = keep(any_store, turn("My boss Katarina Weber leads Atlas."), turn(left))
    known = Entity(0, "default", "Katarina Weber", EntityKind.PERSON, aliases=("Kat",))
    number = any_store.write(lambda tx: tx.entities.add(known, names_of(known), NOW)).id

    def mention(tx: Tx) -> None:
        for message, key in zip(messages_of(any_store), ("katarina weber", "kat"), strict=True):
            tx.entities.mention_in_message(message.id, [(number, key)])

    any_store.write(mention)
    _erase(any_store, first.message_ids[0])
    entity = any_store.read(lambda tx: tx.entities.find(number))
    assert entity is not None
    assert (entity.name, entity.aliases) == ("Kat", ())
