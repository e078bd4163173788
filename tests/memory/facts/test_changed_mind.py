"""Whoever says that they changed their mind, in whichever words, prefers one thing and not two."""

import pytest

from hermes.app import App
from hermes.memory.facts.listing import FactQuery
from hermes.types import NewSession, Role, Turn, Utterance

AT = 1_772_442_000_000
MINUTE_MS = 60_000  # so soon that without a word of a change neither would be newer


def say(app: App, *said: str) -> None:
    """Each in a conversation of its own, a minute after the one before."""
    for number, text in enumerate(said):
        turn = Turn(
            NewSession(id=f"s{number}"), (Utterance(Role.USER, text, AT + number * MINUTE_MS),)
        )
        app.conversations.record([turn])
        list(app.facts.extract(f"s{number}"))


def lines(app: App) -> str:
    return "\n".join(line.text for line in app.user.show().lines)


TEA = [
    "I prefer black tea now.",
    "I now prefer black tea.",
    "Actually I prefer black tea.",
    "Actually I prefer black tea now, not green tea.",
    "Actually, I prefer black tea, not green.",
    "Correction: I prefer black tea.",
    "Correction: I prefer black tea, not green tea.",
    "I changed my mind: I prefer black tea.",
    "I've changed my mind, I prefer black tea.",
    "These days I prefer black tea.",
    "Nowadays I prefer black tea.",
    "I prefer not green tea but black tea.",
    "I prefer black tea instead of green tea.",
    "I prefer black tea rather than green tea.",
    "I switched to black tea.",
    "I switched from green tea to black tea.",
    "I went back to black tea.",
    "I've gone from green tea to black tea.",
    "Scratch that, I prefer black tea.",
    "Scratch that. I prefer black tea.",
    "On second thought, I prefer black tea.",
    "I was wrong about green tea, I prefer black tea.",
    "I was wrong about green tea. I prefer black tea.",
    "I was wrong: I prefer black tea.",
    "Sorry, I prefer black tea, not green tea.",
    "Wait, I prefer black tea.",
    "I take that back, I prefer black tea.",
    "Update: I prefer black tea.",
    "I prefer black tea from now on.",
    "I no longer prefer green tea, I prefer black tea.",
    "I don't drink green tea anymore, I prefer black tea.",
]


@pytest.mark.parametrize("words", TEA)
def test_of_one_kind_of_thing_the_new_one_is_preferred(app: App, words: str) -> None:
    say(app, "I prefer green tea.", words)
    told = lines(app)
    assert "black tea" in told
    assert "Prefers green tea" not in told
    closed = [f.text for f in app.facts.list(FactQuery(everything=True)) if f.superseded_by]
    assert "User prefers green tea" in closed


@pytest.mark.parametrize(
    "words",
    [
        "I changed my mind: I prefer light mode",
        "Changed my mind, I prefer light mode.",
        "On second thoughts I prefer light mode.",
        "I prefer light mode now.",
        "These days I prefer light mode.",
        "Correction: I prefer light mode, not dark mode.",
        "I switched to light mode.",
        "I went back to light mode.",
        "I prefer light mode instead of dark mode.",
        "I was wrong about dark mode: I prefer light mode.",
        "Scratch that, I prefer light mode.",
    ],
)
def test_a_minute_later_nothing_disagrees(app: App, words: str) -> None:
    say(app, "I prefer dark mode.", words)
    told = lines(app)
    assert "Prefers light mode" in told
    assert "disagree" not in told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I prefer green tea.", "I also prefer black tea now."),
        ("I prefer green tea.", "I prefer black coffee now."),
        ("I prefer green tea.", "I prefer window seats now."),
        ("I prefer green tea.", "I prefer small cars these days, not too expensive."),
        ("I like green tea.", "I like black tea now."),
        ("I prefer green tea.", "My sister prefers black tea now."),
        ("I prefer green tea.", "I bought black tea, not because I like it."),
        ("I prefer green tea.", "Should I switch to black tea?"),
        ("I prefer green tea.", "I might switch to black tea one day."),
    ],
)
def test_what_is_not_taken_back_stands(app: App, before: str, after: str) -> None:
    say(app, before, after)
    assert "green tea" in lines(app)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I prefer short meetings.", "Actually I prefer early meetings."),
        ("I prefer short meetings.", "I prefer early meetings now."),
        ("I prefer short meetings.", "Correction: I prefer remote meetings."),
        ("I prefer small cars.", "I prefer cheap cars these days."),
        ("I prefer black coffee.", "Actually I prefer strong coffee."),
        ("I prefer green tea in the morning.", "I prefer black tea in the evening now."),
        ("I prefer green tea.", "I prefer black tea in the evening now."),
    ],
)
def test_what_can_hold_beside_it_stands(app: App, before: str, after: str) -> None:
    say(app, before, after)
    assert before.removeprefix("I prefer ").rstrip(".") in lines(app)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I prefer green tea in the morning.", "I prefer black tea in the morning now."),
        ("I prefer short weekly meetings.", "Actually I prefer long weekly meetings."),
        ("I prefer Darjeeling tea.", "I prefer Assam tea now."),
        ("I prefer morning meetings.", "Actually I prefer late meetings."),
    ],
)
def test_of_one_measure_one_holds(app: App, before: str, after: str) -> None:
    say(app, before, after)
    assert before.removeprefix("I prefer ").rstrip(".") not in lines(app)


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("I like coffee.", "I like tea, not coffee.", "Likes: coffee"),
        ("I use Vim.", "We use Helix now, not Vim.", "Vim"),
        ("I prefer short meetings.", "Actually I prefer long meetings.", "short meetings"),
    ],
)
def test_what_is_denied_in_the_same_breath_is_gone(
    app: App, before: str, after: str, gone: str
) -> None:
    say(app, before)
    assert gone in lines(app)
    say(app, before, after)
    assert gone not in lines(app)
