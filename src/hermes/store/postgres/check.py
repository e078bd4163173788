"""Asking whether what belongs together is there together."""

from hermes.counted import many
from hermes.store.base import Finding
from hermes.store.postgres.connection import Connection, scalar
from hermes.store.postgres.tokens import tokens

_RESTORE = "Restore the last good backup with `hermes backup restore`."
_ORPHANS = (
    ("episodes", "session", "sessions", "id"),
    ("messages", "episode", "episodes", "id"),
    ("messages", "session", "sessions", "id"),
    ("payloads", "message", "messages", "id"),
    ("fact_sources", "fact", "facts", "id"),
    ("fact_history", "fact", "facts", "id"),
    ("fact_mentions", "fact", "facts", "id"),
    ("fact_mentions", "entity", "entities", "id"),
    ("message_mentions", "message", "messages", "id"),
    ("message_mentions", "entity", "entities", "id"),
    ("entity_names", "entity", "entities", "id"),
    ("summary_parts", "message", "messages", "id"),
    ("archives", "summary", "summaries", "id"),
)
_UNSECURED = """SELECT count(*) FROM pg_class c JOIN pg_namespace s ON s.oid = c.relnamespace
  WHERE s.nspname = current_schema() AND c.relkind IN ('r', 'p')
  AND c.relname <> 'schema_versions' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)"""
SAMPLE = 1_000


def check_profile(connection: Connection) -> list[Finding]:
    """What was found, part by part."""
    return [_texts(connection), _references(connection), _index(connection), _secured(connection)]


def _texts(connection: Connection) -> Finding:
    """Every text is read and unpacked; Corrupt if one cannot be."""
    after = read = 0
    sql = "SELECT id, packed, text FROM messages WHERE id > ? ORDER BY id LIMIT 5000"
    while found := connection.execute(sql, (after,)):
        for _, packed, text in found:
            connection.codec.decode(text) if packed else text.decode("utf-8")
        after, read = found[-1][0], read + len(found)
    return Finding("ok", "database", f"{many(read, 'message')} read, all sound")


def _references(connection: Connection) -> Finding:
    broken = sum(
        scalar(
            connection,
            f"""SELECT count(*) FROM {table} t
            WHERE NOT EXISTS (SELECT 1 FROM {other} o WHERE o.{key} = t.{column})""",
        )
        for table, column, other, key in _ORPHANS
    )
    if broken:
        return Finding(
            "failed", "references", f"{many(broken, 'row')} with a pointer to no row", _RESTORE
        )
    return Finding("ok", "references", "every row's parent is there")


def _index(connection: Connection) -> Finding:
    """Whether the newest messages are found by their words, and no word is of a message gone."""
    messages = scalar(connection, "SELECT count(*) FROM messages")
    sums = scalar(connection, "SELECT sum(messages) FROM banks")
    if messages != sums:
        what = f"{messages:,} messages, {sums:,} in the sums of the search index"
        return Finding("failed", "search index", what, _RESTORE)
    sql = "SELECT bank, id, packed, text FROM messages ORDER BY id DESC LIMIT ?"
    missing = 0
    for bank, number, packed, stored in connection.execute(sql, (SAMPLE,)):
        text = connection.codec.decode(stored) if packed else stored.decode("utf-8")
        missing += not _is_indexed(connection, bank, number, text)
    if missing:
        what = f"{missing:,} of the newest {SAMPLE:,} messages are not in the search index"
        return Finding("failed", "search index", what, _RESTORE)
    return Finding("ok", "search index", f"{many(messages, 'message')} indexed")


def _is_indexed(connection: Connection, bank: int, number: int, text: str) -> bool:
    words = tokens(text[:200])[:1]
    sql = """SELECT EXISTS (SELECT 1 FROM words
      WHERE bank = ? AND kind = 0 AND word = ? AND last >= ? AND first <= ?)"""
    return not words or bool(scalar(connection, sql, (bank, words[0], number, number)))


def _secured(connection: Connection) -> Finding:
    bare = scalar(connection, _UNSECURED)
    if bare:
        what = f"{bare} tables are not protected by row-level security"
        return Finding("failed", "isolation", what, "Run `hermes db migrate`.")
    return Finding("ok", "isolation", "row-level security is forced on every table")
