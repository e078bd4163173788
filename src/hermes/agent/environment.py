"""The agent as an environment: whoever plays the model gets observations and gives actions.

`reset` sets a task and gives what a model would see; `step` takes what a model would say, runs its
calls for real, and gives what it would see next. For training, for evaluation, and to replay tasks.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hermes.agent.chat import Chat
from hermes.agent.events import Outcome
from hermes.agent.keeping import Asked
from hermes.agent.trajectory import parse_trajectory
from hermes.errors import UserError
from hermes.llm.base import (
    ChatMessage,
    Finished,
    Model,
    ModelEvents,
    ModelReply,
    ModelRequest,
    TextDelta,
    ToolSpec,
)
from hermes.types import Payload

NAME = "environment/player"


@dataclass(frozen=True, slots=True)
class Observation:
    """What a model sees: the messages, and the tools it may call."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What an action led to. When the task is `done` there is nothing left to see."""

    done: bool
    reward: float = 0.0
    observation: Observation | None = None
    outcome: Outcome | None = None


class _Player:
    """A model whose replies come from outside."""

    name = NAME

    def __init__(self) -> None:
        self.seen: asyncio.Queue[ModelRequest] = asyncio.Queue()
        self.replies: asyncio.Queue[ModelReply] = asyncio.Queue()

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.seen.put_nowait(request)
        return await self.replies.get()

    async def stream(self, request: ModelRequest) -> ModelEvents:
        reply = await self.complete(request)
        if reply.text:
            yield TextDelta(reply.text)
        yield Finished(reply)

    async def close(self) -> None:
        """There is no connection."""


class Environment:
    """One task at a time. `make_chat` opens a chat with the model it is given, in a home of its
    own for each task if tasks must not know each other; `judge` gives the reward at the end.
    """

    def __init__(
        self,
        make_chat: Callable[[Model], Chat],
        judge: Callable[[Outcome], float] = lambda outcome: float(outcome.ok),
    ) -> None:
        self._make_chat = make_chat
        self._judge = judge
        self._player = _Player()
        self._chat: Chat | None = None
        self._turn: asyncio.Task[Outcome] | None = None

    async def reset(self, task: str, images: Sequence[Payload] = ()) -> Observation:
        """Begin a task in a new conversation."""
        await self.close()
        self._player = _Player()
        self._chat = self._make_chat(self._player)
        return await self.ask(task, images)

    async def ask(self, text: str, images: Sequence[Payload] = ()) -> Observation:
        """Say one more thing in the conversation under way."""
        if self._chat is None or (self._turn is not None and not self._turn.done()):
            raise UserError("No task is set, or one is not done yet.", "Call reset first.")
        self._turn = asyncio.create_task(self._chat.say(text, images=images))
        step = await self._next()
        if step.observation is None:
            raise UserError("The task ended before anything was to be seen.", "See its outcome.")
        return step.observation

    async def step(self, reply: ModelReply) -> Step:
        """Do what a model would do, and see what comes of it."""
        if self._turn is None or self._turn.done():
            raise UserError("No task is under way.", "Call reset first.")
        self._player.replies.put_nowait(reply)
        return await self._next()

    async def close(self) -> None:
        if self._turn is not None and not self._turn.done():
            self._turn.cancel()
            await asyncio.gather(self._turn, return_exceptions=True)
        if self._chat is not None:
            await self._chat.close()
        self._chat = self._turn = None

    async def _next(self) -> Step:
        """Wait for the agent to ask its model again, or to be done."""
        if self._turn is None:
            raise UserError("No task is under way.", "Call reset first.")
        seeing = asyncio.ensure_future(self._player.seen.get())
        await asyncio.wait([seeing, self._turn], return_when=asyncio.FIRST_COMPLETED)
        if seeing.done():
            request = seeing.result()
            return Step(False, observation=Observation(request.messages, request.tools))
        seeing.cancel()
        outcome = self._turn.result()
        return Step(True, self._judge(outcome), outcome=outcome)


async def replay(environment: Environment, trajectory: Mapping[str, Any]) -> list[Step]:
    """Do again what a trajectory says was done, calls and all; what each step led to."""
    steps: list[Step] = []
    begun = False
    for each in parse_trajectory(trajectory):
        if isinstance(each, Asked):
            await (environment.ask if begun else environment.reset)(each.text, each.images)
            begun = True
        elif begun:
            steps.append(await environment.step(each))
    return steps
