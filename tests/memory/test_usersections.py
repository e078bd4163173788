"""What belongs into the record of the user, from what was said to what stands before a task."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.config.paths import Home
from hermes.memory.notes.request import Target
from hermes.types import NewSession, Role, Turn, Utterance

ASKED = (
    ("I always want answers in British English, remember that", "British English"),
    ("Please remember: never schedule meetings before 10am for me", "before 10am"),
    ("Remember I like my summaries short", "summaries short"),
    ("Keep in mind I can't stand small talk", "small talk"),
    ("Remember my working day ends at 16:00", "ends at 16:00"),
    ("I expect every pull request to have tests, remember this", "pull request to have tests"),
    ("For the record, I hate passive voice", "passive voice"),
    ("My preferred currency is CHF, please remember", "Preferred currency is CHF"),
    ("Make a note: I don't drink coffee", "drink coffee"),
    ("I need all dates in ISO format, please keep that in mind", "Needs all dates in ISO format"),
    ("Remember that I want invoices sent on the first of the month", "invoices sent"),
    ("Note that I prefer phone calls to email", "Prefers phone calls to email"),
    ("Don't forget that I always travel by train", "Always travels by train"),
    ("Remember that I never want to be woken before 8", "Never wants to be woken before 8"),
    ("Please remember that I am left-handed", "left-handed"),
    ("I want everything in dark mode, remember that", "Wants everything in dark mode"),
    ("Remember that I'm usually offline on Fridays", "offline on Fridays"),
    ("Remember that I got divorced last year", "divorced last year"),
    ("Please write dates as YYYY-MM-DD from now on", "write dates as YYYY-MM-DD"),
    ("From now on, answer in bullet points", "answer in bullet points"),
    ("I want you to always cite your sources", "always cite its sources"),
    ("I always want to see the diff before you commit", "the diff before Hermes commits"),
    ("I never want to see tabs in Python files", "Never wants to see tabs in Python files"),
    ("I need you to always run the tests first", "always run the tests first"),
    ("Always use metric units", "always use metric units"),
    ("Don't use emojis with me, ever", "not use emojis"),
    ("Never call me by my surname", "never call them by their surname"),
)


@contextmanager
def opened(home: Path) -> Iterator[App]:
    flags = {"memory.embeddings.provider": "none"}
    with open_app(Home(home.resolve()).profile("default"), {}, flags=flags) as app:
        yield app


def tell(app: App, said: str) -> None:
    turn = Turn(NewSession(id="chat", bank="default"), (Utterance(Role.USER, said),), key=said)
    app.conversations.record([turn])
    list(app.facts.extract("chat"))


@pytest.mark.parametrize(("said", "shown"), ASKED)
def test_what_was_asked_for_stands_before_every_task(said: str, shown: str, tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        tell(app, said)
    with opened(tmp_path) as app:
        assert shown in app.notes.snapshot()
        told = app.notes.text(Target.USER).casefold()
        assert "remember" not in told and "keep that in mind" not in told


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (
            "I work at Tarn Bridges as a civil engineer.",
            "Works at Tarn Bridges as a civil engineer",
        ),
        ("My wife Sara and I have two kids.", "People: wife Sara"),
        ("My sister Leila lives in Shiraz.", "People: sister Leila"),
        ("I eat meat again.", "Eats meat again"),
    ],
)
def test_the_record_says_what_a_sentence_says_of_the_person(
    said: str, line: str, tmp_path: Path
) -> None:
    with opened(tmp_path) as app:
        tell(app, said)
        assert f"- {line}\n" in app.notes.text(Target.USER)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("User works at Tarn Bridges as a civil engineer", "Works at Tarn Bridges as a civil"),
        ("My favourite colour is teal", "Favourite colour is teal"),
        ("I have two kids", "Has two kids"),
        ("my sister Leila lives in Shiraz", "People: sister Leila\n"),
        ("User works in London on Tuesdays", "Works in London on Tuesdays"),
    ],
)
def test_what_is_given_by_hand_is_told_in_the_third_person(
    given: str, line: str, tmp_path: Path
) -> None:
    with opened(tmp_path) as app:
        app.facts.add(NewFact(given))
        assert f"- {line}" in app.notes.text(Target.USER)
        assert next(each.text for each in app.user.show().lines).startswith(line.strip())


@pytest.mark.parametrize(
    "given", ["My card is 4111 1111 1111 1111", "User's pin: 4111111111111111"]
)
def test_what_was_only_a_secret_stands_before_no_task(given: str, tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        kept = app.facts.add(NewFact(given)).fact
        assert kept is not None and "[redacted:" in kept.text
        assert "redacted" not in app.notes.snapshot()


def test_who_is_known_as_such_is_named_once(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.facts.add(NewFact("User's sister is Leila"))
        app.facts.add(NewFact("User's sister Leila lives in Shiraz"))
        assert app.notes.text(Target.USER).count("Leila") == 1
        app.facts.forget("fact:1")
        assert "People: sister Leila" in app.notes.text(Target.USER)
        app.facts.forget("fact:2")
        assert "Leila" not in app.notes.text(Target.USER)


def test_one_town_may_be_where_one_lives_and_works(tmp_path: Path) -> None:
    with opened(tmp_path) as app:
        app.facts.add(NewFact("User lives in Lisbon"))
        app.facts.add(NewFact("User works in Lisbon"))
        assert [fact.superseded_by for fact in app.facts.list()] == [None, None]
        told = app.notes.text(Target.USER)
        assert "Location: Lisbon" in told and "Works in Lisbon" in told
