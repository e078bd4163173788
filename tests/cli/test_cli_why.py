"""`hermes memory why` takes a fact's name, or words that the fact holds."""

import json

import pytest

from chatting import open_home, say_all
from conftest import Hermes
from hermes.config.paths import Home


def test_why_by_words_explains_the_fact_that_holds_them(hermes: Hermes) -> None:
    for text in ("My sister Mina lives in Rome.", "I prefer dark mode.", "Mina owns a boat."):
        assert hermes("memory", "fact", "add", text).code == 0
    outcome = hermes("memory", "why", "dark", "mode")
    assert outcome.code == 0
    assert outcome.out.startswith("[fact:002]")
    assert "given by hand" in outcome.out
    assert hermes("memory", "why", "fact:2").out == outcome.out
    shape = json.loads(hermes("memory", "why", "dark mode", "--json").out)
    assert "dark mode" in json.dumps(shape)
    several = hermes("memory", "why", "Mina")
    assert several.out.startswith("[fact:00")
    assert "also: [fact:00" in several.err


def test_why_of_nothing_says_where_to_look(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "I prefer dark mode.")
    outcome = hermes("memory", "why", "quantum", "physics")
    assert outcome.code == 1
    assert "No fact holds 'quantum physics'" in outcome.err
    assert "hermes memory facts list" in outcome.err


@pytest.mark.parametrize("wrong", ["fact:-1", "fact:0", "fact:", "[fact:x]", "+1"])
def test_what_is_meant_as_a_fact_is_never_looked_for_as_words(hermes: Hermes, wrong: str) -> None:
    hermes("memory", "fact", "add", "Fact 1 is that I prefer dark mode.")
    outcome = hermes("memory", "why", wrong)
    assert (outcome.code, outcome.out) == (2, "")
    assert "names no fact" in outcome.err


def test_why_names_the_closed_fact_that_holds_the_words(hermes: Hermes, home: Home) -> None:
    hermes("memory", "fact", "add", "User works at Globex")
    added = hermes("memory", "fact", "add", "User works at Initech now")
    assert "takes the place of fact:001" in added.err
    outcome = hermes("memory", "why", "Globex")
    assert outcome.code == 1
    assert "No fact that is believed holds 'Globex'; closed: fact:001." in outcome.err
    assert "hint: See `hermes memory why fact:001`." in outcome.err
    assert "Globex" in hermes("memory", "why", "fact:001").out
    with open_home(home.root) as app:
        heard = "\n".join(say_all(app, "/why Globex"))
    assert "closed: fact:001." in heard
    assert "/why fact:001 tells of it" in heard


def test_why_does_not_name_what_was_deleted(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User works at Globex")
    hermes("memory", "fact", "delete", "1", "--yes")
    assert "No fact holds 'Globex'." in hermes("memory", "why", "Globex").err
