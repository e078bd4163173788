"""Who is what to the user: with all that says which one, and of nobody else."""

import pytest

from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import read_text

AT = parse_time("2026-03-02T09:00:00Z")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My piano teacher is Udo.", "User's piano teacher is Udo"),
        ("Udo is my piano teacher.", "User's piano teacher is Udo"),
        ("My piano teacher's name is Udo.", "User's piano teacher is Udo"),
        ("My piano teacher is called Udo.", "User's piano teacher is Udo"),
        ("My eye doctor is Dr. Weiss.", "User's eye doctor is Dr. Weiss"),
        ("My physical therapist is Ole.", "User's physical therapist is Ole"),
        ("My running coach is Ben.", "User's running coach is Ben"),
        ("Ben, my running coach, is ill.", "User's running coach is Ben"),
        ("Eva (my tax advisor) sent the forms.", "User's tax advisor is Eva"),
        ("My late husband Tom loved jazz.", "User's late husband is Tom"),
        ("My older sister is Ana.", "User's older sister is Ana"),
        ("My Spanish teacher is Udo.", "User's Spanish teacher is Udo"),
        ("We got a rescue dog named Max.", "User's rescue dog is Max"),
        ("My new doctor is Dr. Lang.", "User's doctor is Dr. Lang"),
        ("My boss is Ilse.", "User's boss is Ilse"),
    ],
)
def test_a_relation_keeps_what_says_which_one(text: str, told: str) -> None:
    assert told in [each.text for each in read_text(text, AT)]


@pytest.mark.parametrize(
    "text",
    [
        "Leila is my colleague's sister.",
        "Ralf is my sister's husband.",
        "Rex is my neighbour's dog.",
        "Desmond, my father's brother, is here.",
        "I saw a dog called Rex in the park.",
        "I need a dog called Rex for the story",
        "There is a cat named Milo in the film.",
    ],
)
def test_what_somebody_else_has_is_not_the_users(text: str) -> None:
    told = [each.text for each in read_text(text, AT) if each.subject == "user"]
    assert [each for each in told if "'s " not in each.removeprefix("User's ")] == []


def test_which_one_is_spoken_of_is_part_of_who_it_is() -> None:
    said = ("My piano teacher lives in Rome.", "My teacher lives in Oslo.")
    subjects = [each.subject for text in said for each in read_text(text, AT)]
    assert subjects == ["user's piano teacher", "user's teacher"]


@pytest.mark.parametrize(
    ("text", "told", "single"),
    [
        ("I work for Sofia.", "User works for Sofia", False),
        ("I work for Baker & Stone.", "User works at Baker & Stone", True),
        ("I work at Sofia.", "User works at Sofia", True),
    ],
)
def test_for_whom_one_works_may_be_somebody(text: str, told: str, single: bool) -> None:
    assert [(each.text, each.single) for each in read_text(text, AT)] == [(told, single)]
