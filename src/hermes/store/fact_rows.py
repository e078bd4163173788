"""Rows of facts as values, and the SELECTs and INSERTs they come from and go to."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes.store.base.facts import FactChange, FactFilter
from hermes.store.base.portable import ARRIVING
from hermes.store.rows import ORIGIN_NUMBER, ORIGINS
from hermes.types import Confidence, Fact, FactKind, FactSource, Trust

SHOWN = f"f.retracted_at IS DISTINCT FROM {ARRIVING}"  # what an import has yet to let be seen
FACT = f"""SELECT f.id, f.number, b.name, f.text, f.kind, f.recorded_at, f.subject, f.attribute,
  f.value, f.confidence, f.single, f.ended, f.valid_from, f.valid_to, f.retracted_at,
  f.superseded_by, f.origin, f.trust, f.extractor, f.held
  FROM facts f JOIN banks b ON b.id = f.bank AND {SHOWN}"""
SOURCE = """SELECT fact, quote, message, episode, session, at, start, stop, trust
  FROM fact_sources"""
CHANGE = (
    "SELECT h.id, h.fact, h.at, h.action, h.by, h.reason, h.before, h.after FROM fact_history h"
)
TALLY = f"""SELECT
  count(*) FILTER (WHERE f.retracted_at IS NULL AND f.superseded_by IS NULL),
  count(*) FILTER (WHERE f.retracted_at IS NULL AND f.superseded_by IS NOT NULL),
  count(*) FILTER (WHERE f.retracted_at IS NOT NULL),
  0,
  count(*) FILTER (WHERE f.held AND f.retracted_at IS NULL AND f.superseded_by IS NULL),
  count(*) FILTER (WHERE f.extractor <> 'person'),
  count(*) FILTER (WHERE f.extractor <> 'person' AND f.retracted_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM fact_history h WHERE h.fact = f.id AND h.action = 'forget'))
  FROM facts f JOIN banks b ON b.id = f.bank AND {SHOWN} WHERE ? = '' OR b.name = ?"""
ADD = """INSERT INTO facts (text, kind, subject, subject_key, attribute, value, confidence, single,
  ended, valid_from, valid_to, recorded_at, retracted_at, superseded_by, origin, trust, extractor,
  held, id, number, bank, vector)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SAVE = """UPDATE facts SET text = ?, kind = ?, subject = ?, subject_key = ?, attribute = ?,
  value = ?, confidence = ?, single = ?, ended = ?, valid_from = ?, valid_to = ?, recorded_at = ?,
  retracted_at = ?, superseded_by = ?, origin = ?, trust = ?, extractor = ?, held = ?
  WHERE id = ?"""
ADD_SOURCE = """INSERT INTO fact_sources
  (fact, quote, message, episode, session, at, start, stop, trust)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""

CURRENT = "f.retracted_at IS NULL AND f.superseded_by IS NULL"
_OPEN_AT = f"{CURRENT} AND (f.valid_to IS NULL OR f.valid_to > ?)"
# What was over when it was learnt, and has no known beginning, held at any time before its end.
_TRUE_AT = """f.retracted_at IS NULL AND (coalesce(f.valid_from, f.recorded_at) <= ?
    OR (f.valid_from IS NULL AND f.valid_to <= f.recorded_at))
  AND (f.valid_to IS NULL OR f.valid_to > ?)"""
_OF_ENTITY = "f.id IN (SELECT fact FROM fact_mentions WHERE entity = ?)"
_OF_MESSAGE = "f.id IN (SELECT fact FROM fact_sources WHERE message = ?)"


def fact(
    row: Sequence[Any],
    *,
    sources: Iterable[FactSource],
    entities: Iterable[str],
    contradicts: Iterable[int],
) -> Fact:
    number, short, bank, text, kind, recorded_at, subject, attribute, value, confidence = row[:10]
    single, ended, valid_from, valid_to, retracted_at, superseded_by = row[10:16]
    origin, trust, extractor, held = row[16:]
    return Fact(
        id=number,
        number=short,
        bank=bank,
        text=text,
        kind=FactKind(kind),
        recorded_at=recorded_at,
        subject=subject,
        attribute=attribute,
        value=value,
        entities=tuple(entities),
        confidence=Confidence(confidence),
        single=bool(single),
        ended=bool(ended),
        valid_from=valid_from,
        valid_to=valid_to,
        retracted_at=retracted_at,
        superseded_by=superseded_by,
        contradicts=tuple(contradicts),
        origin=ORIGINS[origin],
        trust=Trust(trust),
        extractor=extractor,
        sources=tuple(sources),
        held=bool(held),
    )


def columns(given: Fact, subject_key: str) -> tuple[object, ...]:
    """The values of ADD and SAVE, but for the numbers at their end."""
    return (
        *(given.text, str(given.kind), given.subject, subject_key, given.attribute, given.value),
        *(str(given.confidence), given.single, given.ended, given.valid_from, given.valid_to),
        *(given.recorded_at, given.retracted_at, given.superseded_by),
        *(ORIGIN_NUMBER[given.origin], int(given.trust), given.extractor, given.held),
    )


def source(row: Sequence[Any]) -> FactSource:
    quote, message, episode, session, at, start, stop, trust = row
    return FactSource(quote, message, episode, session, at, start, stop, Trust(trust))


def source_columns(given: FactSource) -> tuple[object, ...]:
    return (
        *(given.quote, given.message_id, given.episode_id, given.session_id),
        *(given.at, given.start, given.end, int(given.trust)),
    )


def change(row: Sequence[Any]) -> FactChange:
    number, fact_id, at, action, by, reason, before, after = row
    return FactChange(
        number, fact_id, at, action, by, reason, json.loads(before), json.loads(after)
    )


def render_fields(fields: Mapping[str, object]) -> str:
    return json.dumps(dict(fields), ensure_ascii=False)


def conditions(wanted: FactFilter) -> tuple[str, list[object]]:
    """A filter as a WHERE and its values."""
    marks = ",".join("?" * len(wanted.kinds))
    named = ",".join("?" * len(wanted.attributes))
    at = (wanted.true_at,) * 2
    tests: tuple[tuple[object, str, tuple[object, ...]], ...] = (
        (wanted.bank or None, "b.name = ?", (wanted.bank,)),
        (wanted.kinds or None, f"f.kind IN ({marks})", tuple(str(k) for k in wanted.kinds)),
        (wanted.subject_key or None, "f.subject_key = ?", (wanted.subject_key,)),
        (wanted.attributes or None, f"f.attribute IN ({named})", wanted.attributes),
        (wanted.entity_id, _OF_ENTITY, (wanted.entity_id,)),
        (wanted.message_id, _OF_MESSAGE, (wanted.message_id,)),
        (wanted.current or None, CURRENT, ()),
        (wanted.open_at, _OPEN_AT, (wanted.open_at,)),
        (wanted.true_at, _TRUE_AT, at),
        (wanted.recorded_by, "f.recorded_at <= ?", (wanted.recorded_by,)),
        (wanted.before_number, "f.number < ?", (wanted.before_number,)),
    )
    used = [(test, values) for asked, test, values in tests if asked is not None]
    where = " AND ".join([SHOWN, *(test for test, _ in used)])
    return where, [value for _, values in used for value in values]
