"""What tests of the agent share: an App in a temporary home, a scripted model, and a chat."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hermes.agent.chat import Chat
from hermes.agent.events import Event, Outcome
from hermes.app import App, open_app
from hermes.app.agent import ChatOptions
from hermes.config.paths import Home
from hermes.llm.base import ModelRequest
from hermes.testing import ScriptedModel
from hermes.testing.model import Script
from hermes.types import Message, Role, ToolCall

NO_VECTORS = {"memory.embeddings.provider": "none"}


@contextmanager
def opened(home: Path, **settings: str) -> Iterator[App]:
    """An App without an embedder; `model_provider="openai"` sets model.provider."""
    flags = NO_VECTORS | {key.replace("_", ".", 1): text for key, text in settings.items()}
    with open_app(Home(home.resolve()).profile("default"), {}, flags=flags) as app:
        yield app


@dataclass
class Talk:
    """A chat and everything that happened in it."""

    chat: Chat
    model: ScriptedModel
    events: list[Event] = field(default_factory=list)

    def say(self, text: str) -> Outcome:
        return asyncio.run(self.chat.say(text, on_event=self.events.append))

    @property
    def last(self) -> ModelRequest:
        return self.model.requests[-1]


def talk_with(app: App, script: Script, options: ChatOptions | None = None) -> Talk:
    model = ScriptedModel(script)
    asked = options or ChatOptions()
    chosen = ChatOptions(
        bank=asked.bank,
        incognito=asked.incognito,
        approver=asked.approver,
        workdir=asked.workdir,
        max_steps=asked.max_steps,
        model=model,
        light=asked.light,
        toolbox=asked.toolbox,
    )
    return Talk(app.agent.open_chat(chosen), model)


def call(name: str, number: int = 1, /, **arguments: object) -> ToolCall:
    return ToolCall(f"call{number}", name, json.dumps(arguments))


def messages_of(app: App, session_id: str) -> list[Message]:
    return app.conversations.list_messages(session_id, after_id=0, limit=1_000)


def texts_of(app: App, session_id: str, role: Role) -> list[str]:
    return [m.text for m in messages_of(app, session_id) if m.role is role]


def system_of(request: ModelRequest) -> str:
    return "\n".join(m.text for m in request.messages if m.role is Role.SYSTEM)
