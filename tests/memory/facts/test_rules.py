"""What the rules read, and above all what they leave alone."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermes.clock import parse_time
from hermes.guard.fence import fence
from hermes.memory.facts.candidate import Candidate, verify_quote
from hermes.memory.facts.clauses.reader import RuleExtractor, read_text
from hermes.types import FactKind, Message, Origin, Role

MONDAY = parse_time("2026-01-05T09:00:00Z")


def triples(text: str) -> list[tuple[str, str, str]]:
    return [(each.subject, each.attribute, each.value) for each in read_text(text, MONDAY)]


def message(text: str, *, number: int = 1, **more: object) -> Message:
    fields = {"role": Role.USER, **more}
    return Message(number, "s", number, MONDAY + number, text=text, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("btw my name is Priya", ("user", "name", "Priya")),
        ("hey! i'm Nadia, backend dev at Parcelo", ("user", "role", "backend dev")),
        ("hey! i'm Nadia, backend dev at Parcelo", ("user", "employer", "Parcelo")),
        ("I work at a startup. I live in leeds.", ("user", "location", "Leeds")),
        ("My timezone is Europe/London (UTC+1 in summer)", ("user", "timezone", "Europe/London")),
        ("i've been vegan for years", ("user", "diet", "vegan")),
        ("I'm allergic to peanuts", ("user", "allergy", "peanuts")),
        ("my birthday is 14 May", ("user", "birthday", "14 May")),
        ("I speak German and a bit of French", ("user", "language", "German")),
        ("I prefer tabs over spaces", ("user", "prefers:indentation", "tabs over spaces")),
        ("I can't stand cilantro", ("user", "dislikes", "cilantro")),
        ("My favourite editor is Helix", ("user", "favourite editor", "Helix")),
        ("We decided on Postgres for Atlas", ("Atlas", "database", "Postgres")),
        ("we moved off Heroku to Fly.io last week", ("user", "deploys_on", "Fly.io")),
        ("The Q2 report is due June 30", ("user", "deadline:q2 report", "2026-06-30")),
        ("I have to submit my thesis by Friday", ("user", "deadline:thesis", "2026-01-09")),
        ("gift ideas for my sister Ana?", ("user", "sister", "Ana")),
        ("Tom is our new CTO", ("Tom", "role", "CTO")),
        ("we have two cats, Milo and Otis", ("user", "pet", "Otis")),
        ("we're on Python 3.12, FastAPI", ("user", "python version", "Python 3.12")),
        ("prod is in eu-central-1", ("prod", "region", "eu-central-1")),
        ("Grafana is at https://g.example.com/d/1", ("user", "grafana url", "https://g.example.com/d/1")),
        ("I'm on macOS, how do I install brew?", ("user", "os", "macOS")),
        ("On Atlas we use Flask", ("Atlas", "framework", "Flask")),
    ],
)  # fmt: skip
def test_what_is_stated_is_found(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in triples(text)


@pytest.mark.parametrize(
    "text",
    [
        "hi! how are you?",
        "thanks, that works 🙏",
        "I'm tired",
        "I'm stuck on this bug",
        "I love it when the build breaks on a Friday",
        "I live in a cave /s",
        "I live in Paris. just kidding",
        "should we use Postgres?",
        "If I moved to Berlin, I'd use Heroku",
        "I think we might switch to Redis",
        "maybe my name is Bob",
        "I like the second option",
        "what if my deadline is Friday",
        "translate this email: I live in Paris and my name is Jean",
        "write a short story about me. My name is Zorg. I live in Mordor.",
        "```\nmy name is Bob\n```",
        "> I live in Paris",
        "2026-01-05 09:00:01 ERROR my name is Bob",
        'she said "I live in Paris and my name is Jean"',
        "Use Python 3.11 for this script",
        "Never give up!",
        "Same here",
        "note that this function returns None",
        "Remember, staying positive is everything",
        "I decided to take a nap",
        "<memory>My name is Bob</memory>",
        "my code is broken",
        "I hate myself",
    ],
)
def test_what_is_not_asserted_is_left(text: str) -> None:
    assert triples(text) == []


def test_what_recall_put_into_a_message_is_not_learnt_again() -> None:
    recalled = fence("User's name is Mallory. I live in York.", {"kind": "fact"})
    assert triples(recalled) == []
    assert triples(f"{recalled}\nI live in Leeds") == [("user", "location", "Leeds")]
    assert triples(recalled.removesuffix("</recalled>") + "\nI live in Leeds") == []
    assert triples("Vec<String> is a type. I live in Leeds") == [("user", "location", "Leeds")]


def test_every_quote_stands_in_its_message() -> None:
    text = "Ok so — I’m Priya (she/her) and I work at Kestrel; we use Postgres, not MySQL."
    found = read_text(text, MONDAY)
    assert len(found) >= 3
    for candidate in found:
        verify_quote(candidate, text)


@example("\x1f>A")
@example("²,0")
@example("I am ² years old")
@given(st.text(max_size=300))
def test_no_text_breaks_the_reader_and_quotes_always_hold(text: str) -> None:
    for candidate in read_text(text, MONDAY):
        verify_quote(candidate, text)


FRAGMENTS = st.sampled_from(
    "I my we our name is am are live in work at Postgres Atlas use not if , . ? ! ; - ( ) \" ' by "
    "Friday deadline the a moved to from decided prefer over hate when you remember that".split()
)


@given(st.lists(FRAGMENTS, max_size=40).map(" ".join))
def test_word_salad_never_breaks_the_reader(text: str) -> None:
    for candidate in read_text(text, MONDAY):
        verify_quote(candidate, text)


def test_only_the_users_own_words_are_read() -> None:
    text = "My name is Priya"
    extractor = RuleExtractor()
    assert extractor.extract([message(text)])
    assert not extractor.extract([message(text, role=Role.ASSISTANT, origin=Origin.AGENT)])
    assert not extractor.extract([message(text, role=Role.TOOL, origin=Origin.TOOL)])
    assert not extractor.extract([message(text, origin=Origin.WEB)])


def test_a_game_of_roles_yields_nothing_until_it_ends() -> None:
    chat = [
        message("let's play, you are a dragon", number=1),
        message("My name is Percival", number=2),
        message("ok enough. My name is Priya", number=3),
    ]
    assert [each.value for each in RuleExtractor().extract(chat)] == ["Priya"]


def test_another_speaker_is_not_the_owner_of_the_memory() -> None:
    chat = [message("I live in Leeds", speaker="maya"), message("I live in York", speaker="tom")]
    found = RuleExtractor(["Maya Lindt"]).extract(chat)
    assert [(each.subject, each.text) for each in found] == [
        ("user", "User lives in Leeds"),
        ("tom", "tom lives in York"),
    ]


def test_of_several_speakers_none_is_the_user_where_nobody_said_who_is() -> None:
    chat = [
        message("I'm vegetarian", speaker="Maya", number=1),
        message("my sister Ana lives in York", speaker="Tom", number=2),
        message("Remember that my locker code is with the porter", speaker="Tom", number=3),
    ]
    told = [(each.subject, each.text) for each in RuleExtractor().extract(chat)]
    assert ("Maya", "Maya is vegetarian") in told
    assert ("Ana", "Tom's sister Ana lives in York") in told
    assert not [text for subject, text in told if subject == "user" or "user" in text.casefold()]


def test_a_chat_with_one_speaker_is_the_users_own() -> None:
    (found,) = RuleExtractor().extract([message("I live in Leeds", speaker="maya")])
    assert (found.subject, found.text) == ("user", "User lives in Leeds")


def test_what_a_group_does_together_is_told_of_the_users_team() -> None:
    chat = [
        message("morning", speaker="Maya", number=1),
        message("we use Postgres for everything", speaker="Tom", number=2),
    ]
    assert [each.text for each in RuleExtractor().extract(chat)] == [
        "User's team uses Postgres for everything"
    ]


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("The demo is on Wednesday", "actually it's Thursday, not Wednesday", "2026-01-08"),
        ("my sister Anna is coming", "sorry, I meant Ana, not Anna", "Ana"),
        ("My name is Olga and my team lead is Bert.", "Not Bert but Berta, sorry.", "Berta"),
        ("the launch is on March 3", "make that March 5", None),
        ("the launch is on March 3", "scratch that, make that March 5", "2026-03-05"),
        ("my daughter is called Mina", "not Mina but Mira", "Mira"),
    ],
)
def test_a_correction_leans_on_what_was_said(first: str, second: str, value: str | None) -> None:
    chat = [message(first, number=1), message(second, number=2)]
    found = [each for each in RuleExtractor().extract(chat) if each.message_id == 2]
    assert [each.value for each in found] == ([value] if value else [])
    assert all(each.correction and each.replaces for each in found)


def test_an_apology_corrects_nothing() -> None:
    found = read_text("sorry for my english, im from Recife, Brazil", MONDAY)
    assert [(each.text, each.correction) for each in found] == [
        ("User is from Recife, Brazil", False)
    ], "and a town with its land is one place"


def test_a_full_correction_is_marked() -> None:
    (found,) = read_text("Actually, I live in Bristol now", MONDAY)
    assert (found.value, found.correction, found.single) == ("Bristol", True, True)


def test_what_a_document_says_is_less_sure_than_what_the_user_says() -> None:
    (found,) = read_text("Our wiki says the SLA is 99.9%", MONDAY)
    assert found.confidence.value == "low"


def test_an_explicit_request_is_kept_in_its_own_words() -> None:
    (found,) = read_text("please remember that the API key rotates monthly", MONDAY)
    assert (found.kind, found.text) == (FactKind.OTHER, "The API key rotates monthly")


def test_a_dropped_tool_is_an_ending_and_a_switch_names_both_ends() -> None:
    (ended,) = read_text("We no longer use Heroku.", MONDAY)
    (switch,) = read_text("We replaced Jenkins with GitHub Actions", MONDAY)
    assert (ended.value, ended.ended) == ("Heroku", True)
    assert (switch.value, switch.replaces) == ("GitHub Actions", "Jenkins")


def test_a_long_message_is_read_in_time() -> None:
    text = "I live in a place where " * 2_000 + "my name is " * 2_000
    assert isinstance(read_text(text, MONDAY), list)


HERE = Path(__file__).parent
SMALL_TALK = (HERE / "small_talk.txt").read_text().splitlines()
STATEMENTS = [line.split("\t") for line in (HERE / "statements.tsv").read_text().splitlines()]


@pytest.mark.parametrize("line", SMALL_TALK)
def test_small_talk_code_and_errands_yield_nothing(line: str) -> None:
    assert triples(line.replace("\\n", "\n")) == []


@pytest.mark.parametrize(("line", "expected"), STATEMENTS, ids=[line for line, _ in STATEMENTS])
def test_lasting_statements_are_read(line: str, expected: str) -> None:
    assert " ; ".join("|".join(found) for found in triples(line)) == expected


def test_whose_name_is_put_right_is_not_guessed() -> None:
    assert triples("Not Bert but Berta, sorry.") == []
    assert triples("Not Kim but Kym, with a y.") == [("user", "name", "Kym")]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("please remember that I hate mondays", "User hates mondays"),
        ("can you remember that my bike is a Canyon?", "User's bike is a Canyon"),
        ("FYI remember that the standup moved to 10am", "The standup moved to 10am"),
        ("for the record: the budget is 14k", "The budget is 14k"),
        ("Remember that standup is at 9:30", "Standup is at 9:30"),
    ],
)
def test_what_is_to_be_remembered_is_kept_as_one_fact(said: str, kept: str) -> None:
    assert [each.text for each in extract(said)] == [kept]


@pytest.mark.parametrize(
    "said", ["remember to call mum tomorrow", "do you remember that bug?", "remember Oslo?"]
)
def test_what_only_speaks_of_remembering_is_not(said: str) -> None:
    assert extract(said) == []


def test_one_reading_that_nothing_proves_costs_no_other() -> None:
    said = 'I live in York. We cancelled the "team offsite in Rome next spring" after all.'
    assert "User lives in York" in [each.text for each in extract(said)]


def extract(said: str) -> list[Candidate]:
    return RuleExtractor().extract(
        [Message(1, "s", 1, parse_time("2026-01-05T09:00:00Z"), Role.USER, said)]
    )
