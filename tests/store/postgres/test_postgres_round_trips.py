"""Records come into PostgreSQL in bulk: how often the server is asked does not grow with them."""

from collections.abc import Sequence
from pathlib import Path

from hermes.store.base import Tx
from hermes.store.base.portable import Record, Section
from hermes.store.postgres import Server, open_store
from hermes.store.postgres.connection import Connection, Row
from hermes.store.postgres.server import connect
from hermes.store.postgres.tx import PostgresTx
from hermes.store.sqlite import Database
from hermes.store.sqlite import open_store as open_sqlite
from hermes.types import Fact, FactKind, FactSource, Recorded, Trust
from postgres_server import new_database
from talk import NOW, keep, turn

FEW, MANY = 20, 200


class Counting(Connection):
    """Counts the statements that go to the server."""

    sent = 0

    def execute(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        self.sent += 1
        return super().execute(sql, values)

    def defer(self, sql: str, values: Sequence[object] = ()) -> None:
        self.sent += 1
        super().defer(sql, values)


def _records(folder: Path, count: int) -> dict[Section, list[Record]]:
    """What a memory holds that has so many sessions, turns, keys, facts and events."""
    store = open_sqlite(Database(folder / f"{count}.db"))
    said = [turn(f"I like thing {n}", session=f"s{n}", key=f"k{n}") for n in range(count)]
    kept = keep(store, *said)
    store.write(lambda tx: _believe(tx, kept))
    found = store.read(
        lambda tx: {s: [r for _, r in tx.portable.list_records(s, (), limit=500)] for s in Section}
    )
    store.close()
    return found


def _believe(tx: Tx, kept: Sequence[Recorded]) -> None:
    for each in kept:
        number, short = tx.facts.reserve()
        said = (each.message_ids[0], each.episode_id, each.session_id)
        source = FactSource("I", *said, NOW, 0, 1, Trust.HIGH)
        text = f"User likes thing {number}"
        fact = Fact(
            number, short, "default", text, FactKind.PREFERENCE, NOW, "user", sources=(source,)
        )
        tx.facts.add(fact, subject_key="user")
        tx.events.add("decision", text, at=NOW)


def _sent_for(records: dict[Section, list[Record]]) -> int:
    server = Server(new_database())
    store = open_store(server)
    asked = "SELECT current_setting('hermes.profile')"
    ((number,),) = store.read(lambda tx: tx.connection.execute(asked))
    with connect(server) as raw, raw.transaction():
        raw.execute("SELECT set_config('hermes.profile', %s, true)", (number,))
        counting = Counting(raw)
        tx = PostgresTx(counting)
        for section in Section:
            tx.portable.put(section, records[section])
        tx.portable.finish({}, {})
        tx.finish()
        counting.flush()
    there = store.read(lambda tx: tx.portable.count(Section.FACTS, ""))
    store.close()
    assert there == len(records[Section.FACTS])
    return counting.sent


def test_more_records_take_no_more_statements(tmp_path: Path) -> None:
    few, many = (_sent_for(_records(tmp_path, count)) for count in (FEW, MANY))
    assert many <= few + 5
