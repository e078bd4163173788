"""Queries about one session read that session, however much else is kept."""

import pytest

from hermes.store.sqlite import open_store, rows
from hermes.store.sqlite.tx import SqliteTx
from places import Place
from talk import keep, turn


@pytest.mark.parametrize(
    "sql", [rows.RAW_OF_SESSION, rows.SESSION_MESSAGES_AFTER, rows.SESSION_MESSAGES_BEFORE]
)
def test_messages_of_a_session_are_found_by_keys(place: Place, sql: str) -> None:
    def list_steps(tx: SqliteTx) -> list[str]:
        bindings = ("s1", 1, 1, 9)[: sql.count("?")]
        return [row[3] for row in tx.connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings)]

    store = open_store(place.database())
    keep(store, turn("hi", "hello"))
    plan = store.read(list_steps)
    store.close()
    assert plan
    assert [step for step in plan if step.startswith("SCAN") or "TEMP" in step] == []
