"""A proof of erasing looks for everything that was erased, wherever a person may have put it."""

import json

import pytest

from conftest import Hermes
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.types import EventKind
from talk import turn

SAID = [
    "Good morning, shall we go on with the plan?",
    "Certainly, here is where we stopped last week.",
    "The spare key hangs behind the green meter box in the yard.",
    "Noted. Anything else about the house that matters?",
    "thank you",
    "You are welcome, tell me when you are ready again.",
    "My sister Ottilie pays the rent from her account in Graz.",
    "I will keep that in mind for the budget.",
]


def _talk(home: Home, *texts: str, session: str) -> tuple[int, ...]:
    with open_app(home.profile("default"), {}) as app:
        return app.conversations.record([turn(*texts, session=session)])[0].message_ids


@pytest.mark.parametrize("number", range(len(SAID)))
def test_every_message_of_a_session_is_looked_for(hermes: Hermes, home: Home, number: int) -> None:
    _talk(home, *SAID, session="house")
    copy = home.root / "workspace" / "m.txt"
    copy.write_text(f"copied from a chat: {SAID[number].upper()} (end)")
    done = hermes("memory", "erase", "session:house", "--prove", "--yes", "--json")
    proof = json.loads(done.out)["proof"]
    assert done.code == 1
    assert proof["found"] == ["file workspace/m.txt"]
    assert proof["texts"] == len(SAID)


def test_every_target_is_looked_for(hermes: Hermes, home: Home) -> None:
    ids = _talk(home, *SAID, session="house")
    (home.root / "workspace" / "m.txt").write_text(SAID[6])
    targets = (f"message:{ids[2]}", f"message:{ids[6]}")
    done = hermes("memory", "erase", *targets, "--matching", "budget", "--prove", "--yes")
    assert done.code == 1
    assert "for 3 texts: still found in\n  file workspace/m.txt\n" in done.out


def test_a_sentence_of_a_long_message_is_found(hermes: Hermes, home: Home) -> None:
    (number, _) = _talk(home, " ".join(SAID), "ok", session="house")
    (home.root / "workspace" / "m.txt").write_text(f"…{SAID[6]}…")
    done = hermes("memory", "erase", f"message:{number}", "--prove", "--yes", "--json")
    assert json.loads(done.out)["proof"]["found"] == ["file workspace/m.txt"]


def test_short_texts_that_others_say_as_well_are_told_and_not_found(
    hermes: Hermes, home: Home
) -> None:
    _talk(home, *SAID, session="house")
    _talk(home, "Thank you for the tea", "ok", session="tea")
    done = hermes("memory", "erase", "session:house", "--prove", "--yes")
    assert done.code == 0, done.out
    assert f"for {len(SAID) - 1} texts: found nowhere" in done.out
    assert "not searched for: 1 short text that what stays says, too" in done.out


def test_a_short_word_is_looked_for_in_raw_pages_by_what_was_said_with_it(
    hermes: Hermes, home: Home
) -> None:
    _talk(home, "my sister keeps an owl called Mia in the barn", "fine", session="house")
    done = hermes("memory", "erase", "--matching", "Mia", "--prove", "--yes")
    assert done.code == 0, done.out
    assert "for 2 texts: found nowhere" in done.out
    assert "raw pages" not in done.out


NAMES = {
    "a": "My friend Zorbina lives in Oslo.",
    "b": "My friend Zorkan lives in Rome.",
    "c": "Zorkan is short for Zorbina.",
}


def _tell_names(hermes: Hermes, home: Home) -> None:
    for session, said in NAMES.items():
        _talk(home, said, "ok", session=session)
    assert hermes("memory", "extract").code == 0


def test_a_name_that_nothing_says_any_more_is_in_no_line_of_the_log(
    hermes: Hermes, home: Home
) -> None:
    _tell_names(hermes, home)
    with open_app(home.profile("default"), {}) as app:
        told = "Merged the entity Zorkan into Zorbina"  # as lines were written before
        app.events.record(EventKind.MEMORY, told, ref="entity:1")
    done = hermes("memory", "erase", "session:a", "session:c", "--prove", "--yes")
    assert done.code == 0
    assert "found nowhere" in done.out
    assert "zorbina" not in hermes("log", "--json").out.lower()


def test_a_name_that_is_left_somewhere_is_found(hermes: Hermes, home: Home) -> None:
    _tell_names(hermes, home)
    (home.root / "workspace" / "m.txt").write_text("ask ZORBINA about it")
    done = hermes("memory", "erase", "session:a", "session:c", "--prove", "--yes", "--json")
    assert json.loads(done.out)["proof"]["found"] == ["file workspace/m.txt"]
