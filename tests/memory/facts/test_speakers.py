"""In a chat of several people, what each says of themselves is about them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.memory.facts.clauses.speakers import name_in
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_760_000_000_000
NO_VECTORS = {"memory.embeddings.provider": "none"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with open_app(Home(tmp_path).profile("default"), {}, flags=NO_VECTORS) as opened:
        yield opened


def say(app: App, session: str, *said: tuple[str, str]) -> None:
    for number, (speaker, text) in enumerate(said):
        utterance = Utterance(Role.USER, text, AT + number, speaker=speaker)
        app.conversations.record([Turn(NewSession(id=session, started_at=AT), (utterance,))])
    list(app.facts.extract())


def told(app: App) -> set[str]:
    return {line.text for line in app.user.show().lines}


def test_only_what_the_user_says_of_themselves_is_in_their_record(app: App) -> None:
    say(app, "alone", ("", "My name is Maya Lindt."))
    say(app, "group", ("Maya", "I'm vegetarian."), ("Tom", "I'm a plumber. I live in York."))
    of_user, texts = " ".join(told(app)), {fact.text for fact in app.facts.list()}
    assert "vegetarian" in of_user
    assert "York" not in of_user and "plumber" not in of_user
    assert "Tom lives in York" in texts


def test_who_spoke_before_is_remembered_when_more_is_said(app: App) -> None:
    say(app, "group", ("Maya", "good morning"), ("Tom", "hi"))
    say(app, "group", ("Tom", "I live in York."))
    assert {fact.text for fact in app.facts.list()} == {"Tom lives in York"}


def test_two_people_do_not_replace_each_other(app: App) -> None:
    say(app, "group", ("Maya", "I live in Leeds."), ("Tom", "I live in York."))
    found = app.facts.list()
    assert {fact.text for fact in found if fact.superseded_by is None} == {
        "Maya lives in Leeds",
        "Tom lives in York",
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("User lives in York", "Tom lives in York"),
        ("User's sister is Ana", "Tom's sister is Ana"),
        ("Ana is the user's sister", "Ana is Tom's sister"),
        ("User's team uses Postgres", "User's team uses Postgres"),
        ("Username is farm", "Username is farm"),
    ],
)
def test_a_statement_about_the_user_is_told_of_the_speaker(text: str, named: str) -> None:
    assert name_in("Tom", text) == named


def test_what_one_says_of_a_thing_the_other_may_put_right(app: App) -> None:
    say(
        app,
        "group",
        ("Mirela", "The code freeze is on the 12th of December."),
        ("Tim", "The code freeze moves to the 15th of December."),
    )
    freeze = [fact for fact in app.facts.list() if "freeze" in fact.text]
    assert [fact.text[:33] for fact in freeze if fact.superseded_by is None] == [
        "The code freeze moves to the 15th"
    ]
