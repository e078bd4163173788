"""Ctrl-C as early as can be: it ends a message, and not the chat."""

import asyncio
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from chatting import Heard, open_home
from hermes.agent.approval import DenyAll
from hermes.app import App
from hermes.app.agent_desk import AppJournal
from hermes.cli.chat.hearing import hear
from hermes.cli.chat.room import Opening, Room
from hermes.testing import ScriptedModel
from hermes.types import Recorded, Role, Session, Turn

PATIENCE_S = 60


class Interrupting(AppJournal):
    """Presses Ctrl-C when it is first looked into, and answers once that was heard."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.was_heard = threading.Event()

    def find_session(self, session_id: str) -> Session | None:
        if not self.was_heard.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            self.was_heard.wait(PATIENCE_S)
        return super().find_session(session_id)


def test_a_message_that_was_stopped_as_it_was_sent_is_kept_and_ends_no_chat(tmp_path: Path) -> None:
    with open_home(tmp_path / "home") as app:

        async def go() -> tuple[list[str], str]:
            screen = Heard()
            room = Room(app, Opening(), DenyAll(), screen)
            await room.open()
            await hear(room, "first")
            journal = Interrupting(app)
            room.chat.parts = replace(room.chat.parts, journal=journal)
            await hear(room, "second")
            journal.was_heard.set()
            await hear(room, "third")
            return screen.lines, room.chat.thread.id

        lines, session_id = asyncio.run(go())
        kept = app.conversations.list_messages(session_id, after_id=0, limit=10)
    assert "interrupted; what was said so far is kept" in lines
    said = [message.text for message in kept if message.role is Role.USER]
    assert said == ["first", "second", "third"]


class Slow(AppJournal):
    """Keeps the first thing it is given when it is told to, and says when it begins."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.has_begun = threading.Event()
        self.may_end = threading.Event()

    def record(self, turn: Turn) -> Recorded:
        self.has_begun.set()
        self.may_end.wait(PATIENCE_S)
        return super().record(turn)


def _presses() -> int:
    return max(task.cancelling() for task in asyncio.all_tasks())


async def press(times: int) -> None:
    """Ctrl-C so many times, each heard before the next."""
    for pressed in range(1, times + 1):
        os.kill(os.getpid(), signal.SIGINT)
        while _presses() < pressed:  # noqa: ASYNC110 - nothing else tells of it
            await asyncio.sleep(0)


@pytest.mark.parametrize("times", [1, 2])
def test_a_message_stopped_while_it_is_kept_is_not_asked_for_again(
    tmp_path: Path, times: int
) -> None:
    with open_home(tmp_path / "home") as app:

        async def go() -> tuple[list[str], str]:
            screen = Heard()
            room = Room(app, Opening(), DenyAll(), screen)
            await room.open()
            room.chat.use(model=ScriptedModel(["paid"]))
            journal = Slow(app)
            room.chat.parts = replace(room.chat.parts, journal=journal)
            hearing = asyncio.create_task(hear(room, "pay Bob"))
            await asyncio.to_thread(journal.has_begun.wait, PATIENCE_S)
            await press(times)
            journal.may_end.set()
            await hearing
            await hear(room, "and Eve")
            return screen.lines, room.chat.thread.id

        lines, session_id = asyncio.run(go())
        kept = app.conversations.list_messages(session_id, after_id=0, limit=10)
    assert not [line for line in lines if "before your message" in line]
    assert [m.text for m in kept if m.role is Role.USER] == ["pay Bob", "and Eve"]
    assert kept[-1].text == "paid"
    assert any(("interrupted" in line) or ("your message is kept" in line) for line in lines)
