"""A chat: one conversation after the other with the same agent, reviewed in the background."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hermes.agent.approval import Approver
from hermes.agent.catchup import ELSEWHERE, tell_elsewhere
from hermes.agent.events import Noted, OnEvent, Outcome, ignore
from hermes.agent.keeping import Asked, keep_branch
from hermes.agent.lineage import END
from hermes.agent.loop import Agent
from hermes.agent.parts import Parts, find_cramp, tokens_besides
from hermes.agent.review import is_due, review_quietly
from hermes.agent.thread import (
    Thread,
    branch_thread,
    look_at,
    open_thread,
    reopen_thread,
    shorten_thread,
)
from hermes.clock import new_session_id
from hermes.errors import UserError
from hermes.interrupts import put_off
from hermes.llm.base import Model
from hermes.types import Payload, Role


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back, and the session put away that it lies in; "" where it is in none."""

    text: str
    session_id: str = ""
    images: tuple[Payload, ...] = ()


@dataclass(frozen=True, slots=True)
class _Left:
    """A conversation that was left: up to which message it counts, and the last one known of it."""

    upto: int = END
    seen: int = 0


class Chat:
    """One person's chat. It belongs to one event loop."""

    def __init__(self, parts: Parts, *, bank: str, platform: str = "cli") -> None:
        self.parts = parts
        self.bank = bank
        self.platform = platform
        self.thread = self._empty()
        self._left: dict[str, _Left] = {}
        self._is_told = False
        self._reviews: set[asyncio.Task[None]] = set()

    @property
    def has_begun(self) -> bool:
        return bool(self.thread.lines) or self.thread.summary is not None

    @property
    def share_used(self) -> float:
        """How much of the room for the conversation is taken; at 1 older turns are shortened."""
        return self.parts.compactor.share(self.thread, tokens_besides(self.thread, self.parts))

    async def say(
        self, text: str, *, images: Sequence[Payload] = (), on_event: OnEvent = ignore
    ) -> Outcome:
        """One message and the answer to it; cancelling it interrupts the answer.

        A conversation that went on elsewhere, in another terminal say, goes on from there.
        """

        def go_on(again: Thread | None) -> None:
            if again is not None:
                on_event(Noted(tell_elsewhere(self.thread.lines, again.lines)))
                self.thread = again

        looking = asyncio.to_thread(reopen_thread, self.parts.journal, self.thread)
        await put_off(looking, go_on)  # what was said is kept first
        outcome = await Agent(self.parts).turn(self.thread, Asked(text, tuple(images)), on_event)
        self._tell_cramp(on_event)
        if is_due(self.parts, self.thread):
            self._start_review(on_event)
        return outcome

    @property
    def is_cramped(self) -> bool:
        """Whether the window is too small to talk in."""
        return bool(find_cramp(self.thread, self.parts))

    def _tell_cramp(self, on_event: OnEvent) -> None:
        """Said once: it does not change while the chat lasts."""
        if not self._is_told and (told := find_cramp(self.thread, self.parts)):
            self._is_told = True
            on_event(Noted(told))

    async def resume(self, session_id: str) -> Thread:
        """Go on with an earlier conversation, from its last message."""
        thread = await asyncio.to_thread(open_thread, self.parts.journal, session_id)
        await self.end()
        self.thread = thread
        return thread

    def branch(self) -> Thread:
        """Go on in a new conversation that begins with this one, which stays as it is."""
        if not self.has_begun:
            raise UserError("There is nothing to branch from yet.", "Say something first.")
        self._go_to(branch_thread(self.thread, self._new_id()), END)
        return self.thread

    def undo(self) -> Undone:
        """Take back the person's last message and all that followed; what it was.

        It is put away, with a way back. What was said in a conversation this one branched from
        stays there; this one goes on without it. What was said elsewhere is not taken back unseen.
        """
        again = reopen_thread(self.parts.journal, self.thread)
        if again is not None:
            self.thread = again
            hint = "Look at it by `hermes sessions show`; said again, it takes back the last of it."
            raise UserError(f"{ELSEWHERE} Nothing was taken back.", hint)
        thread = self.thread
        asked = [n for n, ln in enumerate(thread.lines) if ln.message.role is Role.USER]
        if not asked:
            raise self._nothing_to_undo()
        line = thread.lines[asked[-1]]
        if thread.branch is not None and line.id <= thread.branch.upto:
            below = branch_thread(thread, self._new_id(), keep=asked[-1])
            self._go_to(below, below.branch.upto if below.branch else 0)
            return Undone(line.message.text, images=line.message.images)
        journal = self.parts.journal
        kept = journal.take_back(thread.id, line.id - 1) if thread.is_kept else ""
        seen = look_at(journal, thread.id)
        kept_id = thread.id if seen[0] else self._new_id()
        self.thread = shorten_thread(thread, asked[-1], kept_id, seen=seen)
        return Undone(line.message.text, kept, line.message.images)

    def _nothing_to_undo(self) -> UserError:
        if self.thread.summary is None:
            return UserError("There is nothing to undo.", "Say something first.")
        hint = "Go on, or put the whole away: `hermes sessions delete`."
        return UserError("All before was put into few words; it is not undone one by one.", hint)

    def use(self, *, approver: Approver | None = None, model: Model | None = None) -> None:
        """Ask someone else for approvals, or another model, from the next turn on."""
        if approver is not None:
            self.parts = replace(self.parts, approver=approver)
        if model is not None:
            self.parts = replace(self.parts, model=model)

    async def end(self) -> list[str]:
        """The conversation is over, and those it branched from; what they taught may be learnt.

        Nothing is learnt from what was taken back. A branch in which nothing was said yet is kept,
        too, so that it can be gone on with. Gives the sessions that ended.
        """
        if self.thread.branch is not None and self.has_begun and not self.thread.is_kept:
            await asyncio.to_thread(keep_branch, self.parts.journal, self.thread)
        if self.thread.is_kept:
            self._left.setdefault(self.thread.id, _Left())
        left, self._left = self._left, {}
        await asyncio.to_thread(self._end_all, left)
        return list(left)

    async def wait_for_reviews(self, timeout_s: float) -> None:
        """Let reviews that run come to their end, or break them off."""
        if not self._reviews:
            return
        _, late = await asyncio.wait(self._reviews, timeout=timeout_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def close(self, *, wait_s: float = 2.0) -> list[str]:
        """End the chat; the sessions that ended with it."""
        await self.wait_for_reviews(wait_s)
        ended = await self.end()
        for model in (self.parts.model, self.parts.light):
            if model is not None:
                await model.close()
        return ended

    def _end_all(self, left: Mapping[str, _Left]) -> None:
        for session_id, how in left.items():
            if how.upto < END:
                self.parts.journal.withdraw(session_id, how.upto, how.seen)
            self.parts.journal.end(session_id)

    def _go_to(self, thread: Thread, upto: int) -> None:
        """Leave a conversation for a branch of it, which counts up to a message of it."""
        if thread.branch is not None:
            before = thread.branch.session_id
            was = self._left.get(before, _Left())
            seen = max(was.seen, self._seen_of(before))
            self._left[before] = _Left(min(upto, was.upto), seen)
        self.thread = thread

    def _seen_of(self, session_id: str) -> int:
        """The last message known of the conversation, or of the one it branched from."""
        if session_id == self.thread.id:
            return self.thread.seen[1]
        return self.thread.branch.upto if self.thread.branch else 0

    def _start_review(self, on_event: OnEvent) -> None:
        task = asyncio.create_task(review_quietly(self.parts, self.thread, on_event))
        self._reviews.add(task)
        task.add_done_callback(self._reviews.discard)

    def _empty(self) -> Thread:
        return Thread(self._new_id(), self.bank, platform=self.platform)

    def _new_id(self) -> str:
        return new_session_id(self.parts.clock.now())
