"""Questions for the newest or the oldest of what matches."""

from collections.abc import Iterator

import pytest
from days import embed_all, say_by_day

from hermes.clock import FixedClock, parse_time
from hermes.library import Hermes
from hermes.memory.recall.ends import asked_end
from hermes.memory.recall.engine import Engine
from hermes.types import Kind

SAID = {
    "2026-02-03": "Balou has been scratching his ears for days, and he shakes his head, too",
    "2026-03-01": "went to the dentist today, two fillings on the left and a long talk about gums",
    "2026-03-20": "Had a first look at the bakery on Mill Road that is for sale, with Oskar",
    "2026-04-11": "I gave Balou chicken for a week and he is itching again everywhere",
    "2026-05-02": "dentist again: the left filling had to be made anew",
    "2026-05-20": "The roofer came about the roof, he wants 4,200 euros",
    "2026-06-02": "signed the lease of the bakery",
    "2026-06-09": "Balou's itch is gone",
    "2026-06-20": "roof is done, cost 4,900 in the end",
    "2026-07-01": "repainted the hallway in a warm grey",
}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("when did I last mention Balou?", "last"),
        ("when did Anna last visit?", "last"),
        ("the last time I went to the dentist", "last"),
        ("what did I say most recently about the dog", "last"),
        ("what's the latest on the roof?", "last"),
        ("When was the last dentist appointment?", "last"),
        ("where did I see the keys last?", "last"),
        ("when did we first talk about the bakery", "first"),
        ("What was the first thing I told you?", "first"),
        ("the first time we met", "first"),
        ("when was my first lesson", "first"),
        ("what did I do last week", None),
        ("what did we do last Tuesday evening", None),
        ("what is my last name", None),
        ("when was my last name changed", None),
        ("what did I say at last", None),
        ("what did I do the week before last?", None),
        ("what is Anna's first name", None),
        ("when was the first floor painted", None),
        ("did I paint the first floor", None),
        ("I need it by Friday at the latest", None),
        ("was she first in her class", None),
        ("what happened first on Monday", None),
        ("who is my dentist", None),
    ],
)
def test_which_end_is_asked_for(text: str, end: str | None) -> None:
    assert asked_end(text) == end


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Hermes(tmp_path_factory.mktemp("ends") / "home") as opened:
        say_by_day(opened, SAID)
        embed_all(opened)
        clock = FixedClock(parse_time("2026-07-08T12:00:00Z"))
        engine = Engine(opened.app.store, clock, embedder=opened.app.embedder)
        yield engine
        engine.close()


def first_of(diary: Engine, task: str) -> str:
    return next(i.text for i in diary.recall(task, bank="default").items if i.kind is Kind.EPISODE)


@pytest.mark.parametrize(
    ("task", "day"),
    [
        ("when did I last mention Balou?", "2026-06-09"),
        ("when did I first mention Balou?", "2026-02-03"),
        ("the last time I went to the dentist", "2026-05-02"),
        ("what was the first time I went to the dentist", "2026-03-01"),
        ("when did we first talk about the bakery?", "2026-03-20"),
        ("what is the latest on the bakery?", "2026-06-02"),
        ("what is the latest on the roof?", "2026-06-20"),
        ("what was the first thing I told you?", "2026-02-03"),
        ("when did I last mention Balou in April?", "2026-04-11"),
        ("what was the last thing I told you in April?", "2026-04-11"),
    ],
)
def test_that_end_goes_first(diary: Engine, task: str, day: str) -> None:
    assert first_of(diary, task) == SAID[day]


def test_a_much_better_match_stays_first(diary: Engine) -> None:
    task = "when did I last say that Balou is scratching his ears and shakes his head?"
    assert first_of(diary, task) == SAID["2026-02-03"]
