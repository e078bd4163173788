"""The schema of a PostgreSQL store: made once, checked at every opening, closed to others."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import psycopg
import pytest

from hermes.errors import Conflict, Refused, Unavailable
from hermes.memory.portable.copying import prove
from hermes.store.base.portable import Section
from hermes.store.base.texts import TextScope
from hermes.store.base.vectors import VectorKind
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.connection import Connection
from hermes.store.postgres.schema import list_migrations, look, migrate
from hermes.store.postgres.server import connect
from hermes.store.postgres.tx import PostgresTx
from postgres_server import ROLE, execute, new_database, shared_address, within
from talk import NOW, keep, turn


@pytest.fixture
def empty() -> Server:
    return Server(new_database(empty=True))


@pytest.fixture
def server() -> Server:
    return Server(new_database())


def test_a_database_without_tables_names_the_command_that_makes_them(empty: Server) -> None:
    with pytest.raises(Conflict, match="no tables yet") as caught:
        open_store(empty)
    assert "hermes db migrate" in caught.value.hint
    newest = list_migrations()[-1][0]
    assert migrate(empty) == [version for version, _ in list_migrations()]
    assert migrate(empty) == []
    assert look(empty)[:2] == (newest, newest)
    open_store(empty).close()


def test_daemons_that_migrate_at_once_make_the_tables_once(empty: Server) -> None:
    with ThreadPoolExecutor(6) as pool:
        taken = [step for steps in pool.map(migrate, [empty] * 6) for step in steps]
    assert sorted(taken) == [version for version, _ in list_migrations()]


def test_a_step_that_fails_leaves_the_schema_before_it(empty: Server) -> None:
    steps = [*list_migrations(), (9_998, "CREATE TABLE half (x int); SELECT nonsense()")]
    with pytest.raises(Exception, match="nonsense"):
        migrate(empty, steps)
    assert look(empty)[0] == list_migrations()[-1][0]
    raw = connect(empty)
    assert raw.execute("SELECT to_regclass('half')").fetchall() == [(None,)]
    raw.close()


def test_an_older_program_does_not_open_a_newer_database(server: Server) -> None:
    raw = connect(server)
    raw.execute("INSERT INTO schema_versions (version) VALUES (9999)")
    raw.close()
    with pytest.raises(Conflict, match="knows up to") as caught:
        open_store(server)
    assert "Upgrade Hermes" in caught.value.hint


def test_who_passes_over_row_level_security_is_refused(server: Server) -> None:
    database = psycopg.conninfo.conninfo_to_dict(server.address)["dbname"]
    with pytest.raises(Refused, match="passes over row-level security"):
        open_store(Server(within(shared_address(), str(database), "postgres")))


def test_without_a_profile_nothing_can_be_read_or_written(server: Server) -> None:
    open_store(server).close()
    raw = connect(server)
    tables = [name for (name,) in raw.execute(_TABLES).fetchall()]
    assert len(tables) > 30
    for table in tables:
        for statement in (f"SELECT * FROM {table}", f"DELETE FROM {table}"):  # noqa: S608
            with pytest.raises(psycopg.Error, match=r"hermes\.profile"):
                raw.execute(statement.encode())
    raw.execute("SELECT set_config('hermes.profile', '1', false)")
    raw.execute("SELECT set_config('hermes.profile', '', false)")
    with pytest.raises(psycopg.Error, match="invalid input syntax"):
        raw.execute("SELECT * FROM messages")
    raw.close()


_TABLES = """SELECT c.relname FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'profile'
  WHERE s.nspname = 'hermes' AND c.relkind IN ('r', 'p') AND NOT c.relispartition"""


def test_profile_and_bank_lead_every_key_and_nothing_reaches_across(server: Server) -> None:
    raw = connect(server)
    keys = raw.execute(
        """SELECT c.conrelid::regclass::text, array_agg(a.attname ORDER BY k.n)
        FROM pg_constraint c CROSS JOIN unnest(c.conkey) WITH ORDINALITY k (number, n)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number
        WHERE c.contype IN ('p', 'u') AND c.connamespace = 'hermes'::regnamespace
        GROUP BY 1, c.oid"""
    ).fetchall()
    beside = {"schema_versions", "profiles"}
    for table, columns in keys:
        bank = "id" if table == "banks" else "bank"
        assert table in beside or columns[:2] == ["profile", bank], table
    assert raw.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchall() == [
        (0,)
    ]
    unique: list[tuple[str, str]] = raw.execute(
        """SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index i
        JOIN pg_class c ON c.oid = i.indrelid WHERE i.indisunique AND NOT i.indisprimary
        AND c.relnamespace = 'hermes'::regnamespace"""
    ).fetchall()
    assert sorted(name for name, _ in unique) == ["jobs_unfinished", "profiles_name_key"]
    assert "(profile, bank," in dict(unique)["jobs_unfinished"]
    raw.close()


def test_a_server_that_is_away_is_unavailable() -> None:
    away = Server("postgres://nobody@127.0.0.1:1/nowhere")
    with pytest.raises(Unavailable, match="cannot be reached"):
        open_store(away)


def test_an_address_is_shown_without_its_password(server: Server) -> None:
    told = replace(server, address="postgres://ada:secret@db.example:5433/memory").location
    assert told == "postgres://db.example:5433/memory (profile default)"
    assert "secret" not in repr(Server("postgres://ada:secret@db.example/memory"))


def test_the_owner_of_the_tables_is_an_ordinary_role(server: Server) -> None:
    raw = connect(server)
    ((owner,),) = raw.execute(
        "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relname = 'messages'"
    ).fetchall()
    assert owner == ROLE
    raw.close()
    execute(shared_address(), "SELECT 1")


def test_a_memory_of_the_schema_before_is_brought_up_with_all_it_holds(empty: Server) -> None:
    known = list_migrations()
    assert migrate(empty, known[:-1]) == [version for version, _ in known[:-1]]
    with connect(empty) as raw, raw.transaction():
        raw.execute("SELECT set_config('hermes.profile_name', 'default', true)")
        ((number,),) = raw.execute(
            "INSERT INTO profiles (name) VALUES ('default') RETURNING id"
        ).fetchall()
        raw.execute("SELECT set_config('hermes.profile', %s, true)", (str(number),))
        connection = Connection(raw)
        tx = PostgresTx(connection)
        tx.conversations.record([turn("My name is Mara", "noted", key="k")], NOW)
        tx.events.add("decision", "began", at=NOW)
        tx.finish()
        connection.flush()
        before = {section: prove(tx, section) for section in Section}
    with pytest.raises(Conflict, match=f"has schema {known[-2][0]}"):
        open_store(empty)
    assert migrate(empty) == [known[-1][0]]
    store = open_store(empty)
    assert {s: store.read(lambda tx, s=s: prove(tx, s)) for s in Section} == before  # type: ignore[misc]
    assert before[Section.MESSAGES].count == 2
    assert {finding.level for finding in store.check()} == {"ok"}
    found = store.read(lambda tx: tx.texts.postings_all(["mara"], TextScope(), 5))
    assert len(found) == 1
    keep(store, turn("and more"))
    store.write(lambda tx: tx.notes.save("MEMORY.md", "- A note.\n", now=NOW))
    store.close()
    with connect(empty) as raw, pytest.raises(psycopg.Error):  # the new tables are closed, too
        raw.execute("SELECT count(*) FROM note_pages")


def test_what_waited_for_a_vector_still_does_whosever_it_is(empty: Server) -> None:
    """The rows of every profile are taken over, and stay closed to the others."""
    migrate(empty, [each for each in list_migrations() if each[0] < 4])
    with connect(empty) as raw, raw.transaction():
        for name in ("default", "other"):
            raw.execute("SELECT set_config('hermes.profile_name', %s, true)", (name,))
            ((number,),) = raw.execute(
                "INSERT INTO profiles (name) VALUES (%s) RETURNING id", (name,)
            ).fetchall()
            raw.execute("SELECT set_config('hermes.profile', %s, true)", (str(number),))
            connection = Connection(raw)
            tx = PostgresTx(connection)
            tx.conversations.record([turn("My name is Mara")], NOW)
            space = tx.vectors.ensure_space("test", "words", 64, NOW).id
            tx.finish()
            connection.flush()
            raw.execute(
                "INSERT INTO vector_cursors (space, kind, item) VALUES (%s, 0, 1)", (space,)
            )
            raw.execute(
                "INSERT INTO vector_redo (bank, message, space) SELECT bank, id, 1 FROM messages"
            )
    migrate(empty)
    store = open_store(empty)
    (found,) = store.read(lambda tx: tx.vectors.list_pending(1, 9))
    assert (found.kind, found.item, found.text) == (VectorKind.MESSAGE, 1, "My name is Mara")
    assert store.read(lambda tx: tx.vectors.count_pending(1)) == 1
    store.close()
