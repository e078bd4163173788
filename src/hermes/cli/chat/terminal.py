"""A chat in a terminal: the prompt is there at once, the agent loads while one types."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, NoReturn

import typer
from prompt_toolkit.patch_stdout import patch_stdout

from hermes.cli.chat.editor import make_editor
from hermes.cli.chat.room import QUIT, Opening, Room, told_lack
from hermes.cli.chat.tty import mark_pastes
from hermes.cli.layout import hang
from hermes.cli.render import count
from hermes.store.base.conversations import SessionFilter
from hermes.types import Role

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

    from hermes.agent.chat import Chat
    from hermes.app import App

HISTORY_SESSIONS = 5
HISTORY_LINES = 200
LEAVE = "Ctrl-D or /quit leaves."


async def talk(app: App, opening: Opening) -> None:
    """Prompt, answer, and so on, until the person leaves."""
    talker = _Talker(app, opening)
    await talker.run()


class _Talker:
    def __init__(self, app: App, opening: Opening) -> None:
        self._app = app
        self._opening = opening
        self._room: Room | None = None
        self._opened: asyncio.Task[Room] | None = None
        self._warmed: asyncio.Task[None] | None = None
        self._editor: PromptSession[str] = make_editor(
            list_commands=_commands,
            list_arguments=self._arguments,
            said_before=self._said_before,
            toolbar=self._toolbar,
        )

    async def run(self) -> None:
        self._greet()
        self._opened = asyncio.create_task(self._open())
        self._warmed = asyncio.create_task(self._warm(self._opened))
        if self._opening.resume:
            await self._opened  # what was said before is shown first, or why it cannot be
        try:
            while (text := await self._read()) is not None and text not in QUIT:
                room = await self._opened
                await self._warmed
                if text:
                    await _hear(room, text)
                if room.is_over:
                    break
        finally:
            await self._leave()
        if not (self._opened.done() and self._warmed.done()):
            _exit_at_once()

    def _greet(self) -> None:
        if self._opening.incognito:
            self._print("Incognito: nothing of what follows is kept.")

    async def _open(self) -> Room:
        """Everything that takes time to load, in a thread beside the prompt."""
        room = await asyncio.to_thread(self._make_room)
        if lack := await asyncio.to_thread(lambda: self._app.agent.lack):
            self._print(hang(told_lack(lack), 0))
        await room.open()
        self._room = room
        return room

    async def _warm(self, opened: asyncio.Task[Room]) -> None:
        """Load what the first question needs; what cannot be opened is told where it is awaited."""
        await asyncio.wait([opened])
        if self._room is not None and not self._opening.incognito:
            await asyncio.to_thread(self._app.agent.warm)

    def _make_room(self) -> Room:
        # What draws and asks is needed only once there is something to show.
        from hermes.cli.chat.asking import AskInTerminal  # noqa: PLC0415
        from hermes.cli.chat.rich_screen import RichScreen  # noqa: PLC0415

        screen = RichScreen()
        return Room(self._app, self._opening, AskInTerminal(screen.asking), screen)

    async def _read(self) -> str | None:
        """What the person types; None when they leave."""
        while True:
            try:
                with patch_stdout(raw=True):
                    text = await self._editor.prompt_async()
                mark_pastes(on=True)
                return text.strip()
            except KeyboardInterrupt:
                self._print(LEAVE)
            except EOFError:
                return None

    async def _leave(self) -> None:
        """End the conversation; where none is open yet, nothing was said that could be lost."""
        if self._room is not None:
            await self._room.leave()
        elif self._opened is not None and self._opened.done():
            self._opened.exception()  # whoever leaves need not know why there is no chat

    def _toolbar(self) -> str:
        config = self._app.config.model
        parts = [config.model or config.provider if config.provider != "none" else "no model"]
        if self._room is not None and self._room.is_open:
            parts = parts if self._room.chat.parts.model else ["no model"]
            opening, chat = self._room.opening, self._room.chat
            said = len(chat.thread.lines)
            parts.append(count(said, "message") + _told_window(chat))
            parts += [f"{self._room.stood_in} stood in"] if self._room.stood_in else []
            parts += ["incognito"] if opening.incognito else []
            parts += ["yolo"] if opening.yolo else []
        parts.append("/help")
        return " " + " · ".join(parts)

    def _said_before(self) -> list[str]:
        """The person's latest messages, newest first."""
        conversations = self._app.conversations
        said: list[str] = []
        for session in conversations.list_sessions(SessionFilter(platform="cli"), HISTORY_SESSIONS):
            page = conversations.list_messages(session.id, after_id=0, limit=HISTORY_LINES)
            said += [m.text for m in reversed(page) if m.role is Role.USER and m.text.strip()]
        return said[:HISTORY_LINES]

    def _arguments(self, typed: str) -> list[tuple[str, str]]:
        """What may stand in the place of the last word of a command line."""
        if self._room is None or not self._room.is_open:
            return []
        from hermes.cli.chat.commands import list_arguments  # noqa: PLC0415 - loaded by then

        return list_arguments(self._room, typed)

    def _print(self, text: str) -> None:
        typer.echo(typer.style(text, dim=True))


def _told_window(chat: Chat) -> str:
    """How full the window is; what is over it is shortened before the model is asked."""
    if chat.parts.model is None:
        return ""
    if chat.is_cramped:
        return ", window too small (model.contextTokens)"
    return f", {min(chat.share_used, 1.0):.0%} of the window"


def _exit_at_once() -> NoReturn:
    """End a program that still loads what nobody needs any more.

    No thread that loads a library can be stopped, and Python would wait for it. Whatever was
    acknowledged is on disk by now.
    """
    mark_pastes(on=False)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


async def _hear(room: Room, text: str) -> None:
    from hermes.cli.chat.hearing import hear  # noqa: PLC0415 - loaded by then

    await hear(room, text)


def _commands() -> list[tuple[str, str]]:
    from hermes.cli.chat.commands import COMMANDS  # noqa: PLC0415 - only once a slash is typed

    return [
        (command.name + " " * command.needs_argument, command.help) for command in COMMANDS.values()
    ]
