"""Where the records of an export come from on PostgreSQL: what is its own."""

from hermes.store import records
from hermes.store.tables.portable_rows import list_sources

_ARRAY = "SELECT coalesce(json_agg(json_build_array({}) ORDER BY {}), '[]') FROM {}"
_MESSAGES = records.Source(
    f"""SELECT m.id, m.id, m.episode, m.at, m.role, m.origin, m.trust, m.packed, m.text,
          m.speaker, m.call_id, m.calls,
          (SELECT coalesce(json_agg(json_build_array(p.media_type, encode(p.sha256, 'hex'))
             ORDER BY p.n), '[]') FROM payloads p WHERE p.message = m.id),
          ({_ARRAY.format("entity, key", "entity, key", "message_mentions WHERE message = m.id")})
          FROM messages m JOIN banks b ON b.id = m.bank""",
    ("m.id",),
    (0,),
    records.message,
    "b.name = ?",
)
_KEYS = records.Source(
    "SELECT k.key, k.key, k.first, k.last FROM keys k",
    ("k.key",),
    (b"",),
    records.key,
    """EXISTS (SELECT 1 FROM messages m JOIN banks b ON b.id = m.bank
          WHERE m.id = k.first AND b.name = ?)""",
)
SOURCES = list_sources(_ARRAY, _MESSAGES, _KEYS)
