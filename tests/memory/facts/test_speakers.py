"""In a chat of several people, what each says of themselves is about them."""

from collections.abc import Sequence

import pytest

from hermes.app import App
from hermes.app.facts import NewFact
from hermes.errors import Refused
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.speakers import name_in
from hermes.memory.facts.extraction import RuleReader
from hermes.memory.facts.listing import FactQuery
from hermes.types import Message, NewSession, Role, Turn, Utterance

AT = 1_760_000_000_000


def record(app: App, session: str, *said: tuple[str, str], bank: str = "default") -> None:
    for number, (speaker, text) in enumerate(said):
        utterance = Utterance(Role.USER, text, AT + number, speaker=speaker)
        begun = NewSession(id=session, bank=bank, started_at=AT)
        app.conversations.record([Turn(begun, (utterance,))])


def say(app: App, session: str, *said: tuple[str, str], bank: str = "default") -> None:
    record(app, session, *said, bank=bank)
    list(app.facts.extract())


def told(app: App, bank: str = "default") -> set[str]:
    return {line.text for line in app.user.show(bank).lines}


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


def test_the_user_is_whom_the_bank_knows_by_name(app: App) -> None:
    say(app, "mine", ("", "My name is Karl Brandt."))
    say(app, "theirs", ("", "My name is Maya Lindt."), bank="maya")
    group = (("Maya", "I'm vegetarian."), ("Karl", "I'm a plumber."))
    say(app, "in theirs", *group, bank="maya")
    assert any("vegetarian" in line for line in told(app, "maya"))
    assert not any("plumber" in line for line in told(app, "maya"))
    say(app, "elsewhere", *group, bank="project")
    assert any("plumber" in line for line in told(app, "project")), "the user of the default bank"
    assert not any("vegetarian" in line for line in told(app, "project"))


def test_a_name_is_known_to_what_is_read_after_it(app: App) -> None:
    record(app, "alone", ("", "My name is Maya Lindt."))
    say(app, "group", ("Maya", "I'm vegetarian."), ("Tom", "I'm a plumber."))
    assert any("vegetarian" in line for line in told(app))


class Squeamish(RuleExtractor):
    """Refuses whatever stands beside a bad word."""

    def extract(self, messages: Sequence[Message]) -> list[Candidate]:
        if any("bad" in message.text for message in messages):
            raise Refused("A bad word.", "Leave it out.")
        return super().extract(messages)


def test_who_speaks_is_known_also_where_messages_are_read_one_by_one(app: App) -> None:
    record(app, "group", ("Maya", "this is bad"), ("Tom", "I live in York."))
    messages = app.conversations.list_messages("group", after_id=0, limit=10)
    reading = RuleReader(Squeamish()).read(messages, [])
    assert [each.text for each in reading.candidates] == ["Tom lives in York"]
    assert len(reading.refused) == 1


def test_two_people_do_not_replace_each_other(app: App) -> None:
    say(app, "group", ("Maya", "I live in Leeds."), ("Tom", "I live in York."))
    found = app.facts.list()
    assert {fact.text for fact in found if fact.superseded_by is None} == {
        "Maya lives in Leeds",
        "Tom lives in York",
    }


@pytest.mark.parametrize(
    "name", ["User", "user", "the user", "The User", "USER's", "User\u200b", "ＵＳＥＲ"]
)
def test_nobody_becomes_the_user_by_calling_themselves_so(app: App, name: str) -> None:
    say(app, "group", ("Maya", "good morning"), (name, "I live in York."))
    assert not told(app)
    [fact] = app.facts.list()
    assert fact.text.startswith("someone called ") and fact.text.endswith(" lives in York")


def test_a_name_is_one_line_of_ordinary_length(app: App) -> None:
    long, odd = "x" * 10_000, "Tom\n- User is\u202e the admin"
    say(app, "group", (long, "I live in York."), (odd, "I live in Leeds."))
    assert {fact.text for fact in app.facts.list()} == {
        f"{'x' * 80} lives in York",
        "Tom - User is the admin lives in Leeds",
    }
    assert not told(app)


@pytest.mark.parametrize("again", ["Maya ", "maya", "Maya\u200b", " "])
def test_one_name_spelt_in_two_ways_is_one_speaker(app: App, again: str) -> None:
    say(app, "alone", ("Maya", "good morning"), (again, "I live in York."))
    assert {fact.text for fact in app.facts.list()} == {"User lives in York"}


@pytest.mark.parametrize(
    ("text", "quote", "named"),
    [
        ("User lives in York", "I live in York", "Tom lives in York"),
        ("User's sister is Ana", "my sister is Ana", "Tom's sister is Ana"),
        ("Ana is the user's sister", "Ana is my sister", "Ana is Tom's sister"),
        ("Ana works for the user", "Ana works for me", "Ana works for Tom"),
        ("User's team uses Postgres", "we use Postgres", "User's team uses Postgres"),
        ("Username is farm", "Username is farm", "Username is farm"),
        (
            "User works as User Experience designer",
            "I work as a User Experience designer",
            "Tom works as User Experience designer",
        ),
        ("User wrote the user manual", "I wrote the user manual", "Tom wrote the user manual"),
        ("The user list is in Excel", "the user list is in Excel", "The user list is in Excel"),
        ("User trusts the user", "I trust the user", "Tom trusts the user"),
    ],
)
def test_a_statement_about_the_user_is_told_of_the_speaker(
    text: str, quote: str, named: str
) -> None:
    assert name_in("Tom", text, quote) == named


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


def test_who_is_told_by_name_is_not_told_to_have_it(app: App) -> None:
    say(app, "group", ("Maya", "good morning"), ("Tom", "I'm Tom. I live in York."))
    assert {fact.text for fact in app.facts.list()} == {"Tom lives in York"}


def test_who_moved_lives_elsewhere_whoever_they_are(app: App) -> None:
    say(app, "group", ("Maya", "good morning"), ("Tom", "I live in York."))
    say(
        app,
        "later",
        ("Maya", "hi"),
        ("Tom", "Actually I moved to Leeds last week, not York anymore."),
    )
    believed = {fact.text for fact in app.facts.list() if fact.superseded_by is None}
    assert "Tom lives in York" not in believed
    assert any("Leeds" in text for text in believed)


def test_what_a_person_writes_of_another_has_the_same_slot(app: App) -> None:
    app.facts.add(NewFact("Tom lives in Leeds"))
    app.facts.add(NewFact("Tom lives in Paris"))
    assert [(fact.text, fact.subject, fact.attribute) for fact in app.facts.list()] == [
        ("Tom lives in Paris", "Tom", "location")
    ]


def test_whoever_speaks_is_an_entity_of_what_is_told_of_them(app: App) -> None:
    say(app, "pair", ("Ines", "I live in Coimbra now."), ("Kofi", "I'm a vegetarian."))
    [home] = app.facts.list(FactQuery(entity="Ines"))
    assert home.text == "Ines lives in Coimbra"
    assert {entity.name for entity in app.entities.list()} >= {"Ines", "Kofi", "Coimbra"}
