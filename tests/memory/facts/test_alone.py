"""A reading stands by itself, and "we" is called a team only where work is spoken of."""

import time

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.alone import NEARBY, Heard, stand_alone
from hermes.memory.facts.clauses.passing import is_passing
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.tools import find_purpose
from hermes.memory.facts.clauses.topics import find_topic
from hermes.memory.facts.clauses.us import Around, name_us
from hermes.memory.facts.clauses.wellformed import is_garbled
from hermes.types import FactKind, Message, Role

AT = parse_time("2026-03-02T09:00:00Z")


def read(*texts: str) -> list[str]:
    messages = [Message(n, "s", n, AT, Role.USER, text) for n, text in enumerate(texts, start=1)]
    return [each.text for each in RuleExtractor(judge=lambda each, _: each).extract(messages)]


def reading(text: str, quote: str = "") -> Candidate:
    return Candidate(text, FactKind.ENVIRONMENT, quote=quote or text)


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("Budget is 9k", "we renovate, well, the kitchen", "Kitchen: Budget is 9k"),
        ("Venue is the old mill", "planning our wedding", "Wedding: Venue is the old mill"),
        ("Hand-in is 3 June", "my thesis is a mess", "Thesis: Hand-in is 3 June"),
        ("Source is MySQL 5.7", "the migration begins", "Migration: Source is MySQL 5.7"),
        ("Next book is Solaris", "for the book club", "Book club: Next book is Solaris"),
        ("Mine is a DS220", "which NAS, you ask", "User's nas is a DS220"),
        ("Retention is 3 days", "we log into Kafka", "Kafka: Retention is 3 days"),
        ("Passport expires 3 June", "", "User's passport expires 3 June"),
        ("Boss is Henrik Dahl", "the launch went well", "User's boss is Henrik Dahl"),
        ("User's team pairs on Fridays here", "", "User's team pairs on Fridays"),
    ],
)
def test_a_part_is_told_with_what_it_is_a_part_of(text: str, before: str, expected: str) -> None:
    found = stand_alone(reading(text), Heard(f"{before}. {text}"))
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    "text",
    [
        "Budget is 9k",
        "Submission is 4 May (due 2026-05-04)",
        "Both signed until June",
        "The other one is in Graz",
        "They want the logs by June",
        "User's team keeps the Galway one",
        "User is still the treasurer there",
        "Copy is due the Friday before",
        'Asked "What is wrong with it?", User answered: second year law',
    ],
)
def test_what_nobody_could_understand_later_is_left(text: str) -> None:
    assert stand_alone(reading(text), Heard("ok so")) is None


def test_a_pronoun_without_a_noun_before_it_is_left() -> None:
    told = reading("User looks for it every summer", "I look for it every summer")
    assert stand_alone(told, Heard("the key")) is None


@pytest.mark.parametrize(
    "text",
    [
        "The code freeze for 9.1 is on 4 June",
        "Half marathon is on 20 September",
        "REST stays",
        "The grant report is due on 3 May",
        "Deadline for the tender is 3 May",
        "User does not like it when Hermes hedges",
        "The middle one Leo is allergic to nuts",
        "Kafka: Retention is 3 days",
        'Asked "Which city do you live in?", User answered: Tartu',
        "The Cork depot closes on 30 September",
        "Reverse proxy is Caddy",
        "User's wife loves her job",
    ],
)
def test_what_says_enough_is_left_as_it_is(text: str) -> None:
    assert stand_alone(reading(text), Heard("the wedding")) == reading(text)


@pytest.mark.parametrize(
    ("quote", "message", "expected"),
    [
        ("we moved near our daughter", "", "User's family"),
        ("we rehearse on Mondays", "i play drums in a band", "User's band"),
        ("we meet at Ola's", "for the book club", "User's book club"),
        ("we open at nine", "i have a small bakery in Łódź", "User's bakery"),
        ("we play every second Sunday", "our d&d notes", "User's gaming group"),
        ("we use Postgres", "my wife asked", "User's team"),
        ("we deploy on Mondays", "", "User's team"),
        ("we live in Graz", "", "User (with others)"),
        ("Zorro it is", "Zorro it is", "User"),
        ("my team meets on Mondays", "", "User's team"),
    ],
)
def test_only_work_makes_a_team(quote: str, message: str, expected: str) -> None:
    told = name_us(reading("User's team does so", quote), Around(message), in_team=False)
    assert told.text == f"{expected} does so"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [("we ditched Capistrano", "User's team"), ("we skip the tour", "User (with others)")],
)
def test_what_was_said_before_counts_where_it_named_the_same(quote: str, expected: str) -> None:
    around = Around(quote, ["we deploy the site with Capistrano", "my wife asked"])
    told = name_us(reading("User's team does so", quote), around, in_team=False)
    assert told.text == f"{expected} does so"


