"""An answer without a model: what memory holds for the question, each piece with its source."""

from hermes.clock import to_datetime
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.result import Item
from hermes.types import Kind

MOST_ITEMS = 8
MOST_CHARS = 400
NOTHING = "Nothing in memory bears on that yet."


def answer_from_memory(recall: Recall, *, besides: int = 0) -> str:
    """What is remembered besides the question itself, best first, as Markdown."""
    told = (item for item in recall.items if item.text.strip())
    shown = [item for item in told if not besides or item.message_id != besides][:MOST_ITEMS]
    if not shown:
        return NOTHING
    return "\n".join(["From memory:", "", *map(_line, shown)])


def _line(item: Item) -> str:
    text = " ".join(item.text.split())
    if len(text) > MOST_CHARS:
        text = text[:MOST_CHARS].rsplit(" ", 1)[0] + " …"
    said = item.lines[item.hit].by + ": " if item.kind is Kind.EPISODE and item.lines else ""
    where = f", session {item.session_id}" if item.session_id else ""
    return f"- {said}{text} *({to_datetime(item.at):%Y-%m-%d}, {item.ref}{where})*"
