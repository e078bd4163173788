"""Rows of facts as values, and the SELECTs and INSERTs they come from and go to."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hermes.store.base.facts import FactChange, FactFilter
from hermes.store.sqlite.rows import ORIGIN_NUMBER, ORIGINS
from hermes.types import Confidence, Fact, FactKind, FactSource, Trust

FACT = """SELECT f.id, f.number, b.name, f.text, f.kind, f.recorded_at, f.subject, f.attribute,
  f.value, f.confidence, f.single, f.ended, f.valid_from, f.valid_to, f.retracted_at,
  f.superseded_by, f.origin, f.trust, f.extractor, f.held
  FROM facts f JOIN banks b ON b.id = f.bank"""
SOURCE = """SELECT fact, quote, message, episode, session, at, start, stop, trust
  FROM fact_sources"""
CHANGE = (
    "SELECT h.id, h.fact, h.at, h.action, h.by, h.reason, h.before, h.after FROM fact_history h"
)
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
_TRUE_AT = """f.retracted_at IS NULL AND ifnull(f.valid_from, f.recorded_at) <= ?
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
    return Fact(
        *row[:4],
        kind=FactKind(row[4]),
        recorded_at=row[5],
        subject=row[6],
        attribute=row[7],
        value=row[8],
        entities=tuple(entities),
        confidence=Confidence(row[9]),
        single=bool(row[10]),
        ended=bool(row[11]),
        valid_from=row[12],
        valid_to=row[13],
        retracted_at=row[14],
        superseded_by=row[15],
        contradicts=tuple(contradicts),
        origin=ORIGINS[row[16]],
        trust=Trust(row[17]),
        extractor=row[18],
        sources=tuple(sources),
        held=bool(row[19]),
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
    return FactChange(*row[:6], before=json.loads(row[6]), after=json.loads(row[7]))


def render_fields(fields: Mapping[str, object]) -> str:
    return json.dumps(dict(fields), ensure_ascii=False)


def conditions(wanted: FactFilter) -> tuple[str, list[object]]:
    """A filter as a WHERE and its values."""
    tests: list[tuple[str, tuple[object, ...]]] = []
    if wanted.bank:
        tests.append(("b.name = ?", (wanted.bank,)))
    if wanted.kinds:
        marks = ",".join("?" * len(wanted.kinds))
        tests.append((f"f.kind IN ({marks})", tuple(str(kind) for kind in wanted.kinds)))
    if wanted.subject_key:
        tests.append(("f.subject_key = ?", (wanted.subject_key,)))
    if wanted.entity_id is not None:
        tests.append((_OF_ENTITY, (wanted.entity_id,)))
    if wanted.message_id is not None:
        tests.append((_OF_MESSAGE, (wanted.message_id,)))
    if wanted.current:
        tests.append((CURRENT, ()))
    if wanted.true_at is not None:
        tests.append((_TRUE_AT, (wanted.true_at, wanted.true_at)))
    if wanted.recorded_by is not None:
        tests.append(("f.recorded_at <= ?", (wanted.recorded_by,)))
    if wanted.before_number is not None:
        tests.append(("f.number < ?", (wanted.before_number,)))
    where = " AND ".join(test for test, _ in tests) or "1"
    return where, [value for _, values in tests for value in values]
