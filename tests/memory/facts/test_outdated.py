"""What a later message of a conversation speaks of as changed is not held to be so any longer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.memory.facts.outdated import REASON, is_about, list_changed
from hermes.store.base import FactFilter
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_772_442_000_000  # a Monday in March 2026
MONTH_MS = 30 * 24 * 3_600_000


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    flags = {"memory.embeddings.provider": "none"}
    with open_app(Home(tmp_path).profile("default"), {}, flags=flags) as opened:
        yield opened


def say(app: App, *said: str, session: str = "s", role: Role = Role.USER) -> None:
    for number, text in enumerate(said):
        at = AT + number * MONTH_MS
        turn = Turn(NewSession(id=session, started_at=AT), (Utterance(role, text, at),))
        app.conversations.record([turn])
    list(app.facts.extract())


def ends(app: App) -> dict[str, tuple[int | None, int | None]]:
    """Each fact of the accountant, when it ended, and what took its place."""
    facts = app.store.read(lambda tx: tx.facts.list(FactFilter(), 100))
    about = [fact for fact in facts if "accountant" in fact.text]
    return {fact.text: (fact.valid_to, fact.superseded_by) for fact in about}


HELD = "User's accountant is Kerttu"
SAID = "My accountant is Kerttu."
LEFT = "Kerttu changed firms, so I do the books myself."


@pytest.mark.parametrize("together", [True, False])
def test_what_is_spoken_of_as_changed_is_closed(app: App, together: bool) -> None:
    if together:
        say(app, SAID, LEFT)
    else:
        say(app, SAID)
        say(app, LEFT)
    (end, successor) = ends(app)[HELD]
    assert end is not None
    assert successor is None
    assert HELD not in [fact.text for fact in app.facts.list()]


def test_it_is_told_why_and_can_be_opened_again(app: App) -> None:
    say(app, SAID, LEFT)
    _, changes = app.facts.history("fact:1")
    assert changes[-1].reason == REASON
    app.facts.restore("fact:1")
    assert ends(app) == {HELD: (None, None)}


@pytest.mark.parametrize(
    "later",
    [
        "Has Kerttu changed firms?",
        "Now write to Kerttu that the address changed.",
        "The gym changed hands, so I run at home.",
        "My sister changed firms, Kerttu told me.",
        "see this mail:\n> Kerttu changed firms.\n\nanswer it politely please",
    ],
)
def test_a_question_a_next_step_or_another_voice_ends_nothing(app: App, later: str) -> None:
    say(app, SAID, later)
    assert ends(app)[HELD] == (None, None)


def test_what_is_said_in_another_conversation_or_by_the_assistant_ends_nothing(app: App) -> None:
    say(app, SAID)
    say(app, LEFT, session="t")
    say(app, LEFT, role=Role.ASSISTANT)
    assert ends(app)[HELD] == (None, None)


def test_sentences_that_tell_of_a_change() -> None:
    said = "Thanks. The exam got postponed to May. Now redo the plan. Was it moved?"
    assert list_changed(said) == ["The exam got postponed to May."]


@pytest.mark.parametrize(
    ("fact", "sentence", "is_so"),
    [
        ("User works at the cinema on Fridays", "quit the cinema, so friday is free", True),
        ("User works at the museum on Fridays", "quit the cinema, so friday is free", False),
        ("User is vegetarian", "My husband is no longer vegetarian", False),
        ("User's husband is vegetarian", "My husband is no longer vegetarian", True),
        ("User's team needs 12 licences by March", "12 of them moved in March", False),
    ],
)
def test_what_a_sentence_is_about(fact: str, sentence: str, is_so: bool) -> None:
    assert is_about(fact, sentence) is is_so
