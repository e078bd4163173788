"""What a later message of the same reading speaks of as changed is left, not believed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.config.paths import Home
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.gate import EXPLICIT
from hermes.memory.facts.hindsight import Why, is_doubted, list_turns, takes_back
from hermes.memory.facts.listing import FactQuery
from hermes.types import FactKind, NewSession, Role, Turn, Utterance

AT = 1_772_442_000_000  # a Monday in March 2026
MINUTE_MS = 60_000


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    flags = {"memory.embeddings.provider": "none"}
    with open_app(Home(tmp_path).profile("default"), {}, flags=flags) as opened:
        yield opened


def say(app: App, *said: str, role: Role = Role.USER, after: int = 0) -> None:
    for number, text in enumerate(said, start=after):
        at = AT + number * 20 * MINUTE_MS
        turn = Turn(NewSession(id="s", started_at=AT), (Utterance(role, text, at),))
        app.conversations.record([turn])


def learn(app: App, *said: str) -> list[str]:
    """What is believed after these messages were read at once."""
    say(app, *said)
    list(app.facts.extract())
    return [fact.text for fact in app.facts.list()]


CRIT = "Our design crit is on Thursdays at 15:00."
CRIT_HELD = "User's design crit is on Thursdays at 15:00"


def test_what_nothing_later_speaks_of_is_believed(app: App) -> None:
    assert learn(app, CRIT, "Thanks. The printer is broken again.") == [CRIT_HELD]


@pytest.mark.parametrize(
    "later",
    [
        "The design crit is cancelled, nobody came.",
        "We skip the design crit after all.",
        "One correction, design crit is Wednesdays.",
        "scratch that",
        "Actually, no.",
    ],
)
def test_what_is_spoken_of_as_changed_is_left(app: App, later: str) -> None:
    assert CRIT_HELD not in learn(app, CRIT, later)


def test_a_no_to_what_the_assistant_says_takes_nothing_back(app: App) -> None:
    say(app, CRIT)
    say(app, "Noted. Shall I draft an invitation?", role=Role.ASSISTANT, after=1)
    say(app, "actually no", after=2)
    list(app.facts.extract())
    assert [fact.text for fact in app.facts.list()] == [CRIT_HELD]


def test_what_a_later_reading_contradicts_stays_beside_it(app: App) -> None:
    told = ("The release is on 12 June.", "The release moved. The release is on 19 June.")
    said = [Utterance(Role.USER, text, AT) for text in told]
    app.conversations.record([Turn(NewSession(id="s", started_at=AT), (each,)) for each in said])
    list(app.facts.extract())
    believed = app.facts.list()
    assert {fact.text[:25] for fact in believed} == {
        "The release is on 12 June",
        "The release is on 19 June",
    }
    assert all(fact.contradicts for fact in believed)


def test_nobody_takes_back_what_another_said(app: App) -> None:
    told = (("Ana", "The vendor call is on Mondays at 14:30."), ("Ludo", "just kidding"))
    said = [Utterance(Role.USER, text, AT, speaker=who) for who, text in told]
    app.conversations.record([Turn(NewSession(id="s", started_at=AT), (each,)) for each in said])
    list(app.facts.extract())
    assert [fact.text for fact in app.facts.list()] == ["The vendor call is on Mondays at 14:30"]


@pytest.mark.parametrize("later", ["scratch that", "Actually, no.", "just kidding"])
def test_what_is_taken_back_after_it_was_believed_goes_as_well(app: App, later: str) -> None:
    assert learn(app, CRIT) == [CRIT_HELD]
    say(app, later, after=1)
    (done,) = app.facts.extract()
    assert any("taken back" in told for told in done.refused)
    assert app.facts.list() == []
    (gone,) = app.facts.list(FactQuery(everything=True))
    assert app.facts.restore(f"fact:{gone.number}").text == CRIT_HELD


def test_what_a_joke_had_replaced_is_believed_again(app: App) -> None:
    learn(app, "I live in Lisbon.")
    say(app, "I moved from Lisbon to Porto.", after=1)
    list(app.facts.extract())
    say(app, "Just kidding", after=2)
    list(app.facts.extract())
    assert [fact.text for fact in app.facts.list()] == ["User lives in Lisbon"]


def test_only_what_rests_on_the_words_taken_back_goes(app: App) -> None:
    learn(app, "I like tea.")
    say(app, "I like chess.", "Really, I like tea.", after=1)
    list(app.facts.extract())
    say(app, "just kidding", after=3)
    list(app.facts.extract())
    assert {fact.text for fact in app.facts.list()} == {"User likes tea", "User likes chess"}


@pytest.mark.parametrize("later", ["The design crit is cancelled.", "scratch that"])
def test_what_is_left_out_is_told(app: App, later: str) -> None:
    say(app, CRIT, later)
    (done,) = app.facts.extract()
    assert any(CRIT_HELD in told and "left out" in told for told in done.refused)


def test_the_assistant_and_quoted_mail_make_nothing_unsure(app: App) -> None:
    say(app, CRIT)
    say(app, "The design crit is cancelled, then.", role=Role.ASSISTANT, after=1)
    say(app, "answer this:\n> The design crit is cancelled.\n\npolitely please", after=2)
    list(app.facts.extract())
    assert CRIT_HELD in [fact.text for fact in app.facts.list()]


def test_what_a_later_reading_supersedes_is_kept_as_history(app: App) -> None:
    told = learn(app, "I live in Lisbon.", "Update: I no longer live in Lisbon, I moved to Porto.")
    assert "User lives in Porto" in told
    assert "User lives in Lisbon" in [fact.text for fact in app.facts.list_closed("Lisbon")]


def fact(
    text: str, subject: str = "user", *signs: str, kind: FactKind = FactKind.OTHER
) -> Candidate:
    return Candidate(text, kind, subject, quote=text, message_id=1, signs=signs)


def doubts(candidate: Candidate, later: str) -> bool:
    return any(is_doubted(candidate, turn) for turn in list_turns(later))


@pytest.mark.parametrize(
    ("reading", "later"),
    [
        (fact("User has a cabin in Graça and then Évora"), "Évora is cancelled, too hot."),
        (fact("Shop is open on sundays", "Shop"), "sorry, we skip sundays after all"),
        (fact("Judo is on Tuesdays at 18:00", "judo"), "Judo got moved."),
        (fact("Judo is on Tuesdays at 18:00", "judo"), "Judo was moved to Fridays."),
        (fact("Crit stays on Thursdays", "crit"), "One correction, crit is Wednesdays."),
        (fact("The study followed 214 nurses"), "One correction: it is 241 nurses."),
        (fact("User works for Marée and Waterkant"), "I don't do Waterkant any more"),
    ],
)
def test_later_words_that_make_a_reading_unsure(reading: Candidate, later: str) -> None:
    assert doubts(reading, later)


@pytest.mark.parametrize(
    ("reading", "later"),
    [
        (fact("User has a cabin in Évora"), "Is Évora cancelled?"),
        (fact("User has a cabin in Évora"), "Now write that Évora is cancelled."),
        (fact("User works at Bosch"), "My sister no longer works at Bosch."),
        (fact("User's husband eats fish"), "I no longer eat fish."),
        (fact("User's team uses Postgres"), "We go with Postgres after all."),
        (fact("User lives in Porto"), "I'm in Porto now."),
        (fact("The tent is in the car"), "Update: the tent is red."),
        (fact("User shares the car with Anna"), "Anna changed the tyres yesterday."),
        (fact("User has 3 nodes in the basement"), "only two nodes left"),
        (fact("User has a shop for shoe repair"), "The shop is now closed on Mondays."),
        (fact("User's son trains judo"), "Judo moves around a lot."),
        (fact("User pays 900 for the lease"), "The lease ends in 2027."),
        (fact("User writes mail for the company"), "The company is leaving them."),
        (fact("Elio eats pasta", "Elio"), "Elio is with us full time now"),
        (fact("Meridian uses Go 1.22", "Meridian"), "Meridian moved to Hetzner."),
        (fact("Prod stays on Heroku until May", "prod"), "Prod is on Fly now too!"),
        (fact("User's two helpers are Merv and Anh"), "merv's retired as of today"),
        (fact("User's manager is Sofia"), "Sofia left early today."),
        (fact("User works at Lumen"), "Lumen is not cheap any more."),
        (fact("User's team uses Jenkins for CI"), "Jenkins died for an hour this morning."),
        (fact("User's printer is a Brother HL-2350"), "The printer moved to the second floor."),
        (fact("User's design crit is on Thursdays"), "The design crit is cancelled this week."),
        (fact("Judo is on Tuesdays at 18:00", "judo"), "Judo moved to the new hall."),
        (
            fact("User's partner is Idris", kind=FactKind.RELATIONSHIP),
            "Update: Idris turned the job down.",
        ),
    ],
)
def test_later_words_that_leave_a_reading_as_sure_as_it_was(reading: Candidate, later: str) -> None:
    assert not doubts(reading, later)


def test_what_is_told_as_over_is_no_less_so_when_it_is_said_again() -> None:
    gone = fact("User works for Marée and Waterkant")
    assert not doubts(replace(gone, ended=True), "I don't do Waterkant any more")


def test_what_was_asked_to_be_remembered_goes_only_if_plainly_taken_back() -> None:
    asked = fact("Judo is on Tuesdays at 18:00", "judo", EXPLICIT)
    assert not doubts(asked, "Judo got moved.")
    assert doubts(fact("User flies to Évora in May", "user", EXPLICIT), "Évora is cancelled.")


def test_each_way_to_tell_of_a_change() -> None:
    said = (
        "Évora is cancelled. Seppo stays after all. Small correction, the tent is red. "
        "The refresh got moved forward. Prod is on Fly now. Sofia left. The weather is fine."
    )
    assert [turn.why for turn in list_turns(said)] == list(Why)


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("scratch that", True),
        ("oh wait, I was wrong. Sorry!", True),
        ("nvm, not happening", True),
        ("Just kidding :)", True),
        ("nvm", False),
        ("never mind the timezone, explain SIGPIPE", False),
        ("no mushrooms please", False),
        ("I was wrong about the bus, it stops here", False),
    ],
)
def test_taking_back_what_was_said_last(said: str, is_so: bool) -> None:
    assert takes_back(said) is is_so
