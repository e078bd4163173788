"""What programs get to see of facts, entities, held writes and the user: as JSON, key by key.

Command line, REST and MCP answer with these shapes; docs/facts.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hermes.app.shapes import NONE, Json, Summaries, dated, message_shape, time_shape
from hermes.memory.facts.given import Kept
from hermes.memory.facts.reference import render_ref
from hermes.memory.facts.why import Evidence, Why
from hermes.memory.notes import Note
from hermes.memory.usermodel import UserModel
from hermes.store.base import FactChange, HeldWrite
from hermes.types import Entity, Fact, FactSource

if TYPE_CHECKING:
    from hermes.app.entities import EntityView
    from hermes.app.pending import Approved
    from hermes.memory.facts.extraction import Extracted


def fact_shape(fact: Fact) -> Json:
    return {
        "ref": render_ref(fact.number),
        "number": fact.number,
        "bank": fact.bank,
        "text": fact.text,
        "kind": fact.kind.value,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "entities": list(fact.entities),
        "confidence": fact.confidence.value,
        "ended": fact.ended,
        "valid_from": time_shape(fact.valid_from),
        "valid_to": time_shape(fact.valid_to),
        "recorded_at": time_shape(fact.recorded_at),
        "retracted_at": time_shape(fact.retracted_at),
        "superseded": fact.superseded_by is not None,
        "contested": bool(fact.contradicts),
        "origin": fact.origin.value,
        "trust": fact.trust.name.lower(),
        "held": fact.held,
        "rejected": fact.rejected,
        "extractor": fact.extractor,
        "sources": [source_shape(source) for source in fact.sources],
    }


def source_shape(source: FactSource) -> Json:
    return {
        "quote": source.quote,
        "message_id": source.message_id,
        "episode_id": source.episode_id,
        "session_id": source.session_id,
        "at": time_shape(source.at),
        "start": source.start,
        "end": source.end,
        "trust": source.trust.name.lower(),
    }


def kept_shape(kept: Kept) -> Json:
    return {
        "verdict": kept.verdict.value,
        "reason": kept.reason,
        "fact": fact_shape(kept.fact) if kept.fact else None,
        "others": [render_ref(fact.number) for fact in kept.others],
    }


def change_shape(change: FactChange) -> Json:
    return {
        "id": change.id,
        "at": time_shape(change.at),
        "action": change.action,
        "by": change.by,
        "reason": change.reason,
        "before": dated(change.before),
        "after": dated(change.after),
    }


def why_shape(why: Why, summaries: Summaries = NONE) -> Json:
    return {
        "fact": fact_shape(why.fact),
        "evidence": [_evidence_shape(each, summaries) for each in why.evidence],
        "earlier_evidence": [_evidence_shape(each, summaries) for each in why.earlier],
        "replaced": [fact_shape(fact) for fact in why.replaced],
        "replaced_by": fact_shape(why.replaced_by) if why.replaced_by else None,
        "contradicts": [fact_shape(fact) for fact in why.contradicts],
        "history": [change_shape(change) for change in why.history],
    }


def _evidence_shape(evidence: Evidence, summaries: Summaries) -> Json:
    return source_shape(evidence.source) | {
        "before": evidence.before,
        "after": evidence.after,
        "session_title": evidence.session.title if evidence.session else "",
        "message": message_shape(evidence.message, summaries) if evidence.message else None,
    }


def extracted_shape(extracted: Extracted) -> Json:
    return {
        "session_id": extracted.session_id,
        "messages": extracted.messages,
        "verdicts": dict(extracted.verdicts),
        "refused": list(extracted.refused),
        "facts": [render_ref(number) for number in extracted.numbers],
        "problem": extracted.problem.message if extracted.problem else None,
    }


def entity_shape(entity: Entity) -> Json:
    return {
        "id": entity.id,
        "bank": entity.bank,
        "name": entity.name,
        "kind": entity.kind.value,
        "aliases": list(entity.aliases),
        "mentions": entity.mentions,
    }


def entity_view_shape(view: EntityView, summaries: Summaries = NONE) -> Json:
    return entity_shape(view.entity) | {
        "facts": [fact_shape(fact) for fact in view.facts],
        "messages": [message_shape(message, summaries) for message in view.messages],
    }


def held_shape(write: HeldWrite) -> Json:
    return {
        "id": write.id,
        "bank": write.bank,
        "target": write.target,
        "text": write.text,
        "reason": write.reason,
        "origin": write.origin.value,
        "trust": write.trust.name.lower(),
        "held_at": time_shape(write.held_at),
        "decided_at": time_shape(write.decided_at),
        "verdict": write.verdict,
    }


def approved_shape(done: Approved) -> Json:
    """A held write that was made, and the facts that went with notes it took off."""
    closed = [render_ref(fact.number) for fact in done.notes.closed]
    return {**held_shape(done.write), "closed": closed}


def user_shape(model: UserModel) -> Json:
    return {
        "lines": [
            {
                "section": line.section.value,
                "text": line.text,
                "facts": [render_ref(number) for number in line.facts],
                "confidence": line.confidence.value,
                "contested": line.contested,
            }
            for line in model.lines
        ],
        "graph": [
            {
                "kind": edge.kind.value,
                "source": render_ref(edge.source),
                "target": edge.target if isinstance(edge.target, str) else render_ref(edge.target),
                "reason": edge.reason,
            }
            for edge in model.graph
        ],
    }


def note_shape(note: Note) -> Json:
    return {"id": note.id, "text": note.text}