def test_in_a_chat_of_colleagues_we_are_the_team() -> None:
    assert name_us(reading("User's team keeps it", "we keep it"), Around(), in_team=True).text == (
        "User's team keeps it"
    )


def test_what_was_said_before_makes_no_family_of_us() -> None:
    said = ["my husband thinks I should franchise lol", "we dropped Stainer, they were always late"]
    chat = [Message(n, "s", n, AT, Role.USER, text) for n, text in enumerate(said, 1)]
    found = RuleExtractor(judge=lambda each, _: each).extract(chat)
    told = [each.text for each in found if "dropped" in each.text]
    assert told and not any("family" in text for text in told)


def test_a_topic_is_looked_for_nearby_only() -> None:
    said = f"the kitchen{' and so on' * NEARBY}. Budget is 9k"
    assert stand_alone(reading("Budget is 9k"), Heard(said)) is None


def test_a_line_of_marks_takes_no_time() -> None:
    started = time.monotonic()
    assert find_purpose("." * 100_000) == ""
    assert time.monotonic() - started < 5


def test_what_is_ours_is_the_users_where_there_is_no_team() -> None:
    told = name_us(reading("User's team's oven is new", "our oven is new"), Around(), in_team=False)
    assert told.text == "User's oven is new"


def test_the_topic_named_last_is_meant_and_never_the_one_that_is_told() -> None:
    texts = ["after the wedding comes the trip", "the thesis"]
    assert find_topic(texts, besides="") == "trip"
    assert find_topic(texts, besides="Budget of the trip") == "wedding"
    assert find_topic(["nothing much"], besides="") == ""


def test_the_topic_comes_from_an_earlier_message() -> None:
    found = read("we are getting married in June 2027", "budget is 12k at most")
    assert "Wedding: Budget is 12k at most" in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User moved to Brno last week", "User moved to Brno last week (said 2026-03-02)"),
        ("User's son was born on Tuesday", "User's son was born on Tuesday (said 2026-03-02)"),
        ("User trains on Tuesdays", "User trains on Tuesdays"),
        ("User sings on Friday nights", "User sings on Friday nights"),
        (
            "User starts at Orlo on Monday (on 2026-03-09)",
            "User starts at Orlo on Monday (on 2026-03-09)",
        ),
    ],
)
def test_a_day_that_was_clear_only_then_comes_with_the_day_of_saying(
    text: str, expected: str
) -> None:
    found = stand_alone(reading(text), Heard("", at=AT))
    assert found is not None
    assert found.text == expected


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Blight got them three years running", "blight got them three years running"),
        ("User is taking over the files from him", "I'm taking over the files from him"),
        ("User hates u", "i hate u"),
        ("Sunday is on Ruth and Naomi", "Sunday is on Ruth and Naomi"),
        ("Marble is now officially Marble", "she's now officially Marble"),
        ("User's team is going with the", "we're going with the"),
        ("User is working for an them company", "I work for an US company"),
        ("User started the job no not started they start", "I started the job no not started"),
        ("User's team owns five", "we own five"),
    ],
)
def test_no_sentence_no_reading(text: str, quote: str) -> None:
    value = text.rsplit(maxsplit=1)[-1]
    told = Candidate(text, FactKind.OTHER, quote=quote, value=value)
    assert stand_alone(told, Heard(quote)) is None


def test_what_is_taken_back_at_once_is_left() -> None:
    told = reading("Edie doesn't eat anything beige", "she doesn't eat anything beige")
    heard = Heard("and she doesn't eat anything beige... I mean ONLY beige")
    assert stand_alone(told, heard) is None
    assert stand_alone(told, Heard("and she doesn't eat anything beige, really")) == told


