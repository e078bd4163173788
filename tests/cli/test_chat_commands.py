"""What slash commands do and say: undo and retry, resume, usage, restore and why, incognito."""

from pathlib import Path

import pytest

from chatting import open_home, say_all
from conftest import Hermes
from hermes.app.facts import NewFact
from hermes.config.paths import Home
from hermes.memory.notes.request import Target
from hermes.testing import Say, ScriptedServer

SECRET = "AKIAIOSFODNN7EXAMPLE"


def texts_sent(server: ScriptedServer) -> list[str]:
    """The last message of each request, the block of recall left out."""
    return [str(each.body["messages"][-1]["content"]) for each in server.requests]  # type: ignore[index]


def test_what_was_undone_is_shown_without_secrets(tmp_path: Path) -> None:
    said = f"my aws secret is {SECRET}"
    with ScriptedServer(lambda _: Say("Noted.")) as server, open_home(tmp_path, server) as app:
        heard = "\n".join(say_all(app, said, "/retry", "/undo"))
    assert "Taken back: my aws" in heard
    assert "Once more: my aws" in heard
    assert SECRET not in heard


def test_retry_after_undo_sends_what_was_undone(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Say("Very well.")) as server, open_home(tmp_path, server) as app:
        heard = say_all(app, "the first", "the second", "/undo", "/retry")
        sent = texts_sent(server)
    assert [text.splitlines()[-1] for text in sent] == ["the first", "the second", "the second"]
    assert sum("Taken back" in told for told in heard) == 1
    assert any("Once more: the second" in told for told in heard)


def test_what_was_undone_belongs_to_its_conversation(tmp_path: Path) -> None:
    with open_home(tmp_path) as app:
        heard = "\n".join(say_all(app, "hello", "/undo", "/new", "/retry"))
    assert "There is nothing to send again." in heard


def test_conversations_without_a_title_are_listed_by_their_first_words(tmp_path: Path) -> None:
    with open_home(tmp_path) as app:
        say_all(app, "The garden needs water.")
        heard = "\n".join(say_all(app, "/resume"))
    assert "The garden needs water." in heard
    assert "(no title)" not in heard


def test_usage_counts_the_conversation_and_not_the_process(tmp_path: Path) -> None:
    with ScriptedServer(lambda _: Say("Very well.")) as server, open_home(tmp_path, server) as app:
        heard = say_all(app, "hello", "/usage", "/new", "/usage")
    first, second = (told for told in heard if told.startswith("this conversation: "))
    assert not first.startswith("this conversation: 0 tokens in")
    assert second.startswith("this conversation: 0 tokens in")


def test_incognito_says_that_it_begins_a_conversation_and_how_to_go_back(tmp_path: Path) -> None:
    with open_home(tmp_path) as app:
        on, off = (say_all(app, *said)[-1] for said in (["/incognito"], ["/incognito"] * 2))
    assert "a new conversation" in on
    assert "A new conversation" in off
    assert "/resume last" in off


@pytest.mark.parametrize("words", ["kayak", "my red kayak"])
def test_a_fact_is_brought_back_by_the_words_it_was_forgotten_by(
    tmp_path: Path, words: str
) -> None:
    with open_home(tmp_path) as app:
        app.facts.add(NewFact("User owns a red kayak"))
        app.facts.add(NewFact("User owns a kayak rack"))
        app.facts.forget("fact:1")
        heard = say_all(app, f"/restore {words}")
    assert heard == ["Brought back: User owns a red kayak"]


def test_a_note_is_brought_back_by_its_words(tmp_path: Path) -> None:
    with open_home(tmp_path) as app:
        app.notes.add(Target.MEMORY, "The kayak lies in the boathouse.")
        heard = say_all(app, "/forget kayak", "/restore kayak", "/restore kayak")
    assert heard[1] == "Brought back: The kayak lies in the boathouse."
    assert "Nothing that was forgotten holds 'kayak'." in heard[2]


def test_restore_asks_which_where_several_hold_the_words(tmp_path: Path) -> None:
    with open_home(tmp_path) as app:
        for number, text in enumerate(("User owns a red kayak", "User sold the blue kayak"), 1):
            app.facts.add(NewFact(text))
            app.facts.forget(f"fact:{number}")
        heard = "\n".join(say_all(app, "/restore kayak"))
    assert "2 things hold 'kayak'." in heard
    assert "fact:001" in heard
    assert "fact:002" in heard


def test_why_takes_the_fact_that_answers_the_question(tmp_path: Path) -> None:
    with open_home(tmp_path, None, **{"memory.embeddings.provider": "local"}) as app:
        app.facts.add(NewFact("User moved to Gothenburg"))
        app.facts.add(NewFact("User's sister lives in Shiraz"))
        app.memory.reindex(lambda _: None)
        heard = "\n".join(say_all(app, "/why where I live", "/why sister"))
    first, second = heard.split("fact:00")[1:3]
    assert "moved to Gothenburg" in first
    assert "Shiraz" in second


def test_usage_by_model_names_the_models_first(hermes: Hermes, home: Home) -> None:
    with ScriptedServer([Say("Very well.")]) as server, open_home(home.root, server) as app:
        say_all(app, "hello")
    by_day, by_model = (hermes("usage", *more).out.split() for more in ([], ["--by-model"]))
    assert by_day[:3] == ["DAY", "ROLE", "MODEL"]
    assert by_model[:3] == ["MODEL", "ROLE", "SINCE"]
    assert "openai/m" in by_model
