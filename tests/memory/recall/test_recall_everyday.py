"""Recall of everyday memories with the bundled model: short messages, one-word tasks, past days."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from days import embed_all

from hermes.clock import DAY_MS, parse_time, to_datetime
from hermes.errors import Unavailable, UserError
from hermes.library import Hermes
from hermes.memory.recall.select import is_recent
from hermes.types import Role, Utterance

SAID = {
    "2026-03-12": "I bought a Brompton bicycle.",
    "2026-04-02": "I prefer tea",
    "2026-04-10": "We use c++ and foo_bar.baz() for what's next",
    "2026-06-20": "Change of plan: the Borealis ledger now runs on PostgreSQL.",
    "2026-08-03": "I hate cilantro",
}
FILLER = 60


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hermes]:
    home: Path = tmp_path_factory.mktemp("everyday")
    with Hermes(home / "home") as opened:
        now = opened.app.clock.now()
        for number in range(FILLER):
            at = parse_time("2026-07-01T10:00:00Z") + number * 60_000
            text = f"line number {number} about topic{number % 7}"
            opened.record([Utterance(Role.USER, text, at)], session=f"filler {number // 20}")
        for day, text in SAID.items():
            _say(opened, parse_time(f"{day}T11:00:00Z"), text)
        _say(opened, _tuesday(now, 3), "Dentist appointment: Dr. Osei filled a cavity.")
        _say(opened, _tuesday(now, 3) + 4 * DAY_MS, "Went hiking with Bob, saw a coyote.")
        for number in range(3):
            _say(opened, now - (3 - number) * 60_000, f"file {number} is in the archive now")
        embed_all(opened)
        yield opened


def _say(memory: Hermes, at: int, text: str) -> None:
    reply = Utterance(Role.ASSISTANT, "Noted.", at + 1_000)
    memory.record([Utterance(Role.USER, text, at), reply], session=text)


def _tuesday(now: int, ago: int) -> int:
    """Noon of the Tuesday so many Tuesdays before now."""
    since = (to_datetime(now).weekday() - 1) % 7 or 7
    return now - now % DAY_MS + DAY_MS // 2 - (since + 7 * (ago - 1)) * DAY_MS


def relevant(memory: Hermes, task: str) -> list[str]:
    """What is given because it bears on the task, not because it is new."""
    return [item.text for item in memory.recall(task).items if not is_recent(item)]


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        ("bicycle", "I bought a Brompton bicycle."),
        ("tea", "I prefer tea"),
        ("c++", "We use c++ and foo_bar.baz() for what's next"),
        ("cilantro", "I hate cilantro"),
    ],
)
def test_a_rare_word_brings_the_short_message_that_holds_it(
    memory: Hermes, task: str, wanted: str
) -> None:
    assert relevant(memory, task)[0] == wanted


@pytest.mark.parametrize(
    "task", ["how do I bake bread", "quantum chromodynamics", "plan a heist", "write a haiku"]
)
def test_what_nothing_bears_on_brings_nothing(memory: Hermes, task: str) -> None:
    assert relevant(memory, task) == []


def test_a_common_word_is_no_reason(memory: Hermes) -> None:
    assert len(relevant(memory, "which line is wrong in the kubernetes manifest")) <= 1


def test_what_was_said_on_the_day_asked_for_comes_first(memory: Hermes) -> None:
    found = relevant(memory, "what did I do three Tuesdays ago")
    assert found[0] == "Dentist appointment: Dr. Osei filled a cavity."
    assert not any("line number" in text for text in found)


def test_the_rest_of_a_question_ranks_within_its_time(memory: Hermes) -> None:
    assert relevant(memory, "what did I buy in March 2026")[0] == SAID["2026-03-12"]


def test_a_fact_of_another_time_is_no_answer(memory: Hermes) -> None:
    memory.remember("The Borealis ledger runs on PostgreSQL")
    embed_all(memory)
    found = memory.recall("what happened in March 2026").items
    assert found[0].text == SAID["2026-03-12"]
    assert not any(item.ref.startswith("fact:") for item in found)


def test_a_budget_too_small_for_anything_is_refused(memory: Hermes) -> None:
    with pytest.raises(UserError, match="too small"):
        memory.recall("tea", budget_tokens=5)
    for odd in ("x", 1.5, "200"):
        with pytest.raises(UserError, match="whole number of tokens"):
            memory.app.memory.recall("tea", bank="default", budget_tokens=cast(int, odd))


def test_nothing_asked_is_nothing_found(memory: Hermes) -> None:
    assert memory.search("  ") == ()


def test_the_trace_tells_the_days_a_time_was_taken_for(memory: Hermes) -> None:
    ((text, start_at, end_at),) = memory.recall("what did I buy in March 2026").trace.spans
    assert text == "in March 2026"
    assert abs(end_at - start_at - 31 * DAY_MS) < DAY_MS  # an hour less where clocks change


def test_a_closed_memory_says_so(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as opened:
        opened.recall("tea")
    with pytest.raises(Unavailable, match="closed"):
        opened.app.memory.engine.recall("tea", bank="default")
