"""The text a message is embedded as: who speaks, and what the message answers.

A turn such as "Yes, last Friday!" means nothing alone; with the end of the message before it, it
does (LoCoMo recall@10 +0.01, recall@5 +0.02). Only an end: a whole long answer would drown it.
"""

from hermes.types import Message, Role

CONTEXT_CHARS = 120


def passage_of(message: Message, previous: Message | None = None) -> str:
    """What to embed for `message`; `previous` is the one before it in the same session."""
    own = _said(message, message.text)
    if previous is None or not previous.text or previous.role is Role.SYSTEM:
        return own
    return f"{_said(previous, _end_of(previous.text))} {own}"


def _said(message: Message, text: str) -> str:
    return f"{message.speaker or message.role.value}: {text}"


def _end_of(text: str) -> str:
    """The last words of a text, beginning at a whole one where words are set apart."""
    if len(text) <= CONTEXT_CHARS:
        return text
    end = text[-CONTEXT_CHARS:]
    gap = end.find(" ", 0, CONTEXT_CHARS // 2)
    return end[gap + 1 :]
