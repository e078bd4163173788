"""Words of two spellings are one, and no two words become one."""

import pytest

from hermes.memory.facts.compare import is_near, is_same_attribute, is_same_text, is_same_value
from hermes.memory.facts.spelling import spelt


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("colour", "color"),
        ("favourite", "favorite"),
        ("neighbours", "neighbors"),
        ("organises", "organizes"),
        ("organisation", "organization"),
        ("theatre", "theater"),
        ("licence", "license"),
        ("travelling", "traveling"),
        ("catalogue", "catalog"),
        ("grey", "gray"),
    ],
)
def test_two_spellings_are_one_word(british: str, american: str) -> None:
    assert spelt(british) == spelt(american)


def test_no_two_words_become_one() -> None:
    told = "hour four tour our rise rize raise filling filing genre gener acre absence court"
    words = told.split()
    assert len({spelt(word) for word in words}) == len(words)


def test_statements_and_attributes_are_one_in_either_spelling() -> None:
    assert is_same_text("User has two cats named miso", "user has 2 cats called Miso.")
    assert is_same_value("grey walls", "gray walls")
    assert is_same_attribute("favourite colour", "favorite color")
    assert is_same_attribute("time zone", "timezone")
    assert not is_same_text("User flies from Oslo to Rome", "User flies from Rome to Oslo")


def test_a_word_that_the_other_has_not_may_be_all_that_is_new() -> None:
    told = "The deploy script for billing runs every night on server"
    assert not is_near(f"{told} otter", f"{told} badger")
    assert is_near(told, f"{told} otter")
    assert not is_near(f"{told} otter", told)
