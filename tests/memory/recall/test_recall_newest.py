"""What is told though nothing in it was found: the newest, which a task may go on from."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from days import embed_all, say_by_day

from hermes.app.recall_shapes import recall_shape
from hermes.clock import DAY_MS, HOUR_MS, parse_time
from hermes.guard.fence import NOTICE
from hermes.library import Hermes
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.evidence import SILENCE
from hermes.memory.recall.render import SILENT, UNSURE
from hermes.memory.recall.select import is_only_new
from hermes.memory.recall.task import asks_nothing

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
        say_by_day(opened, SAID, hour=10)
        embed_all(opened)
        yield opened


def recall(memory: Hermes, task: str, after_ms: int) -> Recall:
    engine = memory.app.memory.engine
    return engine.recall(task, bank="default", as_of=SAID_AT + after_ms)


NEWEST = list(SAID.values())[:-4:-1]


@pytest.mark.parametrize("task", ["write a haiku about autumn leaves", "where was I born"])
@pytest.mark.parametrize("after_ms", [HOUR_MS, 5 * DAY_MS])
def test_beside_a_task_of_its_own_the_newest_are_there_and_told_as_such(
    memory: Hermes, task: str, after_ms: int
) -> None:
    recalled = recall(memory, task, after_ms)
    assert sorted(item.text for item in recalled.items) == sorted(NEWEST)
    assert [item["why"] for item in recall_shape(recalled)["items"]] == ["newest"] * 3


@pytest.mark.parametrize("task", ["where did we leave off?", "continue", "what is new"])
def test_a_task_that_goes_on_gets_the_newest(memory: Hermes, task: str) -> None:
    given = [item.text for item in recall(memory, task, 5 * DAY_MS).items]
    assert SAID[LAST_DAY] in given


@pytest.mark.parametrize("task", ["", "🎉", "hi there", "Hello!", "thanks a lot", "Good morning"])
def test_where_nothing_is_asked_only_the_newest_are_told(memory: Hermes, task: str) -> None:
    given = recall(memory, task, HOUR_MS).items
    assert [item.text for item in given] == NEWEST
    assert all(is_only_new(item, 0.0) for item in given)
    assert asks_nothing(task)


@pytest.mark.parametrize("task", ["there", "good wine", "ok computer", "morning run", "你住哪里"])
def test_words_beside_a_greeting_are_looked_up(task: str) -> None:
    assert not asks_nothing(task)


def test_the_newest_that_bear_on_a_task_are_told(memory: Hermes) -> None:
    given = [item.text for item in recall(memory, "fill in the tax form", 5 * DAY_MS).items]
    assert SAID[LAST_DAY] in given


def test_of_a_time_in_which_nothing_was_said_that_is_told(memory: Hermes) -> None:
    recalled = recall(memory, "what happened two weekends ago", 60 * DAY_MS)
    assert all(is_only_new(item, 0.65) for item in recalled.items)
    assert recalled.trace.reason == SILENCE
    assert f"{NOTICE}\n{SILENT}\n{UNSURE}\n<" in recalled.context()


def test_of_a_time_in_which_something_was_said_it_is_told(memory: Hermes) -> None:
    recalled = recall(memory, "what happened on 10 February 2026", 60 * DAY_MS)
    assert recalled.items[0].text == SAID["2026-02-10"]
    assert recalled.trace.reason == ""
    assert SILENT not in recalled.context()


@pytest.mark.parametrize("task", ["what did I say", "what did I write"])
def test_that_something_is_said_is_not_what_was_said_in_a_time(tmp_path: Path, task: str) -> None:
    said = SAID | {"2026-03-05": "My doctor says: write less salt on the list."}
    with Hermes(tmp_path / "home") as opened:
        say_by_day(opened, said, hour=10)
        embed_all(opened)
        items = recall(opened, f"{task} on 10 February 2026", 60 * DAY_MS).items
    assert items[0].text == SAID["2026-02-10"]
    assert said["2026-03-05"] not in [item.text for item in items]
