"""Conversations that are resumed, branched, taken back, compacted, reviewed, given away."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from talking import call, messages_of, opened, system_of, talk_with, texts_of

from hermes.agent.events import End, Noted, Remembered
from hermes.app import App
from hermes.app.agent import ChatOptions
from hermes.app.agent_desk import AppJournal
from hermes.errors import UserError
from hermes.llm.base import ModelRequest
from hermes.memory import takeback
from hermes.memory.facts.audit import Act
from hermes.store.base import Tx
from hermes.store.base.events import EventFilter
from hermes.testing import Say, ScriptedModel, ScriptedServer
from hermes.types import NewSession, Payload, Role, Turn, Utterance

PNG = Payload("image/png", b"\x89PNG\r\n\x1a\n" + bytes(64))


def said(request: ModelRequest) -> list[str]:
    """What was said, by whom in turn, without what was put before it."""
    spoken = (m for m in request.messages if m.role in (Role.USER, Role.ASSISTANT))
    return [m.text.rpartition("The person's message:\n")[2] for m in spoken]


def test_a_conversation_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, [call("todo", todos=[{"text": "a"}]), "one"])
        asyncio.run(talk.chat.say("first", images=[PNG]))
        session_id = talk.chat.thread.id
    with opened(tmp_path) as app:
        talk = talk_with(app, ["two"])
        thread = asyncio.run(talk.chat.resume(session_id))
        assert talk.say("second").session_id == session_id
        assert said(talk.last) == ["first", "", "one", "second"]
        [pictured] = [m for m in talk.last.messages if m.images]
        assert pictured.images == (PNG,)
        assert [m.call_id for m in talk.last.messages if m.role is Role.TOOL] == ["call1"]
        assert thread.id == session_id
        roles = [m.role.value for m in messages_of(app, session_id)]
        assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant"]


def test_a_branch_begins_with_what_was_said_and_leaves_it_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two", "three", "four"])
        talk.say("first")
        trunk = talk.chat.thread.id
        branch = talk.chat.branch().id
        talk.say("second")
        assert said(talk.last) == ["first", "one", "second"]
        assert texts_of(app, trunk, Role.USER) == ["first"]
        assert texts_of(app, branch, Role.USER) == ["second"]
        assert app.conversations.get_session(branch).parent_id == trunk
        talk.chat.branch()
        twig = talk.chat.branch().id
        talk.say("third")
    with opened(tmp_path) as app:
        talk = talk_with(app, ["five"])
        asyncio.run(talk.chat.resume(twig))
        talk.say("fourth")
        assert said(talk.last) == ["first", "one", "second", "two", "third", "three", "fourth"]


def test_undo_takes_back_and_recall_does_not_bring_it_back(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two", "three", "four"])
        talk.say("first")
        talk.say("the launch code is swordfish")
        assert talk.chat.undo().text == "the launch code is swordfish"
        talk.say("what is the launch code?")
        assert said(talk.last) == ["first", "one", "what is the launch code?"]
        assert not any("swordfish" in m.text for m in talk.last.messages)
        session_id = talk.chat.thread.id
    with opened(tmp_path) as app:
        talk = talk_with(app, ["five"])
        asyncio.run(talk.chat.resume(session_id))
        talk.say("and the launch code?")
        assert not any("swordfish" in m.text for m in talk.last.messages)
        talk.chat.undo()
        talk.chat.undo()
        talk.chat.undo()
        with pytest.raises(UserError, match="nothing to undo"):
            talk.chat.undo()


def test_nothing_is_learnt_from_what_was_taken_back(app: App) -> None:
    talk = talk_with(app, ["one", "two", "three"])
    talk.say("I live in Lisbon.")
    talk.say("I prefer coffee.")
    talk.chat.undo()
    talk.say("I work at Acme.")
    ended = asyncio.run(talk.chat.close())
    assert len(ended) == 1
    app.agent.work_off(ended)
    learnt = " ".join(fact.text for fact in app.facts.list())
    assert "Lisbon" in learnt
    assert "Acme" in learnt
    assert "coffee" not in learnt


def test_what_was_taken_back_stays_away_and_can_be_brought_back(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two"])
        talk.say("My dog is called Rex.")
        talk.say("I prefer coffee to tea.")
        app.agent.learn(talk.chat.thread.id)
        assert any("coffee" in fact.text for fact in app.facts.list())
        undone = talk.chat.undo()
        session_id = talk.chat.thread.id
        asyncio.run(talk.chat.close())
    with opened(tmp_path) as app:
        assert app.agent.find_last().id == session_id
        assert app.conversations.get_session(session_id).messages == 2
        talk = talk_with(app, ["three", "four"])
        asyncio.run(talk.chat.resume(session_id))
        talk.say("And now?")
        assert said(talk.last) == ["My dog is called Rex.", "one", "And now?"]
        assert "coffee" not in str(app.agent.export_trajectory(session_id))
        recalled = app.memory.recall("what do I prefer, coffee or tea?", bank="default")
        assert "coffee" not in recalled.context()
        app.agent.work_off(asyncio.run(talk.chat.close()))
        assert not any("coffee" in fact.text for fact in app.facts.list())
        app.conversations.restore(undone.session_id)
        back = messages_of(app, undone.session_id)
        assert [m.text for m in back] == ["I prefer coffee to tea.", "two"]


def test_what_is_taken_back_goes_whole_or_not_at_all(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeback, "PAGE", 3)
    talk = talk_with(app, ["one"])
    talk.say("I prefer coffee to tea.")
    session = app.conversations.get_session(talk.chat.thread.id)
    more = (Utterance(Role.USER, f"line {n}") for n in range(8))
    app.conversations.record([Turn(NewSession(id=session.id), tuple(more))])
    app.agent.learn(session.id)
    believed = [fact.text for fact in app.facts.list()]
    act = Act("agent", app.clock.now())

    def take_back_and_die(tx: Tx) -> None:
        takeback.take_back(tx, session, 0, into="apart", act=act)
        raise UserError("killed", "")

    with pytest.raises(UserError, match="killed"):
        app.store.write(take_back_and_die)
    assert [fact.text for fact in app.facts.list()] == believed != []
    assert len(messages_of(app, session.id)) == 10
    apart = AppJournal(app).take_back(session.id, 0)
    assert app.facts.list() == []
    app.conversations.restore(apart)
    assert len(messages_of(app, apart)) == 10


def test_all_can_be_taken_back_and_the_next_message_begins_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two"])
        talk.say("first")
        gone = talk.chat.thread.id
        talk.chat.undo()
        assert app.agent.browse_recent(5) == []
        talk.say("second")
        assert said(talk.last) == ["second"]
        assert [each.session.id for each in app.agent.browse_recent(5)] == [talk.chat.thread.id]
        assert talk.chat.thread.id != gone


def test_a_full_window_is_compacted_and_nothing_is_lost(tmp_path: Path) -> None:
    settings = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
    filler = "We talked at length about the weather and other things of no weight. " * 12
    with opened(tmp_path, **settings) as app:
        talk = talk_with(app, lambda request: f"I see. {filler}")
        prefix = ""
        talk.say("I live in Lisbon. The release of Atlas is on 2026-03-14, by Marta.")
        for n in range(12):
            talk.say(f"Turn {n}: {filler}")
            prefix = prefix or system_of(talk.last)
            assert system_of(talk.last) == prefix
        thread = talk.chat.thread
        assert any(isinstance(e, Noted) and "few words" in e.text for e in talk.events)
        assert thread.summary is not None
        assert "2026-03-14" in thread.summary.text
        assert sum(len(m.text) for m in talk.last.messages) < 8192 * 4
        assert talk.chat.share_used < 1.3, "only the newest answer may go beyond the room"
        facts = [fact.text for fact in app.facts.list()]
        assert any("Lisbon" in text for text in facts), "facts are extracted first"
        assert len(texts_of(app, thread.id, Role.USER)) == 13
        assert app.conversations.search("release of Atlas").hits
        kept = thread.summary
        session_id = thread.id
    with opened(tmp_path, **settings) as app:
        talk = talk_with(app, ["yes"])
        resumed = asyncio.run(talk.chat.resume(session_id))
        assert resumed.summary is not None
        assert resumed.summary.upto <= kept.upto
        assert resumed.prefix == prefix
        talk.say("when is the release of Atlas?")
        assert any("2026-03-14" in m.text for m in talk.last.messages)


def test_a_message_longer_than_the_window_is_told_so_once(tmp_path: Path) -> None:
    settings = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
    with opened(tmp_path, **settings) as app:
        talk = talk_with(app, [call("todo", todos=[]), "Read.", "Yes."])
        talk.say("word " * 20_000)
        told = [e.text for e in talk.events if isinstance(e, Noted) and "may not see all" in e.text]
        assert len(told) == 1
        assert "taken to be 8,192" in told[0]
        talk.events.clear()
        talk.say("and now?")
        assert not any(isinstance(e, Noted) and "may not" in e.text for e in talk.events)


def test_what_a_tool_gives_back_leaves_room_in_a_small_window(tmp_path: Path) -> None:
    settings = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
    (tmp_path / "long.txt").write_text("We talked about the weather.\n" * 2_000)
    with opened(tmp_path / "home", **settings) as app:
        reading = call("read_file", path="long.txt")
        talk = talk_with(app, [reading, "Read."], ChatOptions(workdir=tmp_path))
        talk.say("Read it.")
        given = talk.last.messages[-1]
        assert (given.role, len(given.text) <= 8192) == (Role.TOOL, True)
        assert "characters left out" in given.text


def test_a_light_model_that_makes_no_sense_does_not_keep_a_full_window_from_going_on(
    tmp_path: Path,
) -> None:
    filler = "We talked at length about the weather and other things of no weight. " * 12
    with ScriptedServer(lambda received: Say("no JSON at all")) as server:
        settings = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
        light = {"provider": "openai", "model": "light", "baseUrl": server.base_url}
        settings |= {f"lightModel_{key}": text for key, text in light.items()}
        with opened(tmp_path, **settings) as app:
            talk = talk_with(app, lambda request: f"I see. {filler}")
            outcomes = [talk.say(f"Turn {n}: {filler}") for n in range(12)]
            assert {outcome.end for outcome in outcomes} == {End.DONE}
            assert talk.chat.thread.summary is not None
            told = [event.summary for event in app.events.list(EventFilter())]
            assert any("Facts could not be read" in summary for summary in told)


def test_a_light_model_that_makes_no_sense_does_not_keep_a_branch_from_ending(
    tmp_path: Path,
) -> None:
    with ScriptedServer(lambda received: Say("no JSON at all")) as server:
        light = {"provider": "openai", "model": "light", "baseUrl": server.base_url}
        settings = {f"lightModel_{key}": text for key, text in light.items()}
        with opened(tmp_path, **settings) as app:
            talk = talk_with(app, ["one", "two"])
            talk.say("I live in Lisbon.")
            trunk = talk.chat.thread.id
            talk.say("I live in Porto.")
            talk.chat.branch()
            talk.chat.undo()
            assert trunk in asyncio.run(talk.chat.close())
            facts = [fact.text for fact in app.facts.list()]
            assert any("Lisbon" in text for text in facts), "the rules read what stays"
            assert not any("Porto" in text for text in facts)


def test_every_few_turns_what_lasts_is_saved_in_the_background(tmp_path: Path) -> None:
    with opened(tmp_path, memory_nudgeInterval="3") as app:
        add = call("memory", target="user", action="add", content="Prefers tea")
        light = ScriptedModel([add, "done"])
        main = ScriptedModel(["one", "two", "three", "four"])
        events: list[object] = []

        async def go() -> None:
            chat = app.agent.open_chat(ChatOptions(model=main, light=light))
            for n in range(3):
                assert not light.requests
                await chat.say(f"message {n}, I prefer tea", on_event=events.append)
            await chat.wait_for_reviews(10)
            assert chat.thread.since_review == 0
            await chat.say("one more", on_event=events.append)
            await chat.close()

        asyncio.run(go())
        assert len(light.requests) == 2
        asked = light.requests[0]
        assert {tool.name for tool in asked.tools} <= {
            "memory",
            "fact_add",
            "fact_revise",
            "fact_why",
        }
        assert "message 2, I prefer tea" in asked.messages[-1].text
        [receipt] = [e.receipt for e in events if isinstance(e, Remembered)]
        assert receipt.text == "Prefers tea"
        assert "Prefers tea" in app.paths.user_note.read_text()


def test_using_memory_resets_the_nudge_and_zero_switches_it_off(tmp_path: Path) -> None:
    add = call("memory", target="memory", action="add", content="Deploys by Ansible")
    with opened(tmp_path / "a", memory_nudgeInterval="2") as app:
        talk = talk_with(app, ["one", add, "two", "three"], ChatOptions(light=ScriptedModel(())))
        for text in ("a", "b", "c"):
            talk.say(text)
        assert talk.chat.thread.since_review == 1
    with opened(tmp_path / "b", memory_nudgeInterval="0") as app:
        talk = talk_with(app, ["one", "two"], ChatOptions(light=ScriptedModel(())))
        talk.say("a")
        assert talk.say("b").end is End.DONE


def test_without_a_model_the_nudge_reads_facts_by_rules(tmp_path: Path) -> None:
    with opened(tmp_path, memory_nudgeInterval="1") as app:

        async def go() -> list[object]:
            events: list[object] = []
            chat = app.agent.open_chat(ChatOptions())
            await chat.say("I live in Lisbon.", on_event=events.append)
            await chat.wait_for_reviews(30)
            return events

        events = asyncio.run(go())
        assert [e for e in events if isinstance(e, Remembered) and "Lisbon" in e.receipt.text]


def test_a_sub_agent_has_a_session_of_its_own_and_cannot_write_memory(app: App) -> None:
    def answer(request: ModelRequest) -> object:
        if "You are a sub-agent" in system_of(request):
            seen.append(request)
            return "The file has 3 lines. I prefer coffee."
        if request.messages[-1].role is Role.TOOL:
            return "It has 3 lines."
        return call("delegate", task="count the lines", background="in a.txt")

    seen: list[ModelRequest] = []
    talk = talk_with(app, answer)  # type: ignore[arg-type]
    assert talk.say("how long is a.txt?").text == "It has 3 lines."
    [request] = seen
    names = {tool.name for tool in request.tools}
    assert "session_search" in names
    assert not names & {"memory", "fact_add", "fact_revise", "fact_forget", "delegate"}
    below, above = app.conversations.list_sessions()[:2]
    if below.platform != "delegate":
        below, above = above, below
    assert (below.platform, below.parent_id) == ("delegate", above.id)
    assert messages_of(app, below.id)[0].origin.value == "agent"
    app.agent.work_off([below.id])
    assert not [fact for fact in app.facts.list() if "coffee" in fact.text]


def test_incognito_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    def bytes_of(file: Path) -> bytes:
        raw = file.read_bytes()
        # SQLite counts openings in its header (offsets 24 and 92); that is no content.
        return raw[:24] + raw[28:92] + raw[96:] if file.name == "memory.db" else raw

    def snapshot(folder: Path) -> dict[str, bytes]:
        files = (file for file in sorted(folder.rglob("*")) if file.is_file())
        return {str(file.relative_to(folder)): bytes_of(file) for file in files}

    home = tmp_path / "home"
    with opened(home, memory_encryption="off") as app:
        talk_with(app, ["hello"]).say("I am Ana.")
    before = snapshot(home)
    add = call("memory", target="user", action="add", content="Has a secret")
    with opened(home, memory_encryption="off") as app:
        talk = talk_with(app, [add, "no", "fine"], ChatOptions(incognito=True))
        talk.say("remember my secret")
        results = [m.text for m in talk.last.messages if m.role is Role.TOOL]
        assert "incognito" in results[0]
        assert talk.say("who am I?").text == "fine"
        assert any("I am Ana." in m.text for m in talk.last.messages), "memory is still read"
        asyncio.run(talk.chat.close())
    assert snapshot(home) == before


def test_one_persons_page_is_not_shown_in_another_bank(app: App) -> None:
    add = call("memory", target="user", action="add", content="Is called Ana")
    talk_with(app, [add, "ok"]).say("I am Ana")
    talk = talk_with(app, ["hello"], ChatOptions(bank="acme"))
    talk.say("hi")
    assert "Ana" not in system_of(talk.last)


def test_two_chats_of_the_same_notes_have_the_same_prefix(app: App) -> None:
    first, second = talk_with(app, ["a"]), talk_with(app, ["b"])
    first.say("x")
    second.say("y")
    assert system_of(first.last) == system_of(second.last)
    changed = replace(first.chat.thread, prefix="other")
    assert changed.prefix != first.chat.thread.prefix


def test_the_frozen_prompt_is_nobody_elses_and_goes_with_what_is_erased(app: App) -> None:
    add = call("memory", target="user", action="add", content="The launch code is swordfish")
    talk_with(app, [add, "ok"]).say("remember the launch code swordfish")
    talk = talk_with(app, ["hello", "again"])
    talk.say("good morning")
    session_id = talk.chat.thread.id
    [first] = messages_of(app, session_id)[:1]
    [kept] = app.conversations.list_payloads(first.id)
    assert b"swordfish" in kept.content
    exported = list(app.conversations.export(session_id))
    assert exported[0]["content"] == "good morning", "an export holds what was said"
    app.erasing.erase(app.erasing.plan([], ["swordfish"]))
    assert not app.conversations.list_payloads(first.id)
    resumed = talk_with(app, ["hello"])
    asyncio.run(resumed.chat.resume(session_id))
    resumed.say("still there?")
    assert "You are Hermes" in system_of(resumed.last)
    assert "swordfish" not in system_of(resumed.last)
