"""Two chats in one conversation: nothing said in one is lost or taken back unseen in the other."""

import asyncio

import pytest
from talking import Talk, call, messages_of, talk_with, texts_of

from hermes.agent.catchup import ELSEWHERE
from hermes.agent.compact import Compactor
from hermes.agent.events import Noted
from hermes.app import App
from hermes.app.agent import ChatOptions
from hermes.errors import UserError
from hermes.llm.base import ChatMessage
from hermes.tools.base import Arguments, Tool, ToolContext, ToolResult
from hermes.tools.registry import make_toolbox
from hermes.types import Role


class Empty(Arguments):
    """No arguments."""


def resumed(app: App, session_id: str, *lines: str) -> Talk:
    talk = talk_with(app, lines)
    asyncio.run(talk.chat.resume(session_id))
    return talk


def spoken(messages: tuple[ChatMessage, ...]) -> list[tuple[Role, str]]:
    plain = (m for m in messages if m.role is not Role.SYSTEM)
    return [(m.role, m.text.rpartition("The person's message:\n")[2]) for m in plain]


def test_what_is_said_during_the_call_of_another_comes_after_its_result(app: App) -> None:
    others: list[Talk] = []

    async def hold(args: Empty, context: ToolContext) -> ToolResult:
        other = talk_with(app, ["of course", "I see"])
        await other.chat.resume(context.session_id)
        await other.chat.say("meanwhile")
        others.append(other)
        return ToolResult("held")

    box = make_toolbox([Tool("hold", "for tests", Empty, hold)])
    talk = talk_with(app, [call("hold"), "done", "yes"], ChatOptions(toolbox=box))
    talk.say("begin")
    kept = [m.role.value for m in messages_of(app, talk.chat.thread.id)]
    assert kept == ["user", "assistant", "user", "assistant", "tool", "assistant"]

    talk.say("and then?")
    whole = [
        (Role.USER, "begin"),
        (Role.ASSISTANT, ""),
        (Role.TOOL, "held"),
        (Role.USER, "meanwhile"),
        (Role.ASSISTANT, "of course\n\ndone"),
        (Role.USER, "and then?"),
    ]
    assert spoken(talk.last.messages) == whole
    told = [e.text for e in talk.events if isinstance(e, Noted)]
    assert told == [f"{ELSEWHERE}\n❯ meanwhile\n  of course"]

    [other] = others
    other.say("well?")
    assert spoken(other.last.messages)[:6] == whole


def test_nothing_said_elsewhere_is_taken_back_unseen(app: App) -> None:
    talk = talk_with(app, ["one"])
    talk.say("first")
    session_id = talk.chat.thread.id
    resumed(app, session_id, "two").say("second")
    with pytest.raises(UserError, match="went on elsewhere"):
        talk.chat.undo()
    assert texts_of(app, session_id, Role.USER) == ["first", "second"]
    assert talk.chat.undo().text == "second"
    assert texts_of(app, session_id, Role.USER) == ["first"]


def test_what_was_taken_back_elsewhere_is_gone_here(app: App) -> None:
    talk = talk_with(app, ["one", "two", "three"])
    talk.say("first")
    talk.say("the launch code is swordfish")
    other = resumed(app, talk.chat.thread.id, "new two")
    other.chat.undo()
    other.say("second")
    talk.say("third")
    assert not any("swordfish" in m.text for m in talk.last.messages)
    assert (Role.USER, "second") in spoken(talk.last.messages)


def test_what_was_taken_back_as_a_whole_elsewhere_is_gone_here_at_once(app: App) -> None:
    talk = talk_with(app, ["one", "two", "three"])
    talk.say("the launch code is swordfish")
    resumed(app, talk.chat.thread.id).chat.undo()
    talk.say("second")
    assert spoken(talk.last.messages) == [(Role.USER, "second")]
    talk.say("third")
    assert spoken(talk.last.messages)[:2] == [(Role.USER, "second"), (Role.ASSISTANT, "two")]
    again = resumed(app, talk.chat.thread.id)
    assert again.chat.thread.prefix == talk.chat.thread.prefix
    assert [e.text for e in talk.events if isinstance(e, Noted)] == [ELSEWHERE]


def test_a_chat_that_keeps_nothing_is_never_read_again(app: App) -> None:
    talk = talk_with(app, ["one", "two"], ChatOptions(incognito=True))
    talk.say("first")
    talk.say("second")
    assert spoken(talk.last.messages)[:2] == [(Role.USER, "first"), (Role.ASSISTANT, "one")]


def test_few_words_for_a_call_do_not_hide_what_was_said_during_it(app: App) -> None:
    async def hold(args: Empty, context: ToolContext) -> ToolResult:
        other = talk_with(app, ["noted"])
        await other.chat.resume(context.session_id)
        await other.chat.say("my dog is called Rex")
        return ToolResult("held " * 200)

    box = make_toolbox([Tool("hold", "for tests", Empty, hold)])
    talk = talk_with(app, [call("hold"), "done", "yes", "so"], ChatOptions(toolbox=box))
    talk.say("begin")
    talk.say("go on")
    thread = talk.chat.thread
    asked = next(n for n, line in enumerate(thread.lines) if line.message.text == "go on")
    short = Compactor(400, lambda _: (), lambda _id, _messages: "something was held")
    assert asyncio.run(short.compact(thread, asked, 0)) == 3, "the call, with what came before"
    talk.say("and then?")
    again = resumed(app, thread.id).chat.thread
    assert [line.message.text for line in again.lines][:2] == ["my dog is called Rex", "noted"]


def test_a_chat_that_is_alone_reads_nothing_again(app: App) -> None:
    talk = talk_with(app, [call("todo", todos=[{"text": "a"}]), "one", "two", "three", "four"])
    talk.say("first")
    talk.say("second")
    talk.chat.undo()
    talk.say("second again")
    talk.chat.branch()
    talk.say("in the branch")
    assert not any(isinstance(event, Noted) for event in talk.events)


def test_what_is_said_elsewhere_in_a_conversation_that_was_branched_from_is_learnt(
    app: App,
) -> None:
    talk = talk_with(app, ["one", "two"])
    talk.say("hello there")
    talk.say("I work as a plumber.")
    other = resumed(app, talk.chat.thread.id, "noted")
    talk.chat.branch()
    talk.chat.undo()
    other.say("I live in Lisbon.")
    asyncio.run(talk.chat.close())
    asyncio.run(other.chat.close())
    list(app.facts.extract())
    assert [fact.text for fact in app.facts.list()] == ["User lives in Lisbon"]
