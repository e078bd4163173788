"""When a text holds a phrase, and what a tombstone recognises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.errors import UserError
from hermes.memory.erase.files import clear_page
from hermes.memory.erase.tombs import (
    CLAIM,
    ECHO,
    FACT,
    MESSAGE,
    PHRASE,
    SESSION,
    Graveyard,
    Marker,
)
from hermes.memory.erase.words import (
    Phrases,
    echoes,
    heads,
    parse_phrase,
    raw_pattern,
    split_words,
)
from hermes.store.base.erase import Tombstone

MARKER = Marker(b"k" * 32)


@pytest.mark.parametrize(
    ("phrase", "text", "holds"),
    [
        ("art", "the ART of war", True),
        ("art", "start here", False),
        ("sk-abc123", "GET /?key=sk-abc123&x=1", True),
        ("new york", "in New\nYork.", True),
        ("new york", "new in york", False),
        ("会議", "明日の会議は九時", True),
        ("議会", "明日の会議は九時", False),
        ("Straße", "STRASSE 5", True),
        ("ﬁle name", "File_Name", True),
    ],
)
def test_words_match_whole_whatever_their_dress(phrase: str, text: str, holds: bool) -> None:
    words = parse_phrase(phrase)
    assert Phrases([words]).is_in(text) is holds


@given(st.text(min_size=1, max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_a_phrase_is_found_between_other_words(phrase: str, before: str, after: str) -> None:
    words = split_words(phrase)
    if words:
        assert Phrases([words]).is_in(f"{before} . {phrase} . {after}")


def test_nothing_to_look_for_is_an_error() -> None:
    with pytest.raises(UserError):
        parse_phrase(" -- ")


def test_a_long_text_is_recognised_by_its_sentences() -> None:
    known = echoes("I live in Paris now. Please keep that strictly to yourself!")
    assert ("please", "keep", "that", "strictly", "to", "yourself") in known


def test_short_words_are_not_looked_for_in_raw_bytes() -> None:
    assert raw_pattern(("ab",)) == b""
    assert raw_pattern(("vault", "code"))


def _yard(*stones: Tombstone) -> Graveyard:
    return Graveyard(MARKER, stones)


def test_a_message_is_known_by_all_that_it_is() -> None:
    yard = _yard(Tombstone(MARKER.message("s1", 5, "user", "ok"), MESSAGE, 9))
    assert yard.has_message("s1", 5, "user", "ok")
    assert not yard.has_message("s1", 6, "user", "ok")
    assert not yard.has_message("s2", 5, "user", "ok")
    assert not yard.has_message("s1", 5, "user", "OK")


def test_a_session_stays_away_up_to_when_it_was_erased() -> None:
    yard = _yard(Tombstone(MARKER.session("s1"), SESSION, 100))
    assert yard.has_message("s1", 100, "user", "anything")
    assert not yard.has_message("s1", 101, "user", "anything")


def test_a_fact_is_known_by_its_words() -> None:
    yard = _yard(Tombstone(MARKER.fact("default", "Lives in Paris."), FACT, 1))
    assert yard.has_fact("default", "lives in paris", at=1)
    assert not yard.has_fact("other", "lives in paris", at=1)
    assert not yard.has_fact("default", "lives in paris", at=2), "said anew since"


def test_a_fact_is_known_by_what_it_says_of_whom() -> None:
    claim = ("user", "location", "Paris")
    yard = _yard(Tombstone(MARKER.claim("default", claim), CLAIM, 1))
    assert yard.has_fact("default", "The user resides in Paris", claim, at=1)
    assert not yard.has_fact("default", "x", ("user", "location", "Rome"), at=1)
    assert not _yard(Tombstone(MARKER.claim("default", ("", "", "")), CLAIM, 1)).has_fact(
        "default", "says nothing of anyone", at=1
    )


def test_what_repeats_something_erased_is_known_by_its_first_words() -> None:
    said = parse_phrase("the vault code is five four three two one and nobody knows")
    (head,) = heads([said])
    yard = _yard(Tombstone(MARKER.echo(head), ECHO, 5, len(head)))
    assert yard.has_echo(["Learnt: The vault code is five, four, three, two!"], at=5)
    assert not yard.has_echo(["Learnt: The vault code is five, four, three, two!"], at=6)
    assert not yard.has_words(["the vault code is five four three two one"])
    assert heads([parse_phrase("too short")]) == set()


def test_words_erased_twice_stay_away_up_to_the_second_time() -> None:
    mark = MARKER.phrase(("vault",))
    yard = _yard(Tombstone(mark, PHRASE, 9, 1), Tombstone(mark, PHRASE, 3, 1))
    assert yard.has_words(["the vault"], at=9)


def test_a_phrase_is_known_inside_any_text() -> None:
    words = parse_phrase("vault code")
    yard = _yard(Tombstone(MARKER.phrase(words), PHRASE, 1, len(words)))
    assert yard.has_words(["nothing", "the VAULT-code is 5"])
    assert not yard.has_words(["the vault has a code"])


def test_another_profile_cannot_tell() -> None:
    stone = Tombstone(MARKER.fact("default", "Lives in Paris"), FACT, 1)
    assert not Graveyard(Marker(b"x" * 32), [stone]).has_fact("default", "Lives in Paris", at=1)


@pytest.mark.parametrize(
    ("page", "left"),
    [
        (
            "# Notes\n- keep this\n- vault code 5\n  more of it\n- and this\n",
            "# Notes\n- keep this\n- and this\n",
        ),
        ("one\n§\nthe vault code\n§\ntwo\n", "one\n§\n§\ntwo\n"),
        ("## the vault code\n- keep\n", "- keep\n"),
        ("- keep\n", "- keep\n"),
    ],
)
def test_a_page_loses_only_the_notes_that_hold_it(page: str, left: str) -> None:
    assert clear_page(page, Phrases([("vault", "code")]).is_in) == left


@given(st.text(st.characters(codec="ascii")))
def test_plain_text_is_split_as_any_other(text: str) -> None:
    assert (*split_words(text), "é") == split_words(text + " é")
