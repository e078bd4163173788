"""What tests of the chat's surface share: a home, a chat in it, and what a person would read."""

import asyncio
from pathlib import Path

from hermes.agent.approval import DenyAll
from hermes.app import App, open_app
from hermes.cli.chat.hearing import hear
from hermes.cli.chat.room import Opening, Room
from hermes.cli.chat.screen import Screen
from hermes.config.paths import Home
from hermes.testing import ScriptedServer

NO_VECTORS = {"memory.embeddings.provider": "none"}


class Heard(Screen):
    """Keeps what a person would read besides answers."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tell(self, text: str) -> None:
        self.lines.append(text)

    def _aside(self, text: str) -> None:
        self.lines.append(text)


def model_flags(server: ScriptedServer) -> dict[str, str]:
    """The settings of a chat with a scripted model."""
    return {"model.provider": "openai", "model.model": "m", "model.baseUrl": server.base_url}


def open_home(home: Path, server: ScriptedServer | None = None, **flags: str) -> App:
    given = NO_VECTORS | (model_flags(server) if server else {}) | flags
    return open_app(Home(home.resolve()).profile("default"), {}, flags=given)


def say_all(app: App, *texts: str, opening: Opening = Opening()) -> list[str]:  # noqa: B008 - frozen
    """What a chat tells besides answers, the end of it included."""

    async def go() -> list[str]:
        screen = Heard()
        room = Room(app, opening, DenyAll(), screen)
        await room.open()
        for text in texts:
            await hear(room, text)
        await room.leave()
        return screen.lines

    return asyncio.run(go())
