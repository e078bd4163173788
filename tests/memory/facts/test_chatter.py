"""A fact is told plainly: what only fills a chat is cut, what is meant by its words stays."""

import pytest

from hermes.memory.facts.candidate import USER, Candidate
from hermes.memory.facts.clauses.chatter import plainly, speaks_itself, without_chatter
from hermes.types import FactKind


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("User hates pla btw, petg only", "User hates pla, petg only"),
        ("User avoids hostels, too old (34 lol)", "User avoids hostels, too old (34)"),
        ("The api is in go, the worker in rust, dont ask", "The api is in go, the worker in rust"),
        ("It runs on docker (yes swarm, dont judge)", "It runs on docker (yes swarm)"),
        ("User runs Arch (don't judge me)", "User runs Arch"),
        ("User got engaged !!! to Marisol", "User got engaged to Marisol"),
        ("User has used neovim for 8 yrs", "User has used neovim for 8 years"),
        ("User is at BASF, kinda bored (said 2026-04-01)", "User is at BASF (said 2026-04-01)"),
        ("tidepool (my side project)", "tidepool (the user's side project)"),
        ("Philippa doesn't eat cheese (at raclette, I know)", "Philippa doesn't eat cheese"),
    ],
)  # fmt: skip
def test_words_of_a_chat_are_cut(said: str, told: str) -> None:
    assert plainly(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "User wants Hermes to never say lol",
        "User hates the word btw",
        "User never writes 'haha lol' in a mail",
        "The brand is called LOL",
        "User's plan is Pro!",
        "User swears they quit tomorrow (i wont)",
    ],
)
def test_what_is_meant_stays(said: str) -> None:
    assert plainly(said) == said


def test_a_value_is_cut_as_its_text_is() -> None:
    said = Candidate("User hates pla btw", FactKind.PREFERENCE, USER, "dislikes", "pla btw")
    told = without_chatter(said)
    assert (told.text, told.value) == ("User hates pla", "pla")


@pytest.mark.parametrize(
    ("said", "speaks"),
    [
        ("User swears to quit tomorrow (i wont)", True),
        ("The party is where we went last year", True),
        ("User's sister says: I quit", False),
        ("User wants 'I am here' on the badge", False),
        ("User is on tier I/II", False),
    ],
)
def test_what_a_speaker_says_of_their_own_is_known(said: str, speaks: bool) -> None:
    assert speaks_itself(said) is speaks
