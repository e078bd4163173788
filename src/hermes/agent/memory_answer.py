"""An answer without a model: what memory holds for a question, each piece with its source.

What is no question is kept, and that is said.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from hermes.clock import to_datetime
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.focus import excerpt
from hermes.memory.recall.result import Item, Rung
from hermes.memory.recall.select import is_only_new
from hermes.types import Kind

if TYPE_CHECKING:
    from hermes.agent.parts import Parts
    from hermes.agent.thread import Thread
    from hermes.tools.base import Receipt

MOST_ITEMS = 8
MOST_FACTS = 3
MOST_CHARS = 400
LEAST = 0.1  # of what was said, what bears less on a question than this is no answer to it
BY_MEANING = "semantic"  # how the trace names the pass that goes by meaning
CLEAR = 0.70  # nobody asked: only what bears so much on what was told is shown beside it
NOTHING = "Nothing in memory bears on that yet"
NEWEST = "The newest it holds:"
KEPT = "Kept. There is no model to answer, but you can ask for it at any time."
STAYS = "Nothing was forgotten: there is no model to do it. `/forget` with its number or words does"
UNKEPT = "There is no model to answer, and nothing of this is kept."
_FORGETTING = re.compile(
    r"(?i)\s*(?:(?:please|ok|and|actually|hey|you can)[,\s]+)*(?:forget|unlearn|delete|erase)\b"
    r"(?!\s+(?:it|me not)\b)"
)
_ASKING = re.compile(
    r"\s*(?:(?:so|and|but|hey|hi|hello|ok|please)[,\s]+)*(?:what|who|whom|whose|when|where|which|why|how"
    r"|do|does|did|is|are|was|were|am|can|could|would|will|shall|should|have|has|had|may|tell|show"
    r"|find|list|recall|search|remind|give|explain|summari[sz]e|was|wer|wann|wo|warum|wie|welche\w*"
    r"|quand|qui|où|pourquoi|comment|quel\w*|qué|quién|cuándo|dónde|cómo|cuál\w*)\b",
    re.IGNORECASE,
)


async def read_first(
    parts: Parts, thread: Thread, recall: Recall, tell: Callable[[Sequence[Receipt]], None]
) -> Recall:
    """What is remembered for a question once the conversation itself was read for facts.

    Else what was said a minute ago would stand below what it corrects. By rules that takes no time;
    a light model is not waited for.
    """
    if parts.light is not None or not thread.is_kept or not is_question(recall.task):
        return recall
    learnt = await asyncio.to_thread(parts.learn, thread.id)
    tell(learnt)
    if not learnt:
        return recall

    def again() -> Recall:
        budget = recall.budget_tokens
        return parts.desk.recall(recall.task, bank=thread.bank, budget_tokens=budget)

    return await asyncio.to_thread(again)


def answer_from_memory(recall: Recall, *, besides: int = 0, is_kept: bool = True) -> str:
    """What is remembered besides the question itself, as Markdown, and what it was found by.

    What is believed comes first; what was itself only asked is no answer.
    """
    told = [item for item in recall.items if item.text.strip()]
    if besides:
        told = [item for item in told if item.message_id != besides]
    if not is_question(recall.task):
        forgetting = _FORGETTING.match(recall.task) is not None
        clear = (
            item for item in told if item.kind is Kind.FACT and (forgetting or _is_clear(item))
        )
        facts = list(clear)[:MOST_FACTS]
        known = (
            ["", "Memory holds on this:", "", *(_line(item, recall.zone) for item in facts)]
            if facts
            else []
        )
        if forgetting:
            return "\n".join([f"{STAYS}{', of these:' if facts else '.'}", *known[2:]])
        return "\n".join([KEPT if is_kept else UNKEPT, *known])
    told = [item for item in told if not _is_asked(item)]
    found = [item for item in told if not is_only_new(item, max(LEAST, recall.trace.min_relevance))]
    shown = sorted(found, key=lambda item: item.kind is Kind.EPISODE)[:MOST_ITEMS]
    went_by = recall.trace.went_by
    by = "" if went_by is Rung.FULL else f" (looked for by {went_by.value})"
    if shown:
        return "\n".join([f"From memory{by}:", "", *(_line(item, recall.zone) for item in shown)])
    others = [_line(item, recall.zone) for item in told[:MOST_ITEMS]]
    newest = ["", NEWEST, "", *others] if told else []
    return "\n".join([f"{NOTHING}{by}.", *newest])


def is_question(text: str) -> bool:
    """Whether something is asked; else something is told."""
    return text.rstrip().endswith(("?", "？", "؟")) or _ASKING.match(text) is not None


def _is_clear(item: Item) -> bool:
    """Whether it bears on what was told beyond doubt; in a small memory anything is the nearest."""
    by_meaning_alone = {found.by for found in item.found} == {BY_MEANING}
    return item.relevance >= CLEAR and not by_meaning_alone


def _is_asked(item: Item) -> bool:
    return item.kind is Kind.EPISODE and item.text.rstrip().endswith(("?", "？", "؟"))


def _line(item: Item, zone: tzinfo) -> str:
    text = " ".join(excerpt(item.text, item.focus, MOST_CHARS).split())
    said = item.lines[item.hit].by + ": " if item.kind is Kind.EPISODE and item.lines else ""
    where = f", session {item.session_id}" if item.session_id else ""
    note = f"; {' '.join(item.note.split())}" if item.note else ""
    day = to_datetime(item.at).astimezone(zone).date()
    return f"- {said}{text} *({day}, {item.ref}{where}{note})*"
