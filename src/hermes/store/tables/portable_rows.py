"""Where the records of an export come from: the statements both stores share."""

from hermes.store import records
from hermes.store.base.portable import Section

_PLAIN = {
    Section.BANKS: records.Source(
        "SELECT name, name, description, created_at FROM banks b",
        ("name",),
        ("",),
        records.bank,
        "b.name = ?",
    ),
    Section.SESSIONS: records.Source(
        """SELECT s.uid, s.uid, b.name, s.started_at, s.last_at, s.platform, s.identity, s.title,
          s.task, s.parent, s.ended_at, s.hidden_at,
          (SELECT nullif(upto, 0) FROM extractions x WHERE x.session = s.id),
          (SELECT nullif(upto, 0) FROM reflected r WHERE r.session = s.id)
          FROM sessions s JOIN banks b ON b.id = s.bank""",
        ("s.uid",),
        ("",),
        records.session,
        "b.name = ?",
    ),
    Section.EPISODES: records.Source(
        """SELECT e.id, e.id, s.uid, e.at, e.state, e.task FROM episodes e
          JOIN sessions s ON s.id = e.session JOIN banks b ON b.id = e.bank""",
        ("e.id",),
        (0,),
        records.episode,
        "b.name = ?",
    ),
    Section.REFLECTIONS: records.Source(
        f"""SELECT r.id, r.id, b.name, {", ".join(f"r.{name}" for name in records.LESSON[2:])},
          {", ".join(f"r.{name}" for name in records.LESSON_MORE)}, r.held, r.origin, r.trust
          FROM reflections r JOIN banks b ON b.id = r.bank""",
        ("r.id",),
        (0,),
        records.reflection,
        "b.name = ?",
    ),
    Section.HELD: records.Source(
        """SELECT w.id, w.id, b.name, w.target, w.text, w.held_at, w.origin, w.trust, w.payload,
          w.reason, w.fact, w.decided_at, w.verdict
          FROM held_writes w JOIN banks b ON b.id = w.bank""",
        ("w.id",),
        (0,),
        records.held,
        "b.name = ?",
    ),
    Section.EVENTS: records.Source(
        """SELECT e.id, e.id, e.at, e.kind, e.content, e.hash, e.summary, e.details, e.ref, e.salt,
          e.erased_at FROM events e""",
        ("e.id",),
        (0,),
        records.event,
    ),
}


def list_sources(
    array: str, messages: records.Source, keys: records.Source
) -> dict[Section, records.Source]:
    """Every section's source; `array` makes a JSON array of (what, in which order, from where)."""
    return _PLAIN | {
        Section.ENTITIES: _entities(array),
        Section.MESSAGES: messages,
        Section.KEYS: keys,
        Section.SUMMARIES: _summaries(array),
        Section.FACTS: _facts(array),
    }


def _entities(array: str) -> records.Source:
    return records.Source(
        f"""SELECT e.id, e.id, b.name, e.kind, e.merged_into, e.created_at,
          ({array.format("key, name", "place", "entity_names WHERE entity = e.id")})
          FROM entities e JOIN banks b ON b.id = e.bank""",
        ("e.id",),
        (0,),
        records.entity,
        "b.name = ?",
    )


def _summaries(array: str) -> records.Source:
    return records.Source(
        f"""SELECT x.id, x.id, s.uid, x.episode, x.first_at, x.last_at, x.made_at, x.purge_at,
          x.author, x.episodes, x.messages, x.raw_chars, x.chars, x.probes, x.found,
          ({array.format("message, last", "message", "summary_parts WHERE summary = x.id")})
          FROM summaries x JOIN sessions s ON s.id = x.session JOIN banks b ON b.id = s.bank""",
        ("x.id",),
        (0,),
        records.summary,
        "b.name = ?",
    )


def _facts(array: str) -> records.Source:
    return records.Source(
        f"""SELECT f.id, f.id, f.number, b.name, f.text, f.kind, f.recorded_at, f.confidence,
          f.subject, f.subject_key, f.attribute, f.value, f.valid_from, f.valid_to, f.retracted_at,
          f.superseded_by, f.extractor, f.single, f.ended, f.held, f.origin, f.trust,
          ({
            array.format(
                ", ".join((*records.SOURCE, "trust")), "id", "fact_sources WHERE fact = f.id"
            )
        }),
          ({
            array.format(
                "at, action, by, reason, before, after", "id", "fact_history WHERE fact = f.id"
            )
        }),
          ({array.format("entity, key", "place, entity, key", "fact_mentions WHERE fact = f.id")}),
          ({array.format("other, at", "other", "contradictions WHERE fact = f.id")})
          FROM facts f JOIN banks b ON b.id = f.bank""",
        ("f.id",),
        (0,),
        records.fact,
        "b.name = ?",
    )
