"""Where the records of an export come from on SQLite: what is its own."""

from hermes.store import records
from hermes.store.tables.portable_rows import list_sources

_ARRAY = "SELECT json_group_array(json_array({}) ORDER BY {}) FROM {}"
_MESSAGES = records.Source(
    f"""SELECT m.id, m.id, m.episode, m.at, m.role, m.origin, m.trust, plain(m.text), m.speaker,
          m.call_id, m.calls,
          (SELECT json_group_array(json_array(p.media_type, lower(hex(k.sha256))) ORDER BY p.n)
           FROM payloads p JOIN blobs k ON k.id = p.blob WHERE p.message = m.id),
          ({_ARRAY.format("entity, key", "entity, key", "message_mentions WHERE message = m.id")})
          FROM messages m CROSS JOIN episodes e ON e.id = m.episode
          CROSS JOIN banks b ON b.id = e.bank""",
    ("m.id",),
    (0,),
    records.message,
    "b.name = ?",
)
_KEYS = records.Source(
    "SELECT k.key, k.key, k.first, k.first + k.more FROM keys k",
    ("k.key",),
    (b"",),
    records.key,
    """EXISTS (SELECT 1 FROM messages m JOIN episodes e ON e.id = m.episode
          JOIN banks b ON b.id = e.bank WHERE m.id = k.first AND b.name = ?)""",
)
SOURCES = list_sources(_ARRAY, _MESSAGES, _KEYS)
