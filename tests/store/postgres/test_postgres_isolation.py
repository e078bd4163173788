"""No row of one profile through any method of another, whatever it is asked."""

from random import Random
from typing import Any

import pytest
from any_call import list_methods, make_call

from hermes.store.base import Store, Tx
from hermes.store.base.portable import Section
from hermes.store.postgres import Server, open_store
from hermes.types import Entity, EntityKind, Fact, FactKind, FactSource, Reflection
from postgres_server import new_database
from talk import NOW, keep, turn

MARK = "xyzzy"
CALLS = 4_000


class _UndoneError(Exception):
    """Takes back what a call has done."""


def fill(store: Store, said: str) -> None:
    """A little of everything, each with a word in it."""

    def learn(tx: Tx) -> None:
        source = FactSource(f"{said} quote", 1, 1, "s1", NOW, 0, 3)
        for n in range(5):
            fact = Fact(*tx.facts.reserve(), "work", f"{said} fact {n}", FactKind.OTHER, NOW)
            tx.facts.add(fact, subject_key=said)
            tx.facts.add_source(fact.id, source)
        entity = Entity(0, "work", said, EntityKind.PERSON)
        added = tx.entities.add(entity, [(said, said), ("ada", f"Ada {said}")], NOW)
        tx.entities.mention_in_message(1, [(added.id, said)])
        tx.entities.mention_in_fact(1, [(added.id, said)])
        lesson = Reflection(0, "work", "index", f"{said} lesson", session_id="s1")
        tx.reflections.add(lesson, lesson_key=said)
        tx.events.add("task", f"{said} event", at=NOW, ref="s1")
        tx.jobs.add("index", "s1", now=NOW, payload={"what": said})
        tx.banks.describe("work", f"{said} bank")
        tx.vectors.ensure_space("test", said, 8, NOW)
        tx.summaries.save_mark("s1", said)

    for n in range(10):
        keep(
            store, turn(f"{said} question {n}", f"{said} answer", session=f"s{n % 3}", bank="work")
        )
    store.write(learn)


def everything(store: Store) -> list[Any]:
    def read(tx: Tx) -> list[Any]:
        sections = [s for s in Section if s is not Section.BLOBS]
        records = [tx.portable.list_records(s, (), limit=1_000) for s in sections]
        return [*records, tx.changes.since(0), tx.portable.get_numbers()]

    return store.read(read)


@pytest.fixture
def address() -> str:
    return new_database()


def test_no_method_gives_or_changes_a_row_of_another_profile(address: str) -> None:
    mine, theirs = (open_store(Server(address, name)) for name in ("mine", "theirs"))
    fill(theirs, MARK)
    before = everything(theirs)
    assert MARK in repr(before)
    fill(mine, "plugh")
    random = Random(6)
    methods = list_methods()
    assert len(methods) > 150
    for _ in range(CALLS):
        answer, error = outcome(mine, make_call(random, random.choice(methods)))
        assert MARK not in repr(answer), answer
        assert MARK not in str(error), error
    assert everything(theirs) == before
    mine.close()
    theirs.close()


def outcome(store: Store, call: Any) -> tuple[Any, BaseException | None]:
    """What a call answers or raises; half of what it changes stays."""
    answers: list[Any] = []

    def change(tx: Tx) -> None:
        answers.append(call(tx))
        if len(repr(call)) % 2:
            raise _UndoneError

    try:
        store.write(change)
    except _UndoneError:
        pass
    except Exception as error:
        return answers, error
    return answers, None


def test_a_profile_new_to_the_database_is_empty(address: str) -> None:
    first = open_store(Server(address, "first"))
    fill(first, MARK)
    second = open_store(Server(address, "second"))
    assert second.read(lambda tx: tx.portable.is_empty())
    assert second.status().counts == {"sessions": 0, "episodes": 0, "messages": 0}
    assert second.profile != first.profile
    first.close()
    second.close()
