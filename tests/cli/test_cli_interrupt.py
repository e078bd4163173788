"""Ctrl-C as early as can be: it ends a message, and not the chat."""

import asyncio
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

from chatting import Heard, open_home
from hermes.agent.approve import DenyAll
from hermes.app import App
from hermes.app.agent_desk import AppJournal
from hermes.cli.chat.hearing import hear
from hermes.cli.chat.room import Opening, Room
from hermes.types import Role, Session

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


def test_a_message_that_was_stopped_before_it_was_kept_ends_no_chat(tmp_path: Path) -> None:
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
    assert "error: Stopped before your message was kept." in lines
    assert [message.text for message in kept if message.role is Role.USER] == ["first", "third"]
