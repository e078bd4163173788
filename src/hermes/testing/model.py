"""A model that says what it was told to, for tests of whatever talks to one."""

from collections.abc import Callable, Iterable

from hermes.errors import HermesError, NotFound
from hermes.llm.base import (
    CallStarted,
    Finish,
    Finished,
    ModelEvents,
    ModelReply,
    ModelRequest,
    TextDelta,
    Usage,
)
from hermes.llm.pieces import estimate_usage
from hermes.testing.wire import words
from hermes.types import ToolCall

Line = str | ToolCall | ModelReply | HermesError
Script = Iterable[Line] | Callable[[ModelRequest], Line]


class ScriptedModel:
    """Answers each request with the next line of a script, or with what a function makes of it.

    A string is a text, a `ToolCall` a call, a `ModelReply` itself, an error is raised.
    """

    def __init__(self, script: Script, *, name: str = "scripted/model") -> None:
        self._next = script if callable(script) else _in_order(script)
        self._name = name
        self.requests: list[ModelRequest] = []
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        line = self._next(request)
        if isinstance(line, HermesError):
            raise line
        return self._reply(line, request)

    async def stream(self, request: ModelRequest) -> ModelEvents:
        reply = await self.complete(request)
        for piece in words(reply.text):
            yield TextDelta(piece)
        for call in reply.calls:
            yield CallStarted(call.name)
        yield Finished(reply)

    async def close(self) -> None:
        self.closed = True

    def _reply(self, line: str | ToolCall | ModelReply, request: ModelRequest) -> ModelReply:
        if isinstance(line, ModelReply):
            return line
        usage: Usage = estimate_usage(request, len(str(line)))
        if isinstance(line, ToolCall):
            return ModelReply(calls=(line,), finish=Finish.TOOLS, usage=usage, model=self._name)
        return ModelReply(text=line, usage=usage, model=self._name)


def _in_order(script: Iterable[Line]) -> Callable[[ModelRequest], Line]:
    lines = iter(script)

    def take(request: ModelRequest) -> Line:
        for line in lines:
            return line
        last = request.messages[-1].text if request.messages else ""
        raise NotFound(f"The script has no line for {last!r}.", "Add one, or stop asking.")

    return take
