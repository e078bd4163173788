"""What tools brought is shortened, the oldest first, and never what nobody read yet in vain."""

import json
from typing import ClassVar

from hypothesis import given
from hypothesis import strategies as st

from hermes.agent.shortening import shorten_results
from hermes.agent.thread import Thread, make_line
from hermes.llm.base import ChatMessage
from hermes.types import Role, ToolCall

LINE = "The lighthouse of island 7 was painted red in 2019.\n"


def turn_of(*groups: list[int]) -> Thread:
    """A turn of several steps, each with results of so many lines."""
    lines = [make_line(ChatMessage(Role.USER, "Read them."), id=1)]
    for step, sizes in enumerate(groups):
        calls = tuple(ToolCall(f"c{step}.{n}", "read_file", "{}") for n in range(len(sizes)))
        lines.append(make_line(ChatMessage(Role.ASSISTANT, "", calls=calls)))
        results = (
            ChatMessage(Role.TOOL, LINE * n, call_id=c.id)
            for c, n in zip(calls, sizes, strict=True)
        )
        lines += [make_line(each, id=9) for each in results]
    return Thread("s", "default", lines=lines)


def results_of(thread: Thread) -> list[str]:
    return [line.message.text for line in thread.lines if line.message.role is Role.TOOL]


def test_no_more_is_shortened_than_there_must_be() -> None:
    thread = turn_of([100], [100], [100])
    assert shorten_results(thread, 0, thread.tokens - 500, 1 << 20) == 1
    first, second, third = results_of(thread)
    assert "call read_file again" in first
    assert first.startswith(LINE)
    assert second == third == LINE * 100
    assert shorten_results(thread, 0, thread.tokens, 1 << 20) == 0


def test_the_newest_stay_whole_unless_the_window_has_no_room() -> None:
    thread = turn_of([100], [100, 2])
    assert shorten_results(thread, 0, 10, 1 << 20) == 1
    assert results_of(thread)[1:] == [LINE * 100, LINE * 2]
    most = thread.tokens - 300
    assert shorten_results(thread, 0, 10, most) == 2, "of the first, nothing is left"
    assert thread.tokens <= most
    assert results_of(thread)[2] == LINE * 2, "a short one is not the one to be cut"


@given(st.lists(st.lists(st.integers(0, 120), min_size=1, max_size=4), min_size=1, max_size=5))
def test_a_turn_always_comes_within_the_window(groups: list[list[int]]) -> None:
    thread = turn_of(*groups)
    shorten_results(thread, 0, 500, 4_000)
    assert thread.tokens <= 4_000
    assert all(line.id in (0, 1, 9) for line in thread.lines)
    before = results_of(thread)
    called = [call.id for line in thread.lines for call in line.message.calls]
    answered = [ln.message.call_id for ln in thread.lines if ln.message.role is Role.TOOL]
    assert called == answered, "no call without its result"
    shorten_results(thread, 0, 500, 4_000)
    assert results_of(thread) == before, "nothing is shortened twice"


def test_a_window_that_many_steps_fill_loses_the_oldest_of_them() -> None:
    thread = turn_of(*[[20]] * 60)
    assert shorten_results(thread, 0, 500, 1_500) > 60
    assert thread.tokens <= 1_500
    texts = [line.message.text for line in thread.lines]
    assert texts[0] == "Read them."
    assert texts[1].startswith("[Earlier steps of this task are left out")
    assert texts[-1] == LINE * 20


class Summed(Thread):
    """Counts how often all of its lines are summed up."""

    sums: ClassVar[int] = 0

    @property
    def tokens(self) -> int:
        Summed.sums += 1
        return super().tokens


def test_the_whole_is_not_summed_up_for_every_line() -> None:
    thread = Summed("s", "default", lines=turn_of(*[[20]] * 100).lines)
    assert shorten_results(thread, 0, 500, 1_500) > 100
    assert Summed.sums < 10


def test_arguments_that_are_no_object_are_left_alone() -> None:
    broken = ToolCall("a", "write_file", '{"content": "' + LINE.strip() * 100)
    listed = ToolCall("b", "write_file", json.dumps([LINE] * 100))
    lines = [make_line(ChatMessage(Role.ASSISTANT, "", calls=(broken, listed)))]
    thread = Thread("s", "default", lines=[*lines, make_line(ChatMessage(Role.USER, "And?"))])
    assert shorten_results(thread, 0, 10, 20) == 0
    assert thread.lines[0].message.calls == (broken, listed)
