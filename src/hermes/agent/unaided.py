"""An answer without a model: what memory holds for the question, each piece with its source."""

from hermes.clock import to_datetime
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.result import Item, Rung
from hermes.types import Kind

MOST_ITEMS = 8
MOST_CHARS = 400
NOTHING = "Nothing in memory bears on that yet."


def answer_from_memory(recall: Recall, *, besides: int = 0) -> str:
    """What is remembered besides the question itself, as Markdown, and what it was found by.

    What is believed comes first; what was itself only asked is no answer.
    """
    told = [item for item in recall.items if item.text.strip()]
    told = [item for item in told if not besides or item.message_id != besides]
    told = [item for item in told if not _is_asked(item)]
    shown = sorted(told, key=lambda item: item.kind is Kind.EPISODE)[:MOST_ITEMS]
    if not shown:
        return NOTHING
    by = "" if recall.trace.rung is Rung.FULL else f" (found by {recall.trace.rung.value})"
    return "\n".join([f"From memory{by}:", "", *map(_line, shown)])


def _is_asked(item: Item) -> bool:
    return item.kind is Kind.EPISODE and item.text.rstrip().endswith(("?", "？", "؟"))


def _line(item: Item) -> str:
    text = " ".join(item.text.split())
    if len(text) > MOST_CHARS:
        text = text[:MOST_CHARS].rsplit(" ", 1)[0] + " …"
    said = item.lines[item.hit].by + ": " if item.kind is Kind.EPISODE and item.lines else ""
    where = f", session {item.session_id}" if item.session_id else ""
    return f"- {said}{text} *({to_datetime(item.at):%Y-%m-%d}, {item.ref}{where})*"
