"""Who is what to the user: with all that says which one, and of nobody else."""

import pytest

from hermes.bench.fit_gate import read_line
from hermes.clock import parse_time
from hermes.memory.facts.clauses.reader import read_text
from hermes.types import FactKind

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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("manager is Henrike, she likes numbers", ["User's manager is Henrike"]),
        ("husband (Tarek) does mornings", ["User's husband is Tarek"]),
        ("Pixel says thanks (the cat)", ["User's cat is Pixel"]),
        (
            "3 kids (Mila 9, Jonte 6, baby Ove)",
            ["User's kid is Mila (9)", "User's kid is Jonte (6)", "User's baby is Ove"],
        ),
        ("her kids (Mila, Jonte) are here", []),
        ("the manager is out", []),
        ("manager is away", []),
        ("a colleague of mine (the cat lover) left", []),
    ],
)
def test_people_are_named_in_few_words(text: str, told: list[str]) -> None:
    found = [each for each in read_text(text, AT) if each.kind is FactKind.RELATIONSHIP]
    assert [each.text for each in found] == told


def test_one_of_several_is_told_by_name_with_what_is_said_of_them() -> None:
    told = [each.text for each in read_text("One of my students, Ilyas, is visually impaired", AT)]
    assert "User's student Ilyas is visually impaired" in told


def test_laughter_in_an_aside_is_about_the_aside() -> None:
    said = "my daughter Tilda is allergic to nuts (learned the hard way lol)"
    assert any("Tilda is allergic to nuts" in each.text for each in read_text(said, AT))
    assert not [e for e in read_text("my boss is Satan lol", AT) if "Satan" in e.value]


def test_who_is_named_after_somebody_else_is_theirs() -> None:
    said = "my sister Ines marries. she talks to plants. fiancé is called Duarte"
    told = [each.text for each in read_line(said) if each.value == "Duarte"]
    assert told == ["User's sister Ines's fiancé is Duarte"]


def test_each_of_two_posts_is_told() -> None:
    told = [each.text for each in read_line("deliveries are Gorka, purchasing is Amaia")]
    assert told == ["Deliveries are Gorka", "Purchasing is Amaia"]
    told = [each.text for each in read_line("Obinna covers pricing, Marit covers the fx import")]
    assert told == ["Obinna covers pricing", "Marit covers the fx import"]
