"""Only what is asserted is read: not what is likened, asked, made up, or wanted for one task."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.days import find_day
from hermes.memory.facts.clauses.reader import read_text
from hermes.memory.facts.clauses.stance import is_likened
from hermes.types import Confidence

AT = parse_time("2026-05-08T09:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "now like i'm a CTO with 10 minutes and no patience",
        "explain it as if I were a nurse at Charité",
        "anybody has the wifi pw of the new office",
        "in my story the detective, Hal, is left handed and hates tea",
        "yes. treasurer signs, that's Birgitta Moe",
        "moving day in the repo: everything under /legacy gets deleted on friday",
        "read the exit interview and tell me the mood, don't quote names",
        "don't put my number on the sign",
        "pls stop asking me",
        "iOS only so far, written in Swift",
        "I was born under the sea, sings the seal. I work as a lamp keeper, says the grandfather.",
        "My code says my name is test.",
        "My script says I live in Oslo.",
        "Example: my email is foo@bar.com",
        "Sample input: I live in Oslo and work at Acme",
        "The placeholder text is: I'm a nurse from Oslo.",
        "e.g. my name is Bob",
        "For the sake of argument, I'm vegan.",
        "I'm vegan, for argument's sake.",
        "for the demo, my name is Jane Doe and I live in Springfield",
        "I am your father",
    ],
)
def test_nothing_is_read_where_nothing_is_asserted(text: str) -> None:
    assert [each.text for each in read_text(text, AT)] == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm a nurse at Charité",
        "it's Priyanka from the Leeds depot",
        "repo: github.com/osprey/core",
        "don't use emojis",
        "never put my number on the sign",
        "stop asking me follow-up questions",
        "Fairphone 5, running Android 14",
        "My doctor says I'm lactose intolerant.",
        "We keep the sample data in S3.",
        "The template repo is github.com/acme/tpl.",
        "For the sake of argument, we use MySQL. I live in Oslo.",
        "Here's an example: I live in Oslo.\n\nMy real name is Kim.",
    ],
)
def test_what_is_asserted_next_to_it_is_read(text: str) -> None:
    assert read_text(text, AT)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm now Staff Engineer at Lumen Grid", "User is now Staff Engineer at Lumen Grid"),
        ("I'm Senior Designer at Figment.", "User is Senior Designer at Figment"),
        ("I'm Anna Baker, a nurse in Leeds.", "User's name is Anna Baker"),
    ],
)
def test_a_title_is_no_name_and_a_name_no_title(text: str, told: str) -> None:
    assert told in [each.text for each in read_text(text, AT)]


def test_it_puts_no_person_right() -> None:
    said = "We're off to Japan with my partner Jonas. Actually, it's South Korea, not Japan."
    assert "User's partner is South Korea" not in [each.text for each in read_text(said, AT)]


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("like i'm five", True),
        ("as though we had a choice", True),
        ("like I said, I'm a nurse", False),
        ("I like we have a garden", False),
        ("I would like you are there", False),
    ],
)
def test_a_likeness_is_told_from_a_liking(text: str, is_so: bool) -> None:
    assert is_likened(text) is is_so


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("minor corrections, due in three months", "2026-08-08"),
        ("in 9 months", "2027-02-08"),
        ("offsite is 24-25 september", "2026-09-24"),
        ("the 3 – 5 June retreat", "2026-06-03"),
        ("in two weeks", "2026-05-22"),
    ],
)
def test_days_are_counted_and_ranges_begin_with_their_first(text: str, day: str) -> None:
    found = find_day(text, AT)
    assert found is not None
    assert found.iso == day


def test_a_month_without_such_a_day_ends_earlier() -> None:
    found = find_day("in six months", parse_time("2026-08-31T09:00:00Z"))
    assert found is not None
    assert found.iso == "2027-02-28"


@pytest.mark.parametrize(
    "text", ["install is 27 May", "moving day is 13 november", "discovery cutoff is June 12"]
)
def test_a_thing_of_which_only_its_day_is_told_falls_on_it(text: str) -> None:
    [fact] = read_text(text, AT)
    assert fact.kind == "deadline"
    assert fact.valid_from is not None


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("also they/them", "pronouns", "they/them"),
        ("I use she / her", "pronouns", "she/her"),
        ("boss is Henrike Solberg", "manager", "Henrike Solberg"),
        ("I am allergic against penicillin", "allergy", "penicillin"),
        ("I changed from Chrome to Vivaldi last weekend", "browser", "Vivaldi"),
        ("our docs moved to Notion", "docs: docs", "Notion"),
        ("Dear assistant, I live in Ludlow", "location", "Ludlow"),
    ],
)
def test_plain_forms_are_read(text: str, attribute: str, value: str) -> None:
    assert [(each.attribute, each.value) for each in read_text(text, AT)] == [(attribute, value)]


@pytest.mark.parametrize("text", ["her pronouns are she/her", "Dear Tom, I live in Ludlow"])
def test_what_is_of_others_is_not(text: str) -> None:
    assert read_text(text, AT) == []


def test_a_contract_that_runs_until_a_day_ends_then() -> None:
    [fact] = read_text("support contract with Oakline runs until 31 December", AT)
    assert (fact.kind, fact.value) == ("deadline", "2026-12-31")


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I live in Ludlow. Can you help?", "message:task"),
        ("I live in Ludlow\n```\nx = 1\n```", "message:pasted"),
        ("I live in Ludlow\n- milk and eggs\n- more bread\n- some cheese", "message:list"),
    ],
)
def test_the_kind_of_message_is_a_sign(text: str, sign: str) -> None:
    assert sign in read_text(text, AT)[0].signs
    assert sign not in read_text("I live in Ludlow", AT)[0].signs


@pytest.mark.parametrize(
    "text",
    [
        "I love how you use it to tell your stories and teach people about art",
        "I love all the yellow leaves",
        "I'm no writer like you",
        "Let's keep each other going",
        "Love and acceptance really can be found everywhere",
        "belief in its success is driving me",
        "I got mentored by this amazing business dude yesterday",
    ],
)
def test_small_talk_between_people_is_no_fact(text: str) -> None:
    assert [each.text for each in read_text(text, AT)] == []


@pytest.mark.parametrize(
    "answer", ["Thanks, Nate!", "Hey Nate, Porto!", "So sorry to hear that", "Porto is lovely"]
)
def test_what_is_said_to_who_asked_is_no_answer(answer: str) -> None:
    assert read_text(answer, AT, question="Where do you live?") == []


def test_the_missing_word_is_an_answer() -> None:
    assert [each.value for each in read_text("Porto", AT, question="Where do you live?")] == [
        "Porto"
    ]


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("I am Groot", False),
        ("I'm Tom.", False),
        ("Hi, I'm Tom.", True),
        ("I'm Tom, by the way.", True),
        ("I'm Nadia, a nurse in Leeds.", True),
        ("My name is Tom.", True),
    ],
)
def test_a_name_that_nothing_announces_takes_the_place_of_none(text: str, sure: bool) -> None:
    named = next(each for each in read_text(text, AT) if each.attribute == "name")
    assert (named.single, named.confidence is Confidence.HIGH) == (sure, sure)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Call me Kat.", "nickname"),
        ("I go by Kat.", "nickname"),
        ("My name is Kat.", "name"),
        ("I'm in CET.", "timezone"),
        ("I'm in UTC+2.", "timezone"),
        ("I'm in Leeds.", "location"),
    ],
)
def test_what_is_told_of_oneself_is_filed_as_what_it_is(text: str, attribute: str) -> None:
    assert [each.attribute for each in read_text(text, AT)] == [attribute]
