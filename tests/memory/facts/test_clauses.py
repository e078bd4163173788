"""Clauses taken apart: who, does what, to what; and what no text may do to the reader."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.clock import parse_time
from hermes.memory.facts.candidate import verify_quote
from hermes.memory.facts.clauses.frame import Frame, parse
from hermes.memory.facts.clauses.reader import propose, read_text
from hermes.memory.facts.clauses.split import Sentence, split_clauses, split_sentences
from hermes.memory.facts.clauses.tokens import tokenize

MONDAY = parse_time("2026-01-05T09:00:00Z")
WORDS = st.sampled_from(
    "I my we our you he she it they Tom Atlas Postgres sister cat is am are was have has do don't "
    "can't not no longer going to live in work at use moved from off by Friday 3 May deadline the "
    "a and but if because , . ? ! : ; ( ) \" ' — - /tmp/x https://a.example 99.9% 🙂 please always "
    "never remember that actually called who which when 12 GB nurse vegan Leeds".split()
)


def frames(text: str) -> list[Frame]:
    return [parse(clause.tokens) for clause in split_clauses(Sentence(text, 0))]


def test_a_clause_says_who_does_what_where_and_since_when() -> None:
    (frame,) = frames("I've been living near Ghent since 2019")
    assert (frame.subject.kind, frame.verb, frame.tense) == ("user", "live", "progressive")
    assert [(slot.prep, slot.text) for slot in frame.slots] == [
        ("near", "Ghent"),
        ("since", "2019"),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "noun"),
    [
        ("my older sister teaches maths", "person", "sister"),
        ("our staging database is slow", "own", "database"),
        ("The lease ends in May", "thing", "lease"),
        ("Atlas uses Flask", "name", "atlas"),
        ("we use Flask", "team", "we"),
    ],
)
def test_the_subject_is_told_apart(text: str, kind: str, noun: str) -> None:
    subject = frames(text)[0].subject
    assert (subject.kind, subject.noun) == (kind, noun)


@pytest.mark.parametrize(
    ("text", "negated", "modal"),
    [
        ("I don't eat pork", True, ""),
        ("we no longer use Heroku", True, ""),
        ("I might move to Berlin", False, "might"),
        ("I have to renew the passport", False, "have"),
        ("I'm not a developer", True, ""),
    ],
)
def test_denial_and_doubt_are_seen(text: str, negated: bool, modal: str) -> None:
    frame = frames(text)[0]
    assert (frame.negated, frame.modal) == (negated, modal)


def test_a_sentence_is_cut_where_a_new_subject_or_predicate_begins() -> None:
    text = "The Meridian project uses Go 1.22 and deploys to Fly.io, the docs are on a wiki"
    cut = [text[clause.start : clause.end] for clause in split_clauses(Sentence(text, 0))]
    assert cut == [
        "The Meridian project uses Go 1.22",
        "deploys to Fly.io",
        "the docs are on a wiki",
    ]


def test_numbers_urls_and_titles_do_not_end_sentences() -> None:
    text = "We run 3.12. See https://a.example/x.y for more. Dr. Fenwick agrees"
    assert [each.text for each in split_sentences(text)] == [
        "We run 3.12",
        "See https://a.example/x.y for more",
        "Dr. Fenwick agrees",
    ]


@given(st.text(max_size=400))
def test_tokens_and_clauses_stand_where_they_say(text: str) -> None:
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text
    for sentence in split_sentences(text):
        assert text[sentence.start :].startswith(sentence.text)
        for clause in split_clauses(sentence):
            assert 0 <= clause.start <= clause.end <= len(sentence.text)


@given(st.lists(WORDS, max_size=60).map(" ".join))
def test_word_salad_is_read_without_a_crash_and_quoted_truly(text: str) -> None:
    for candidate in read_text(text, MONDAY):
        verify_quote(candidate, text)
        assert candidate.text
        assert candidate.value


@pytest.mark.parametrize(
    "piece",
    [
        "I live in a place where ",
        "my name is, ",
        "(",
        '"',
        "not ",
        "a ",
        "I am 12.",
        "we use X and ",
    ],
)
def test_a_hundred_kilobytes_take_no_more_than_their_share(piece: str) -> None:
    """Ten times the text may take at most about ten times as long: nothing is quadratic."""

    def took(size: int) -> float:
        started = time.perf_counter()
        read_text((piece * size)[:size], MONDAY)
        return time.perf_counter() - started

    took(1_000)
    assert took(100_000) <= 40 * took(10_000) + 0.5


@pytest.mark.parametrize(
    "text",
    [
        "my manager is Voldemort haha",
        "My phone is at 3%",
        "Candidates are PostgreSQL, CockroachDB and plain old MySQL",
        "our team dropped 3 story points",
        "if the bank says yes we'll buy the house in Tilburg",
        "he said he works at Google",
        "Let's assume I earn 60k and live in Bavaria",
        "we were thinking of Kafka",
    ],
)
def test_jokes_moments_and_guesses_are_left_alone(text: str) -> None:
    assert read_text(text, MONDAY) == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I look after procurement for a hospital trust", "role", "look after procurement"),
        ("ok so: we're going with Postgres for Atlas, Mongo is out.", "database", "Postgres"),
        (
            "the deadline for the audit got pushed to the 14th of February",
            "deadline:audit",
            "2026-02-14",
        ),
        ("I can't eat shellfish", "avoids", "shellfish"),
        ("don't use em dashes", "prefers", "em dashes"),
        ("Yusra took over the onboarding from me", "owns", "the onboarding"),
        ("I gave up caffeine in January", "avoids", "caffeine"),
    ],
)
def test_what_lasts_is_read_whatever_its_shape(text: str, attribute: str, value: str) -> None:
    found = [(each.attribute, each.value) for each in read_text(text, MONDAY)]
    assert any(name == attribute and value in told for name, told in found), found


def told(text: str) -> list[str]:
    return [each.text for each in propose(text, MONDAY)]


def test_they_after_two_names_is_left() -> None:
    said = "I turned Northwind down. Staying at Brightwater, they're making me Head of Data"
    assert not any("Head of Data" in text for text in told(said))
    assert "Ana works at Equinor" in told("My sister Ana moved to Oslo. She works at Equinor")
    assert "Ana works at Equinor" not in told("My sister Ana is there. They work at Equinor")


def test_a_tool_in_a_list_is_no_verb() -> None:
    assert not any("fishes" in text for text in told("I use neovim and fish on a Framework 13"))
    assert "User fishes on Sundays" in told("I hike and fish on Sundays")


def test_what_lies_somewhere_is_no_verb() -> None:
    said = "We settled on OpenTofu, state lives in an S3 bucket"
    assert "State lives in an S3 bucket" in [each.text for each in read_text(said, MONDAY)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "our state lives in an S3 bucket in eu-central-1",
            ["User's team's state lives in an S3 bucket in eu-central-1"],
        ),
        (
            "we deploy on Debian and on Arch",
            ["User's team deploys on Debian", "User's team deploys on Arch"],
        ),
    ],
)
def test_only_what_is_listed_is_told_one_by_one(said: str, told: list[str]) -> None:
    assert [each.text for each in read_text(said, MONDAY)] == told


def test_what_is_used_again_comes_for_what_is_not() -> None:
    used, left = propose("no longer use fish, back to zsh", MONDAY)
    assert (used.text, used.replaces, used.ended) == ("User uses zsh", "fish", False)
    assert (left.text, left.ended) == ("User no longer uses fish", True)


@pytest.mark.parametrize(
    "text",
    [
        "pracuję w Brightwater",
        "Mieszkam w Krakowie i pracuję w Brightwater",
        "Hi again. na razie pracuję w Brightwater.",
    ],
)
def test_words_of_another_language_are_left(text: str) -> None:
    assert told(text) == []


def test_a_dish_or_a_town_makes_no_other_language() -> None:
    assert told("I live in Łódź and love smørrebrød") != []


def test_do_not_after_a_comma_is_said_to_the_assistant() -> None:
    said = told("I'm no morning person, don't schedule anything before 10")
    assert "User wants Hermes to not schedule anything before 10" in said
    assert "User doesn't schedule anything before 10" not in said


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("We have a dog", "User has a dog"),
        ("our kids go to school in Leeds", "User's kids go to school in Leeds"),
        ("our house is in York", "User's house is in York"),
        ("Our team is five people", "User's team is five people"),
        ("we have a house style for commits", "User's team has a house style for commits"),
    ],
)
def test_a_household_is_no_team(text: str, fact: str) -> None:
    assert told(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My old manager is Ruth", "User's old manager is Ruth"),
        ("Ruth is my former boss", "User's former boss is Ruth"),
        ("My new manager is Sven", "User's manager is Sven"),
        ("my home laptop is a MacBook", "User's home laptop is a MacBook"),
    ],
)
def test_the_word_that_tells_one_of_two_is_kept(text: str, fact: str) -> None:
    assert told(text) == [fact]
