"""Putting the rows of one profile in the place of another's, in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager

from hermes.errors import NotFound
from hermes.store.postgres.connection import translated
from hermes.store.postgres.plan import list_tables
from hermes.store.postgres.server import Raw, Server, connect
from hermes.store.postgres.standing import lock_writers

# What `hermes db migrate --ann` has made, which no migration knows of.
_HALVES = """SELECT relname FROM pg_class WHERE starts_with(relname, 'vector_halves_')
  AND relkind = 'r' AND relnamespace = current_schema()::regnamespace"""
_NOTES = {
    "note_pages": "name, text, version, erased, at",
    "note_copies": "home, page, version, at",
}


def replace_profile(server: Server, incoming: str) -> None:
    """Let the rows of profile `incoming` be those of the server's profile; its own are removed.

    Whoever has the profile open is refused from then on (`standing`).
    """
    with _directory(server) as raw:
        _replace(raw, server.profile, incoming)


def clear_profile(server: Server) -> None:
    """Remove every row of a profile, and the profile."""
    with _directory(server) as raw:
        number = _find(raw, server.profile)
        if number is not None:
            lock_writers(raw, number)
            _clear(raw, number)
            raw.execute("DELETE FROM profiles WHERE id = %s", (number,))


@contextmanager
def _directory(server: Server) -> Iterator[Raw]:
    """A transaction that sees the names of all profiles: their owner may, while that is not
    forced on it too.
    """
    with translated(server.location), connect(server) as raw, raw.transaction():
        raw.execute("SET LOCAL statement_timeout = 0")
        raw.execute("ALTER TABLE profiles NO FORCE ROW LEVEL SECURITY")
        yield raw
        raw.execute("ALTER TABLE profiles FORCE ROW LEVEL SECURITY")


def _replace(raw: Raw, name: str, incoming: str) -> None:
    new = _find(raw, incoming)
    if new is None:
        raise NotFound(f"There is no profile {incoming!r} to bring in.", "Restore it again.")
    old = _find(raw, name)
    if old is not None:
        lock_writers(raw, old)
        _keep_notes(raw, old, new)
        _clear(raw, old)
        raw.execute("DELETE FROM profiles WHERE id = %s", (old,))
    raw.execute("UPDATE profiles SET name = %s WHERE id = %s", (name, new))


def _keep_notes(raw: Raw, old: int, new: int) -> None:
    """Leave the notes as they are, for the homes that show them: their files tell what is new."""
    for table, columns in _NOTES.items():
        _act_for(raw, old)
        rows = raw.execute(
            f"SELECT {columns} FROM {table} WHERE profile = {old:d}".encode()
        ).fetchall()
        _act_for(raw, new)
        raw.execute(f"DELETE FROM {table} WHERE profile = {new:d}".encode())
        marks = ", ".join(["%s"] * len(columns.split(", ")))
        add = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        raw.cursor().executemany(add.encode(), rows)


def _act_for(raw: Raw, profile: int) -> None:
    raw.execute("SELECT set_config('hermes.profile', %s, true)", (str(profile),))


def _find(raw: Raw, name: str) -> int | None:
    rows = raw.execute("SELECT id FROM profiles WHERE name = %s", (name,)).fetchall()
    return int(rows[0][0]) if rows else None


def _clear(raw: Raw, profile: int) -> None:
    """Remove every row of a profile; events are let go here only, as a whole."""
    _act_for(raw, profile)
    raw.execute("ALTER TABLE events DISABLE TRIGGER events_stay")
    halves = raw.execute(_HALVES).fetchall()
    for name in (*(table.name for table in list_tables()), *(name for (name,) in halves)):
        raw.execute(f"DELETE FROM {name} WHERE profile = {profile:d}".encode())
    raw.execute("ALTER TABLE events ENABLE TRIGGER events_stay")
