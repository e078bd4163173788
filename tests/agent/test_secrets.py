"""A secret that is said or read reaches neither the model nor the disk, and is shown as cut out."""

import asyncio
import json
from pathlib import Path

import pytest
from talking import call, messages_of, opened, talk_with

from hermes.agent.events import Noted
from hermes.agent.loop import CUT_OUT
from hermes.agent.review import review
from hermes.app import App
from hermes.app.agent import ChatOptions
from hermes.app.facts import NewFact
from hermes.llm.base import ModelRequest
from hermes.memory.sessions import SearchOptions
from hermes.types import Role

TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6"
MARKER = "[redacted:github-token]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def sent(request: ModelRequest) -> str:
    return repr(request.messages)


def test_what_the_person_types_goes_out_as_it_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as app:
        talk = talk_with(app, ["ok"])
        talk.say(f"deploy with the token {TOKEN} please")
        assert TOKEN not in sent(talk.last)
        [asked, _] = messages_of(app, talk.chat.thread.id)
        assert asked.text == f"deploy with the token {MARKER} please"
        assert Noted(CUT_OUT) in talk.events
        assert asked.text in [m.text.rpartition("\n")[2] for m in talk.last.messages]


def test_so_it_does_where_nothing_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as app:
        talk = talk_with(app, ["ok"], ChatOptions(incognito=True))
        talk.say(f"deploy with the token {TOKEN} please")
        assert TOKEN not in sent(talk.last)
        assert MARKER in sent(talk.last)


def test_a_file_that_is_read_is_shown_without_it(tmp_path: Path, folder: Path) -> None:
    (folder / "keys.json").write_text(json.dumps({"note": f"mine:\n{TOKEN}"}))
    with opened(tmp_path / "home") as app:
        read = call("read_file", path="keys.json")
        talk = talk_with(app, [read, "ok"], ChatOptions(workdir=folder))
        talk.say("read it")
        assert TOKEN not in sent(talk.last)
        assert MARKER in sent(talk.last)


def test_what_the_model_writes_is_done_as_written_and_kept_without_it(
    tmp_path: Path, folder: Path
) -> None:
    with opened(tmp_path / "home") as app:
        write = call("write_file", path="env", content=f"# keys\n{TOKEN}\n")
        talk = talk_with(app, [write, "ok"], ChatOptions(workdir=folder))
        talk.say("write it")
        assert (folder / "env").read_text() == f"# keys\n{TOKEN}\n"
        assert TOKEN not in sent(talk.last)
        session_id = talk.chat.thread.id
        assert TOKEN not in repr(messages_of(app, session_id))
        assert TOKEN not in json.dumps(app.agent.export_trajectory(session_id))
        assert not app.conversations.search(TOKEN, SearchOptions()).hits


def test_a_resumed_conversation_is_sent_as_it_was(tmp_path: Path, folder: Path) -> None:
    with opened(tmp_path / "home") as app:
        write = call("write_file", path="env", content=f"{TOKEN}\n")
        talk = talk_with(app, [write, f"I wrote {TOKEN}.", "ok"], ChatOptions(workdir=folder))
        talk.say(f"write {TOKEN}")
        talk.say("thanks")
        before = [(m.role, m.calls) for m in talk.last.messages if m.role is Role.ASSISTANT]
        again = talk_with(app, ["ok"], ChatOptions(workdir=folder))
        asyncio.run(again.chat.resume(talk.chat.thread.id))
        again.say("thanks")
        after = [(m.role, m.calls) for m in again.last.messages if m.role is Role.ASSISTANT]
        assert after[: len(before)] == before
        assert TOKEN not in sent(talk.last) + sent(again.last)


def test_a_note_written_by_hand_is_reviewed_without_it(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as app:
        app.paths.memory_note.parent.mkdir(parents=True, exist_ok=True)
        app.paths.memory_note.write_text(f"- The token is {TOKEN}\n")
        talk = talk_with(app, ["hello", "nothing to save"])
        talk.say("good morning")
        asyncio.run(review(talk.chat.parts, talk.chat.thread))
        assert MARKER in sent(talk.last)
        assert TOKEN not in sent(talk.last)


def test_what_the_person_chose_to_keep_is_recalled_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path / "home") as app:
        _keep_as_it_is(app)
        talk = talk_with(app, ["ok"])
        talk.say("What is the code of the staging demo?")
        assert TOKEN in sent(talk.last)


def _keep_as_it_is(app: App) -> None:
    app.facts.add(NewFact(f"The code of the staging demo is {TOKEN}", keep_secrets=True))
