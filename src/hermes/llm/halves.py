"""Joins what was cut apart within a character: some servers send the two halves that JSON escapes
an emoji by in two pieces of a stream. Half a character can be neither shown nor kept.
"""

from contextlib import aclosing
from dataclasses import replace

from hermes.guard.text import mend_surrogates
from hermes.llm.base import Finished, ModelEvents, ModelReply, TextDelta, ThoughtDelta


async def join_halves(stream: ModelEvents) -> ModelEvents:
    """A stream whose every text holds whole characters only; half of one waits for the other."""
    spoken, thought = _Joiner(), _Joiner()
    async with aclosing(stream) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                if text := spoken.join(event.text):
                    yield TextDelta(text)
            elif isinstance(event, ThoughtDelta):
                if text := thought.join(event.text):
                    yield ThoughtDelta(text)
            elif isinstance(event, Finished):
                if rest := spoken.end():
                    yield TextDelta(rest)
                yield Finished(_mend(event.reply))
            else:
                yield event


class _Joiner:
    """Holds half a character back until the next piece."""

    def __init__(self) -> None:
        self._half = ""

    def join(self, piece: str) -> str:
        text = self._half + piece
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mend_surrogates(text.removesuffix(self._half))[0]

    def end(self) -> str:
        return mend_surrogates(self._half)[0]


def _mend(reply: ModelReply) -> ModelReply:
    return replace(
        reply,
        text=mend_surrogates(reply.text)[0],
        calls=tuple(
            replace(call, arguments=mend_surrogates(call.arguments)[0]) for call in reply.calls
        ),
        thoughts=tuple(
            replace(each, text=mend_surrogates(each.text)[0]) for each in reply.thoughts
        ),
    )
