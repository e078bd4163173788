"""The stand-ins themselves: what others build their tests on."""

import asyncio

import pytest

from hermes.errors import NotFound, Unavailable
from hermes.llm.base import (
    CallStarted,
    ChatMessage,
    Finish,
    Finished,
    Model,
    ModelEvent,
    ModelReply,
    ModelRequest,
    TextDelta,
)
from hermes.testing import ScriptedModel, hash_vector
from hermes.types import Role, ToolCall

HELLO = ModelRequest((ChatMessage(Role.USER, "hello"),))


def read(model: Model) -> list[ModelEvent]:
    async def run() -> list[ModelEvent]:
        return [event async for event in model.stream(HELLO)]

    return asyncio.run(run())


def test_a_script_is_followed_line_by_line() -> None:
    call = ToolCall("c1", "find", "{}")
    model = ScriptedModel(["a b", call, Unavailable("down", "wait"), ModelReply("whole")])
    assert [e.text for e in read(model) if isinstance(e, TextDelta)] == ["a", " b"]
    started, finished = read(model)
    assert started == CallStarted("find")
    assert isinstance(finished, Finished)
    assert (finished.reply.calls, finished.reply.finish) == ((call,), Finish.TOOLS)
    with pytest.raises(Unavailable):
        read(model)
    assert asyncio.run(model.complete(HELLO)).text == "whole"
    with pytest.raises(NotFound, match="hello"):
        asyncio.run(model.complete(HELLO))
    assert len(model.requests) == 5


def test_a_function_may_answer() -> None:
    model = ScriptedModel(lambda request: request.messages[-1].text.upper())
    assert asyncio.run(model.complete(HELLO)).text == "HELLO"


def test_a_text_has_one_vector_everywhere() -> None:
    assert hash_vector("a", 3) == pytest.approx([0.37635786, 0.71888284, -0.99104765])
    assert hash_vector("a", 4) == hash_vector("a", 4) != hash_vector("b", 4)
    assert hash_vector("a", 8)[:4] == hash_vector("a", 4)
    assert all(-1 <= number <= 1 for number in hash_vector("x", 512))
