"""Migrations: the old schema or the new one, whatever happens in between."""

import signal
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from hermes.errors import Conflict
from hermes.memory.portable.copying import prove
from hermes.store.base.portable import Section
from hermes.store.base.texts import TextScope
from hermes.store.sqlite.connection import Connection, connect, pragma, scalar
from hermes.store.sqlite.schema import list_migrations, migrate, schema_version
from hermes.store.sqlite.tx import SqliteTx
from places import Place
from talk import NOW, keep, texts_of, turn

KNOWN = list_migrations()
NEWEST = KNOWN[-1][0]
NEXT = NEWEST + 1

KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from places import parse_place
from hermes.store.sqlite.connection import connect
from hermes.store.sqlite.schema import list_migrations, migrate
connection = connect(parse_place(sys.argv[2]).database(), writable=True)
connection.create_scalar_function("die", lambda: os.kill(os.getpid(), signal.SIGKILL), 0)
known = list_migrations()
half = "CREATE TABLE half (a); INSERT INTO half VALUES (1); SELECT die(); CREATE TABLE whole (b);"
migrate(connection, [*known, (known[-1][0] + 1, half)])
"""


def tables(connection: Connection) -> set[str]:
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    return {str(name) for (name,) in connection.execute(sql)}


@pytest.fixture
def filled(place: Place) -> Place:
    store = place.open()
    keep(store, turn("kept"))
    store.close()
    return place


def assert_old(place: Place) -> None:
    connection = connect(place.database(), writable=True)
    assert schema_version(connection) == NEWEST
    assert not {"half", "whole"} & tables(connection)
    connection.close()
    store = place.open()
    assert texts_of(store) == ["kept"]
    assert {finding.level for finding in store.check()} == {"ok"}
    store.close()


def test_numbers_are_used_once() -> None:
    numbers = [number for number, _ in KNOWN]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == 1


def test_a_new_database_has_the_newest_schema(filled: Place) -> None:
    store = filled.open()
    assert store.status().schema == NEWEST
    store.close()


def test_a_newer_schema_is_left_alone(filled: Place) -> None:
    connection = connect(filled.database(), writable=True)
    pragma(connection, f"user_version = {NEXT}")
    connection.close()
    with pytest.raises(Conflict, match=f"schema {NEXT}; this Hermes knows up to {NEWEST}"):
        filled.open()
    connection = connect(filled.database(), writable=True)
    assert schema_version(connection) == NEXT
    assert scalar(connection, "SELECT count(*) FROM messages") == 1
    connection.close()


def test_a_migration_that_fails_half_way_leaves_the_old_schema(filled: Place) -> None:
    half = "CREATE TABLE half (a); INSERT INTO half VALUES (1); INSERT INTO nowhere VALUES (2);"
    connection = connect(filled.database(), writable=True)
    with pytest.raises(apsw.SQLError, match="nowhere"):
        migrate(connection, [*KNOWN, (NEXT, half)])
    connection.close()
    assert_old(filled)


def test_a_migration_that_is_killed_half_way_leaves_the_old_schema(filled: Place) -> None:
    arguments = [str(Path(__file__).parents[1]), filled.render()]
    child = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert child.returncode == -signal.SIGKILL
    assert_old(filled)


def test_the_first_of_two_migrations_stays_when_the_second_fails(filled: Place) -> None:
    connection = connect(filled.database(), writable=True)
    steps = [*KNOWN, (NEXT, "CREATE TABLE whole (a);"), (NEXT + 1, "CREATE TABLE whole (a);")]
    with pytest.raises(apsw.SQLError, match="already exists"):
        migrate(connection, steps)
    assert schema_version(connection) == NEXT
    assert "whole" in tables(connection)
    connection.close()


def test_an_older_database_is_brought_up_and_keeps_its_rows(place: Place) -> None:
    connection = connect(place.database(), writable=True)
    assert migrate(connection, KNOWN[:1]) == 1
    connection.execute("INSERT INTO banks (name, created_at) VALUES ('old', 7)")
    connection.close()
    store = place.open()
    assert store.status().schema == NEWEST
    assert [bank.name for bank in store.read(lambda tx: tx.banks.list())] == ["old"]
    keep(store, turn("new", bank="old"))
    store.close()


def test_migrating_again_changes_nothing(filled: Place) -> None:
    connection = connect(filled.database(), writable=True)
    before = scalar(connection, "PRAGMA schema_version")
    assert migrate(connection) == NEWEST
    assert scalar(connection, "PRAGMA schema_version") == before
    connection.close()


def test_a_memory_of_the_schema_before_is_brought_up_with_all_it_holds(place: Place) -> None:
    connection = connect(place.database(), writable=True)
    assert migrate(connection, KNOWN[:-1]) == KNOWN[-2][0]
    connection.execute("BEGIN IMMEDIATE")
    tx = SqliteTx(connection)
    tx.conversations.record([turn("My name is Mara", "noted", key="k")], NOW)
    tx.events.add("decision", "began", at=NOW)
    tx.finish()
    connection.execute("COMMIT")
    before = {section: prove(tx, section) for section in Section}
    connection.close()
    store = place.open()
    assert store.status().schema == NEWEST
    assert {s: store.read(lambda tx, s=s: prove(tx, s)) for s in Section} == before  # type: ignore[misc]
    assert before[Section.MESSAGES].count == 2
    assert {finding.level for finding in store.check()} == {"ok"}
    found = store.read(lambda tx: tx.texts.postings_all(["mara"], TextScope(), 5))
    assert len(found) == 1
    store.write(lambda tx: tx.notes.save("MEMORY.md", "- A note.\n", now=NOW))
    store.close()


def test_what_waited_for_a_vector_still_does_and_so_does_what_was_forgotten(place: Place) -> None:
    """A message written anew, and a lesson that was restored before that asked for a vector."""
    connection = connect(place.database(), writable=True)
    migrate(connection, [each for each in KNOWN if each[0] < 12])
    connection.execute("BEGIN IMMEDIATE")
    tx = SqliteTx(connection)
    tx.conversations.record([turn("My name is Mara")], NOW)
    tx.finish()
    space = tx.vectors.ensure_space("test", "words", 64, NOW).id
    lesson = """INSERT INTO reflections
      VALUES (?, 1, 'a', ?, ?, '', '', '', 0, 0, 0, 2, 0, '', '', 1, 1, ?)"""
    for number, deleted_at in ((1, None), (2, 7), (3, None)):
        connection.execute(lesson, (number, str(number), str(number), deleted_at))
    cursor = "INSERT INTO vector_cursors VALUES (?, ?, ?)"
    connection.executemany(cursor, [(space, 0, 1), (space, 2, 2)])
    connection.execute("INSERT INTO vector_redo VALUES (1, ?)", (space,))
    connection.execute("COMMIT")
    connection.close()
    store = place.open()
    pending = store.read(lambda tx: tx.vectors.list_pending(space, 9))
    assert [(each.kind.name, each.item) for each in pending] == [
        ("MESSAGE", 1),
        ("REFLECTION", 1),
        ("REFLECTION", 3),
    ]
    store.close()
