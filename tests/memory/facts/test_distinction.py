"""Of two things of one name, what is said of the one neither repeats nor replaces the other."""

import pytest

from hermes.memory.facts.distinction import tells_apart


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("User's brother lives in Oslo", "User's other brother lives in Rome"),
        ("User's older sister is a nurse", "User's younger sister is a lawyer"),
        ("User's flight is on 3 June", "User's return flight is on 17 June"),
        ("The old API runs on port 8080", "The new API runs on port 9090"),
        ("User's mother is Rosa", "User's mother-in-law is Inge"),
        ("User's father is Otto", "User's stepfather is Emil"),
        ("User's work laptop runs Fedora", "User's home laptop runs Windows"),
        ("Petra's first car was a Fiat", "Petra's car is a Volvo"),
        ("The Monday standup is at 9", "The Friday standup is at 10"),
        ("User's wife's passport expires in May", "User's passport expires in June"),
        ("Anna's report is due on Friday", "The report is due on Monday"),
    ],
)
def test_two_of_one_name_are_told_apart(left: str, right: str) -> None:
    assert tells_apart(left, right)
    assert tells_apart(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("User's phone is an iPhone", "User's new phone is a Pixel"),
        ("The weekly sync is on Monday", "The sync is on Tuesday"),
        ("User moved to Nantes last weekend", "User lives in Lyon"),
        ("User's other brother lives in Rome", "User's other brother lives in Bari"),
        ("User stepped down as treasurer", "User is the treasurer of the nursery"),
        ("User lives with the other tenants", "User lives alone"),
        ("The report's deadline is Friday", "The report is due on Friday"),
        ("Billing is Luca's now", "Billing is Farah's"),
        ("User works at McDonald's", "User works at Lumen"),
    ],
)
def test_one_thing_is_one_however_it_is_called(left: str, right: str) -> None:
    assert not tells_apart(left, right)
    assert not tells_apart(right, left)


def test_what_is_gone_is_the_old_one_by_that_alone() -> None:
    told = ("User's old car is sold", "User's car is a Golf")
    assert tells_apart(*told)
    assert not tells_apart(*told, is_end=True)
