"""Recall and its trace as JSON; documented in docs/recall.md."""

from hermes.app.shapes import Json, time_shape
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.focus import excerpt
from hermes.memory.recall.result import Item, Trace, told
from hermes.memory.recall.select import is_only_new

LONGEST = 20_000  # characters of a text: a message may have a million


def recall_shape(recall: Recall) -> Json:
    return {
        "task": recall.task,
        "budget_tokens": recall.budget_tokens,
        "sure": recall.is_sure,
        "items": [item_shape(item, recall.trace.min_relevance) for item in recall.items],
        "context": recall.context(),
        "trace": trace_shape(recall.trace),
    }


def search_items_shape(query: str, items: tuple[Item, ...], trace: Trace) -> Json:
    return {
        "query": query,
        "items": [item_shape(item) for item in items],
        "trace": trace_shape(trace),
    }


def item_shape(item: Item, min_relevance: float = 0.0) -> Json:
    return {
        "type": item.kind.value,
        "ref": item.ref,
        "at": time_shape(item.at),
        "relevance": told(item.relevance, 4),
        "why": "newest" if is_only_new(item, min_relevance) else "relevance",
        "score": round(item.score, 4),
        "text": excerpt(item.text, item.focus, LONGEST),
        "session_id": item.session_id,
        "episode_id": item.episode_id,
        "trust": item.trust.name.lower(),
        "held": item.held,
        "note": item.note,
        "found": [{"by": found.by, "rank": found.rank} for found in item.found],
        "parts": {name: round(value, 4) for name, value in item.parts.items()},
        "lines": [
            {
                "message_id": line.message_id,
                "at": time_shape(line.at),
                "role": line.role.value,
                "by": line.by,
                "text": excerpt(line.text, item.focus if place == item.hit else 0, LONGEST),
                "trust": line.trust.name.lower(),
                "hit": place == item.hit,
            }
            for place, line in enumerate(item.lines)
        ],
    }


def trace_shape(trace: Trace) -> Json:
    return {
        "bank": trace.bank,
        "went_by": trace.went_by.value,
        "reason": trace.reason,
        "candidates": trace.candidates,
        "passes": trace.passes,
        "task_type": trace.task_type,
        "terms": list(trace.terms),
        "times": list(trace.times),
        "spans": [
            {"text": text, "from": time_shape(start_at), "to": time_shape(end_at)}
            for text, start_at, end_at in trace.spans
        ],
        "min_relevance": trace.min_relevance,
        "dropped": trace.dropped,
        "ms": trace.ms,
    }