def test_a_hollow_deed_is_told_of_what_was_spoken_of() -> None:
    told = reading("User hosts in October", "I host in October")
    found = stand_alone(told, Heard("Our book club meets. I host in October"))
    assert found is not None
    assert found.text == "Book club: User hosts in October"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("my physio (Callum) gave me four exercises", "User's physio is Callum"),
        ("my gf Paloma and I went out", "User's girlfriend is Paloma"),
        ("my cats Miso and Ponzu have eaten", "User's cats Miso and Ponzu have eaten"),
        (
            "we are four (husband Jan, kids Ola 11 and Tim 8)",
            "User's family is four (husband Jan, kids Ola 11 and Tim 8)",
        ),
        (
            "My agent, Odile Marchetti, wants a draft",
            "User's agent Odile Marchetti wants a draft",
        ),
        ("my daughter's allergic to cashews", "User's daughter is allergic to cashews"),
        ("I live on the 4th floor with no lift", "User lives on the 4th floor with no lift"),
        ("I'm retraining as a piano tuner", "User is retraining as a piano tuner"),
        ("I had knee surgery in 2024", "User had knee surgery in 2024"),
        ("always correct me please", "User wants Hermes to always correct them"),
        ("pls answer in short sentences", "User wants Hermes to answer in short sentences"),
        ("I don't want emojis in anything you write", "User wants no emojis in what Hermes writes"),
        ("I quit sugar in January", "User quit sugar in January"),
        ("I'm in New Zealand not the US", "User is in New Zealand not the US"),
        ("I was born in 1984 so what generation am I", "User was born in 1984"),
        ("the printer at home is 192.168.7.40", "The printer at home is 192.168.7.40"),
        ("Ines takes over support from me in May", "Ines takes over support from the user in May"),
        ("Im Rafael, 34, sound engineer", "User is 34 years old"),
        ("vlan 20 = iot, vlan 30 = guests", "Vlan 30 = guests"),
    ],
)
def test_plain_facts_in_everyday_words(said: str, expected: str) -> None:
    assert expected in read(said)


@pytest.mark.parametrize(
    "said",
    [
        "they said 'we use Shopify and our warehouse is in Tilburg'",
        "// my favourite color is teal",
        "I'd like a template for quotes",
        "my favourite composer is Arvo Pärt",
        "my mate Dave reckons we should all go remote",
    ],
)
def test_what_others_say_or_what_is_wanted_once_is_not_read(said: str) -> None:
    found = read(said)
    assert not any(
        each.startswith(("User's team", "User wants", "User's composer", "User's favourite color"))
        for each in found
    )


@pytest.mark.parametrize(
    ("text", "garbled"),
    [
        ("User does for themselves helps them in the long run", True),
        ("User is skiing, and ice skating are all fun", True),
        ("User uses Even as a child", True),
        ("User's team is going with the", True),
        ("Moving day is 26 September bc the sellers are slow", False),
        ("User says that the lease is signed", False),
        ("User's sister is a nurse and has two cats", False),
        ("User's team uses uv, not poetry", False),
    ],
)
def test_two_verbs_need_something_between_them(text: str, garbled: bool) -> None:
    assert is_garbled(reading(text)) is garbled


@pytest.mark.parametrize(
    ("text", "attribute", "passes"),
    [
        ("Every small victory is a step forward", "said:be", True),
        ("User asks to go with ClickHouse", "asks", True),
        ("User asks: never let Marmot slip into docs", "asks", False),
        ("User needs a plan for the move", "said:need", True),
        ("User told the board they'd be ready by June", "said:tell", True),
        ("The puppy is now 28 kilos", "said:be", True),
        ("The spare key is with Anna", "said:be", False),
        ("Gateway timeout stays at 30 s", "said:stay", False),
    ],
)
def test_what_is_said_of_nothing_or_for_once_passes(
    text: str, attribute: str, passes: bool
) -> None:
    told = Candidate(text, FactKind.OTHER, attribute=attribute, value=text, quote=text)
    assert is_passing(told) is passes


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "jenkins agent keeps dropping, the agents are old boxes",
            "The jenkins agents are old boxes",
        ),
        ("terraform plan fails, we're on 1.7", "User's team is on terraform 1.7"),
        (
            "Note to file, regarding Sato v. Crane: hearing on 18 May; counsel is Ms Oye",
            "Sato v. Crane: Counsel is Ms Oye",
        ),
    ],
)
def test_what_was_named_just_before_is_told_with_it(said: str, expected: str) -> None:
    assert expected in read(said)


@pytest.mark.parametrize(
    "text",
    [
        "Name is Ruairí",
        "Due date is 3 May",
        "Next is 26 July",
        "Number 5 never gets an answer",
        "Two of mine are colour blind",
        "Amaru: One is the Steiner, 25 minutes by bus",
        "User's team boards the two at Kestrel Lane",
        "User closes on the 28th",
        "User is on 1.7",
    ],
)
def test_what_was_named_nowhere_is_left(text: str) -> None:
    assert stand_alone(reading(text), Heard(text)) is None


def test_somebody_is_not_what_they_take() -> None:
    told = reading("User's sister Annelore takes them", "my sister Annelore takes them")
    assert stand_alone(told, Heard("my sister Annelore takes them")) is None
