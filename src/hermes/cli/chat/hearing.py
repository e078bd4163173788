"""What is done with a line the person wrote: a command, a picture, or something to answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from hermes.cli.chat.commands import is_command, obey
from hermes.cli.chat.images import find_image, find_images
from hermes.cli.chat.tty import quiet
from hermes.cli.render import clean
from hermes.errors import HermesError

if TYPE_CHECKING:
    from hermes.cli.chat.room import Room


async def hear(room: Room, text: str) -> None:
    """Obey, take along, or answer; what goes wrong is told."""
    try:
        if is_command(text):
            await obey(room, text)
        elif not await asyncio.to_thread(_take_picture, room, text):
            with quiet():
                room.screen.wait()
                await room.say(text)
    except HermesError as error:
        room.screen.tell_error(error)


def _take_picture(room: Room, text: str) -> bool:
    """Take along the pictures a line names; whether it is nothing but the path of one."""
    if (image := find_image(text)) is not None:
        room.images.append(image)
        room.screen.mention("The picture goes with your next message.")
        return True
    named, unfit = find_images(text)
    if named:
        room.images += named.values()
        room.screen.mention(f"Sent along: {', '.join(map(clean, named))}")
    for problem in unfit:
        room.screen.mention(f"Not sent along: {clean(problem)}")
    return False
