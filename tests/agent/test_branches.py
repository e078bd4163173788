"""Branches that are left before anything is said in them, and what undo leaves of a branch."""

import asyncio
from pathlib import Path

import pytest
from talking import opened, system_of, talk_with, texts_of

from hermes.errors import UserError
from hermes.llm.base import ModelRequest
from hermes.types import Role

SMALL = {"model_contextTokens": "8192", "model_provider": "openai", "model_model": "m"}
FILLER = "We talked at length about the weather and other things of no weight. " * 12


def asked_of(request: ModelRequest) -> list[str]:
    theirs = (m for m in request.messages if m.role is Role.USER)
    return [m.text.rpartition("The person's message:\n")[2] for m in theirs]


def test_a_branch_nothing_was_said_in_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one"])
        talk.say("first")
        prefix = system_of(talk.last)
        trunk = talk.chat.thread.id
        branch = talk.chat.branch().id
        assert asyncio.run(talk.chat.close()) == [trunk, branch]
        last = app.agent.find_last()
        assert (last.id, last.parent_id, last.title) == (branch, trunk, "Branch of: first")
        app.agent.work_off([trunk, branch])
    with opened(tmp_path) as app:
        talk = talk_with(app, ["two", "three"])
        asyncio.run(talk.chat.resume(branch))
        assert talk.say("second").session_id == branch
        assert asked_of(talk.last) == ["first", "second"]
        assert system_of(talk.last) == prefix
        assert texts_of(app, trunk, Role.USER) == ["first"]
        assert texts_of(app, branch, Role.USER) == ["second"]
        talk.chat.undo()
        assert talk.chat.thread.id == branch, "the place it branched off is still kept"
        talk.say("third")
        assert asked_of(talk.last) == ["first", "third"]
        told = app.agent.export_trajectory(branch)["conversations"]
        assert [turn["value"] for turn in told[1:]] == ["first", "one", "third", "three"]


def test_a_branch_is_whole_outside_the_chat_too(tmp_path: Path) -> None:
    """Also one of a branch, which was left below the place that one branched off."""
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two", "three", "four"])
        talk.say("first")
        talk.say("second")
        talk.chat.branch()
        talk.say("third")
        branch = talk.chat.thread.id
        talk.chat.undo()
        talk.chat.undo()
        talk.say("fourth")
        below = talk.chat.thread.id
        asyncio.run(talk.chat.close())
        page = app.conversations.page(below)
        assert [m.text for m in page.messages] == ["first", "one", "fourth", "four"]
        part = app.conversations.page(below, after_id=page.messages[0].id, limit=2)
        assert [m.text for m in part.messages] == ["one", "fourth"]
        assert part.has_after
        told = app.agent.export_trajectory(below)["conversations"]
        assert [turn["value"] for turn in told[1:]] == ["first", "one", "fourth", "four"]
        assert branch != below


def test_what_was_undone_below_a_resumed_branch_stays_undone(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two"])
        talk.say("first")
        talk.say("second")
        branch = talk.chat.branch().id
        asyncio.run(talk.chat.close())
    with opened(tmp_path) as app:
        talk = talk_with(app, [])
        asyncio.run(talk.chat.resume(branch))
        assert talk.chat.undo().text == "second"
        below = talk.chat.thread.id
        asyncio.run(talk.chat.close())
    with opened(tmp_path) as app:
        talk = talk_with(app, ["three"])
        thread = asyncio.run(talk.chat.resume(below))
        undone = app.conversations.page(branch).messages[2]
        assert (undone.text, thread.is_in_sight(undone.session_id, undone.id)) == ("second", True)
        talk.say("third")
        assert asked_of(talk.last) == ["first", "third"]
        assert [m.text for m in app.conversations.page(below).messages][-2:] == ["third", "three"]


def test_what_was_put_away_is_not_shown_by_way_of_a_branch(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two"])
        talk.say("first")
        trunk = talk.chat.thread.id
        talk.chat.branch()
        talk.say("second")
        asyncio.run(talk.chat.close())
        app.conversations.delete(trunk)
        page = app.conversations.page(talk.chat.thread.id)
        assert [m.text for m in page.messages] == ["second", "two"]


def test_recall_does_not_bring_up_where_a_branch_began(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        talk = talk_with(app, ["one", "two"])
        talk.say("The staging server is called bluefin.")
        talk.chat.branch()
        asyncio.run(talk.chat.end())
        found = app.memory.recall("staging server", bank="default")
        assert "bluefin" in found.context()
        said = {"The staging server is called bluefin.", "one"}
        assert {item.text for item in found.items} <= said


def test_undo_in_a_branch_of_a_shortened_conversation_begins_it_again(tmp_path: Path) -> None:
    with opened(tmp_path, **SMALL) as app:
        talk = talk_with(app, lambda request: f"I see. {FILLER}")
        for n in range(12):
            talk.say(f"Turn {n}: {FILLER}")
        assert talk.chat.thread.summary is not None
        trunk, prefix = talk.chat.thread.id, system_of(talk.last)
        branch = talk.chat.branch().id
        talk.say("said in the branch")
        talk.chat.undo()
        assert talk.chat.thread.id != branch, "nothing of it is left"
        talk.say("said instead")
        instead = talk.chat.thread.id
        assert set(asyncio.run(talk.chat.close())) == {trunk, instead}
    with opened(tmp_path, **SMALL) as app:
        talk = talk_with(app, ["yes"])
        thread = asyncio.run(talk.chat.resume(instead))
        assert (thread.prefix, app.agent.find_last().title) == (prefix, "said instead")
        assert thread.summary is not None
        talk.say("and on")
        before, last = asked_of(talk.last)[-2:]
        assert (before.endswith("said instead"), last) == (True, "and on")
        assert "Earlier in this conversation" in asked_of(talk.last)[0]


def test_a_conversation_of_which_only_a_summary_is_in_sight_has_begun(tmp_path: Path) -> None:
    with opened(tmp_path, **SMALL) as app:
        talk = talk_with(app, lambda request: f"I see. {FILLER * 30}")
        talk.say(f"The release of Atlas is on 2026-03-14. {FILLER}")
        talk.say("and then?")
        talk.chat.undo()
        assert (talk.chat.thread.lines, talk.chat.thread.summary is None) == ([], False)
        with pytest.raises(UserError, match="put into few words"):
            talk.chat.undo()
        trunk, branch = talk.chat.thread.id, talk.chat.branch().id
        assert asyncio.run(talk.chat.close()) == [trunk, branch]
        thread = asyncio.run(talk.chat.resume(branch))
        assert thread.summary is not None
        assert "2026-03-14" in thread.summary.text
