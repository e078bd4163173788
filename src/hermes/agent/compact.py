"""Makes room when a conversation fills the model's window: facts first, then few words for many.

Nothing is lost by it: every message stays in the store and is found by search and recall. Only what
the model has before it shrinks; the prefix stays as it is, byte for byte.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hermes.agent.digest import fit_lines
from hermes.agent.keepsakes import Summary
from hermes.agent.lineage import END
from hermes.agent.shortening import shorten_results
from hermes.agent.thread import Line, Thread
from hermes.agent.window import FILL, KEEP
from hermes.guard.origin import inherit
from hermes.tools.base import Receipt
from hermes.types import Message, Origin, Role

SUMMARY = 0.5  # of what stays as it was said: the few words may take as much again
LEAST_SUMMARY = 100  # tokens, also where the window has no room
AIM = 0.6  # of the room: what a turn is shortened to, so that it is not shortened at every step

OnLearnt = Callable[[Sequence[Receipt]], object]


def _untold(receipts: Sequence[Receipt]) -> None:
    """Nobody wants to know what was learnt."""


@dataclass(frozen=True, slots=True)
class Compactor:
    """`extract` learns the facts of a session, `condense` puts messages into few words."""

    window_tokens: int
    extract: Callable[[str], Sequence[Receipt]]
    condense: Callable[[str, Sequence[Message]], str]

    def is_needed(self, thread: Thread, others: int) -> bool:
        """Whether the thread, beside `others` tokens of prefix, tools, answer, is too long."""
        return self.share(thread, others) > 1

    def share(self, thread: Thread, others: int) -> float:
        """How much of the room for what is said is taken; at 1 it is put into few words."""
        room = self._room(others)
        return thread.tokens / room if room > 0 else 2.0

    def _room(self, others: int) -> float:
        """How many tokens of conversation there may be beside `others`."""
        return (self.window_tokens - others) * FILL

    async def compact(
        self, thread: Thread, asked: int, others: int, on_learnt: OnLearnt = _untold
    ) -> int:
        """Put the older turns before line `asked` into few words; how many lines that were."""
        # In a small window the prefix, the tools and the answer leave less than that.
        keep = min(self.window_tokens * KEEP, self._room(others) / 2)
        cut = self._cut(thread, asked, keep)
        if cut == 0:
            return 0
        old = thread.lines[:cut]
        if any(line.id for line in old):
            on_learnt(await asyncio.to_thread(self.extract, thread.id))
        messages = _as_messages(thread, old)
        told = await asyncio.to_thread(self.condense, thread.id, messages)
        before = thread.summary
        lines = [*(before.text.splitlines() if before else ()), *told.splitlines()]
        text = fit_lines(lines, max(LEAST_SUMMARY, int(keep * SUMMARY)))
        trusts = [line.trust for line in old] + ([before.trust] if before else [])
        upto = _end(old, thread.lines[cut:]) or (before.upto if before else 0)
        thread.summary = Summary(upto, text, inherit(Origin.AGENT, trusts))
        thread.unsaved_summary = True
        del thread.lines[:cut]
        return cut

    def shorten(self, thread: Thread, asked: int, others: int) -> int:
        """Shorten what tools brought in the turn since line `asked`; how many messages it were."""
        room = AIM * min(self._room(others), thread.tokens)
        return shorten_results(thread, asked, int(room), self.window_tokens - others)

    def _cut(self, thread: Thread, asked: int, room: float) -> int:
        """Where the newest turns begin that may stay: always before a message of the person."""
        cut = asked
        for place in range(asked, -1, -1):
            room -= thread.lines[place].tokens
            if room < 0:
                break
            if thread.lines[place].message.role is Role.USER:
                cut = place
        return cut


def no_compactor() -> Compactor:
    """For a model whose window nobody minds."""
    return Compactor(1 << 40, lambda _: (), lambda _id, _messages: "")


def _end(old: Sequence[Line], kept: Sequence[Line]) -> int:
    """The number up to which nothing is kept as it was said.

    A result stands by its call also where something was said before it came, in another program.
    """
    first = min((line.id for line in kept if line.id), default=END)
    return min(max((line.id for line in old), default=0), first - 1)


def _as_messages(thread: Thread, lines: Sequence[Line]) -> list[Message]:
    return [
        Message(
            id=line.id or place,
            session_id=thread.id,
            episode_id=0,
            at=line.at,
            role=line.message.role,
            text=line.message.text or _calls(line),
            trust=line.trust,
        )
        for place, line in enumerate(lines, start=1)
    ]


def _calls(line: Line) -> str:
    return ", ".join(f"called {call.name}" for call in line.message.calls)
