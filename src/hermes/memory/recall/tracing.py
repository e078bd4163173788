"""What an answer says of how it came about."""

from collections.abc import Sequence

from hermes.memory.recall.evidence import Evidence
from hermes.memory.recall.ranking import Ranked
from hermes.memory.recall.result import Item, Rung, Trace
from hermes.types import Kind


def trace_of(
    bank: str, evidence: Evidence, ranked: Ranked, items: Sequence[Item], reason: str
) -> Trace:
    """The rung an answer stands on, what each pass found, and how the task was read."""
    others = any(item.kind is not Kind.EPISODE for item in items)
    by_text = evidence.words.terms or others  # facts may hold words that no message does
    went_by = Rung.FULL if evidence.meaning else Rung.TEXT if by_text else Rung.RECENT
    return Trace(
        went_by=went_by,
        bank=bank,
        reason=reason,
        candidates=ranked.candidates,
        passes={hits.name: len(hits.places) for hits in ranked.passes},
        terms=tuple(each.word for each in evidence.words.terms),
        times=tuple(span.text for span in evidence.task.spans),
        spans=tuple((span.text, span.start_at, span.end_at) for span in evidence.task.spans),
        is_silent=bool(evidence.silence),
    )
