"""Where a chat takes place: the App, the conversation under way, and what was switched on.

Both ways to talk, terminal and pipe, share it; it knows neither.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hermes.cli.failure import silence_streams
from hermes.errors import HermesError, UserError

if TYPE_CHECKING:  # the agent is loaded while the person types
    from collections.abc import Sequence

    from hermes.agent.approval import Approver
    from hermes.agent.chat import Chat, Undone
    from hermes.agent.events import Event, Outcome
    from hermes.agent.thread import Thread
    from hermes.app import App
    from hermes.cli.chat.screen import Screen
    from hermes.llm.base import Usage
    from hermes.types import Payload

LAST = "last"
QUIT = ("/quit", "/exit", "/q")


@dataclass(frozen=True, slots=True)
class Opening:
    """How the person asked for a chat; without a bank, the strategy names it."""

    resume: str = ""
    incognito: bool = False
    bank: str = ""
    yolo: bool = False


class Room:
    """One person, one chat at a time."""

    def __init__(self, app: App, opening: Opening, person: Approver, screen: Screen) -> None:
        self.app = app
        self.opening = opening
        self.screen = screen
        self.is_over = False
        self.images: list[Payload] = []
        self.used: list[Usage] = []
        self.undone: Undone | None = None
        self.stood_in = ""
        self._person = person
        self._chat: Chat | None = None

    @property
    def is_open(self) -> bool:
        return self._chat is not None

    @property
    def chat(self) -> Chat:
        if self._chat is None:
            raise UserError("The chat is not open yet.", "Wait a moment.")
        return self._chat

    async def open(self) -> None:
        """Load the agent and, if asked for, the conversation to go on with."""
        self._chat = await asyncio.to_thread(self._make)
        if self.opening.resume:
            await self.resume(self.opening.resume)

    async def say(self, text: str) -> Outcome:
        """One message and its answer; Ctrl-C stops the answer and keeps what was said."""
        images, self.images, self.undone = tuple(self.images), [], None
        heard = self.chat.thread.heard
        saying = asyncio.ensure_future(self.chat.say(text, images=images, on_event=self._show))
        try:
            with _interrupting(saying):
                outcome = await saying
        except asyncio.CancelledError:
            if (task := asyncio.current_task()) and task.cancelling():
                raise  # it is the whole that ends, and not this message
            if self.chat.thread.heard > heard:  # pressed again while the turn ended
                raise UserError(
                    "Stopped; your message is kept.", "Go on, or `/retry` it."
                ) from None
            self.images = [*images, *self.images]
            raise UserError("Stopped before your message was kept.", "Say it again.") from None
        self.used.append(outcome.usage)
        self.stood_in = outcome.stood_in
        with _heard_or_not():
            self.screen.end_turn(outcome)
        return outcome

    def _show(self, event: Event) -> None:
        with _heard_or_not():
            self.screen.on_event(event)

    async def resume(self, session_id: str) -> Thread:
        chat = self.chat
        if session_id == LAST:
            found = await asyncio.to_thread(self.app.agent.find_last, chat.bank)
            session_id = found.id
        thread = await chat.resume(session_id)
        self._begin_count()
        self.screen.show_resumed(thread)
        return thread

    async def switch(self, opening: Opening) -> None:
        """Begin anew in another way: incognito or not, asking or not.

        Also where the conversation before could not be ended well: who asked for incognito must
        not be recorded because something else went wrong.
        """
        try:
            await self.leave(is_over=False)
        finally:
            self.opening = opening
            self._begin_count()
            self._chat = await asyncio.to_thread(self._make)

    def _begin_count(self) -> None:
        """What was used and undone belongs to the conversation it was in."""
        self.used, self.undone = [], None

    def set_yolo(self, *, on: bool) -> None:
        """Allow every command from now on, or ask again."""
        self.opening = replace(self.opening, yolo=on)
        self.chat.use(approver=self._approver())

    def _approver(self) -> Approver:
        incognito, yolo = self.opening.incognito, self.opening.yolo
        return self.app.agent.approver(self._person, yolo=yolo, incognito=incognito)

    def end_yolo(self) -> None:
        """Ask again: what was allowed holds for the conversation it was said in."""
        if self.opening.yolo:
            self.set_yolo(on=False)

    async def leave(self, *, is_over: bool = True) -> None:
        """End the conversation, or the whole chat, and learn from it where no daemon does."""
        if self._chat is None:
            return
        ended = await self._chat.close()
        if ended and not self.opening.incognito:
            learning = asyncio.ensure_future(asyncio.to_thread(self.app.agent.work_off, ended))
            with _interrupting(learning), contextlib.suppress(asyncio.CancelledError):
                learnt = await learning
                with _heard_or_not():
                    self.screen.show_learnt(learnt, is_over=is_over)

    def _make(self) -> Chat:
        # Loaded here, in a thread: the prompt must not wait for it.
        from hermes.app.agent import ChatOptions  # noqa: PLC0415

        agent = self.app.agent
        options = ChatOptions(
            bank=self.opening.bank or agent.bank_here(Path.cwd()),
            incognito=self.opening.incognito,
            approver=self._person,
        )
        chat = agent.open_chat(options)
        self.screen.is_kept = not self.opening.incognito
        if self.opening.yolo:
            chat.use(approver=self._approver())
        return chat


def told_lack(lack: HermesError) -> str:
    """Why no model answers, and what to do."""
    return f"{lack.message.rstrip('.')}: memory alone answers. {lack.hint}"


@contextlib.contextmanager
def _heard_or_not() -> Iterator[None]:
    """Whoever read the answer may have gone (`| head`): it is still finished and kept."""
    try:
        yield
    except BrokenPipeError:
        silence_streams()


@contextlib.contextmanager
def _interrupting(task: asyncio.Future[Any]) -> Iterator[None]:
    """While it lasts, Ctrl-C stops the task and nothing else."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(signal.SIGINT, task.cancel)
    except (NotImplementedError, RuntimeError):
        # Not on the main thread, or on a system without signals: Ctrl-C ends the program there.
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def total_usage(used: Sequence[Usage]) -> Usage:
    """All that a conversation has used."""
    from hermes.agent.events import NONE_USED, add_usage  # noqa: PLC0415 - loaded by then

    total = NONE_USED
    for each in used:
        total = add_usage(total, each)
    return total
