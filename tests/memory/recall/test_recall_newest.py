"""What is told though nothing in it was found: the newest, where a task may go on from them."""

from collections.abc import Iterator

import pytest

from hermes.clock import DAY_MS, HOUR_MS, parse_time
from hermes.library import Hermes
from hermes.memory.indexing import index_pending
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.evidence import SILENCE
from hermes.types import Role, Utterance

LAST_DAY = "2026-03-20"
SAID = {
    "2026-02-02": "My sister Ida is getting a kitten.",
    "2026-02-10": "The invoices for the tax office are in the blue folder.",
    "2026-03-01": "I moved the standing desk to the window.",
    "2026-03-18": "The plumber comes for the boiler.",
    "2026-03-19": "Our VAT number has to be on every invoice.",
    LAST_DAY: "I sent the VAT return for February to the tax office.",
}
SAID_AT = parse_time(f"{LAST_DAY}T10:00:00Z")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    with Hermes(tmp_path_factory.mktemp("newest") / "home") as opened:
        for day, text in SAID.items():
            at = parse_time(f"{day}T10:00:00Z")
            opened.record([Utterance(Role.USER, text, at)], session=day)
        app = opened.app
        assert app.embedder is not None
        index_pending(app.store, app.embedder, app.clock)
        yield opened


def recall(memory: Hermes, task: str, after_ms: int) -> Recall:
    engine = memory.app.memory.engine
    return engine.recall(task, bank="default", as_of=SAID_AT + after_ms)


@pytest.mark.parametrize("task", ["write a haiku about autumn leaves", "where was I born"])
def test_a_task_of_its_own_is_not_padded_with_what_is_old(memory: Hermes, task: str) -> None:
    assert recall(memory, task, 5 * DAY_MS).items == ()


@pytest.mark.parametrize("task", ["where did we leave off?", "continue", "what is new"])
def test_a_task_that_goes_on_gets_the_newest(memory: Hermes, task: str) -> None:
    given = [item.text for item in recall(memory, task, 5 * DAY_MS).items]
    assert SAID[LAST_DAY] in given


def test_what_was_said_within_a_day_is_always_at_hand(memory: Hermes) -> None:
    given = recall(memory, "write a haiku about autumn leaves", 2 * HOUR_MS).items
    assert given[0].text == SAID[LAST_DAY]


def test_the_newest_that_bear_on_a_task_are_told(memory: Hermes) -> None:
    given = [item.text for item in recall(memory, "fill in the tax form", 5 * DAY_MS).items]
    assert SAID[LAST_DAY] in given


def test_of_a_time_in_which_nothing_was_said_nothing_is_told_but_that(memory: Hermes) -> None:
    recalled = recall(memory, "what happened two weekends ago", 60 * DAY_MS)
    assert recalled.items == ()
    assert recalled.trace.reason == SILENCE


def test_of_a_time_in_which_something_was_said_that_is_told(memory: Hermes) -> None:
    recalled = recall(memory, "what happened on 10 February 2026", 60 * DAY_MS)
    assert recalled.items[0].text == SAID["2026-02-10"]
    assert recalled.trace.reason == ""
