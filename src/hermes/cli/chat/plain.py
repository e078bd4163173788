"""A chat through a pipe: each line is a message, each answer goes to stdout."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from hermes.agent.approval import DenyAll
from hermes.agent.events import Noted
from hermes.cli.chat.hearing import hear
from hermes.cli.chat.room import Opening, Room, told_lack
from hermes.cli.chat.screen import Unattended

if TYPE_CHECKING:
    from hermes.app import App


async def talk(app: App, opening: Opening) -> None:
    """Answer line after line until there are no more."""
    room = Room(app, opening, DenyAll(), Unattended())
    await room.open()
    if lack := app.agent.lack:
        room.screen.on_event(Noted(told_lack(lack)))
    while not room.is_over and (line := await asyncio.to_thread(sys.stdin.readline)):
        text = line.strip()
        if not text:
            continue
        await hear(room, text)
    if room.images:
        room.screen.mention("The picture was not sent: no message came after it.")
    await room.leave()
