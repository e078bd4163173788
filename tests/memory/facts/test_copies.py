"""One reading for each statement of a message: the fullest, whoever found it."""

from dataclasses import replace

import pytest

from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses.copies import without_copies
from hermes.memory.facts.clauses.gate import AS_SAID
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import FactKind, Message, Role


def told(text: str, value: str = "", *, quote: str = "", **fields: object) -> Candidate:
    made = Candidate(text, FactKind.IDENTITY, value=value or text, quote=quote or text)
    return replace(made, **fields)  # type: ignore[arg-type]


def texts(*found: Candidate) -> list[str]:
    return [each.text for each in without_copies(found)]


def test_what_a_fuller_reading_says_as_well_goes() -> None:
    said = "im a nurse on the paeds ward at St Columba's"
    full = told("User is a nurse on the paeds ward at St Columba's", quote=said)
    part = told("User works at St Columba's", "St Columba's", quote=said, attribute="employer")
    assert texts(part, full) == [full.text]
    assert texts(full, part) == [full.text]


def test_of_the_same_words_the_one_that_was_understood_stays() -> None:
    as_said = told("Sofia takes over billing", subject="Sofia", signs=(AS_SAID,))
    understood = told("Sofia takes over billing", subject="Sofia", attribute="owns")
    assert without_copies([as_said, understood]) == [understood]


def test_an_answer_that_was_understood_is_not_echoed() -> None:
    said = "mostly Ableton and some Blender"
    echo = told(f'Asked "What do you use it for?", User answered: {said}', said, quote=said)
    one = told("User uses Ableton", "Ableton", quote=said)
    other = told("User uses Blender", "Blender", quote=said)
    assert texts(one, echo, other) == [one.text, other.text]
    assert texts(one, echo) == [echo.text], "half an answer does not stand for the whole"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (told("User eats fish", "fish"), told("User does not eat fish or meat", "fish or meat")),
        (told("User is 46"), told("User has run 12 races, is 46 and tired", subject="Ana")),
        (
            told("User's sister is Noor", "Noor", kind=FactKind.RELATIONSHIP),
            told("Noor just had a baby boy", "a baby boy"),
        ),
        (
            told("User's sister is Noor", "Noor", kind=FactKind.RELATIONSHIP, correction=True),
            told("User's sister Noor just had a baby boy", "a baby boy"),
        ),
        (
            told("The demo is on 3 May (due 2026-05-03)", "3 May", valid_from=1),
            told("The demo for Ines is on 3 May", "3 May for Ines", valid_from=2),
        ),
    ],
)
def test_what_only_looks_alike_stays(one: Candidate, other: Candidate) -> None:
    assert texts(one, other) == [one.text, other.text]


def test_a_message_is_read_once() -> None:
    said = "I teach Year 9 history at a comp in Wolverhampton."
    message = Message(1, "s", 1, 1_767_603_600_000, Role.USER, said)
    assert [each.text for each in RuleExtractor().extract([message])] == [
        "User teaches Year 9 history at a comp in Wolverhampton"
    ]


def test_what_readers_tell_one_by_one_is_not_told_in_one_piece_as_well() -> None:
    said = "we use pnpm in every repo, the lab has keycloak"
    read = told("User's team uses pnpm in every repo", quote="we use pnpm in every repo")
    other = told("The lab has keycloak", quote="the lab has keycloak")
    piece = told(f"User's team: {said}", quote=said, signs=("freed:joined",))
    assert texts(read, other, piece) == [read.text, other.text]
    who = replace(read, kind=FactKind.RELATIONSHIP, text="User's team is Lab", quote="the lab")
    assert texts(who, piece) == [who.text, piece.text], "who somebody is tells nothing of the rest"
    lean = replace(read, leaning=True)
    assert piece.text in texts(lean, piece), "what may yet be left hides nothing"


@pytest.mark.parametrize(
    ("who", "fuller"),
    [
        ("User's sister is Noor", "User's sister Noor just had a baby boy"),
        ("User's kid is Mora", "User moved with their two kids Lautaro (9) and Mora (5)"),
        ("User's kid is Fern", "Three kids: Juniper 12, Caspian 9, Fern 6"),
        ("User's chief is Captain Sorokin", "User's chief is Captain Sorokin (retired)"),
    ],
)
def test_who_someone_is_goes_where_the_rest_names_them_so(who: str, fuller: str) -> None:
    one = told(who, who.rpartition(" is ")[2], kind=FactKind.RELATIONSHIP)
    assert texts(one, told(fuller)) == [fuller]


def test_what_is_over_tomorrow_does_not_stand_for_who_someone_is() -> None:
    who = told("User's cat is Ponzu", "Ponzu", kind=FactKind.RELATIONSHIP)
    fed = told("User's cat Ponzu has eaten", signs=("freed:passing",))
    assert texts(who, fed) == [who.text, fed.text]


def test_what_somebody_is_called_is_told_once() -> None:
    quote = "My cat is called Mitzi"
    cat = told("User's cat is Mitzi", "Mitzi", quote=quote, kind=FactKind.RELATIONSHIP)
    rest = told("User's cat is called Mitzi", quote=quote, subject="user's cat")
    freed = replace(rest, signs=("by:rest", "freed:clause"))
    assert texts(cat, freed) == [cat.text]
    more = replace(freed, text="User's cat is called Mitzi after a great-aunt")
    assert texts(cat, more) == [cat.text, more.text]
