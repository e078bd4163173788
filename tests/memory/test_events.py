"""The log of events: what is written to it, and that no change to it goes unnoticed."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.clock import FixedClock
from hermes.errors import HermesError
from hermes.memory.anchor import Anchor, anchor_file, verify_all, verify_new
from hermes.memory.events import BEGINNING, Verdict, add_event, verify_log
from hermes.store.base import Store, Tx
from hermes.store.chain import Head, hash_content, hash_link
from hermes.store.sqlite.connection import Connection, connect
from hermes.store.sqlite.tx import SqliteTx
from places import Place, new_place

NOW = FixedClock().now()
LINES = 8
UNBOUND = "DROP TRIGGER IF EXISTS events_stay; DROP TRIGGER IF EXISTS events_unchanged"


def fill(store: Store, count: int = LINES) -> None:
    def add(tx: Tx) -> None:
        for n in range(count):
            add_event(tx, "task", f"did {n}", now=NOW + n, details={"n": n}, ref=f"job:{n}")

    store.write(add)


def tamper(place: Place, *statements: str) -> None:
    """Change the database as someone with the key would, past Hermes."""
    connection = connect(place.database(), writable=True)
    for sql in (*UNBOUND.split(";"), *statements):
        list(connection.execute(sql))
    connection.close()


def verify(place: Place, anchor: Head = BEGINNING) -> Verdict:
    store = place.open()
    try:
        return store.read(lambda tx: verify_log(tx, anchor))
    finally:
        store.close()


@pytest.fixture
def filled(place: Place) -> Place:
    store = place.open()
    fill(store)
    store.close()
    return place


def test_what_was_written_verifies(filled: Place) -> None:
    verdict = verify(filled)
    assert verdict.is_sound
    assert (verdict.head.count, verdict.erased) == (LINES, 0)
    assert len(verdict.head.hash) == 32


def test_an_empty_log_verifies(store: Store) -> None:
    assert store.read(verify_log) == Verdict(BEGINNING)


def test_neither_names_of_details_nor_references_carry_secrets(store: Store) -> None:
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ1"
    details = {token: 1, "a": {token: [token]}}
    line = store.write(lambda tx: add_event(tx, "task", "did", now=NOW, details=details, ref=token))
    assert "ghp_" not in f"{line.details} {line.ref}"


def test_lines_are_cleaned_and_carry_no_secrets(store: Store) -> None:
    key = "sk-ant-api03-" + "a" * 95
    event = store.write(
        lambda tx: add_event(
            tx,
            "result",
            f"used {key}\n\u202eand went on",
            now=NOW,
            details={"deep": [{"key": key}], "n": 1},
        )
    )
    assert "\n" not in event.summary
    assert "\u202e" not in event.summary
    assert key not in f"{event.summary}{event.details}"
    assert event.details["n"] == 1


ALTERED = {
    "summary": "UPDATE events SET summary = 'did something else' WHERE id = 5",
    "details": """UPDATE events SET details = '{"n":99}' WHERE id = 5""",
    "ref": "UPDATE events SET ref = 'job:9' WHERE id = 5",
    "time": "UPDATE events SET at = at + 1 WHERE id = 5",
    "kind": "UPDATE events SET kind = 'decision' WHERE id = 5",
    "salt": "UPDATE events SET salt = zeroblob(16) WHERE id = 5",
    "content hash": "UPDATE events SET content = zeroblob(32) WHERE id = 5",
    "link": "UPDATE events SET hash = zeroblob(32) WHERE id = 5",
    "blanked": """UPDATE events SET summary = '', details = '{}', ref = '', salt = x'',
      erased_at = 1 WHERE id = 5""",
    "feigned erasure": "UPDATE events SET summary = 'x', erased_at = 1 WHERE id = 5",
    "removed": "DELETE FROM events WHERE id = 5",
    "removed and closed up": """DELETE FROM events WHERE id = 5;
      UPDATE events SET id = id - 1 WHERE id > 5; UPDATE event_head SET count = count - 1""",
    "inserted": """UPDATE events SET id = -id - 1 WHERE id >= 5;
      UPDATE events SET id = -id WHERE id < 0;
      INSERT INTO events SELECT 5, at, kind, summary, details, ref, salt, content, hash, erased_at
        FROM events WHERE id = 4;
      UPDATE event_head SET count = count + 1""",
    "swapped": """UPDATE events SET id = -5 WHERE id = 6; UPDATE events SET id = 6 WHERE id = 5;
      UPDATE events SET id = 5 WHERE id = -5""",
}


@pytest.mark.parametrize("how", ALTERED)
def test_the_first_bad_line_is_named(filled: Place, how: str) -> None:
    tamper(filled, *ALTERED[how].split(";"))
    verdict = verify(filled)
    assert not verdict.is_sound
    assert verdict.bad == 5
    assert "5" in verdict.problem


def test_a_tail_cut_off_is_missed(filled: Place) -> None:
    tamper(filled, "DELETE FROM events WHERE id > 6")
    verdict = verify(filled)
    assert verdict.bad == 7
    assert "Events 7 to 8 were cut off" in verdict.problem


def test_an_emptied_log_is_missed(filled: Place) -> None:
    tamper(filled, "DELETE FROM events")
    assert verify(filled).bad == 1


CUT = """DELETE FROM events WHERE id > 6; UPDATE event_head SET count = 6,
  hash = (SELECT hash FROM events WHERE id = 6)"""


def test_a_tail_cut_off_with_the_count_is_missed_by_the_anchor(filled: Place) -> None:
    head = verify(filled).head
    tamper(filled, *CUT.split(";"))
    assert verify(filled).is_sound  # nothing inside the database can tell
    verdict = verify(filled, head)
    assert verdict.bad == 7
    assert "Events 7 to 8 were cut off" in verdict.problem


def forge(connection: Connection) -> None:
    """Change line 5 and bind everything after it anew, as this program would."""
    tx = SqliteTx(connection)
    links = tx.events.list_links(3, 99)
    connection.execute("UPDATE events SET summary = 'forged' WHERE id = 5")
    head = Head(4, links[0].hash)
    for link in tx.events.list_links(4, 99):
        content = hash_content(link.said)
        digest = hash_link(head, link.at, link.kind, content)
        sql = "UPDATE events SET content = ?, hash = ? WHERE id = ?"
        connection.execute(sql, (content, digest, link.id))
        head = Head(link.id, digest)
    connection.execute("UPDATE event_head SET count = ?, hash = ?", (head.count, head.hash))


def test_a_log_forged_as_a_whole_does_not_fit_the_anchor(filled: Place) -> None:
    head = verify(filled).head
    tamper(filled)
    connection = connect(filled.database(), writable=True)
    forge(connection)
    connection.close()
    assert verify(filled).is_sound
    assert not verify(filled, head).is_sound
    assert not verify(filled, Head(5, head.hash)).is_sound


def test_a_line_put_at_the_end_past_hermes_is_found(filled: Place) -> None:
    head = verify(filled).head
    store = filled.open()
    content = store.read(lambda tx: tx.events.list_links(LINES - 1, 1))[0].content
    store.close()
    link = hash_link(head, 1, "task", content)
    tamper(
        filled,
        "INSERT INTO events SELECT 9, 1, 'task', summary, details, ref, salt, content, hash, NULL "
        "FROM events WHERE id = 8",
        f"UPDATE events SET hash = x'{link.hex()}' WHERE id = 9",  # noqa: S608
    )
    assert verify(filled).bad == 9


def test_erasing_keeps_the_chain_and_leaves_nothing_to_guess(place: Place) -> None:
    store = place.open()
    fill(store)
    store.write(lambda tx: tx.events.erase([2, 5], at=NOW))
    verdict = store.read(verify_log)
    assert verdict.is_sound
    assert (verdict.head.count, verdict.erased) == (LINES + 1, 2)
    link = store.read(lambda tx: tx.events.list_links(1, 1))[0]
    assert hash_content(link.said) != link.content
    store.close()


def run(tx: Tx, sql: str) -> None:
    assert isinstance(tx, SqliteTx)
    tx.connection.execute(sql)


def test_the_database_itself_refuses_changes(store: Store) -> None:
    fill(store)
    for sql in ("DELETE FROM events WHERE id = 3", "UPDATE events SET summary = 'x' WHERE id = 3"):
        with pytest.raises(HermesError, match="events are never"):
            store.write(partial(run, sql=sql))
    assert store.read(verify_log).is_sound


def test_the_anchor_follows_what_was_verified(filled: Place) -> None:
    file = anchor_file(Path(filled.where))
    anchor = Anchor(file)
    store = filled.open()
    assert anchor.load() == BEGINNING
    assert verify_new(store, anchor).is_sound
    assert anchor.load() == store.read(lambda tx: tx.events.head())
    assert file.stat().st_mode & 0o777 == 0o600
    fill(store, 3)
    assert verify_new(store, anchor).head.count == LINES + 3
    store.close()
    tamper(filled, *CUT.split(";"))
    store = filled.open()
    for check in (verify_new, verify_all):
        verdict = check(store, anchor)
        assert verdict.bad == 7
        assert anchor.load().count == LINES + 3
    assert verify_all(store, anchor, accept=True).is_sound
    assert anchor.load().count == 6
    store.close()


def test_an_unreadable_anchor_counts_as_none(tmp_path: Path) -> None:
    for text in ("", "x", "3", "3 zz", "3 ff ff"):
        (tmp_path / "anchor").write_text(text)
        assert Anchor(tmp_path / "anchor").load() == BEGINNING


COLUMNS = ("at", "kind", "summary", "details", "ref", "salt", "content", "hash")


@settings(max_examples=25)
@given(
    row=st.integers(1, LINES),
    column=st.sampled_from(COLUMNS),
    value=st.one_of(st.text(max_size=5), st.binary(max_size=33)),
)
def test_any_changed_cell_is_found(row: int, column: str, value: str | bytes) -> None:
    with TemporaryDirectory() as folder:
        place = new_place("sqlite", Path(folder))
        store = place.open()
        fill(store)
        store.close()
        tamper(place)
        connection = connect(place.database(), writable=True)
        sql = f"UPDATE events SET {column} = ? WHERE id = ? AND {column} IS NOT ?"  # noqa: S608
        connection.execute(sql, (value, row, value))
        changed = connection.changes()
        connection.close()
        verdict = verify(place)
    assert verdict.bad == (row if changed else None)
