"""What no reader took is proposed, completed by what stands before it, and held back."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.clauses import freed
from hermes.memory.facts.clauses.gate import HELD_BACK, Judge, is_held_back
from hermes.memory.facts.clauses.pair import Said
from hermes.memory.facts.clauses.prose import own_prose
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.clauses.referents import find_referent
from hermes.types import Message, Role

AT = parse_time("2026-03-02T09:00:00Z")


def proposed(*texts: str, role: Role = Role.USER) -> list[Candidate]:
    """All that could be read out of the last of these, whoever would hold it back."""
    said = [Message(n, "s", n, AT, Role.USER, text) for n, text in enumerate(texts[:-1], 1)]
    last = Message(len(texts), "s", len(texts), AT, role, texts[-1])
    found = RuleExtractor(judge=lambda candidate, _: candidate).extract([*said, last])
    return [each for each in found if each.message_id == len(texts)]


def held_of(text: str) -> list[str]:
    """What is held back of a message, whatever readers tell of it as well."""
    judged = RuleExtractor(judge=lambda each, _: each if is_held_back(each) else None)
    return [each.text for each in judged.extract([Message(1, "s", 1, AT, Role.USER, text)])]


def texts_of(*texts: str) -> list[str]:
    return [each.text for each in proposed(*texts)]


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("allergic to shellfish btw", "User is allergic to shellfish"),
        (
            "my sister just had a baby boy. Zayd!",
            "User's sister just had a baby boy: Zayd",
        ),
        ("We adopted a dog. He is scared of vans.", "The dog is scared of vans"),
        ("i used to smoke, stopped in 2019", "User used to smoke, stopped in 2019"),
        (
            "Marta approved the new logo. Files are in Dropbox.",
            "Marta approved the new logo; files are in Dropbox",
        ),
        (
            "My wife Folake is a midwife with night shifts",
            "User's wife Folake is a midwife with night shifts",
        ),
        (
            "when i ask for a schedule put deep work after 2pm",
            "User says: when they ask for a schedule put deep work after 2pm",
        ),
        ("my gf and i got the keys", "User and their gf got the keys"),
        (
            "things about me:\n1. Marek, 38, Brno\n2. backend lead",
            "Things about the user: Marek, 38, Brno",
        ),
    ],
)
def test_what_no_reader_took_is_told_in_the_third_person(text: str, reading: str) -> None:
    assert reading in held_of(text)


def test_an_answer_is_told_with_what_was_asked() -> None:
    asked = Message(1, "s", 1, AT, Role.ASSISTANT, "Which python do you target?")
    reply = Message(2, "s", 2, AT, Role.USER, "3.11, RHEL ships it")
    found = RuleExtractor(judge=lambda candidate, _: candidate).extract([asked, reply])
    told = 'Asked "Which python do you target?", User answered: 3.11, RHEL ships it'
    assert told in [each.text for each in found]


@pytest.mark.parametrize(
    ("text", "misread"),
    [
        ("the plumber quoted 1,150. it's a copper pipe under the floor", "The plumber is"),
        ("my router died. it was a mouse that chewed the cable", "router was a mouse"),
        ("My mom wants me to drop maths but they need pure maths", "mom need"),
        ("my client is picky and they're zowie 240hz", "client is zowie"),
    ],
)
def test_a_pronoun_that_may_mean_another_is_not_resolved(text: str, misread: str) -> None:
    assert not any(misread in each for each in texts_of(text))


def test_who_is_named_first_and_taken_up_by_a_pronoun_is_the_subject() -> None:
    said = texts_of("my daughter Graziella she comes back from Turin in November")
    assert any(each.startswith("User's daughter Graziella comes back") for each in said)


def test_a_person_may_have_been_named_in_an_earlier_message() -> None:
    assert "Mila owns the billing" in texts_of("I talked to Mila.", "she owns the billing")


@pytest.mark.parametrize(
    "text",
    [
        "```\nmy cat is called Miso\n```",
        "> my cat is called Miso",
        "<recalled-memory>User's cat is called Miso</recalled-memory>",
        'He wrote: "we decided to sell the house and the cat as well"',
        "Please translate this text:\nmy cat is called Miso",
        "write a story about my cat Miso. She lives in Paris.",
        "my boss loves me /s",
    ],
)
def test_what_the_user_does_not_say_of_their_own_is_never_proposed(text: str) -> None:
    assert not [each for each in texts_of(text) if {"Miso", "house", "boss"} & set(each.split())]


@pytest.mark.parametrize("text", ["ok", "thanks, lol", "bleak", "fair", "who knows?"])
def test_what_says_nothing_is_not_proposed(text: str) -> None:
    assert texts_of(text) == []


def test_others_are_not_listened_to() -> None:
    assert proposed("my flat is in Ghent, third floor", role=Role.ASSISTANT) == []


def test_what_follows_a_wish_for_a_letter_is_proposed_with_a_sign_of_it() -> None:
    text = "Draft a cover letter. I was a locksmith for ten years."
    assert "locksmith" not in own_prose(text)
    assert "locksmith" in own_prose(text, with_drafts=True)
    [read] = [each for each in proposed(text) if "locksmith" in each.text]
    assert freed.WRITTEN in read.signs


def test_what_was_left_by_a_rule_of_thumb_is_proposed_and_held_back() -> None:
    [read] = proposed("All 14 depots are live since 5:00.")
    assert freed.PASSING in read.signs
    assert Judge()(read, Said(read.quote, AT)) is None
    assert RuleExtractor().extract([Message(1, "s", 1, AT, Role.USER, read.quote)]) == []


def test_the_gate_holds_back_all_that_is_freed() -> None:
    signs = {sign for sign in vars(freed).values() if str(sign).startswith("freed:")}
    assert signs == HELD_BACK
    found = proposed("We adopted a dog. He is scared of vans, my gf and i got the keys")
    assert any(map(is_held_back, found))
    assert all(Judge()(each, Said(each.quote, AT)) is None for each in found if is_held_back(each))


def test_what_may_be_held_back_hides_nothing() -> None:
    """A fuller reading that no reader stands for leaves the one of a reader beside it."""
    text = "I moved to Porto, ground floor flat"
    assert [each for each in proposed(text) if not is_held_back(each)]


@pytest.mark.parametrize(
    ("pronoun", "before", "meant"),
    [
        ("she", "my sister Ola and my brother", "User's sister Ola"),
        ("he", "my sister Ola and my brother", "User's brother"),
        ("he", "we bought the van in York", ""),
        ("it", "we bought the van in York", "the van"),
        ("they", "the auditors called about the van", "the auditors"),
        ("her", "looking for a gift for my mother in law", "User's mother in law"),
        ("she", "Im Tessa's assistant", "Tessa"),
        ("it", "nothing was named", ""),
        ("it", "the van and the trailer are old", ""),
        ("he", "Bonjour, a gift for my father please", "User's father"),
        ("she", "Diolch. my sister called", "User's sister"),
        ("he", "my boy wants to be a vet", "User's boy"),
        ("he", "for Mora and Lautaro", ""),
        ("he", "the vet says Biscuit has a limp", "Biscuit"),
        ("it", "the plumber came", ""),
        ("he", "my youngest, Tadhg, is coeliac", "User's youngest Tadhg"),
        ("her", "I finished Piranesi. Loved it.", ""),
        ("her", "We watched Amelie with Runa.", "Runa"),
        ("her", "We read Emma a story.", "Emma"),
        ("her", "I met my sister Ola. Mamma rang, ", "Mamma"),
        ("her", "On the train I finished Piranesi. Loved it. Mamma rang, ", "Mamma"),
    ],
)
def test_a_pronoun_means_the_only_one_that_fits(pronoun: str, before: str, meant: str) -> None:
    assert find_referent(pronoun, [before]) == meant


def test_her_surgery_is_of_who_rang_and_not_of_the_book() -> None:
    told = texts_of(
        "I finished Piranesi.", "Loved it. Mamma rang, her hip surgery is on 2 December"
    )
    assert [text for text in told if text.startswith("Mamma's hip surgery is on 2 December")]
    assert not [text for text in told if "Piranesi" in text]
