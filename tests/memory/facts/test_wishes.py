"""What is wanted for good is told as a wish; what is wanted of one answer, or by others, is not."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.types import Message, Role

AT = parse_time("2026-03-02T09:00:00Z")


def wishes(text: str) -> list[str]:
    """All that is read as a standing wish, however unsure."""
    message = Message(1, "s", 1, AT, Role.USER, text)
    found = RuleExtractor(judge=lambda each, _: each).extract([message])
    return [each.text for each in found if {"by:order", "by:whole"} & set(each.signs)]


def read(text: str) -> list[str]:
    message = Message(1, "s", 1, AT, Role.USER, text)
    found = RuleExtractor(judge=lambda each, _: each).extract([message])
    return [each.text for each in found]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "American spelling please, in everything you write for me",
            "User wants American spelling in everything Hermes writes for them",
        ),
        ("prices on their own line always, i copy them", "User always wants prices on their own"),
        ("for the record no clowns ever pls, i get nightmares", "User wants no clowns, ever"),
        ("No emojis please, ever, they look silly", "User wants no emojis, ever"),
        ("always max 2 options at a time ok?", "User always wants max 2 options at a time"),
        ("window seat always", "User always wants window seat"),
        ("Stop the texts. slack only.", "User wants slack only"),
        ("no walls of text pls, i have adhd", "User wants no walls of text"),
        ("i'm half blind so large print and no tables", "User wants large print and no tables"),
        ("Tone: dry but no sarcasm please", "User wants this tone: dry but no sarcasm"),
        (
            "no slang with my boss Petra when she writes to you",
            "User wants no slang with their boss Petra when she writes to Hermes",
        ),
        ("Travel: aisle seat, no red-eyes", "User's wish for travel: no red-eyes"),
    ],
)
def test_a_thing_that_is_wanted_for_good_needs_no_verb(text: str, told: str) -> None:
    assert any(each.startswith(told) for each in wishes(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no, never post anything yourself", "User wants Hermes to never post anything itself"),
        (
            "never say 'great point' again, it makes me cringe",
            "User wants Hermes to never say 'great point' again",
        ),
        (
            "The host is called heron. dont change anything on it without asking me first",
            "User wants Hermes to not change anything on the host without asking them first",
        ),
        ("never merge without my ok", "User wants Hermes to never merge without their ok"),
        ("never, ever book a red-eye for me", "User wants Hermes to never, ever book a red-eye"),
        ("don't suggest other tools pls", "User wants Hermes to not suggest other tools"),
        ("dont call me sir", "User wants Hermes to not call them sir"),
        (
            "kindly do not use footnotes or those tiny boxes in your replies",
            "User wants Hermes to not use footnotes or those tiny boxes in its replies",
        ),
        (
            "When you draft invoices, use whole numbers",
            "User wants Hermes to use whole numbers when it drafts invoices",
        ),
    ],
)
def test_what_is_never_to_be_done_is_told_as_it_was_said(text: str, told: str) -> None:
    assert any(each.startswith(told) for each in wishes(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "can you send me a backup report every monday 8am?",
            "User wants Hermes to send them a backup report every monday 8am",
        ),
        ("i'm out on mondays, make the report friday 7am instead", "User wants the report friday"),
        ("put the summaries in slack instead, DM", "User wants the summaries in slack, DM"),
        (
            "If something is wrong in an order you write to Amaia, not to me",
            "User wants Hermes to write to Amaia, not to them, if something is wrong in an order",
        ),
        (
            "whenever you cite a paper, add the DOI",
            "User wants Hermes to add the DOI, whenever Hermes cites a paper",
        ),
    ],
)
def test_a_wish_may_say_when(text: str, told: str) -> None:
    assert any(each.startswith(told) for each in wishes(text))


@pytest.mark.parametrize(
    "text",
    [
        "no new syntax please, just rewrite this function",
        "make it shorter",
        "No emojis please. Write a tweet about our bakery.",
        "just this once, no bullet points please",
        "No jokes please, this is for my grandmother's funeral",
        "give me a table, metric units please",
        "my boss says no emojis ever",
        "She told me: never send anything yourself",
        "the readme says never push to main",
        "should I never use var in JS?",
        "do you always use bullet points?",
        "is it email only?",
        "can you write a cron job that runs every sunday?",
        "make me a workout plan with 3 runs every week",
        "make the header blue instead",
        "if it rains tomorrow remind me to cancel",
        "if something is wrong with the app, users write to support",
        "when you're done, ping me",
        "don't change anything yet",
        "Best holiday ever!",
        "no luck ever with these tickets",
        "always a pleasure",
        "always traffic on the A4",
        "never mind",
        "never trust a skinny chef",
        "never change a running system",
        "Judge Amato hates footnotes, so never put any in papers for her",
        "Meetings: Tom at 3, Lena at 4",
    ],
)
def test_what_is_of_one_answer_or_of_others_is_no_wish(text: str) -> None:
    assert wishes(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "I never take calls on friday afternoon, block it if you plan anything for me",
            "User never takes calls on friday afternoon",
        ),
        (
            "Tuesdays and thursdays I dont see patients, thats paperwork",
            "User doesn't see patients on Tuesdays and thursdays",
        ),
        ("i invoice on the first of the month", "User invoices on the first of the month"),
        ("im dyslexic so short bullets and no walls of text", "User is dyslexic"),
        ("Please remember that I work in base R. No pipes.", "User works in base R"),
        ("Please remember that I work in base R. No pipes.", "User wants no pipes"),
    ],
)
def test_a_habit_is_told_with_its_days_and_nothing_else(text: str, told: str) -> None:
    assert told in read(text)


def test_what_answers_what_one_enjoys_is_liked() -> None:
    asked = Message(1, "s", 1, AT, Role.ASSISTANT, "What do you enjoy? Sports, music?")
    said = Message(2, "s", 2, AT, Role.USER, "juggling, a bit of chess.")
    found = RuleExtractor(judge=lambda each, _: each).extract([asked, said])
    assert [each.text for each in found] == ["User likes juggling, a bit of chess"]
