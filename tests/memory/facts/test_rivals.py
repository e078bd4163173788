"""Two values close each other only where both are said of one thing that has one at a time."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes.app import App, open_app
from hermes.app.facts import NewFact
from hermes.clock import DAY_MS, FixedClock, parse_time
from hermes.config.paths import read_home
from hermes.memory.facts.decide import Verdict
from hermes.memory.facts.listing import FactQuery
from hermes.types import Fact, NewSession, Role, Turn, Utterance


class Talk:
    """Sessions of one user, each read as soon as it is said."""

    def __init__(self, app: App, clock: FixedClock) -> None:
        self.app, self.clock, self.count = app, clock, 0

    def say(self, *texts: str, at: str = "", days: int = 3) -> None:
        for text in texts:
            self.count += 1
            when = parse_time(at) if at else self.clock.now()
            told = (Utterance(Role.USER, text, at=when),)
            session = NewSession(id=f"s{self.count}", bank="default")
            self.app.conversations.record([Turn(session, told)])
            list(self.app.facts.extract())
            self.clock.advance(days * DAY_MS)

    def facts(self) -> list[Fact]:
        return list(reversed(self.app.facts.list(FactQuery(everything=True))))

    def closed(self) -> list[str]:
        return [fact.text for fact in self.facts() if fact.superseded_by is not None]

    def at(self, day: str) -> list[str]:
        return [fact.text for fact in self.app.facts.list(FactQuery(as_of=parse_time(day)))]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    clock = FixedClock("2026-03-02T09:00:00+00:00")
    home = read_home({}, str(tmp_path))
    with open_app(home.profile("default"), {"HOME": str(tmp_path)}, clock=clock) as app:
        yield Talk(app, clock)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My passport expires on 4 May 2027.", "My wife's passport expires on 9 June 2028."),
        ("My visa expires on 4 May 2027.", "My son's visa expires on 9 June 2028."),
        ("My wife's passport expires on 9 June 2028.", "My passport expires on 4 May 2027."),
        ("My exam is on 4 May.", "My brother's exam is on 9 June."),
        ("My wedding is on 4 May.", "My sister's wedding is on 9 June."),
        ("My dentist appointment is on 4 May.", "Leila's dentist appointment is on 9 June."),
        ("The report is due on 20 March.", "Anna's report is due on 25 March."),
        ("The report is due on 20 March.", "Anna's report is now due on 25 March."),
        ("My exam is on 4 May.", "My brother's exam moved to 9 June."),
    ],
)
def test_what_is_somebody_elses_is_another_thing(talk: Talk, first: str, then: str) -> None:
    talk.say(first, then)
    assert len(talk.facts()) == 2
    assert talk.closed() == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The invoice is due on 20 March.", "The hosting invoice is due on 25 March."),
        ("The hosting invoice is due on 20 March.", "The invoice is due on 25 March."),
        ("The standup is at 9:30.", "The design standup is at 11."),
        ("The Atlas deadline is 20 March.", "The Atlas beta deadline is 5 April."),
        ("The launch is on 20 March.", "The launch of the mobile app is on 5 April."),
        ("My laptop is a ThinkPad X1.", "My work laptop is a MacBook Pro."),
        ("My teacher is Jana.", "My piano teacher is Udo."),
    ],
)
def test_a_qualifier_makes_it_another_thing(talk: Talk, first: str, then: str) -> None:
    talk.say(first, then)
    assert len(talk.facts()) == 2
    assert talk.closed() == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I work at Lumen.", "I also work part-time at a bakery called Kruste."),
        ("I work at Lumen.", "On weekends I work at Acme."),
        ("I'm a nurse.", "I'm a barista on weekends."),
        ("I work as a nurse.", "As a side job I work as a barista."),
        ("I live in Berlin.", "During the week I live in Hamburg."),
        ("During the week I live in Hamburg.", "I live in Berlin."),
        ("I live in Berlin.", "In the winter I live in Lisbon."),
        ("I study physics.", "I study Spanish in the evenings."),
    ],
)
def test_one_more_is_not_the_new_one(talk: Talk, first: str, then: str) -> None:
    talk.say(first, then)
    assert len(talk.facts()) == 2
    assert talk.closed() == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I study physics.", "I study chemistry."),
        ("I teach maths.", "I teach physics."),
        ("I'm a software engineer.", "I'm a volunteer firefighter."),
        ("I'm a designer.", "I'm a dad of two."),
        ("I'm a nurse.", "I'm a mother now."),
        ("I'm vegan.", "I'm lactose intolerant."),
        ("I'm vegetarian.", "I eat fish on Fridays."),
        ("I live in Berlin.", "I live in Germany."),
        ("I live in Germany.", "I live in Berlin."),
        ("I live in Berlin.", "I live in Kreuzberg."),
        ("I live in Berlin.", "I'm based in Europe."),
        ("My name is Katarina.", "Call me Kat."),
    ],
)
def test_what_can_both_hold_stands_side_by_side(talk: Talk, first: str, then: str) -> None:
    talk.say(first, then)
    assert len(talk.facts()) == 2
    assert talk.closed() == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I live in Berlin.", "I live in Porto."),
        ("I live in Berlin.", "I moved to Porto in the winter."),
        ("I live in Berlin.", "I moved to Portugal."),
        ("I live in Germany.", "I live in Portugal."),
        ("I work at Lumen.", "I work at Acme."),
        ("I'm a nurse.", "I'm a teacher now."),
        ("I study physics.", "I switched from physics to chemistry."),
        ("I'm vegan.", "I'm no longer vegan, I eat fish now."),
        ("My passport expires on 4 May 2027.", "My passport expires on 9 June 2028."),
        ("My wife's passport expires on 4 May 2027.", "My wife's passport expires on 9 June 2028."),
        ("My laptop is a ThinkPad X1.", "My new laptop is a MacBook Pro."),
        ("The launch is on 20 March.", "We pushed the launch of Atlas to 5 April."),
    ],
)
def test_a_new_value_of_the_same_thing_closes_the_old(talk: Talk, first: str, then: str) -> None:
    talk.say(first)
    [old] = talk.facts()
    talk.say(then)
    assert old.text in talk.closed()


def test_what_is_added_by_hand_for_weekends_closes_nothing(talk: Talk) -> None:
    talk.app.facts.add(NewFact("User works at Lumen"))
    talk.clock.advance(DAY_MS)
    kept = talk.app.facts.add(NewFact("User works at Acme on weekends"))
    assert (kept.verdict, kept.others) == (Verdict.ADD, ())


@pytest.mark.parametrize(
    "texts",
    [
        ("My birthday is 3 May.", "I was born on May 3rd.", "My birthday is on the third of May."),
        ("My birthday is 3 May 1990.", "My birthday is May 3rd."),
        ("The report is due on 20 March.", "The report's deadline is March 20."),
        ("I work at Lumen.", "My employer is Lumen.", "I'm employed by Lumen."),
        ("I'm allergic to nuts.", "I have a nut allergy."),
        ("I prefer dark mode.", "I like dark mode best."),
    ],
)
def test_the_same_in_other_words_is_one_fact(talk: Talk, texts: tuple[str, ...]) -> None:
    talk.say(*texts)
    [fact] = talk.facts()
    assert len(fact.sources) == len(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ("My birthday is 3 May.", "My birthday is 4 May."),
        ("I'm allergic to nuts.", "I have a cat allergy."),
        ("I prefer dark mode.", "I like small fonts best."),
    ],
)
def test_another_value_is_no_repetition(talk: Talk, texts: tuple[str, ...]) -> None:
    talk.say(*texts)
    assert len(talk.facts()) == 2


LATE = "2025-01-01T09:00:00Z"


def test_a_correction_closes_only_what_was_said_before_it(talk: Talk) -> None:
    talk.say("I live in Lisbon.", at="2026-03-01T09:00:00Z")
    talk.say("Actually, I live in Berlin.", at=LATE)
    lisbon, berlin = talk.facts()
    assert (lisbon.superseded_by, lisbon.valid_to) == (None, None)
    assert (berlin.superseded_by, berlin.valid_to) == (lisbon.id, lisbon.valid_from)


def test_an_end_told_before_what_is_believed_is_history(talk: Talk) -> None:
    talk.say("I work at Lumen.", at="2026-03-01T09:00:00Z")
    talk.say("I no longer work at Lumen.", at=LATE)
    works, ended = talk.facts()
    assert works.superseded_by is None
    assert ended.superseded_by == works.id


BERLIN = ("I live in Berlin.", LATE)
MUNICH = ("I moved from Berlin to Munich.", "2025-06-01T09:00:00Z")
AGAIN = ("I live in Berlin.", "2025-03-01T09:00:00Z")


@pytest.mark.parametrize(
    "told", [(BERLIN, MUNICH), (MUNICH, BERLIN), (BERLIN, MUNICH, AGAIN), (BERLIN, AGAIN, MUNICH)]
)
def test_history_is_closed_against_history(talk: Talk, told: tuple[tuple[str, str], ...]) -> None:
    talk.say("I live in Lisbon.", at="2026-03-01T09:00:00Z")
    for text, at in told:
        talk.say(text, at=at)
    assert talk.at("2025-05-01") == ["User lives in Berlin"]
    assert talk.at("2025-12-01") == ["User lives in Munich"]
    assert talk.at("2026-03-02") == ["User lives in Lisbon"]


@pytest.mark.parametrize("stays", ["Berlin", "Porto"])
def test_what_is_said_again_later_settles_a_contradiction(talk: Talk, stays: str) -> None:
    talk.say("I live in Berlin.", "I live in Porto.", days=0)
    first, second = talk.facts()
    assert first.contradicts == (second.id,)
    talk.clock.advance(10 * DAY_MS)
    talk.say(f"I live in {stays}.")
    [fact] = [each for each in talk.facts() if each.superseded_by is None]
    assert fact.text == f"User lives in {stays}"
    assert "disagree" not in talk.app.paths.user_note.read_text()


def test_a_contradiction_is_not_settled_in_the_same_breath(talk: Talk) -> None:
    talk.say("I live in Berlin.", "I live in Porto.", "I live in Porto.", days=0)
    assert talk.closed() == []
